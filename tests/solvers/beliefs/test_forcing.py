"""What can be forced, held against every pure strategy of small games, and against all sets of possible positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as chosen
from hypothesis import strategies as st
from random_cases import many

import zermelo
from tests.helpers.following_plans import ends_of
from tests.helpers.random_games.labelled import labelled_tree
from tests.helpers.random_games.small import Small
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END

MOST_STRATEGIES = 3_000


def forced_by_all_strategies(tree, player):
    """The greatest amount that some pure strategy of a player brings in every single play, by trying each; None if they
    are too many."""
    name = tree.players[player]
    options = {
        node.set: range(len(node.children)) for _, node in tree.root.nodes() if node.set >= 0 and node.player == name
    }
    count = 1
    for option in options.values():
        count *= len(option)
    if count > MOST_STRATEGIES:
        return None

    def worst(node, strategy):
        if node.payoff:
            return node.payoff[player]
        if node.player == name:
            return worst(node.children[strategy[node.set]], strategy)
        return min(worst(child, strategy) for child in node.children)

    return max(worst(tree.root, dict(zip(options, made, strict=True))) for made in product(*options.values()))


@given(seed=st.integers(0, 10**6), players=st.integers(1, 3))
@chosen(max_examples=many(150))
def test_no_pure_strategy_forces_more(seed, players):
    tree = labelled_tree(Random(seed), depth=4 + seed % 2, players=players)
    player = seed % players
    expected = forced_by_all_strategies(tree, player)
    if expected is None:
        return
    game = zermelo.loads(tree.game())
    found = zermelo.force(game.initial, game.players[player])
    assert found.amount == expected
    ends = ends_of(found.plan, game.reference, player, game.reference.initial())
    assert min(amount for amount, _ in ends) == expected
    assert zermelo.force(game.initial, game.players[player], at_least=expected).amount == expected
    more = zermelo.force(game.initial, game.players[player], at_least=expected + Fraction(1, 2))
    assert more.plan is None and more.amount is None


def guaranteed(machine, player, states):
    """The most that a player can be sure of who holds these states possible, by going through all plays: no position is
    ever taken for another."""
    worst, heard = [], {}
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            worst.append(machine.payoff(state)[player])
        elif actor == player:
            heard.setdefault(tuple(machine.information_state(state, player)), []).append(state)
        else:
            moves = machine.moves(state) if actor != CHANCE else [move for move, _ in machine.outcomes(state)]
            waiting += [machine.after(state, move) for move in moves]
    for alike in heard.values():
        moves = machine.moves(alike[0])
        ways = ([machine.after(state, move) for state in alike] for move in moves)
        worst.append(max(guaranteed(machine, player, way) for way in ways))
    return min(worst)


@given(seed=st.integers(0, 10**6))
@chosen(max_examples=many(60))
def test_games_of_rules_are_judged_as_by_all_their_plays(seed):
    """Messages, secret moves, earnings, discounts; positions that come about in several ways."""
    random = Random(seed)
    players = ("Ann", "Bob")[: random.choice((1, 2))]
    phases = tuple(random.sample(("a", "b", "c", "root", "play"), random.randint(2, 4)))
    chance = tuple(name for name in phases[1:] if random.random() < 0.3)
    secrecy = random.choice((45, 90))
    text = Small(random, players, "any", secrecy, "", True, history="", phases=phases, chance=chance).game()
    game = zermelo.loads(text)
    player = random.randrange(len(players))
    try:
        expected = guaranteed(game.reference, player, [game.reference.initial()])
        found = zermelo.force(game.initial, players[player])
    except ZermeloError as error:
        assert error.code != "internal-error"
        return
    assert found.amount == expected
    ends = ends_of(found.plan, game.reference, player, game.reference.initial())
    assert min(amount for amount, _ in ends) == expected


# ------------------------------------------------------------------ positions that come again


class Walk:
    """A random walk among ``places``: whatever move is made, the walker comes to one of some places, and sees only
    whether it is bright there. Some places win, and some lose."""

    def __init__(self, random):
        self.places = range(random.choice((3, 4, 5)))
        self.moves = range(random.choice((1, 2, 3)))
        self.targets = {
            (place, move): random.sample(self.places, random.choice((1, 1, 1, 2)))
            for place in self.places
            for move in self.moves
        }
        self.bright = {place for place in self.places if random.random() < 0.3}
        kinds = random.choices(("on", "win", "lose"), (4, 1, 1), k=len(self.places))
        self.kinds = dict(zip(self.places, kinds, strict=True))
        self.begins = [place for place in self.places if self.kinds[place] == "on"]

    def game(self):
        ways = " or ".join(
            f"(at == {place} and m == {move} and t == {target})"
            for (place, move), targets in self.targets.items()
            for target in targets
        )
        lines = [
            'game "Walk"', "players Ann",
            f"type Place = 0..{len(self.places) - 1}", f"type Turn = 0..{len(self.moves) - 1}",
            "var at: Place = 0  hidden", f"define bright: set of Place = {_set(self.bright)}",
            f"define wins: set of Place = {_set(p for p in self.places if self.kinds[p] == 'win')}",
            f"define loses: set of Place = {_set(p for p in self.places if self.kinds[p] == 'lose')}",
            "start at begin", "phase begin:", "    chance:",
            f"        outcome begin(p in {_set(self.begins)}):",
            "            at := p", "            go look",
            "phase look:", "    if at in wins: end payoff (1)", "    if at in loses: end payoff (0)",
            "    if at in bright: tell Ann that light", "    go walk",
            "phase walk:", "    turn Ann:", "        move walk(m in Turn): go step(m)",
            "phase step(m: Turn):", "    chance:", f"        outcome to(t in Place) if {ways}:",
            "            at := t", "            go look",
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def can_be_forced(self):
        """Whether a win can be forced, by the least fixed point over all sets of places."""
        subsets = chain.from_iterable(combinations(self.places, size) for size in range(1, len(self.places) + 1))
        won, everything = set(), [frozenset(each) for each in subsets]
        while True:
            more = {
                each
                for each in everything
                if each not in won and any(self.wins(each, move, won) for move in self.moves)
            }
            if not more:
                return all(part in won for part in self.seen(self.begins))
            won |= more

    def wins(self, places, move, won):
        after = {target for place in places for target in self.targets[place, move]}
        if any(self.kinds[place] == "lose" for place in after):
            return False
        return all(part in won for part in self.seen(place for place in after if self.kinds[place] == "on"))

    def seen(self, places):
        """The sets of places that look different."""
        places = set(places)
        parts = frozenset(places & self.bright), frozenset(places - self.bright)
        return [part for part in parts if part]


def _set(numbers):
    return f"{{{', '.join(map(str, numbers))}}}"


@given(seed=st.integers(0, 10**9))
@chosen(max_examples=many(150))
def test_walks_in_circles_are_judged_as_by_a_fixed_point(seed):
    walk = Walk(Random(seed))
    if not walk.begins:
        return
    game = zermelo.loads(walk.game())
    found = zermelo.force(game.initial, "Ann", at_least=1)
    assert (found.plan is not None) == walk.can_be_forced()
    if found.plan is not None:
        assert {amount for amount, _ in ends_of(found.plan, game.reference, 0, game.reference.initial())} == {1}


# ------------------------------------------------------------------ the classics


@pytest.mark.parametrize(("squares", "steps", "is_forced"), [(1, 1, 1), (2, 3, 0), (2, 4, 1), (3, 6, 0), (3, 7, 1)])
def test_a_row_is_cleaned_from_end_to_end(squares, steps, is_forced):
    """Nobody knows where the cleaner is: it goes to one end first, n - 1 steps, and then through all n squares with
    n - 1 steps between. So 3 n - 2 are needed."""
    game = zermelo.load("vacuum", squares=squares, steps=steps)
    found = zermelo.force(game.initial, "Cleaner", at_least=1)
    assert (found.plan is not None) == bool(is_forced) == (steps >= 3 * squares - 2)
    if found.plan is not None:
        assert {amount for amount, _ in ends_of(found.plan, game.reference, 0, game.reference.initial())} == {1}


@pytest.mark.parametrize(
    ("coins", "weighings", "pan", "is_forced"),
    [(2, 1, 1, False), (3, 1, 1, False), (2, 3, 1, False), (3, 2, 1, True), (4, 2, 2, False), (4, 3, 2, True)],
)
def test_as_many_coins_as_weighings_can_tell_apart(coins, weighings, pan, is_forced):
    """Dyson (1946): w weighings find one of at most (3^w - 3)/2 coins and whether it is heavier, if there are three
    coins at least: of two nobody knows which is the odd one."""
    game = zermelo.load("odd_coin", coins=coins, weighings=weighings, pan=pan)
    found = zermelo.force(game.initial, "Assayer", at_least=1)
    assert (found.plan is not None) == is_forced == (3 <= coins <= (3**weighings - 3) // 2)
    if found.plan is not None:
        assert {amount for amount, _ in ends_of(found.plan, game.reference, 0, game.reference.initial())} == {1}


def test_after_a_play_the_plan_begins_with_what_has_been_perceived():
    """No breeze at first: the pit is not next to the way in, and two ways lead around it. A breeze: it may be on either
    of the two, and nobody can go on for certain."""
    game = zermelo.load("pit_cave")
    without, with_breeze = game.initial.after("dig(c2)"), game.initial.after("dig(a2)")
    assert zermelo.force(game.initial, "Explorer").amount == 0
    assert zermelo.force(with_breeze, "Explorer").amount == 0
    found = zermelo.force(without, "Explorer")
    assert found.amount == 1
    machine = game.reference
    truths = [_on(machine, game.initial.after(f"dig({pit})")) for pit in ("a3", "b2", "b3", "c1", "c2")]
    assert {amount for amount, _ in ends_of(found.plan, machine, 0, *truths)} == {1}
    assert found.plan.step_at(tuple(with_breeze.information_state("Explorer"))) is None


def _on(machine, state):
    there = machine.initial()
    for move in state.play:
        there = machine.after(there, move)
    return there


def test_the_secret_choices_of_others_are_part_of_the_truth():
    """Matching pennies: whoever chooses without knowing loses at worst; once the other has chosen nothing changes."""
    pennies = zermelo.load("matching_pennies")
    assert zermelo.force(pennies.initial, "Even").amount == -1
    assert zermelo.force(pennies.initial.after(str(pennies.initial.moves[0])), "Odd").amount == -1


def test_what_is_earned_on_the_way_counts():
    """Two listenings and a refusal to open bring -3 for certain; whoever opens may lose 100."""
    assert zermelo.force(zermelo.load("tiger").initial, "Seeker").amount == -3
    assert zermelo.force(zermelo.load("tiger").initial, "Seeker", at_least=-2).plan is None


MAY_END_EARLY = """\
game "Chance may end it"
players Ann
tree:
    chance:
        1/2 early: ({early})
        1/2 late: Ann:
            little: (1)
            much: (3)
