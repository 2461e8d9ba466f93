"""The simplex method in fractions: optimal from every basis, near ties and degenerate corners included."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec, module_from_spec
from itertools import count
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

import zermelo
from zermelo import gamedefs
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_optimum import optimum, optimum_from, refine_optimum
from zermelo.solvers.linear_programming.linear_program import Basis, LinearProgram, is_optimal

NOTHING = Basis([], [])
SMALL = st.integers(-2, 2)


def matrix_game(matrix):
    """The linear program of the row player of a matrix game, who maximizes the last column, the value."""
    rows = len(matrix)
    program = LinearProgram([0] * rows + [1], [False] * rows + [True])
    program.add([(i, 1) for i in range(rows)], 1, True)
    for column in zip(*matrix, strict=True):
        program.add([*((i, -entry) for i, entry in enumerate(column) if entry), (rows, 1)], 0, False)
    return program


@st.composite
def matrices(draw, entry):
    columns = draw(st.integers(1, 5))
    return draw(st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=1, max_size=5))


@st.composite
def programs(draw):
    """Programs of all kinds: equations and inequalities, free columns, without solution and without bound."""
    columns = draw(st.integers(1, 4))
    program = LinearProgram(
        draw(st.lists(SMALL, min_size=columns, max_size=columns)),
        draw(st.lists(st.booleans(), min_size=columns, max_size=columns)),
    )
    for _ in range(draw(st.integers(1, 5))):
        row = [(j, factor) for j in range(columns) if (factor := draw(SMALL))]
        program.add(row, draw(SMALL), draw(st.integers(0, 3)) == 0)
    return program


@settings(max_examples=many(100))
@given(matrices(SMALL))
def test_from_no_basis_at_all(matrix):
    program = matrix_game(matrix)
    certificate = optimum_from(program, NOTHING, Limits())
    assert certificate is not None and is_optimal(program, certificate)


@settings(max_examples=many(100))
@given(matrices(SMALL), st.data())
def test_from_any_basis(matrix, data):
    """Most of them are neither primal nor dual feasible; some are singular."""
    program = matrix_game(matrix)
    size = data.draw(st.integers(1, min(len(program.costs), len(program.rows))))
    columns = data.draw(st.permutations(range(len(program.costs))))[:size]
    rows = data.draw(st.permutations(range(len(program.rows))))[:size]
    start = Basis(sorted(columns), sorted(rows))
    certificate = optimum_from(program, start, Limits())
    assert certificate is not None and is_optimal(program, certificate)


@settings(max_examples=many(100))
@given(programs())
def test_programs_of_all_kinds(program):
    """If no optimum is found, the program or its dual is infeasible (Gale, Kuhn and Tucker 1951)."""
    certificate = optimum_from(program, NOTHING, Limits())
    if certificate is not None:
        assert is_optimal(program, certificate)
        return
    nothing = [0] * len(program.costs)
    without_costs = LinearProgram(nothing, program.is_free, program.rows, program.bounds, program.is_equality)
    has_solution = optimum_from(without_costs, NOTHING, Limits()) is not None
    assert not (has_solution and has_multipliers(program))


def has_multipliers(program):
    """Whether the dual program is feasible."""
    dual = LinearProgram([0] * len(program.rows), list(program.is_equality))
    for j, cost in enumerate(program.costs):
        column = [(i, -factor) for i, row in enumerate(program.rows) for k, factor in row if k == j]
        dual.add(column, -cost, program.is_free[j])
    return optimum_from(dual, NOTHING, Limits()) is not None


@settings(max_examples=many(60))
@given(matrices(st.tuples(st.integers(-1, 1), SMALL)), st.integers(12, 40))
def test_payoffs_that_differ_by_less_than_can_be_told(matrix, digits):
    """1 and 1 + 10^-15, say, which tolerances do not distinguish."""
    scale = 10**digits
    program = matrix_game([[large * scale + small for large, small in row] for row in matrix])
    for find in (optimum, refine_optimum):
        certificate, is_proved = find(program, Limits())
        assert is_proved and is_optimal(program, certificate)


def test_beales_program_goes_in_circles_without_care():
    """Beale (1955), in whole numbers: the steepest column leads to a cycle."""
    program = LinearProgram([3, -80, 2, -24], [False] * 4)
    program.add([(0, 1), (1, -32), (2, -4), (3, 36)], 0, False)
    program.add([(0, 1), (1, -24), (2, -1), (3, 6)], 0, False)
    program.add([(2, 1)], 1, False)
    certificate = optimum_from(program, NOTHING, Limits())
    assert certificate is not None and is_optimal(program, certificate)


def test_a_singular_start_is_none():
    program = LinearProgram([1, 2], [False, False])
    program.add([(0, 1), (1, 1)], 1, True)
    program.add([(0, 2), (1, 2)], 2, True)
    certificate = optimum_from(program, Basis([0, 1], [0, 1]), Limits())
    assert certificate is not None and is_optimal(program, certificate)
    assert certificate.x == [0, 1]


def test_no_time_means_no_answer():
    program = matrix_game([[1, -1], [-1, 1]])
    assert optimum_from(program, NOTHING, Limits(seconds=0.0)) is None


def test_no_clock_ends_it_where_time_is_not_limited():
    """Each reading of the clock would add an hour."""
    spec = find_spec("zermelo.solvers.linear_programming.exact_optimum")
    simplex = module_from_spec(spec)
    with patch("time.perf_counter", side_effect=count(0, 3600)):
        spec.loader.exec_module(simplex)
        program = matrix_game([[1, -1], [-1, 1]])
        certificate = simplex.optimum_from(program, NOTHING, Limits(begin=0.0))
    assert certificate is not None and is_optimal(program, certificate)


def test_a_game_of_near_ties_has_an_exact_value():
    """Entries of 1 + 10^-15 beside 1: the value is between them."""
    tiny = Fraction(1, 10**15)
    solution = zermelo.solve(
        zermelo.loads("""
game "Near ties"
players A, B
claim zero_sum
start at show
define tiny = 1 / 1000000000000000
phase show:
    together:
        move left
        move right
    then:
        let paid = if left[A] == left[B] then (if left[A] then 1 + tiny else 1) else 1 - tiny
        end payoff {A: paid, B: -paid}
""")
    )
    assert solution.exact
    # p (1 + t) + (1 - p) (1 - t) = p (1 - t) + (1 - p), so p = 1/3
    assert solution.value[0] == 1 - tiny / 3


def test_a_large_game_with_small_differences_is_within_reach():
    """Leduc poker where hearts win a millionth more: its numbers are of very different size, and are scaled for
    HiGHS."""
    text = gamedefs.path("leduc_poker").read_text(encoding="utf-8").partition("expect")[0]
    paid = "winner: paid[other winner]"
    assert paid in text
    more = "let more = (if hand[winner].suit == hearts then 1 else 0) / 1000000\n    end payoff "
    changed = f"{paid} + more"
    solution = zermelo.solve(zermelo.loads(text.replace(f"end payoff {paid}", more + changed)))
    assert solution.exact
    assert 0 < abs(solution.value[0] + Fraction("0.0856064")) < Fraction(1, 10**6)
