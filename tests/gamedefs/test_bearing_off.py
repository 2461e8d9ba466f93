"""Bearing off: alone, in as few throws as possible, and as a race."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import ROOT, contest_of, find_components
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import bounds
from zermelo.solving import facts_of

Men = tuple[int, ...]
"""The points of the men that are still on the board, in order."""

OFF_AT_ONCE = {
    1: (36,),
    2: (36, 26),
    3: (34, 25, 17),
    4: (29, 23, 17, 11),
    5: (23, 19, 14, 10, 6),
    6: (15, 13, 10, 8, 6, 4),
}
"""In so many of 36 throws two men are borne off, one from this point and one from 1, 2, ...: the table of every book on
backgammon, as in Magriel, Backgammon, 1976."""


def turns(men: Men, dice: tuple[int, ...]) -> set[Men]:
    """What may be left of the men after a throw."""
    if not dice or not men:
        return {men}
    found = set()
    for k, order in enumerate(dice):
        rest = dice[:k] + dice[k + 1 :]
        for place in set(men):
            if order < place or order == place or place == max(men):
                left = list(men)
                left.remove(place)
                moved = [place - order] if place > order else []
                found |= turns(tuple(sorted(left + moved)), rest)
    return found


@cache
def throws(men: Men) -> list[set[Men]]:
    """What may be left after each of the 36 throws."""
    return [turns(men, (a, b) if a != b else (a,) * 4) for a, b in product(range(1, 7), repeat=2)]


@cache
def mean_length(men: Men) -> Fraction:
    """The mean number of throws."""
    return 1 + sum((min(map(mean_length, after)) for after in throws(men)), Fraction(0)) / 36 if men else Fraction(0)


@cache
def chance_of_the_first(mine: Men, theirs: Men) -> Fraction:
    """The probability of winning for who is to throw."""
    if not theirs:
        return Fraction(0)
    best = (max(1 - chance_of_the_first(theirs, left) for left in after) for after in throws(mine))
    return sum(best, Fraction(0)) / 36


def position_of(men: Iterable[int], player: str = "") -> str:
    """The lines of a setup that put these men, and no others."""
    points = list(men)
    index = f"{player}, " if player else ""
    return "".join(f"    men_on[{index}{q}] := {points.count(q)}\n" for q in range(1, 7))


@pytest.mark.parametrize(("men", "points"), [(1, 6), (2, 6), (3, 2), (15, 2), (3, 3), (5, 6)])
def test_the_mean_number_of_throws(solution, men, points):
    assert solution("bear_off", on="auto", ends=True, men=men, points=points).value == (-mean_length((points,) * men),)


def test_the_stack_on_the_first_point_goes_off_two_by_two():
    """Two men a throw, and four with a double: with three or four men one throw in six is enough."""
    assert mean_length((1, 1, 1)) == mean_length((1, 1, 1, 1)) == 1 + Fraction(5, 6)


@pytest.mark.parametrize(("men", "points"), [(1, 6), (2, 6), (2, 2), (3, 4)])
def test_the_race(solution, men, points):
    chance = chance_of_the_first((points,) * men, (points,) * men)
    value = 2 * chance - 1
    assert solution("bear_off_race", on="auto", ends=True, men=men, points=points).value == (value, -value)


@pytest.mark.parametrize("men", [2, 3])
def test_the_race_within_certified_bounds(men):
    """As with five men, whose fractions are too long: doubles that are proved to enclose the value."""
    game = zermelo.load("bear_off_race", men=men, points=6)
    graph = explore(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    contest = contest_of(graph)
    assert contest is not None
    low, high = bounds(contest, find_components(graph, Limits()), Limits()).interval(ROOT)
    assert low <= 2 * chance_of_the_first((6,) * men, (6,) * men) - 1 <= high
    assert high - low < 1e-12


@pytest.mark.parametrize("two", list(combinations_with_replacement(range(1, 7), 2)))
def test_two_men_against_a_sure_throw(two):
    """White has to bear off both men at once, because Black surely bears off the last one."""
    low, high = two
    ways = OFF_AT_ONCE[high][low - 1]
    assert sum(() in after for after in throws(two)) == ways
    text = "setup:\n" + position_of(two, "White") + position_of([1], "Black")
    game = zermelo.load_position("bear_off_race", text, points=6)
    assert solve(game.searching, facts_of(game)).value[0] == Fraction(ways, 18) - 1
