"""Fractions from p-adic digits, against FLINT and elimination."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random
from unittest.mock import patch

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.native.running.kernels import PlainKernels, Standby, load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels.lifting import P
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph, TooManyDigits
from zermelo.solvers.positions.solving import solve as solve_graph
from zermelo.solvers.positions.stochastic_cycles import exact_numbers, lifting
from zermelo.solvers.positions.stochastic_cycles.lifting import (
    MOST_WEIGHT,
    SOLVER,
    NotLifted,
    System,
    reconstructed,
    solve,
)

PYTHON, COMPILED = load(SOLVER.make(), compiled=False), load(SOLVER.make())

Rows = list[list[tuple[int, int]]]
"""For each position its ways: a column and a weight."""


def system_of(rows: Rows, brought: list[int], unit: int = 1) -> System:
    """The equations of positions with these ways (column, weight)."""
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    flat = [way for row in rows for way in row]
    return System(starts, [column for column, _ in flat], [weight for _, weight in flat], brought, unit)


def right_worths(rows: Rows, brought: list[int], unit: int) -> list[Fraction] | None:
    """The worths, by FLINT; None if there are none, or many."""
    size = len(rows)
    matrix = [[0] * size for _ in rows]
    for p, row in enumerate(rows):
        for column, weight in row:
            matrix[p][p] += weight
            if column >= 0:
                matrix[p][column] -= weight
    entries = [fmpq(number) for row in matrix for number in row]
    try:
        found = fmpq_mat(size, size, entries).solve(fmpq_mat(size, 1, [fmpq(b, unit) for b in brought]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(x.p), int(x.q)) for x in found.entries()]


@st.composite
def chains(draw: st.DrawFn) -> tuple[Rows, list[int], int]:
    """Chains of all kinds: with and without circles, which are left or not, with small and large numbers."""
    size = draw(st.integers(1, 9))
    most = draw(st.sampled_from((1, 6, 1 << 20, MOST_WEIGHT // 6)))
    last = draw(st.sampled_from((0, size)))  # without circles each leads to later positions alone
    rows = []
    for p in range(size):
        columns = draw(st.lists(st.integers(-1, size - 1), max_size=5))
        ways = [-1, *(column if last or column > p else -1 for column in columns)][draw(st.integers(0, 1)) :]
        rows.append([(column, draw(st.integers(1, most))) for column in ways or [-1]])
    high = draw(st.sampled_from((0, 3, P, 10**40)))
    return rows, draw(st.lists(st.integers(-high, high), min_size=size, max_size=size)), draw(st.integers(1, 10**20))


@pytest.mark.parametrize("size", [1, 2, 40])
def test_numbers_may_reach_their_bounds(size: int) -> None:
    """Without circles the determinant is the product of all diagonals; what all bring is paid in full by the first."""
    rows = [[(p + 1 if p + 1 < size else -1, 1), (-1, 999_982 - p)] for p in range(size)]
    for brought in ([10**9 + 7] * size, [0] * (size - 1) + [-1], [-(10**40)] * size):
        found = solve(COMPILED, system_of(rows, brought), None)
        assert [Fraction(*found.fraction(p)) for p in range(size)] == right_worths(rows, brought, 1)


@pytest.mark.parametrize("kernels", [PYTHON, COMPILED], ids=["python", "compiled"])
@given(chain=chains(), order=st.randoms())
def test_random_chains(
    kernels: PlainKernels, chain: tuple[list[list[tuple[int, int]]], list[int], int], order: Random
) -> None:
    """Also one by one in any order: which denominators have been found before makes no difference."""
    rows, brought, unit = chain
    right = right_worths(rows, brought, unit)
    if right is None:
        with pytest.raises(NotLifted):
            solve(kernels, system_of(rows, brought, unit), None)
        return
    found = solve(kernels, system_of(rows, brought, unit), None)
    places = list(range(len(rows)))
    order.shuffle(places)
    for p in places:
        assert Fraction(*found.fraction(p)) == right[p]
    longest = max(max(abs(worth.numerator), worth.denominator) for worth in right)
    assert found.are_shorter(longest)
    assert longest == 1 or not found.are_shorter(longest - 1)


@pytest.mark.parametrize("size", [70, 150])
def test_what_hangs_together_closely_is_a_square(size: int) -> None:
    random = Random(size)
    rows = [[(column, random.randint(1, 6)) for column in (-1, *random.choices(range(size), k=4))] for _ in range(size)]
    brought = [random.randint(-9, 9) for _ in rows]
    found = solve(COMPILED, system_of(rows, brought), None)
    assert [Fraction(*found.fraction(p)) for p in range(size)] == right_worths(rows, brought, 1)


def test_too_many_digits_are_seen_early() -> None:
    rows = [[((p + 1) % 50, 1), ((p - 1) % 50, 2), (-1, 1)] for p in range(50)]
    right = right_worths(rows, [1, *[0] * 49], 1)
    assert right is not None
    longest = max(max(abs(worth.numerator), worth.denominator) for worth in right)
    found = solve(COMPILED, system_of(rows, [1, *[0] * 49]), longest)
    assert [Fraction(*found.fraction(p)) for p in range(50)] == right
    with pytest.raises(TooManyDigits):
        solve(COMPILED, system_of(rows, [1, *[0] * 49]), 10**6)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9), st.integers(1, 10**4), st.integers(1, 10**4))
def test_reconstruction(above: int, below: int, most_above: int, most_below: int) -> None:
    """A fraction within the bounds is found; else nothing, or another one with the same remainder."""
    modulus = P**3
    right = Fraction(above, below)
    found = reconstructed(
        right.numerator * pow(right.denominator, -1, modulus) % modulus, modulus, most_above, most_below
    )
    if abs(right.numerator) <= most_above and right.denominator <= most_below:
        assert found == (right.numerator, right.denominator)
    elif found is not None:
        assert (found[0] * right.denominator - right.numerator * found[1]) % modulus == 0
        assert abs(found[0]) <= most_above and 0 < found[1] <= most_below


def ring(weights: list[int]) -> PositionGraph:
    """Chance leads around, or with as many chances as ``weights`` to one of two ends."""
    size = len(weights)
    targets = [there for p in range(size) for there in ((p + 1) % size, size, size + 1)]
    firsts = [*range(0, 3 * size + 1, 3), 3 * size, 3 * size]
    paid = ((Fraction(0),), (Fraction(1),), (Fraction(1, 3),))
    flat = [weight for each in weights for weight in (1, each, 1)]
    return PositionGraph(("A",), [DRAWS] * size + [PAYS - 1, PAYS - 2], firsts, targets, flat, None, paid)


@pytest.mark.parametrize("weights", [[1, 2, 3], [P - 2, 5, 7], [1 << 40, 1, 1]])
def test_with_and_without_machine_code(weights: list[int]) -> None:
    """The same numbers; also where a diagonal vanishes modulo the prime, and where weights are too large."""
    graph = ring(weights)
    found = []
    for worth in (0, 1 << 62):
        with patch.object(exact_numbers, "SOLVER", Standby(SOLVER.make, worth)):
            solved = solve_graph(graph, Limits())
        found.append([solved.payoff(p) for p in range(len(graph))])
    assert found[0] == found[1]
    unit = lcm(*(payoff[0].denominator for payoff in found[0] if payoff is not None))
    assert unit > 1


def test_machine_code_is_loaded_when_it_is_worth_it() -> None:
    standby = Standby(SOLVER.make, 100)
    assert standby.compiled(60) is None
    assert standby.compiled(39) is None
    loaded = standby.compiled(1)
    assert loaded is not None and loaded.is_compiled
    assert standby.compiled(0) is loaded
    assert not standby.interpreted().is_compiled


def test_what_takes_too_many_digits_is_solved_in_another_way() -> None:
    """A fair ruin has short numbers, but the bounds of a long one do not know that."""
    size = 150
    kinds = [DRAWS] * size + [PAYS, PAYS - 1]
    targets = [there for p in range(size) for there in (p - 1 if p else size, p + 1 if p + 1 < size else size + 1)]
    firsts = [*range(0, 2 * size + 1, 2), 2 * size, 2 * size]
    graph = PositionGraph(("A",), kinds, firsts, targets, [1] * (2 * size), None, ((Fraction(0),), (Fraction(1),)))
    at_hand = Standby(SOLVER.make, 0)
    for most in (1 << 24, size):
        with patch.object(exact_numbers, "SOLVER", at_hand), patch.object(lifting, "_MOST_DIGITS", most):
            solved = solve_graph(graph, Limits())
        assert [solved.payoff(p) for p in range(size)] == [(Fraction(p + 1, size + 1),) for p in range(size)]
