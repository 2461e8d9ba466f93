"""Information-set Monte Carlo tree search: what players know, and what they do with it."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from math import log, sqrt
from types import SimpleNamespace

import pytest
from all_machines import MAKERS, native_machine, needs_llvm, python_machine
from overstepping import overstepping

import zermelo
from zermelo.decisions import simulate
from zermelo.foundation.deadline import DeadlinePassed
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.imperfect_information import information_set_search
from zermelo.solvers.imperfect_information.information_set_search import simulate_deals
from zermelo.solvers.kernels import information_set_search as kernel
from zermelo.solvers.solution import Problem

PLAYS = [
    ("kuhn_poker", ("deal(J, Q)",)),
    ("kuhn_poker", ("deal(J, Q)", "bet")),
    ("kuhn_poker_for_several", ("deal(1)", "deal(2)", "deal(3)")),
    ("leduc_poker", ("deal(J♥)", "deal(Q♠)", "check")),
    ("liars_dice", ("roll(3)", "roll(5)", "bid(1, 5)")),
    ("four_card_hand", ("heart",)),
]


def state_of(name, play):
    state = zermelo.load(name).initial
    for move in play:
        state = state.after(move)
    return state


def deals_on(machine, state):
    """All deals that the player to move holds possible, on a machine of the game, as equally probable."""
    positions = zermelo.belief(state, state.actor).positions
    found = []
    for each in positions:
        there = machine.initial()
        for move in each.state.play:
            there = machine.after(there, move)
        found.append((there, each.probability))
    return found


def search_on(machine, state, simulations=300, is_single=False, seed=3, memory=1 << 30):
    game, deals = state.game, deals_on(machine, state)
    problem = Problem(
        machine,
        facts(game.model),
        deals[0][0],
        limits=Limits(memory=memory),
        seed=seed,
        sampling=Sampling(simulations),
    )
    return simulate_deals(problem, game.number(state.actor), deals, is_single)


@needs_llvm
@pytest.mark.parametrize("is_single", [False, True])
@pytest.mark.parametrize(("name", "play"), PLAYS)
def test_python_and_machine_code_count_alike(name, play, is_single):
    state = state_of(name, play)
    model = state.game.model
    one, other = (search_on(make(model), state, is_single=is_single) for make in (python_machine, native_machine))
    assert one == other and one.simulations == 300
    assert sum(each.visits for each in one.moves) == 300


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("name", "play"), PLAYS)
def test_lists_that_grow_change_nothing(make, name, play, monkeypatch):
    """Information states are found again in new slots."""
    state = state_of(name, play)
    machine = make(state.game.model)
    whole = search_on(machine, state, 1500)
    monkeypatch.setattr(information_set_search, "_AT_FIRST", 1)
    monkeypatch.setattr(information_set_search, "_GROWTH", 2)
    assert search_on(machine, state, 1500) == whole


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("length", [2, 8])
@pytest.mark.parametrize(("name", "play"), PLAYS)
def test_courses_that_are_not_kept_change_nothing(make, length, name, play, monkeypatch):
    state = state_of(name, play)
    machine = make(state.game.model)
    whole = search_on(machine, state, 1500)
    monkeypatch.setattr(information_set_search, "_COURSES", length)
    assert search_on(machine, state, 1500) == whole


@pytest.mark.parametrize("make", MAKERS)
def test_a_full_memory_ends_it(make):
    state = state_of("liars_dice", ("roll(3)", "roll(5)"))
    machine = make(state.game.model)
    found = search_on(machine, state, 20_000, memory=2 << 20)
    assert found.is_full and 0 < found.simulations < 20_000


@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_the_hand_of_the_lectures(observers):
    """A red six is worth 0, a club -1/2: averages over open cards do not see that."""
    found = simulate(state_of("four_card_hand", ("heart",)), observers, 20_000)
    assert str(found.best[0]) in ("lead((six, diamonds))", "lead((six, hearts))")
    means = {str(each.move): each.payoff[0] for each in found.worths}
    sixes, clubs = ([means[f"lead(({rank}, {suit}))"] for rank, suit in each] for each in (
        (("six", "hearts"), ("six", "diamonds")), (("seven", "clubs"), ("eight", "clubs")),
    ))  # fmt: skip
    assert min(sixes) - max(clubs) > Fraction(1, 10)


@pytest.mark.parametrize(("deal", "best"), [("deal(J, K)", "call"), ("deal(K, Q)", None), ("deal(Q, J)", "fold")])
def test_dominated_moves_are_avoided(deal, best):
    """With the king Bob calls, with the jack he folds; with the queen either may be part of an equilibrium."""
    found = simulate(state_of("kuhn_poker", (deal, "bet")), simulations=4_000)
    if best is not None:
        assert str(found.best[0]) == best
        assert found.visits[found.best[0]] > 3_500


def test_one_observer_takes_the_others_to_know_no_more():
    """Alice bets with a queen. Bob, who sees his own card, calls with the king and folds the jack: she gets -1/2. If he
    chooses as if he did not see it, calling brings both nothing."""
    state = state_of("kuhn_poker", ("deal(Q, J)",))
    means = []
    for observers in ("multiple", "single"):
        found = simulate(state, observers, 40_000)
        means.append({str(each.move): float(each.payoff[0]) for each in found.worths}["bet"])
    assert means[0] == pytest.approx(-0.5, abs=0.15)
    assert means[1] == pytest.approx(0, abs=0.15)


EACH_FOR_THEMSELVES = """\
game "Each for themselves"
players Ann, Bob, Cid
tree:
    Ann:
        stop: (2, 0, 0)
        ask_bob: Bob:
            give: (3, 0, 0)
            keep: (0, 9, 0)
        ask_cid: Cid:
            give: (3, 0, 0)
            keep: (0, 0, 1)
