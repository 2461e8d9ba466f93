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
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.interpreter.native.llvm.engine import run_interruptibly
from zermelo.solvers.common.libraries import import_library, silence_streams
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator

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


def matrix_product(rows: Sequence[Row], x: Sequence[Fraction]) -> list[Fraction]:
    """The product of the matrix with x."""
    numerators, scale = over_one_denominator(x)
    return [Fraction(sum(factor * numerators[j] for j, factor in row), scale) for row in rows]


# A basis of a linear program that is optimal in double precision, found by HiGHS.
#
# A *basis* determines which columns may differ from 0 and which rows are tight, and so the solution and the
# multipliers, by two systems of equations. The simplex method goes from basis to basis (Dantzig 1951). HiGHS (Huangfu
# and Hall 2018) does so in double precision, with tolerances; :mod:`zermelo.solvers.linear_programming.exact_optimum`
# checks its basis exactly.
#
# Every inequality is given a *slack*, a column of its own that makes it an equality. So a nearly solved program can be
# solved again relative to its solution: given the reduced costs of the columns, slacks included, their distances from
# 0, and the residuals of the rows.


_LARGEST: Final = 1e12
"""The bound on costs and bounds relative to the violations to repair; larger ones are effectively infinite."""

_ROUNDS: Final = 8
"""The number of rounds in which rows and columns are scaled in turn."""


@frozen
class Basis:
    """``columns`` may differ from 0, ``rows`` are tight; there are equally many."""

    columns: list[int]
    rows: list[int]


@define(eq=False)
class Optimizer:
    """HiGHS on one matrix with changing costs and bounds, warm-started from its last basis. Rows and columns are scaled
    by powers of two, which changes no basis. ``slacks`` are the rows that are inequalities; their slacks are the last
    columns."""

    program: LinearProgram
    limits: Limits
    slacks: list[int] = field(init=False)
    _basis: Any = None
    _matrix: Any = field(init=False)
    _row_scale: Any = field(init=False)
    _column_scale: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        np, sparse = _library("numpy"), _library("scipy.sparse")
        program = self.program
        self.slacks = [i for i, is_equality in enumerate(program.is_equality) if not is_equality]
        entries = [(i, j, float(factor)) for i, row in enumerate(program.rows) for j, factor in row]
        at, to, factors = (np.array(part) for part in zip(*entries, strict=True))
        matrix = sparse.csc_array((factors, (at, to)), shape=(len(program.rows), len(program.costs)))
        self._row_scale, own = _scales(matrix)
        matrix = sparse.diags_array(self._row_scale) @ matrix
        slack = sparse.csc_array(
            (np.ones(len(self.slacks)), (self.slacks, np.arange(len(self.slacks)))),
            shape=(len(program.rows), len(self.slacks)),
        )
        self._column_scale = np.concatenate([own, 1 / self._row_scale[self.slacks]])
        self._matrix = sparse.hstack([matrix @ sparse.diags_array(own), slack]).tocsc()

    def optimize(
        self, costs: Sequence[Fraction], lowest: Sequence[Fraction], bounds: Sequence[Fraction]
    ) -> Basis | None:
        """The optimal basis for these costs and lowest values of the columns, slacks included, and these bounds of the
        rows; None if HiGHS finds none.

        Raises ``ZermeloError``: ``broken-installation``, ``out-of-time``. ``KeyboardInterrupt`` passes through."""
        highspy, np = _library("highspy"), _library("numpy")
        program, infinity = self.program, highspy.kHighsInf
        is_free = [*program.is_free, *(False for _ in self.slacks)]
        costs = [cost * Fraction(scale) for cost, scale in zip(costs, self._column_scale, strict=True)]
        lowest = [value / Fraction(scale) for value, scale in zip(lowest, self._column_scale, strict=True)]
        bounds = [bound * Fraction(scale) for bound, scale in zip(bounds, self._row_scale, strict=True)]
        dear = [abs(cost) if free else cost for cost, free in zip(costs, is_free, strict=True)]
        missed = [*(value for value, free in zip(lowest, is_free, strict=True) if not free), *map(abs, bounds)]
        price, size = _scale_near_one(dear), _scale_near_one(missed)
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = self._matrix.shape
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = _floats(costs, price)
        model.col_lower_ = np.where(is_free, -infinity, _floats(lowest, size))
        model.col_upper_ = np.full(len(costs), infinity)
        model.row_lower_ = model.row_upper_ = _floats(bounds, size)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_ = self._matrix.indptr, self._matrix.indices
        model.a_matrix_.value_ = self._matrix.data
        with silence_streams():  # version 1.16 says who it is before it can be told not to
            highs = highspy.Highs()
            highs.setOptionValue("output_flag", False)
        highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
        highs.setOptionValue("dual_feasibility_tolerance", 1e-9)
        highs.setOptionValue("time_limit", self.limits.left)
        highs.HandleUserInterrupt = True
        highs.passModel(model)
        if self._basis is not None:
            highs.setBasis(self._basis)
        try:
            run_interruptibly(highs.run)
        finally:
            highs.cancelSolve()  # takes effect between two steps, perhaps after a second; this does not wait
        self.limits.check({"nodes": 0})
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        self._basis = highs.getBasis()
        return self._basis_without_slacks(self._basis, highspy.HighsBasisStatus.kBasic)

    def _basis_without_slacks(self, found: Any, basic: Any) -> Basis:
        """The basis without slacks: a row whose slack may differ from 0 is not tight."""
        count = len(self.program.costs)
        loose = {self.slacks[j] for j, status in enumerate(found.col_status[count:]) if status == basic}
        loose |= {i for i, status in enumerate(found.row_status) if status == basic}
        columns = [j for j, status in enumerate(found.col_status[:count]) if status == basic]
        return Basis(columns, [i for i in range(len(found.row_status)) if i not in loose])


def _library(module: str) -> Any:
    return import_library(module, "linear programs")


def _scales(matrix: Any) -> tuple[Any, Any]:
    """Powers of two that scale rows and columns so that all numbers are near 1: in turn, rows and columns are divided
    by the geometric mean of their greatest and least number."""
    np = _library("numpy")
    at, to = matrix.tocoo().coords
    sizes = np.log2(np.abs(matrix.tocoo().data))
    rows, columns = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        rows = -_middles(sizes + columns[to], at, len(rows))
        columns = -_middles(sizes + rows[at], to, len(columns))
    return np.exp2(np.round(rows)), np.exp2(np.round(columns))


def _middles(sizes: Any, places: Any, count: int) -> Any:
    """The middle between the greatest and the least of the sizes at each place; 0 if there are none."""
    np = _library("numpy")
    greatest, least = np.full(count, -np.inf), np.full(count, np.inf)
    np.maximum.at(greatest, places, sizes)
    np.minimum.at(least, places, sizes)
    middles, found = np.zeros(count), greatest >= least
    middles[found] = (greatest[found] + least[found]) / 2
    return middles


def _scale_near_one(faults: Sequence[Fraction]) -> Fraction:
    """A power of two that brings the largest of these near 1."""
    largest = max(faults, default=Fraction(0))
    if largest <= 0:
        return Fraction(1)
    return Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())


def _floats(values: Sequence[Fraction], scale: Fraction) -> Any:
    np = _library("numpy")
    largest = Fraction(_LARGEST)
    return np.array([float(max(-largest, min(largest, value * scale))) if value else 0.0 for value in values])
