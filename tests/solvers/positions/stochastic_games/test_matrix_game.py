"""Matrix games: each value is proved by the mixtures found, and compared with the referee's."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from referee.matrix_games import conceded, guaranteed, matrix_game

from zermelo.solvers.positions.stochastic_games.matrix_rounds import matrix_value


def of(*rows: tuple[int, ...]) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


@st.composite
def matrices(draw: st.DrawFn, most: int = 6) -> list[list[Fraction]]:
    """Small matrices; often with few different entries, so that there are ties everywhere."""
    entries = draw(
        st.sampled_from((
            st.integers(0, 1), st.integers(-1, 1), st.integers(-9, 9), st.fractions(-2, 2, max_denominator=5),
            st.integers(-(10**30), 10**30),
        ))
    )  # fmt: skip
    columns = draw(st.integers(1, most))
    row = st.lists(entries.map(Fraction), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=1, max_size=most))


@given(matrices())
@settings(max_examples=many(400), deadline=None)
def test_mixtures_guarantee_and_concede_the_value(matrix: list[list[Fraction]]) -> None:
    found = matrix_value(matrix)
    assert sum(found.rows) == sum(found.columns) == 1
    assert min(found.rows) >= 0
    assert min(found.columns) >= 0
    assert guaranteed(matrix, list(found.rows)) == found.value == conceded(matrix, list(found.columns))


@given(matrices(4))
@settings(max_examples=many(100), deadline=None)
def test_the_referee_finds_the_same_value(matrix: list[list[Fraction]]) -> None:
    assert matrix_value(matrix).value == matrix_game(matrix)[0]


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        (of((1, -1), (-1, 1)), Fraction(0)),  # matching pennies
        (of((0, -1, 1), (1, 0, -1), (-1, 1, 0)), Fraction(0)),  # stone, paper, scissors
        (of((3, -1), (-2, 4)), Fraction(1)),
        (of((4, 2, 1, 0), (1, 3, 0, -1), (-2, 2, 2, -2), (-1, 0, 3, 1), (0, 1, 2, 4)), Fraction(14, 9)),  # Blotto
        (of((5,)), Fraction(5)),
    ],
)
def test_known_values(matrix: list[list[Fraction]], value: Fraction) -> None:
    assert matrix_value(matrix).value == value


@pytest.mark.parametrize("size", [5, 8, 12])
def test_a_matrix_whose_steps_bring_no_progress(size: int) -> None:
    """A tournament in which each move beats the next half of the others: every basis on the way is degenerate."""
    matrix = [
        [Fraction(0 if i == j else 1 if (j - i) % size <= size // 2 else -1) for j in range(size)] for i in range(size)
    ]
    found = matrix_value(matrix)
    assert guaranteed(matrix, list(found.rows)) == found.value == conceded(matrix, list(found.columns))
