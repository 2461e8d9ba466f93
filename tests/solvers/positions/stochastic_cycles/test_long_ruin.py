"""A fair gambler's ruin with a thousand fortunes, by every way to its numbers.

With k of n the gambler wins all with probability k / n, after k (n - k) throws on average (Huygens 1657; Feller, An
introduction to probability theory I, XIV). Value iteration would take about n squared sweeps for each digit.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, Contest, PositionGraph, find_components
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import certified_numbers
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import bounds

FORTUNES = 1000

RULES = f"""\
game "A long ruin"
players Ann
param begin: 1..{FORTUNES - 1} = 300
var fortune: 0..{FORTUNES} = begin
start at toss
phase toss:
    if fortune == 0: end payoff (0)
    if fortune == {FORTUNES}: end payoff (1)
    chance:
        outcome heads:
            fortune += 1
            go toss
        outcome tails:
            fortune -= 1
            go toss
"""


@pytest.fixture(scope="module")
def graph() -> PositionGraph:
    """Position k is to have k + 1 of a thousand; the last two are the ends."""
    size = FORTUNES - 1
    kinds = [DRAWS] * size + [PAYS, PAYS - 1]
    targets = [there for k in range(size) for there in (k - 1 if k else size, k + 1)]
    targets[-1] = size + 1
    firsts = [*range(0, 2 * size, 2), 2 * size, 2 * size, 2 * size]
    amounts = ((Fraction(0),), (Fraction(1),))
    return PositionGraph(("Ann",), kinds, firsts, targets, [1] * (2 * size), None, amounts)


@pytest.mark.parametrize("begin", [1, 300, 999])
def test_the_value_and_the_length_are_exact(begin: int) -> None:
    solution = zermelo.solve(zermelo.loads(RULES, begin=begin))
    assert solution.exact and solution.value == (Fraction(begin, FORTUNES),)
    assert solution.duration is not None
    length = begin * (FORTUNES - begin)
    assert solution.duration.length == (length, length)


def test_thirty_digits_are_certified(graph: PositionGraph) -> None:
    components = find_components(graph, Limits())
    found = certified_numbers(Contest(graph, (1,)), components, 30, Limits())
    low, high = found.interval(0) or (Fraction(0), Fraction(1))
    assert low <= Fraction(1, FORTUNES) <= high <= low + Fraction(1, 10**30)
    for k in range(FORTUNES - 1):
        between = found.interval(k)
        assert between is not None and between[0] <= Fraction(k + 1, FORTUNES) <= between[1]


def test_bounds_by_doubles_hold_the_value_however_wide_they_are(graph: PositionGraph) -> None:
    """Sweeps come near the value so slowly that few of them leave the bounds wide, but they hold."""
    found = bounds(Contest(graph, (1,)), find_components(graph, Limits()), Limits(), patience=20)
    assert found.width > Fraction(1, 10**3)
    for k in range(FORTUNES - 1):
        between = found.interval(k)
        assert between is not None and between[0] <= Fraction(k + 1, FORTUNES) <= between[1]
