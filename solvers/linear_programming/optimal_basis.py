"""A basis of a linear program that is optimal in double precision, found by HiGHS.

A *basis* determines which columns may differ from 0 and which rows are tight, and so the solution and the multipliers,
by two systems of equations. The simplex method goes from basis to basis (Dantzig 1951). HiGHS (Huangfu and Hall 2018)
does so in double precision, with tolerances; :mod:`zermelo.solvers.linear_programming.exact_optimum` checks its basis
exactly.

Every inequality is given a *slack*, a column of its own that makes it an equality. So a nearly solved program can be
solved again relative to its solution: given the reduced costs of the columns, slacks included, their distances from 0,
and the residuals of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.interpreter.native.llvm.waiting import interruptible
from zermelo.solvers.common.libraries import imported, unheard
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.linear_program import LinearProgram

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
        price, size = _near_one(dear), _near_one(missed)
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
        with unheard():  # version 1.16 says who it is before it can be told not to
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
            interruptible(highs.run)
        finally:
            highs.cancelSolve()  # takes effect between two steps, perhaps after a second; this does not wait
        self.limits.check({"nodes": 0})
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        self._basis = highs.getBasis()
        return self._read(self._basis, highspy.HighsBasisStatus.kBasic)

    def _read(self, found: Any, basic: Any) -> Basis:
        """The basis without slacks: a row whose slack may differ from 0 is not tight."""
        count = len(self.program.costs)
        loose = {self.slacks[j] for j, status in enumerate(found.col_status[count:]) if status == basic}
        loose |= {i for i, status in enumerate(found.row_status) if status == basic}
        columns = [j for j, status in enumerate(found.col_status[:count]) if status == basic]
        return Basis(columns, [i for i in range(len(found.row_status)) if i not in loose])


def _library(module: str) -> Any:
    return imported(module, "linear programs")


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


def _near_one(faults: Sequence[Fraction]) -> Fraction:
    """A power of two that brings the largest of these near 1."""
    largest = max(faults, default=Fraction(0))
    if largest <= 0:
        return Fraction(1)
    return Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())


def _floats(values: Sequence[Fraction], scale: Fraction) -> Any:
    np = _library("numpy")
    largest = Fraction(_LARGEST)
    return np.array([float(max(-largest, min(largest, value * scale))) if value else 0.0 for value in values])
