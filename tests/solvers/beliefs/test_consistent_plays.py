"""Beliefs, held against Bayes' rule over a list of all plays."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from random import Random

import pytest

import zermelo
from tests.helpers.small_games import HIDDEN_DIE
from zermelo.decisions import average_deals, move_values
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.beliefs import consistent_plays, particles
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.beliefs.particles import sample_belief
from zermelo.solvers.common.limits import Limits, ignore_progress

UNSEEN = """\
game "Unseen steps"
players Ann, Bob
var coin: Bool = false    hidden
var steps: 0..3 = 0       hidden
start at toss
phase toss:
    chance:
        outcome heads prob 1/3:
            coin := true
            go walk
        outcome tails prob 2/3: go walk
phase walk:
    turn Ann:
        move on secret if steps < 3:
            steps += 1
            go walk
        move call(secret n in 0..steps): go answer
phase answer:
    chance:
        outcome loud prob 1/4:
            if coin: tell Bob that heads
            go guess
        outcome soft prob 3/4: go guess
phase guess:
    turn Bob:
        move say(b in Bool): end win if b == coin then Bob else Ann
"""

GAMES = {
    "kuhn_poker": {},
    "kuhn_poker_for_several": {},
    "smuggler": {},
    "four_card_hand": {},
    "forked_roads": {},
    "fireworks": {"turns": 2},
    UNSEEN: {},
    HIDDEN_DIE: {},
}


def loaded(name):
    return zermelo.loads(name) if "\n" in name else zermelo.load(name, **GAMES[name])


def leaning(seed):
    """Arbitrary strategies of the others: they depend on the player, on what they know, and on ``seed`` alone, and
    never make some of the moves."""

    def behaviour(player, known, moves):
        random = Random(f"{seed} {player} {list(map(str, known))}")
        weights = [random.randrange(4) for _ in moves]
        weights[random.randrange(len(moves))] += 1
        return [Fraction(weight, sum(weights)) for weight in weights]

    return behaviour


def by_bayes(machine, player, behaviour):
    """What the player knows -> position -> (probability times a constant, plays), over a list of all plays."""
    found = defaultdict(lambda: defaultdict(lambda: [Fraction(0), 0]))
    waiting = [(machine.initial(), Fraction(1), frozenset())]
    while waiting:
        state, chance, noticed = waiting.pop()
        actor, known = machine.actor(state), tuple(machine.information_state(state, player))
        if actor != CHANCE and known not in noticed:
            noticed |= {known}
            entry = found[known][machine.position(state)]
            entry[0] += chance
            entry[1] += 1
        if actor == END:
            continue
        moves = machine.moves(state)
        if actor == CHANCE:
            likely = machine.outcomes(state)
        elif actor == player:
            likely = [(move, Fraction(1)) for move in moves]
        else:
            likely = list(zip(moves, behaviour(actor, machine.information_state(state, actor), moves), strict=True))
        waiting += [(machine.after(state, move), chance * share, noticed) for move, share in likely if share]
    return found


@pytest.mark.parametrize(
    "behaviour", [uniform_behaviour, leaning(1), leaning(2)], ids=["uniform", "leaning", "otherwise"]
)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: name if "\n" not in name else name.split('"')[1])
def test_a_belief_is_what_bayes_says(name, behaviour):
    machine = loaded(name).machine
    for player in range(len(machine.player_names)):
        for known, positions in by_bayes(machine, player, behaviour).items():
            belief = enumerate_belief(Following(machine, player, known, behaviour), Limits())
            total = sum(chance for chance, _ in positions.values())
            assert {machine.position(each.state): (each.probability, each.plays) for each in belief.positions} == {
                position: (chance / total, plays) for position, (chance, plays) in positions.items()
            }
            assert belief.is_exact and sum(each.probability for each in belief.positions) == 1


@pytest.mark.parametrize("name", ["kuhn_poker_for_several", "four_card_hand", UNSEEN])
def test_samples_come_near(name):
    machine, behaviour = loaded(name).machine, leaning(3)
    for player in range(len(machine.player_names)):
        for known in list(by_bayes(machine, player, behaviour))[:20]:
            following = Following(machine, player, known, behaviour)
            exact = {machine.position(p.state): p.probability for p in enumerate_belief(following, Limits()).positions}
            belief = sample_belief(following, Random(1), 400)
            near = {machine.position(p.state): p.probability for p in belief.positions}
            assert not belief.is_exact and belief.drawn == 400 and 0 < belief.effective <= 400
            assert sum(near.values()) == 1 and near.keys() <= exact.keys()
            for position, probability in exact.items():
                tolerance = 5 * sqrt(probability * (1 - probability) / belief.effective)
                assert abs(near.get(position, 0) - probability) <= tolerance + 1 / belief.effective


def test_a_belief_looks_at_so_many_states_and_no_more(monkeypatch):
    machine = loaded("kuhn_poker").machine
    following = Following(machine, 1, next(iter(by_bayes(machine, 1, uniform_behaviour))), uniform_behaviour)
    assert enumerate_belief(following, Limits()) is not None
    monkeypatch.setattr(consistent_plays, "MOST_STATES", 1)
    assert enumerate_belief(following, Limits()) is None


def test_what_the_others_never_let_one_perceive():
    game = zermelo.load("kuhn_poker")
    state = game.initial.after("deal(J, Q)").after("bet")
    known = state.information_state("Bob")

    def always_first(player, known, moves):
        return [Fraction(1), *[Fraction(0)] * (len(moves) - 1)]

    following = Following(game.machine, 1, known, always_first)
    for look in (lambda: enumerate_belief(following, Limits()), lambda: sample_belief(following, Random(1), 50)):
        with pytest.raises(ZermeloError) as refused:
            look()
        assert refused.value.code == "never-perceived"


# Beliefs about hands of cards, of which the deals are too many to list; the numbers are those of combinations.


DEAL = "deal({(two, clubs), (three, clubs), (four, hearts)}, {(six, clubs), (nine, clubs), (nine, spades)})"


@pytest.fixture(scope="module")
def whist():
    return zermelo.load("four_card_whist", each=3).initial


def hand_of_east(state):
    """The cards that East holds."""
    (hand,) = (entry.value for entry in state.view("East") if entry.variable == "hand")
    return frozenset(hand)


def test_deals_are_too_many_to_list(whist):
    assert whist.sample_space.count == comb(32, 3) * comb(29, 3) == 18_123_840


@pytest.mark.parametrize(
    ("played", "player", "positions"),
    [("", "North", comb(29, 3)), ("", "East", comb(29, 3)), ("; lead((two, clubs))", "East", comb(28, 2))],
)
def test_what_the_others_may_hold(whist, played, player, positions):
    state = whist.after(DEAL)
    if played:
        state = state.after("lead((two, clubs))")
    belief = zermelo.belief(state, player)
    assert belief.is_exact
    assert len(belief.positions) == positions
    assert {position.probability for position in belief.positions} == {Fraction(1, positions)}


def test_what_a_card_says_of_the_rest(whist):
    """Who follows with a club at random does so the less probably, the more clubs they hold."""
    state = whist.after(DEAL).after("lead((two, clubs))").after("follow((six, clubs))")
    space = whist.sample_space
    deck = {card for k in range(0, space.count, comb(29, 3)) for card in space.unrank(k).arguments[0]}
    assert len(deck) == 32
    own, theirs = (hand.members for hand in whist.find(DEAL).arguments)
    six = next(card for card in theirs if str(card) == "(six, clubs)")
    rests = list(map(frozenset, combinations(deck - own - {six}, 2)))
    weights = {rest: Fraction(1, 1 + sum(card[1] is six[1] for card in rest)) for rest in rests}
    belief = zermelo.belief(state, "North")
    assert belief.is_exact
    assert {hand_of_east(each.state): each.probability for each in belief.positions} == {
        rest: weight / sum(weights.values()) for rest, weight in weights.items()
    }


def test_samples_where_not_even_the_deals_that_fit_are_listed(whist, monkeypatch):
    """All deals that are drawn fit, so all samples weigh the same: as one of all first hands."""
    monkeypatch.setattr(consistent_plays, "MOST_STATES", 1_000)
    monkeypatch.setattr(particles, "_MOST_LISTED", 1_000)
    state = whist.after(DEAL)
    belief = zermelo.belief(state, "North", samples=50)
    assert not belief.is_exact
    assert (belief.drawn, belief.effective) == (50, 50)
    assert {position.state.view("North") for position in belief.positions} == {state.view("North")}
    assert zermelo.belief(state, "North", seed=1).effective == particles.SAMPLES


def test_deals_that_nobody_counts_are_drawn():
    """What does not fit is a dead end."""
    game = zermelo.loads(
        """\
