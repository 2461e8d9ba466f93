"""Numbers in fractions, against brute force, closed forms and published results."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pig import pig
from random_cases import many, seeds
from random_graphs import Wish, graphs, hard_wish, wishes, write_graph
from referee.certificates import complaints
from referee.positions import EarnsForEver as NoTotal
from referee.positions import count_policies, endless_number, numbers

import zermelo
from zermelo.interpreter.native.running.kernels import Standby
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, Infinite
from zermelo.solvers.positions.graph.graph import (
    DRAWS,
    PAYS,
    Contest,
    EarnsForEver,
    PositionGraph,
    TooManyDigits,
    find_components,
)
from zermelo.solvers.positions.stochastic_cycles import exact_numbers, policy_iteration
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import ExactSolver, certified_numbers
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import bounds

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def solved(
    graph: PositionGraph, wants: tuple[int, ...], endless: Fraction | Infinite = ZERO, digits: int = 1000
) -> Contest:
    """The contest, with all its numbers."""
    contest = Contest(graph, wants)
    exact = ExactSolver(contest, endless, digits)
    for component in find_components(graph, Limits()):
        if graph.kinds[component[0]] <= PAYS:
            contest.numbers[component[0]] = graph.payoff(component[0])[0]
        else:
            exact.solve(component)
    return contest


def chosen(contest: Contest) -> list[list[int]]:
    return [[edge] if edge >= 0 else [] for edge in contest.choices]


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(300), deadline=None)
def test_random_graphs(wish: Wish, data: st.DataObject) -> None:
    """Circles, chance, earnings, discounts, endless plays that are good and bad, one player and two."""
    check(data.draw(graphs(wish)), wish.wants)


@pytest.mark.parametrize("seed", seeds(10))
def test_hard_graphs(seed: int) -> None:
    """Many, always the same: what may go wrong with plays that need not end is rare."""
    random = Random(seed)
    for _ in range(150):
        wish = hard_wish(random)
        check(write_graph(random, wish), wish.wants)


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(100), deadline=None)
def test_random_graphs_in_machine_code(wish: Wish, data: st.DataObject) -> None:
    """The same where nobody has a choice, and where circles hang together, if the machine code is at hand."""
    at_hand = Standby(exact_numbers.SOLVER.make, 0)
    with patch.object(exact_numbers, "SOLVER", at_hand), patch.object(policy_iteration, "SOLVER", at_hand):
        check(data.draw(graphs(wish)), wish.wants)


def check(graph: PositionGraph, wants: tuple[int, ...]) -> None:
    """The numbers are right, and the choices prove them."""
    if count_policies(graph) > 300:
        return
    endless = endless_number(graph)
    try:
        right = numbers(graph, wants)
    except NoTotal:
        with suppress(EarnsForEver):  # or whoever bears what it costs leaves
            amounts = (-INFINITE, INFINITE) if endless is None else (endless, endless)
            low, high = (solved(graph, wants, amount).numbers for amount in amounts)
            both = [least if least == most else None for least, most in zip(low, high, strict=True)]
            assert both == numbers(graph, wants, with_tolls=True)
        return
    if endless is not None:
        contest = solved(graph, wants, endless)
        assert contest.numbers == right
        assert not complaints(graph, wants, contest.numbers, chosen(contest))
        return
    low, high = solved(graph, wants, -INFINITE), solved(graph, wants, INFINITE)
    both = [least if least == most else None for least, most in zip(low.numbers, high.numbers, strict=True)]
    assert both == right
    choices = [(low if wants[kind] > 0 else high).choices[p] if kind >= 0 else -1 for p, kind in enumerate(graph.kinds)]
    if None not in both:
        assert not complaints(graph, wants, both, [[edge] if edge >= 0 else [] for edge in choices])


@pytest.mark.parametrize(("win", "lose"), [(1, 1), (2, 1), (18, 19)])
def test_gamblers_ruin(win: int, lose: int) -> None:
    """With k of n the gambler wins all with probability k/n by a fair coin; else (1 - r^k) / (1 - r^n), where r is the
    ratio of the chances (Huygens 1657)."""
    size = 30
    kinds = [DRAWS] * (size - 1) + [PAYS, PAYS - 1]
    targets = [there for k in range(1, size) for there in (k if k < size - 1 else size, k - 2 if k > 1 else size - 1)]
    firsts = [*range(0, 2 * size, 2), 2 * size - 2, 2 * size - 2]
    graph = PositionGraph(("A",), kinds, firsts, targets, [win, lose] * (size - 1), None, ((ZERO,), (ONE,)))
    found, ratio = solved(graph, (1,)).numbers, Fraction(lose, win)
    for k in range(1, size):
        assert found[k - 1] == (Fraction(k, size) if ratio == 1 else (1 - ratio**k) / (1 - ratio**size))


def test_who_may_go_on_throwing() -> None:
    """One may keep the number of eyes thrown, or throw again as often as they like: they throw until it is a 6, unless
    each throw costs 1; then 4 is kept, and on average (4 + 5 + 6) / 3 - 2 is left."""
    eyes = tuple((Fraction(n),) for n in range(7))
    kinds = [DRAWS, *[0] * 6, *(PAYS - n for n in range(1, 7))]
    firsts = [0, 6, 8, 10, 12, 14, 16, 18, *[18] * 6]
    targets = [1, 2, 3, 4, 5, 6] + [there for n in range(1, 7) for there in (0, 6 + n)]
    free = PositionGraph(("A",), kinds, firsts, targets, [1] * 18, None, eyes)
    assert solved(free, (1,)).numbers[0] == 6
    rewards = [7] * 6 + [0] * 12
    for_money = PositionGraph(("A",), kinds, firsts, targets, [1] * 18, rewards, (*eyes, (-ONE,)), HALF)
    # With half of it: x = -1 + (sum of max(n, x / 2)) / 6 gives x = 5/2, and 2 is worth more than a new throw.
    found = solved(for_money, (1,))
    assert found.numbers[0] == Fraction(-1) + sum(max(Fraction(n), found.numbers[0] / 2) for n in range(1, 7)) / 6


@pytest.mark.parametrize("discount", [HALF, Fraction(9, 10)])
def test_discounted_circle_of_two(discount: Fraction) -> None:
    """Two take turns for ever; A may earn 1 or 2 each time, B may take 0 or 1 of that away: 2 / (1 - d^2) less
    d / (1 - d^2)."""
    amounts = ((ZERO, ZERO), (ONE, -ONE), (2 * ONE, -2 * ONE), (-ONE, ONE))
    graph = PositionGraph(("A", "B"), [0, 1], [0, 2, 4], [1, 1, 0, 0], None, [1, 2, 0, 3], amounts, discount)
    assert solved(graph, (1, -1)).numbers[0] == (2 - discount) / (1 - discount**2)


def test_nobody_can_avoid_that_a_play_never_ends() -> None:
    graph = PositionGraph(("A",), [DRAWS, DRAWS], [0, 1, 2], [1, 0], [1, 1], None, ((ZERO,),))
    assert solved(graph, (1,), Fraction(7)).numbers == [7, 7]
    assert solved(graph, (1,), INFINITE).numbers == [None, None]


def test_earning_for_ever_is_refused() -> None:
    amounts = ((ZERO,), (ONE,))
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, [1, 0], amounts, endless=(ZERO,))
    with pytest.raises(EarnsForEver) as refused:
        solved(graph, (1,))
    assert refused.value.edge == 0


def test_earning_while_a_play_goes_round_by_chance() -> None:
    """A fair coin is thrown until it shows tails, for 1 each time: 2 throws on average."""
    graph = PositionGraph(("A",), [DRAWS, PAYS], [0, 2, 2], [0, 1], [1, 1], [1, 1], ((ZERO,), (ONE,)))
    assert solved(graph, (1,)).numbers[0] == 2


def test_pig_to_20_points() -> None:
    """Neller and Presser (2004) solve pig to 100 points; the number for 20 is from an independent value iteration."""
    contest = solved(pig(20), (1, -1))
    assert float(contest.numbers[0]) == pytest.approx(0.615558549805, abs=1e-12)


def test_pig_stands_a_second_calculation() -> None:
    """To few points: the equations of all positions at once take long."""
    contest = solved(pig(8), (1, -1))
    assert not complaints(pig(8), (1, -1), contest.numbers, chosen(contest))


def test_too_many_digits() -> None:
    with pytest.raises(TooManyDigits):
        solved(pig(20), (1, -1), digits=15)
    assert solved(pig(20), (1, -1), digits=20).numbers[0] is not None


# A fair gambler's ruin with a thousand fortunes, by every way to its numbers.
#
# With k of n the gambler wins all with probability k / n, after k (n - k) throws on average (Huygens 1657; Feller, An
# introduction to probability theory I, XIV). Value iteration would take about n squared sweeps for each digit.


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
    assert max(high - low for low, high in zip(found.lower, found.upper, strict=True)) > 1e-3
    for k in range(FORTUNES - 1):
        between = found.interval(k)
        assert between is not None and between[0] <= Fraction(k + 1, FORTUNES) <= between[1]
