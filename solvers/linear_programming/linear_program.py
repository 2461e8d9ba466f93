"""Linear programs with whole coefficients, and certificates of optimality.

    maximize    costs . x
    such that   row . x <= bound, or == bound, for every row
                x[j] >= 0, or x[j] free

The dual program has a multiplier y for every row, at least 0 for an inequality, such that for every column j the sum of
y * row[j] is at least ``costs[j]``, and equal to it if x[j] is free. If x and y are feasible, then costs . x <=
bounds . y; if the two are equal, both are optimal. So the pair is a *certificate*, checked by multiplication and
addition (Gale, Kuhn and Tucker 1951).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field, frozen

from zermelo.solvers.common.rationals import over_one_denominator

Row = list[tuple[int, int]]
"""Columns with their coefficients, none of which is 0."""

_BYTES_OF_COEFFICIENT: Final = 320
_BYTES_OF_LINE: Final = 1150


def bytes_of_program(coefficients: int, lines: int) -> int:
    """The memory for solving a program, about, without its systems of equations: each coefficient is in a row, in
    matrices of floating-point numbers, and in two systems; each of the ``lines``, rows and columns together, has
    fractions of its own."""
    return _BYTES_OF_COEFFICIENT * coefficients + _BYTES_OF_LINE * lines


@define(eq=False)
class LinearProgram:
    """A program in the form above. ``is_equality`` and ``bounds`` belong to the rows, ``costs`` and ``is_free`` to the
    columns."""

    costs: list[int]
    is_free: list[bool]
    rows: list[Row] = field(factory=list)
    bounds: list[int] = field(factory=list)
    is_equality: list[bool] = field(factory=list)

    @property
    def bytes(self) -> int:
        """The memory for solving it; see :func:`bytes_of_program`."""
        return bytes_of_program(sum(map(len, self.rows)), len(self.rows) + len(self.costs))

    def add(self, row: Row, bound: int, is_equality: bool) -> None:
        """Add a row."""
        self.rows.append(row)
        self.bounds.append(bound)
        self.is_equality.append(is_equality)


@frozen
class Certificate:
    """A solution ``x`` and multipliers ``y``."""

    x: list[Fraction]
    y: list[Fraction]

    def value(self, program: LinearProgram) -> Fraction:
        """The objective value of the solution."""
        return sum((cost * x for cost, x in zip(program.costs, self.x, strict=True) if cost), Fraction(0))


@frozen
class Faults:
    """The violations of a pair of a solution and multipliers: ``columns`` and ``rows`` in which the solution has the
    wrong sign or violates its bound, and likewise for the multipliers."""

    columns: list[int]
    rows: list[int]
    reduced: list[int]
    multipliers: list[int]

    def __bool__(self) -> bool:
        return bool(self.columns or self.rows or self.reduced or self.multipliers)


def faults(program: LinearProgram, certificate: Certificate) -> Faults:
    """The violations of a pair, computed in whole numbers. If there are none and both objective values are equal, the
    solution is proved to be optimal."""
    x, scale = over_one_denominator(certificate.x)
    y, dual_scale = over_one_denominator(certificate.y)
    worth = [-cost * dual_scale for cost in program.costs]
    rows = []
    for i, row in enumerate(program.rows):
        slack = program.bounds[i] * scale - sum(factor * x[j] for j, factor in row)
        if slack < 0 or (slack and program.is_equality[i]):
            rows.append(i)
        if y[i]:
            for j, factor in row:
                worth[j] += factor * y[i]
    return Faults(
        [j for j, amount in enumerate(x) if amount < 0 and not program.is_free[j]],
        rows,
        [j for j, amount in enumerate(worth) if amount < 0 or (amount and program.is_free[j])],
        [i for i, amount in enumerate(y) if amount < 0 and not program.is_equality[i]],
    )


def is_optimal(program: LinearProgram, certificate: Certificate) -> bool:
    """Whether a pair proves that its solution is optimal."""
    dual = sum((bound * y for bound, y in zip(program.bounds, certificate.y, strict=True) if bound), Fraction(0))
    return dual == certificate.value(program) and not faults(program, certificate)


def product(rows: Sequence[Row], x: Sequence[Fraction]) -> list[Fraction]:
    """The product of the matrix with x."""
    numerators, scale = over_one_denominator(x)
    return [Fraction(sum(factor * numerators[j] for j, factor in row), scale) for row in rows]
