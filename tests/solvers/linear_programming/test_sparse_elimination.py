"""Sparse elimination in whole numbers, compared with FLINT's dense solver."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming import rational_basis
from zermelo.solvers.linear_programming.rational_basis import Singular, SparseElimination

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


@settings(max_examples=many(100))
@given(systems())
def test_systems_are_solved_as_flint_solves_them(given_system):
    system, right = given_system
    expected = solved_densely(system, right)
    with patch.object(rational_basis, "SMALL", 0):
        found = rational_basis.solve(system, right, Limits())
    if expected is not None:
        assert found == expected


def ring(size, factor):
    """Each unknown plus ``factor`` times the next one is 1, in a cycle: one very sparse block."""
    return [[(i, 1), ((i + 1) % size, factor)] for i in range(size)]


def test_a_large_sparse_system_takes_little_memory():
    """As a dense matrix, 3,000 equations would take 360 MB."""
    system = ring(3000, -2)
    assert rational_basis.solve(system, [1] * 3000, Limits(memory=4 << 20)) == [-1] * 3000


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
