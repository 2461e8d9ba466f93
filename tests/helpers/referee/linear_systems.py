"""Systems of linear equations in fractions, by Gaussian elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def solved(matrix: list[list[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The only x with ``matrix x = right``; None if the matrix is singular."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [entry / scale for entry in rows[column]]
        for r in range(size):
            share = rows[r][column]
            if r != column and share != 0:
                rows[r] = [entry - share * top for entry, top in zip(rows[r], rows[column], strict=True)]
    return [row[-1] for row in rows]
