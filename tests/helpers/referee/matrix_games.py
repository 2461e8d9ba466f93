"""The value of a small matrix game, exactly, by trying all supports.

Shapley and Snow 1950: with a positive value, some square nonsingular part B of the matrix has optimal strategies x and
y with x B = v 1 and B y = v 1. So all square parts are tried, after an amount has been added that makes every entry
positive; what is found is compared with all rows and columns, which proves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from referee.linear_systems import solved

Matrix = Sequence[Sequence[Fraction]]
"""What the one who chooses the row gets, and the one who chooses the column pays."""


def matrix_game(matrix: Matrix) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The value of a matrix game, with optimal probabilities of the rows and of the columns."""
    rows, columns = len(matrix), len(matrix[0])
    lift = 1 - min(min(row) for row in matrix)
    lifted = [[entry + lift for entry in row] for row in matrix]
    for size in range(1, min(rows, columns) + 1):
        for some_rows in combinations(range(rows), size):
            for some_columns in combinations(range(columns), size):
                part = [[lifted[r][c] for c in some_columns] for r in some_rows]
                mix, other = equalizer([*map(list, zip(*part, strict=True))]), equalizer(part)
                if mix is None or other is None:
                    continue
                row_mix = spread(mix, some_rows, rows)
                column_mix = spread(other, some_columns, columns)
                least = guaranteed(lifted, row_mix)
                if least == conceded(lifted, column_mix):
                    return least - lift, row_mix, column_mix
    raise AssertionError("every matrix game has a value")


def guaranteed(matrix: Matrix, row_mix: Sequence[Fraction]) -> Fraction:
    """What a mixture of rows brings at least."""
    return min(
        sum((share * row[c] for share, row in zip(row_mix, matrix, strict=True)), Fraction(0))
        for c in range(len(matrix[0]))
    )


def conceded(matrix: Matrix, column_mix: Sequence[Fraction]) -> Fraction:
    """What a mixture of columns costs at most."""
    return max(
        sum((share * entry for share, entry in zip(column_mix, row, strict=True)), Fraction(0)) for row in matrix
    )


def equalizer(part: Matrix) -> list[Fraction] | None:
    """A mixture of the columns of a square matrix that makes all rows equal; None if there is none, or not one."""
    found = solved([list(row) for row in part], [Fraction(1)] * len(part))
    if found is None or min(found) < 0:
        return None
    return [share / sum(found) for share in found]


def spread(mix: Sequence[Fraction], places: Sequence[int], length: int) -> list[Fraction]:
    """A mixture of a few, as one of all."""
    whole = [Fraction(0)] * length
    for place, share in zip(places, mix, strict=True):
        whole[place] = share
    return whole
