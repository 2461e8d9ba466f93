"""Linear programs in rational numbers: valid and invalid certificates."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from unittest.mock import patch

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from scipy.optimize import linprog

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming import rational_basis
from zermelo.solvers.linear_programming.exact_optimum import ONE, optimum, refine_optimum, solve_inequalities
from zermelo.solvers.linear_programming.linear_program import Basis, Certificate, LinearProgram, faults, is_optimal
from zermelo.solvers.linear_programming.rational_basis import Singular, SparseElimination, solve_basis

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
        with suppress(Singular), patch.object(rational_basis, "SMALL", small):
            found = rational_basis.solve_equations(system, right, Limits())
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


# Sparse elimination in whole numbers, compared with FLINT's dense solver.


ENTRY = st.sampled_from([1, -1, 1, -1, 2, 3, -4, 10**30])


@st.composite
def systems(draw):
    """Sparse square systems with their right sides; many are singular, and many fall into several blocks."""
    size = draw(st.integers(1, 30))
    row = st.dictionaries(st.integers(0, size - 1), ENTRY, max_size=3)
    rows = [draw(row) for _ in range(size)]
    if draw(st.booleans()):
        rows = [{i: 1} | row for i, row in enumerate(rows)]
    return [list(row.items()) for row in rows], draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))


def solved_densely(system, right):
    """The solution by FLINT; None if the system is singular."""
    size = len(system)
    matrix = flint.fmpz_mat(size, size)
    for i, row in enumerate(system):
        for j, factor in row:
            matrix[i, j] = factor
    try:
        found = matrix.solve(flint.fmpz_mat(size, 1, right))
    except ZeroDivisionError:
        return None
    return [Fraction(int(value.p), int(value.q)) for value in found.entries()]


@pytest.mark.parametrize("dense_steps", [0, rational_basis._DENSE_STEPS])
@settings(max_examples=many(100))
@given(systems())
def test_what_is_left_with_what_is_taken_out_is_the_whole(dense_steps, given_system):
    """If a dense solver is free, only pivots without fill-in are taken; if it is useless, everything is eliminated."""
    system, right = given_system
    expected = solved_densely(system, right)
    with patch.object(rational_basis, "_DENSE_STEPS", dense_steps):
        elimination = SparseElimination(system, right, Limits())
        try:
            elimination.run()
        except Singular:
            assert expected is None
            return
    left = solved_densely(elimination.rows(), elimination.right())
    if left is None:
        assert expected is None
    else:
        assert elimination.completed(left) == expected
    if not dense_steps:
        assert left == []


@pytest.mark.parametrize("small", [0, rational_basis.SMALL])
@settings(max_examples=many(100))
@given(systems())
def test_systems_are_solved_as_flint_solves_them(small, given_system):
    system, right = given_system
    expected = solved_densely(system, right)
    with patch.object(rational_basis, "SMALL", small):
        try:
            found = rational_basis.solve_equations(system, right, Limits())
        except Singular:
            assert expected is None
        else:
            assert expected in (None, found)


def ring(size, factor):
    """Each unknown plus ``factor`` times the next one is 1, in a cycle: one very sparse block."""
    return [[(i, 1), ((i + 1) % size, factor)] for i in range(size)]


def test_a_large_sparse_system_takes_little_memory():
    """As a dense matrix, 3,000 equations would take 360 MB."""
    system = ring(3000, -2)
    assert rational_basis.solve_equations(system, [1] * 3000, Limits(memory=4 << 20)) == [-1] * 3000


def test_long_numbers_count_as_memory():
    size = 200
    system = [[(i, 1), ((i + 1) % size, 7**4000), ((i + 7) % size, 3**5000)] for i in range(size)]
    with pytest.raises(ZermeloError) as caught:
        SparseElimination(system, [1] * size, Limits(memory=400 << 10)).run()
    assert caught.value.code == "out-of-memory"


def test_what_hangs_together_closely_is_left():
    """A dense system of a hundred unknowns, with a tail of a thousand others."""
    closely = [[(j, 1 + (i * j) % 7) for j in range(100)] for i in range(100)]
    tail = [[(100 + i, 1), (99 + i, 1)] for i in range(1000)]
    elimination = SparseElimination([*closely, *tail], [1] * 1100, Limits())
    elimination.run()
    assert len(elimination.rows()) == 100


def test_a_singular_system_is_told():
    for singular in ([[(0, 1), (1, 2)], [(0, 2), (1, 4)]], [[(0, 1)], [(0, 2)]]):
        for right in ([1, 2], [1, 3]):
            with patch.object(rational_basis, "_DENSE_STEPS", 0), pytest.raises(Singular):
                SparseElimination(singular, right, Limits()).run()


# Systems of inequalities: solutions satisfy them, and where none is said to exist, HiGHS finds none either.


FORMS = st.lists(
    st.dictionaries(st.sampled_from(["x", "y", "z", ONE]), st.integers(-3, 3), min_size=1, max_size=4), max_size=6
)


@given(raised=FORMS, positive=st.sets(st.sampled_from(["x", "y"])))
def test_solutions_are_solutions_and_refutations_are_true(raised, positive):
    found = solve_inequalities([], raised, positive, Limits())
    assert found != "unknown"
    names = ["x", "y", "z"]
    if found == "none":
        rows = [[-form.get(name, 0) for name in names] for form in raised]
        right = [form.get(ONE, 0) for form in raised]
        bounds = [(1 if name in positive else None, None) for name in names]
        assert linprog([0, 0, 0], A_ub=rows, b_ub=right, bounds=bounds).status == 2
    else:
        assert all(found[name] >= 1 for name in positive)
        for form in raised:
            assert sum(factor * (1 if name == ONE else found.get(name, 0)) for name, factor in form.items()) >= 0