"""


@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_everybody_chooses_what_is_best_for_themselves(observers):
    """Whoever is asked keeps what there is, however little it is, so Ann stops with 2."""
    found = simulate(zermelo.loads(EACH_FOR_THEMSELVES).initial, observers, 600)
    assert str(found.best[0]) == "stop"
    assert [float(each.payoff[0]) for each in found.worths] == pytest.approx([2, 0, 0], abs=0.5)


SEATS = """\
game "Seats"
players {players}
tree:
    Ann:
        left: Bob @unseen:
            up: chance:
                1/2 high: {0 9}
                1/2 low: {2 0}
            down: {1 1}
        right: Bob @unseen:
            up: {3 0}
            down: Ann:
                stop: {0 2}
                go: {1 5}
"""


@pytest.mark.parametrize("is_single", [False, True])
def test_the_order_of_the_players_decides_nothing(is_single):
    found = []
    for players, pair in (("Ann, Bob", r"(\2, \1)"), ("Bob, Ann", r"(\1, \2)")):
        text = re.sub(r"\{(\d) (\d)\}", pair, SEATS.replace("{players}", players))
        state = zermelo.loads(text).initial
        found.append(search_on(python_machine(state.game.model), state, is_single=is_single))
    assert found[0] == found[1]


RECALLED = """\
game "Recalled"
players {players}
var hidden_number: 0..2 = 0    hidden
start at hide
phase hide:
    turn Ann:
        move hide(n in 1..2) secret:
            hidden_number := n
            go wait
phase wait:
    turn Bob:
        move wait: go find
        move sleep: go find
phase find:
    turn Ann:
        move find(n in 1..2): end payoff {Ann: if n == hidden_number then 1 else 0, Bob: 0}
"""


@pytest.mark.parametrize("is_single", [False, True])
@pytest.mark.parametrize("players", ["Ann, Bob", "Bob, Ann"])
def test_everybody_recalls_their_own_moves(players, is_single):
    """Ann finds what she has hidden; guessing would bring a half."""
    state = zermelo.loads(RECALLED.replace("{players}", players)).initial
    found = search_on(python_machine(state.game.model), state, 400, is_single)
    assert min(each.mean for each in found.moves) > Fraction(3, 4)


def test_the_standard_error_is_that_of_so_many_payoffs():
    """Of two payoffs that are 6 apart, one in a share p of n plays, it is 6 times the root of p (1 - p) / n."""
    tree = 'game "Toss"\nplayers Ann\ntree:\n    Ann:\n        toss: chance:\n            1/3 low: 2\n'
    state = zermelo.loads(tree + "            2/3 high: 8\n        keep: 5\n").initial
    toss, keep = search_on(python_machine(state.game.model), state, 200).moves
    share = float(toss.mean - 2) / 6
    assert 0.4 < share < 0.9
    assert float(toss.standard_error) == pytest.approx(6 * sqrt(share * (1 - share) / toss.visits))
    assert keep.mean == 5 and keep.standard_error == 0


WANDERING = """\
game "Wandering"
players Ann
var steps: 0..1000 = 0
start at choose
phase choose:
    turn Ann:
        move wander: go wander
        move stop(n in 0..10): end payoff {Ann: n}