"""


@pytest.mark.parametrize("early", range(5))
def test_an_end_before_the_first_decision_counts(early):
    state = zermelo.loads(MAY_END_EARLY.format(early=early)).initial
    assert zermelo.force(state, "Ann").amount == min(early, 3)
    for least in range(5):
        found = zermelo.force(state, "Ann", at_least=least)
        assert (found.plan is not None) == (least <= min(early, 3))
        if found.plan is not None:
            machine = state.game.reference
            assert found.amount == min(amount for amount, _ in ends_of(found.plan, machine, 0, machine.initial()))


def test_who_never_decides_gets_the_least_that_chance_brings():
    state = zermelo.loads(
        'game "A draw"\nplayers Ann\ntree:\n    chance:\n        1/2 a: 1\n        1/2 b: 2\n'
    ).initial
    assert zermelo.force(state, "Ann").amount == zermelo.force(state, "Ann", at_least=1).amount == 1
    assert zermelo.force(state, "Ann", at_least=2).plan is None


PAID_IN_ADVANCE = """\
game "Paid in advance"
players Ann, Bob
start at work
phase work:
    turn Ann:
        move work:
            earn Ann: 5
            go keep
phase keep:
    turn Bob:
        move lose: end payoff (0, 0)
        move keep: go finish
phase finish:
    turn Ann:
        move finish: end payoff (1, 0)
"""


@pytest.mark.parametrize("play", [(), ("work",)])
def test_what_was_earned_before_an_early_end_counts(play):
    state = zermelo.loads(PAID_IN_ADVANCE).initial
    for move in play:
        state = state.after(move)
    assert zermelo.force(state, "Ann").amount == zermelo.force(state, "Ann", at_least=5).amount == 5
    assert zermelo.force(state, "Ann", at_least=6).plan is None


OTHERS_GO_ON = """\
game "Others go on"
players Ann, Bob
var coin: Bool = false  hidden
start at wait
phase wait:
    turn Bob:
        move again secret: go wait
        move over secret: go choose
phase choose:
    turn Ann:
        move take: end payoff (1, -1)
"""


def test_others_who_can_go_on_for_ever_are_refused():
    with pytest.raises(ZermeloError) as raised:
        zermelo.force(zermelo.loads(OTHERS_GO_ON).initial, "Ann")
    assert raised.value.code == "needs-end"


def test_a_play_that_is_over_cannot_be_forced():
    state = zermelo.load("wildcatter").initial.after("oil").after("drill")
    with pytest.raises(ZermeloError) as raised:
        zermelo.force(state, "Wildcatter")
    assert raised.value.code == "no-value"
