"""One equilibrium of two players: nobody gains by deviating from it."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.solvers.positions.stochastic_games.matrix_rounds import equilibrium

Matrix = list[list[Fraction]]


@st.composite
def games(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """Two small matrices of one size; often with few different entries, which makes games degenerate."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    entries = draw(st.sampled_from((st.integers(0, 1), st.integers(-9, 9), st.fractions(-2, 2, max_denominator=5))))
    row = st.lists(entries.map(Fraction), min_size=columns, max_size=columns)
    matrix = st.lists(row, min_size=rows, max_size=rows)
    return draw(matrix), draw(matrix)


@given(games())
@settings(max_examples=many(400), deadline=None)
def test_nobody_gains_by_deviating(game: tuple[Matrix, Matrix]) -> None:
    first, second = game
    x, y = equilibrium(first, second)
    assert sum(x) == sum(y) == 1
    assert min(x) >= 0
    assert min(y) >= 0
    ours = [sum(entry * weight for entry, weight in zip(row, y, strict=True)) for row in first]
    theirs = [
        sum(entry * weight for entry, weight in zip(column, x, strict=True)) for column in zip(*second, strict=True)
    ]
    assert all(worth == max(ours) for worth, weight in zip(ours, x, strict=True) if weight)
    assert all(worth == max(theirs) for worth, weight in zip(theirs, y, strict=True) if weight)


def test_battle_of_the_sexes_has_one_of_its_equilibria() -> None:
    first, second = [[2, 0], [0, 1]], [[1, 0], [0, 2]]
    x, y = equilibrium([list(map(Fraction, row)) for row in first], [list(map(Fraction, row)) for row in second])
    third = Fraction(1, 3)
    assert (x, y) in {((1, 0), (1, 0)), ((0, 1), (0, 1)), ((2 * third, third), (third, 2 * third))}