game "Uncounted"
players A, B
type Card = 1..60
var level: 0..600 = 0
start at deal
phase deal:
    chance:
        outcome deal(h in subsets(Card, 5)) if no c in h: c == 60:
            level := if some c in h: c < 4 then 1 else 2
            go guess
phase guess:
    turn A:
        move stop: end draw
"""
    )
    state = game.initial.after(game.initial.sample(Random(3)))
    belief = zermelo.belief(state, "A", samples=40)
    assert not belief.is_exact
    assert 0 < belief.effective <= 40


# What has been earned and how long it took is no part of a position, and a player may not know it: what they can get
# is asked of all the plays that fit, and of no one play to each position.


ALONE = """\
game "Found money"
players Ann
var coin: 0..1 = 0   hidden
start at find
phase find:
    chance:
        outcome rich prob 1/4:
            earn Ann: 4
            go flip
        outcome poor prob 3/4: go flip
phase flip:
    chance:
        outcome heads prob 1/3:
            coin := 1
            go play
        outcome tails prob 2/3: go play
phase play:
    turn Ann:
        move guess(n in 0..1): end payoff {Ann: if n == coin then 2 else 0}
        move leave: end payoff {Ann: 1}
"""

AGAINST_ANOTHER = """\
game "Found money, and somebody who waits"
players Ann, Bob
claim zero_sum
discount 1/2
var coin: 0..1 = 0   hidden
start at find
phase find:
    chance:
        outcome rich prob 1/4:
            earn Ann: 4
            earn Bob: -4
            go hide(true)
        outcome poor prob 3/4: go hide(true)
