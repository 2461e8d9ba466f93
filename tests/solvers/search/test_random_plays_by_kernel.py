"""Random plays made by a kernel."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import MAKERS, native_machine, python_machine
from overstepping import overstepping

import zermelo
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.search import random_plays
from zermelo.solvers.search.random_plays import play_at_random

RICH = """\
game "Rich"
players Ann
start at play
phase play:
    turn Ann:
        move left: end payoff {Ann: 1073741823 / 4093}
        move right: end payoff {Ann: 1073741823 / 4091}
"""

STOP_OR_STAY = """\
game "Stop, or stay for ever"
players Ann
start at play
phase play:
    turn Ann:
        move stop: end payoff {Ann: 3}
        move stay: go stay
phase stay:
    turn Ann:
        move stay: go stay
        move leave if false: end payoff {Ann: 5}
"""


def play(machine, plays, seed=0, threads=1, limits=None):
    return play_at_random(machine, machine.initial(), plays, seed, ignore_progress, limits or Limits(), threads)


@pytest.mark.parametrize(
    "name, plays", [("tic_tac_toe", 400), ("pig", 100), ("kuhn_poker", 200), ("backgammon", 4), ("go", 4)]
)
def test_a_seed_makes_the_same_plays_everywhere(name, plays):
    game = zermelo.load(name, **({"size": 3} if name == "go" else {}))
    first = play(python_machine(game.model), plays, seed=7)
    assert first.plays == plays
    assert play(python_machine(game.model), plays, seed=8) != first
    if is_available():
        for threads in (1, 2, 3):
            assert play(native_machine(game.model), plays, 7, threads) == first


@pytest.mark.parametrize("make", MAKERS)
def test_every_move_is_as_likely_and_chance_keeps_its_odds(make, tree_text):
    """One play in two pays 1, one in four 2, one in twelve 3 and one in six 8: 2 7/12 on average."""
    machine = make(zermelo.loads(tree_text([0, 1, [1, 2, [-1, ("1/3", 3), ("2/3", 8)]]])).model)
    found = play(machine, 6000)
    assert abs(found.mean_payoffs[0] - Fraction(31, 12)) < Fraction(1, 8)
    assert found.mean_payoffs[1] == -found.mean_payoffs[0]
    assert (found.shortest, found.longest) == (1, 3)
    assert abs(found.mean_length - Fraction(7, 4)) < Fraction(1, 20)


@pytest.mark.parametrize("make", MAKERS)
def test_plays_without_end_are_given_up(make, monkeypatch):
    monkeypatch.setattr(random_plays, "LONGEST", 12)
    found = play(make(zermelo.load("pig").model), 200, threads=2)
    assert found.plays + found.unfinished == 200
    assert found.unfinished > 0
    assert found.plays == 0 or found.longest <= 12


@pytest.mark.parametrize("make", MAKERS)
def test_plays_that_are_given_up_count_in_no_mean(make, monkeypatch):
    monkeypatch.setattr(random_plays, "LONGEST", 12)
    machine = make(zermelo.loads(STOP_OR_STAY).model)
    made = play(machine, 40), random_plays.random_plays(machine, machine.initial(), 40, 0)
    for found in made:
        assert found.plays > 0 and found.unfinished > 0
        assert found.mean_payoffs == (3,)
        assert found.mean_length == found.shortest == found.longest == 1


@pytest.mark.parametrize("make", MAKERS)
def test_plays_that_are_stopped_are_told_apart(make, clock):
    """A play takes a second."""
    machine = make(zermelo.load("tic_tac_toe").model)

    def tick(plays):
        clock[0] = float(plays)

    found = play_at_random(machine, machine.initial(), 10**12, 0, tick, Limits(seconds=100, begin=0.0), threads=2)
    assert found.stopped == "after 100 s"
    assert 100 < found.plays < 10**12
    assert 5 <= found.shortest <= found.mean_length <= found.longest == 9


@pytest.mark.parametrize("make", MAKERS)
def test_a_rule_that_goes_wrong_is_reported_with_its_play(make):
    game = zermelo.loads(overstepping(20))
    with pytest.raises(PlayError) as raised:
        play(make(game.model), 100)
    assert raised.value.code == "assigned-out-of-range"
    taken = [int(move.arguments[0]) for move in raised.value.play]
    assert sum(taken) == 21


@pytest.mark.parametrize("make", MAKERS)
def test_payoffs_too_large_for_the_kernel_are_summed_by_the_machine(make):
    game = zermelo.loads(RICH)
    machine = make(game.model)
    found = play(machine, 50, seed=3)
    assert found == random_plays.random_plays(machine, machine.initial(), 50, 3)
    low, high = Fraction(1073741823, 4093), Fraction(1073741823, 4091)
    assert low < found.mean_payoffs[0] < high


@pytest.mark.parametrize("make", MAKERS)
def test_no_plays(make):
    found = play(make(zermelo.load("nim").model), 0)
    assert (found.plays, found.unfinished, found.stopped) == (0, 0, "")
    assert found.mean_payoffs is found.mean_length is found.shortest is found.longest is None