phase wander:
    turn Ann:
        move on:
            steps += 1
            if steps == 1000: end payoff {Ann: 0}
            go wander
"""


def test_a_play_that_is_broken_off_counts_as_the_middle(monkeypatch):
    monkeypatch.setattr(information_set_search, "LONGEST", 20)
    state = zermelo.loads(WANDERING).initial
    found = search_on(python_machine(state.game.model), state, 100)
    wandering, *stopping = found.moves
    assert wandering.mean == 5 and found.unfinished == wandering.visits > 1
    assert [each.mean for each in stopping] == list(range(11))


def upper_confidence(worths, simulations):
    """How often each of some moves is made that are always worth the same, if they are added in this order."""
    arms = []
    for _ in range(simulations):
        for arm in arms:
            arm[1] += 1
        if len(arms) < len(worths):
            arms.append([worths[len(arms)], 1, 1])
            continue
        max(arms, key=lambda arm: arm[0] + 1.4 * sqrt(log(arm[1]) / arm[2]))[2] += 1
    return {worth: visits for worth, _, visits in arms}


def test_moves_are_made_as_the_bounds_say():
    """The moves are first made in a random order."""
    tree = 'game "Three"\nplayers Ann\ntree:\n    Ann:\n        a: 0\n        b: 10\n        c: 7\n'
    state = zermelo.loads(tree).initial
    for simulations in (3, 10, 80):
        found = search_on(python_machine(state.game.model), state, simulations)
        visits = {float(each.mean) / 10: each.visits for each in found.moves}
        assert visits in [upper_confidence(order, simulations) for order in permutations((0.0, 1.0, 0.7))]


def test_logarithms_are_those_of_numbers_of_eight_binary_digits():
    search = SimpleNamespace(roots=[0.0] * kernel.ROOTS)
    for _ in range(2):  # computed, then looked up
        assert all(kernel.root_of_log(search, count) == sqrt(log(count)) for count in range(2, 256))
        for count in (257, 511, 1000, 4095, 123_457, (1 << 41) - 1, (1 << 63) - 1):
            assert 0.999 * sqrt(log(count)) < kernel.root_of_log(search, count) <= sqrt(log(count))
    assert kernel.root_of_log(search, 1000) == sqrt(log(0b1111101000))
    assert kernel.root_of_log(search, 1001) == kernel.root_of_log(search, 1000) < kernel.root_of_log(search, 1004)


SEEN = [
    ("tic_tac_toe", ("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"), {"mark(a3)"}),
    ("nim", (), None),
]


@pytest.mark.parametrize(("name", "play", "best"), SEEN)
def test_with_perfect_information_it_finds_what_wins(name, play, best):
    """The optimal moves are those of an exact search; Monte Carlo tree search finds one of them, and so does this."""
    state = state_of(name, play) if name != "nim" else zermelo.load("nim", heaps=2).initial
    optimal = {str(move) for move in zermelo.solve(state, "minimax").best}
    assert best is None or best == optimal
    assert str(zermelo.solve(state, "mcts").best[0]) in optimal
    assert str(simulate(state, simulations=3_000).best[0]) in optimal


def test_an_error_of_the_rules_comes_with_its_play():
    state = zermelo.loads(overstepping(9)).initial
    with pytest.raises(PlayError) as raised:
        simulate(state, simulations=500)
    assert raised.value.code == "assigned-out-of-range"


def test_the_same_seed_gives_the_same_moves():
    state = state_of("leduc_poker", ("deal(J♥)", "deal(Q♠)", "check"))
    one, again, other = (simulate(state, simulations=500, seed=seed) for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("last", range(0, 60, 7))
def test_a_simulation_that_time_has_ended_counts_for_nothing(last, monkeypatch):
    """Its arm may have been added, and nothing has been backed up."""
    machine = ReferenceMachine(zermelo.load("prisoners_dilemma").model)
    problem = Problem(machine, facts(machine.model), machine.initial(), sampling=Sampling(100))
    asked, actor = [], ReferenceMachine.actor

    def passing(self, state):
        asked.append(state)
        if len(asked) > last:
            raise DeadlinePassed
        return actor(self, state)

    monkeypatch.setattr(ReferenceMachine, "actor", passing)
    try:
        found = simulate_deals(problem, 0, [(machine.initial(), Fraction(1))], False)
    except DeadlinePassed:
        assert last < 20  # not even the first simulation was over
    else:
        assert found.simulations < 100
        assert sum(each.visits for each in found.moves) == found.simulations
