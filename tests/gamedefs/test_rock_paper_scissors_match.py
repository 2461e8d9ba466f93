"""Rock, paper, scissors until somebody has won so often."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import zermelo

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


@cache
def value(ahead: int, behind: int) -> Fraction:
    """What the match is worth to somebody who needs so many points, when the other needs so many.

    All three throws are equally good. If both choose them at random, each of the two wins a throw that counts with
    probability 1/2.
    """
    if 0 in (ahead, behind):
        return Fraction(1 if ahead == 0 else -1)
    return (value(ahead - 1, behind) + value(ahead, behind - 1)) / 2


@pytest.mark.parametrize("one", BEATS)
@pytest.mark.parametrize("two", BEATS)
def test_a_throw_counts_unless_both_are_alike(start, one, two):
    play = start("rock_paper_scissors_match", goal=1)
    assert play.legal == {f"show({throw})" for throw in BEATS}
    play = play.then(f"show({one})", f"show({two})")
    if one == two:
        assert not play.ended
        assert play.machine.position(play.state) == play.machine.position(play.machine.initial())
    else:
        assert play.payoff == ((1, -1) if BEATS[one] == two else (-1, 1))


def test_the_match_goes_on_until_somebody_has_won_twice(start):
    play = start("rock_paper_scissors_match").then("show(rock)", "show(paper)", "show(rock)", "show(rock)")
    assert play.actor == "One"
    assert play.then("show(rock)", "show(scissors)", "show(paper)", "show(scissors)").payoff == (-1, 1)
    assert play.then("show(rock)", "show(scissors)", "show(paper)", "show(rock)").payoff == (1, -1)


@pytest.mark.parametrize("goal", [1, 2, 3])
def test_a_match_is_worth_nothing_at_its_beginning(goal):
    assert value(goal, goal) == 0
    low, high = zermelo.solve(zermelo.load("rock_paper_scissors_match", goal=goal)).interval or (0, 0)
    assert low <= 0 <= high and high - low < Fraction(1, 10**9)


def test_whoever_is_ahead_by_one_is_ahead_by_half_a_match():
    assert value(1, 2) == Fraction(1, 2)
    ahead = zermelo.load("rock_paper_scissors_match").initial.after("show(rock)").after("show(scissors)")
    low, high = zermelo.solve(ahead).interval or (Fraction(1, 2), Fraction(1, 2))
    assert low <= Fraction(1, 2) <= high and high - low < Fraction(1, 10**9)
