"""Linear programs in rational numbers: valid and invalid certificates."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming import rational_basis
from zermelo.solvers.linear_programming.exact_optimum import optimum, refine_optimum
from zermelo.solvers.linear_programming.linear_program import Basis, Certificate, LinearProgram, faults, is_optimal
from zermelo.solvers.linear_programming.rational_basis import solve_basis

both = pytest.mark.parametrize("find", [optimum, refine_optimum])
"""Small programs are solved without HiGHS, unless ``refined_optimum`` is called."""


def game_program(matrix):
    """The linear program of the row player of a matrix game, who maximizes the last column, the value."""
    rows, columns = len(matrix), len(matrix[0])
    program = LinearProgram([0] * rows + [1], [False] * rows + [True])
    program.add([(i, 1) for i in range(rows)], 1, True)
    for j in range(columns):
        program.add([*((i, -matrix[i][j]) for i in range(rows) if matrix[i][j]), (rows, 1)], 0, False)
    return program


@both
def test_a_small_game(find):
    certificate, is_proved = find(game_program([[3, -1], [-2, 4]]), Limits())
    assert is_proved
    assert certificate.x == [Fraction(3, 5), Fraction(2, 5), 1]
    assert certificate.y[1:] == [Fraction(1, 2), Fraction(1, 2)]


@both
@settings(max_examples=many(60))
@given(rows=st.integers(1, 5), columns=st.integers(1, 5), data=st.data())
def test_random_games_are_proved(find, rows, columns, data):
    """Small whole payoffs make many ties, so many of these programs are degenerate."""
    matrix = [[data.draw(st.integers(-2, 2)) for _ in range(columns)] for _ in range(rows)]
    program = game_program(matrix)
    certificate, is_proved = find(program, Limits())
    assert is_proved and is_optimal(program, certificate)
    worst = min(sum(matrix[i][j] * certificate.x[i] for i in range(rows)) for j in range(columns))
    best = max(sum(matrix[i][j] * certificate.y[1 + j] for j in range(columns)) for i in range(rows))
    assert worst == certificate.value(program) == best


@both
def test_payoffs_that_tolerances_cannot_tell_apart(find):
    """The best rows are better by one part in 10^9, so the first basis may be the wrong one."""
    large = 10**9
    program = game_program([[large, large], [large + 1, large], [large, large + 1]])
    certificate, is_proved = find(program, Limits())
    assert is_proved
    assert certificate.value(program) == large + Fraction(1, 2)


def test_nearly_optimal_is_not_optimal():
    program = game_program([[3, -1], [-2, 4]])
    certificate, _ = optimum(program, Limits())
    tiny = Fraction(1, 10**40)
    x = [certificate.x[0] + tiny, certificate.x[1] - tiny, certificate.x[2]]
    assert not is_optimal(program, Certificate(x, certificate.y))
    y = [certificate.y[0], certificate.y[1] + tiny, certificate.y[2] - tiny]
    assert faults(program, Certificate(certificate.x, y)).reduced


def test_each_fault_is_seen():
    program = LinearProgram([1, 1], [False, False])
    program.add([(0, 1), (1, 1)], 1, False)
    good = Certificate([Fraction(1), Fraction(0)], [Fraction(1)])
    assert is_optimal(program, good)
    assert faults(program, Certificate([Fraction(2), Fraction(-1)], good.y)).columns == [1]
    assert faults(program, Certificate([Fraction(2), Fraction(0)], good.y)).rows == [0]
    assert faults(program, Certificate(good.x, [Fraction(1, 2)])).reduced == [0, 1]
    assert faults(program, Certificate(good.x, [Fraction(-1)])).multipliers == [0]


def test_a_program_without_bound_has_no_optimum():
    program = LinearProgram([1], [False])
    program.add([(0, -1)], 0, False)
    assert optimum(program, Limits()) is None


@settings(max_examples=many(80))
@given(st.integers(1, 7), st.data())
def test_systems_are_solved_exactly(size, data):
    """Sparse systems of all shapes: the solution satisfies them, whatever their blocks."""
    entry = st.sampled_from([0, 0, 0, 1, -1, 2, 5])
    system = [[(j, factor) for j in range(size) if (factor := data.draw(entry))] for _ in range(size)]
    right = [data.draw(st.integers(-3, 3)) for _ in range(size)]
    for small in (0, rational_basis.SMALL):
        with patch.object(rational_basis, "SMALL", small):
            found = rational_basis.solve(system, right, Limits())
        if found is not None:
            assert [sum((factor * found[j] for j, factor in row), Fraction(0)) for row in system] == right


def test_a_singular_basis_has_no_solution():
    program = LinearProgram([1, 1], [False, False])
    program.add([(0, 1), (1, 1)], 1, True)
    program.add([(0, 2), (1, 2)], 2, True)
    assert solve_basis(program, Basis([0, 1], [0, 1]), Limits()) is None


def test_a_pair_that_is_feasible_need_not_be_optimal():
    """The row player mixes evenly, the column player plays one column: both feasible, neither optimal."""
    program = game_program([[3, -1], [-2, 4]])
    half = Fraction(1, 2)
    worst, most = half, Fraction(3)
    certificate = Certificate([half, half, worst], [most, Fraction(1), Fraction(0)])
    assert not faults(program, certificate)
    assert certificate.value(program) == worst
    assert not is_optimal(program, certificate)


def test_what_nobody_has_proved_is_not_called_proved():
    program = game_program([[3, -1], [-2, 4]])
    with (
        patch("zermelo.solvers.linear_programming.exact_optimum.is_optimal", return_value=False),
        patch("zermelo.solvers.linear_programming.exact_optimum._ROUNDS", 1),
    ):
        found = refine_optimum(program, Limits())
    assert found is None or not found[1]