phase hide(secret may_wait: Bool):
    turn Bob:
        move put(n in 0..1) secret:
            coin := n
            go play
        move wait secret if may_wait: go hide(false)
phase play:
    turn Ann:
        move guess(n in 0..1):
            let won = if n == coin then 2 else 0
            end payoff (won, -won)
        move leave: end payoff (1, -1)
"""


def after(text, *play):
    state = zermelo.loads(text).initial
    for move in play:
        state = state.after(move)
    return state


@pytest.mark.parametrize("found", ["rich", "poor"])
def test_nobody_can_count_on_money_they_may_not_have(found):
    forced = zermelo.force(after(ALONE, found, "heads"), "Ann")
    assert forced.amount == 1
    assert zermelo.force(after(ALONE, found, "heads"), "Ann", at_least=2).plan is None


@pytest.mark.parametrize("wait", [("wait",), ()])
def test_nobody_can_count_on_an_early_payment(wait):
    """The game pays a half or a quarter of 1 to who leaves, and only the poor are sure to have found nothing."""
    assert zermelo.force(after(AGAINST_ANOTHER, "rich", *wait, "put(0)"), "Ann").amount == Fraction(1, 4)


@pytest.mark.parametrize("found", ["rich", "poor"])
def test_the_money_that_may_be_there_counts_by_its_probability(found):
    values = move_values(after(ALONE, found, "heads"), None, Limits(), ignore_progress)
    worths = {str(each.move): each.payoff for each in values.worths}
    assert worths == {"guess(0)": (Fraction(7, 3),), "guess(1)": (Fraction(5, 3),), "leave": (Fraction(2),)}


@pytest.mark.parametrize("method", ["pimc", "alphamu"])
def test_deals_differ_by_what_was_earned_and_by_the_time(method):
    """A fourth of 4 has been found. Bob, who makes all moves alike, waits in a third of all plays: 1 is then worth a
    fourth, and else a half; and a guess is as good."""
    found = average_deals(after(AGAINST_ANOTHER, "rich", "put(0)"), method, 100, 2, 0, Limits(), ignore_progress)
    expected = 1 + Fraction(2, 3) * Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 4)
    assert {each.payoff[0] for each in found.worths} == {expected}


def test_a_belief_is_about_positions():
    assert len(zermelo.belief(after(ALONE, "rich", "heads"), "Ann").positions) == 2


def test_a_belief_says_how_large_it_is():
    state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)")
    assert repr(state.belief("Alice")) == "<belief in 2 positions, exact>"
    assert repr(state.belief("Alice", samples=20, seed=1)) == "<belief in 2 positions, from 20 samples>"
