"""TD(lambda) by self-play: closed forms on a random walk, what it learns of small games, and that it is repeatable."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import MACHINE_NAMES, needs_llvm
from attrs import evolve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.learning import prepare_learning, run_learning
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.learning.self_play import next_point
from zermelo.solvers.learning.td import SETTLING
from zermelo.solvers.learning.weights import TDSettings

WALK = """
game "The random walk"                     # Sutton 1988: five places in a row, from the middle on

players Ann, Bob
claim perfect_information

var place: 0..6 = 3

feature at_1(p) = if place == 1 then 1 else 0
feature at_2(p) = if place == 2 then 1 else 0
feature at_3(p) = if place == 3 then 1 else 0
feature at_4(p) = if place == 4 then 1 else 0
feature at_5(p) = if place == 5 then 1 else 0

weight at_1 = 0
weight at_2 = 0
weight at_3 = 0
weight at_4 = 0
weight at_5 = 0

estimate for p: weighted sum

endless payoff (0, 1)

start at ready

phase ready:
    turn Ann:
        move on: go walk

phase walk:
    chance:
        outcome left:
            place -= 1
            if place == 0: end payoff (-1, 2)
            go ready
        outcome right:
            place += 1
            if place == 6: end payoff (1, 0)
            go ready
"""
"""Every afterstate is a place of Sutton's walk, and its estimate is a weight."""


def learn(text_or_name, games, machine="auto", seed=0, **settings):
    make = zermelo.loads if "\n" in text_or_name else zermelo.load
    return zermelo.learn(make(text_or_name).on(machine), games=games, seed=seed, **settings)


@needs_llvm
@pytest.mark.parametrize("lambda_", [0, 0.3, 1])
def test_a_walk_is_worth_the_chance_to_come_out_on_the_right(lambda_):
    """Sutton 1988, section 3.2: from place k of 1 to 5 on, a walk ends on the right with probability k / 6.
    On the right it pays 1, on the left -1."""
    found = learn(WALK, 200_000, lambda_=lambda_, alpha=0.01)
    assert list(found.weights) == pytest.approx([k / 3 - 1 for k in range(1, 6)], abs=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_walk_teaches_what_the_traces_say(seed):
    """All estimates are 0 before, so that the only difference is the last one, and the weight of a place becomes
    alpha z sum of lambda^(T - t) over the times t at which the walk was there, where it pays z after T steps. As
    alpha is divided by the five features, each of which is 0 or 1."""
    found = {lambda_: learn(WALK, 1, seed=seed, lambda_=lambda_, alpha=0.5) for lambda_ in (0, 0.5, 1)}
    (place,) = [place for place, weight in enumerate(found[0].weights) if weight]
    paid = 1 if place == 4 else -1
    parts = {lambda_: [paid * weight * 5 / 0.5 for weight in each.weights] for lambda_, each in found.items()}
    visits = [round(part) for part in parts[1]]
    assert place in (0, 4) and parts[0][place] == pytest.approx(1)
    assert parts[1] == pytest.approx(visits) and sum(visits) % 2 == 1 and visits[place] >= 1
    assert sum(parts[0.5]) == pytest.approx(2 - 0.5 ** (sum(visits) - 1))


def test_alpha_becomes_smaller():
    """Of two walks that begin with nothing known, the one that counts as a later one teaches an eighth as much."""
    game = zermelo.loads(WALK)
    learning = prepare_learning(game.initial, 1, Limits(), 1, TDSettings())
    later = prepare_learning(game.initial, 15 * SETTLING + 1, Limits(), 1, TDSettings())
    later.first = later.known = evolve(later.first, games=15 * SETTLING)
    run_learning(learning, game.initial)
    run_learning(later, game.initial)
    assert any(learning.known.weights)
    assert [8 * weight for weight in later.known.weights] == pytest.approx(list(learning.known.weights))


WIDE = """
game "Sixteen digits, by eights"

players Ann, Bob

var code: 0..1000000 = 0
var done: 0..16 = 0

estimate for p: 0
unsettled if done % 8 != 0

start at add(Ann)

phase add(p: Player):
    turn p:
        move digit(k in 1..10):
            code := (code * 10 + k) % 1000001
            done += 1
            if done == 16 and code % 2 == 0: end win Ann
            if done == 16: end win Bob
            if done == 8: go add(other p)
            go add(p)
"""
"""A turn may come to ten to the power of eight positions."""


@needs_llvm
def test_a_very_wide_turn_is_looked_at_in_part():
    assert learn(WIDE, 1, hidden=1, exploration=0).games == 1


TURN = """
game "A lock of two digits"

players Ann, Bob

var digit: 0..3 = 0
feature turned(p) = if digit > 0 then 1 else 0
feature closed(p) = if digit == 0 then 1 else 0
weight turned = 0
weight closed = 0
estimate for p: weighted sum
unsettled if digit > 0

start at wait

phase wait:
    turn Bob:
        move pass: go one

phase one:
    turn Ann:
        move turn_one(n in 1..3):
            digit := n
            go two

phase two:
    turn Ann:
        move turn_two(n in 1..3):
            if digit == 2 and n == 3: end payoff (1, 0)
            else: end payoff (0, 1)
"""


@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_players_look_on_to_the_end_of_a_turn_and_learn_nothing_on_the_way(machine):
    """The lock is opened every time: what is learnt is that it will be, and nothing of a lock with one digit."""
    found = learn(TURN, 10, machine, alpha=0, exploration=0)
    assert found.curve[-1].error == 1
    opened = learn(TURN, 200, machine, alpha=1, exploration=0)
    assert opened.weights == (0, pytest.approx(1, abs=1e-3))
    assert learn(TURN.replace("unsettled if digit > 0\n", ""), 10, machine, alpha=0).curve[-1].error < 1


ROUND_AND_ROUND = """
game "A turn that may go round"

players Ann, Bob

var place: 0..3 = 0
feature placed(p) = place
weight placed = 0
estimate for p: weighted sum
unsettled if true

start at going(Ann)

phase going(p: Player):
    turn p:
        move stay: go going(p)
        move walk:
            place := (place + 1) % 4
            go going(p)
        move rest: go going(other p)
        move stop: end win p
"""


def test_positions_that_come_again_in_a_turn_are_looked_at_once():
    """There are four; all ways through them are far too many to be tried."""
    found = {machine: learn(ROUND_AND_ROUND, 20, machine).text() for machine in MACHINE_NAMES}
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_one_seed_gives_one_file_on_every_machine(name):
    found = {machine: learn(name, 40, machine, seed=3).text() for machine in MACHINE_NAMES}
    assert len(set(found.values())) == 1
    assert learn(name, 40, seed=4).text() not in found.values()


def test_chance_draws_alike_on_every_machine():
    found = {machine: learn(WALK, 30, machine, seed=3).text() for machine in MACHINE_NAMES}
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("games", [7, 20, 33])
def test_learning_goes_on_as_if_it_had_not_been_stopped(games):
    game = zermelo.load("tic_tac_toe")
    half = zermelo.learn(game, games=games, seed=1)
    assert half.games == games
    assert zermelo.learn(game, games=60, resume=half).text() == zermelo.learn(game, games=60, seed=1).text()


def test_what_is_learnt_before_an_interrupt_is_kept():
    game = zermelo.load("tic_tac_toe")

    def interrupt(reached):
        if reached.count >= 20:
            raise KeyboardInterrupt

    learning = prepare_learning(game.initial, 1000, Limits(), 0, TDSettings(), report=interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_learning(learning, game.initial)
    assert 20 <= learning.known.games < 1000
    assert learning.known.text() == zermelo.learn(game, games=learning.known.games).text()


def test_time_ends_learning():
    found = zermelo.learn(zermelo.load("tic_tac_toe"), time=0)
    assert found.games == 0 and found.weights == (0.0,)


def test_lines_that_are_open_are_learnt_to_be_good():
    found = learn("tic_tac_toe", 3000)
    assert 0.02 < found.by_name["open_lines"] < 0.5
    assert found.rounded["open_lines"] == Fraction(round(found.by_name["open_lines"] * 100_000), 100_000)


def test_a_point_of_the_curve_comes_at_1_2_and_5():
    assert [next_point(games) for games in (0, 9, 10, 20, 49, 50, 99, 100)] == [10, 10, 20, 50, 50, 100, 100, 200]
    assert [point.games for point in learn("tic_tac_toe", 120).curve] == [10, 20, 50, 100]


BROKEN = """
game "A rule that fails"
players Ann, Bob
claim terminates
var left: 0..3 = 3
feature half(p) = 1 / (left - 1)
weight half = 1
estimate for p: weighted sum
start at play(Ann)
phase play(p: Player):
    turn p:
        move take:
            left -= 1
            go play(other p)
        move pass_on: go last(other p)
    otherwise: end draw
phase last(p: Player):
    turn p:
        move stop: end win p
"""


@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_an_error_of_the_rules_is_told_with_the_play(machine):
    with pytest.raises(PlayError) as caught:
        learn(BROKEN.replace("move take:", "move take if left > 0:"), 200, machine)
    assert caught.value.code == "zero-divisor" and [str(move) for move in caught.value.play][:1] == ["take"]


@pytest.mark.parametrize(
    "settings",
    [{"games": 2.5}, {"games": -1}, {"hidden": -1}, {"hidden": 1.5}, {"hidden": 1001}, {"seed": -1}, {"seed": 1 << 62}],
)
def test_what_is_no_count_is_refused(settings):
    with pytest.raises(ZermeloError) as caught:
        zermelo.learn(zermelo.load("tic_tac_toe"), **{"games": 1, **settings})
    assert caught.value.code == "bad-usage" and "must be a whole number" in str(caught.value)
