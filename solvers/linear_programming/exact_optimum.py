"""The optimum of a linear program in rational numbers, with its certificate.

HiGHS finds a basis in double precision; its systems are solved again in rational numbers; and the solution and the
multipliers are checked exactly against the program (:mod:`zermelo.solvers.linear_programming.linear_program`). If the
check holds, the optimum is proved, independently of all floating-point arithmetic.

The check may fail, since optimality within a tolerance need not be exact (as in *degenerate* programs, with several
bases at one corner). Then the program is refined: the exact violations of the pair become the bounds and costs of
another program with the same coefficients, scaled by a power of two, and HiGHS continues from its basis. Every round
adds some ten digits (Gleixner, Steffy and Wolter, "Iterative refinement for linear programming", 2016).

If that does not converge, since coefficients are nearly or exactly equal in double precision, the simplex method
continues in rational numbers from the last basis. It solves small programs from the start: a few steps take less time
than loading HiGHS.

Cost: a linear program in double precision and two systems of equations in rational numbers a round; usually one round.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from fractions import Fraction
from typing import Final, Literal

from attrs import define, field

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.linear_program import (
    Basis,
    Certificate,
    LinearProgram,
    Optimizer,
    Row,
    is_optimal,
    matrix_product,
)
from zermelo.solvers.linear_programming.rational_basis import SMALL, BasisSystem, Singular, certificate_of, solve_basis

# The simplex method in rational numbers, from a basis that is nearly optimal.
#
# If payoffs differ by less than double precision resolves, a basis can be optimal for HiGHS and not exactly. Then a few
# exact steps remain:
#
# 1. The *dual* simplex method (Lemke 1954) makes the basis feasible. It needs reduced costs of the right sign; if one
#    is wrong, the column's cost is temporarily shifted to a reduced cost of 0.
# 2. The *primal* simplex method (Dantzig 1951), with the original costs, makes it optimal.
#
# A column is free, at least 0, or fixed at 0, as the slack of an equation is. Columns are the structural ones, by
# number, then one slack for each row. A step chooses the greatest violation and, after some steps without progress, the
# first one (Bland 1977), which excludes cycles. So it terminates, with an optimum or with a proof that there is none.
#
# Cost: two or three systems of equations in rational numbers for each step
# (:mod:`zermelo.solvers.linear_programming.rational_basis`), so it is meant for few steps.


_MOST_ROWS: Final = 100_000
"""The most rows processed, over all steps, before it gives up. This is a count, not a time: a busy machine must not
turn a proved value into an interval."""

_PATIENCE: Final = 5
"""The number of steps without progress after which the first violation is chosen, not the greatest."""


def optimum_from(program: LinearProgram, start: Basis, limits: Limits) -> Certificate | None:
    """An optimal solution with its multipliers; None if there is none or it takes too many steps. If ``start`` is
    singular, it begins from the slacks. Raises ``ZermeloError`` (``broken-installation``)."""
    for basis in (start, Basis([], [])):
        simplex = _Simplex(program, limits, basis)
        try:
            simplex.make_feasible()
            return simplex.make_optimal()
        except Singular:
            continue
        except _NoOptimum:
            break
    return None


class _NoOptimum(Exception):
    """The program has no optimum, or it takes too many steps."""


@define(eq=False)
class _Simplex:
    """The simplex method at a basis. ``columns`` are the structural columns of the program, in the form of rows."""

    program: LinearProgram
    limits: Limits
    basis: Basis
    columns: list[Row] = field(init=False)
    steps: int = 0
    idle: int = 0

    def __attrs_post_init__(self) -> None:
        self.columns = [[] for _ in self.program.costs]
        for i, row in enumerate(self.program.rows):
            for j, factor in row:
                self.columns[j].append((i, factor))

    # ------------------------------------------------------------- columns

    def is_free(self, column: int) -> bool:
        return column < len(self.columns) and self.program.is_free[column]

    def is_fixed(self, column: int) -> bool:
        """Whether a column is the slack of an equation."""
        return column >= len(self.columns) and self.program.is_equality[column - len(self.columns)]

    def outside(self) -> list[int]:
        """The nonbasic columns, which are 0."""
        inside, count = set(self.basis.columns), len(self.columns)
        return [*(j for j in range(count) if j not in inside), *(count + i for i in self.basis.rows)]

    def exchange(self, leaving: int, entering: int, progress: Fraction) -> None:
        """Step to the next basis; ``progress`` is the gain of the step."""
        columns, rows, count = set(self.basis.columns), set(self.basis.rows), len(self.columns)
        if leaving < count:
            columns.remove(leaving)
        else:
            rows.add(leaving - count)
        if entering < count:
            columns.add(entering)
        else:
            rows.remove(entering - count)
        self.basis = Basis(sorted(columns), sorted(rows))
        self.steps += 1
        self.idle = 0 if progress else self.idle + 1
        if self.limits.is_over or self.steps * len(self.program.rows) > _MOST_ROWS:
            raise _NoOptimum

    def worst(self, wrong: dict[int, Fraction]) -> int:
        """The column to repair first, given violations by column."""
        return min(wrong) if self.idle > _PATIENCE else max(wrong, key=lambda column: (abs(wrong[column]), -column))

    # ------------------------------------------------------------- systems of equations

    def system(self) -> BasisSystem:
        return BasisSystem(self.program, self.basis, self.limits)

    def values(self, system: BasisSystem) -> dict[int, Fraction]:
        """The values of the basic columns."""
        x = system.solve([self.program.bounds[i] for i in self.basis.rows])
        return self._with_slacks(dict(zip(self.basis.columns, x, strict=True)), dict(enumerate(self.program.bounds)))

    def direction(self, system: BasisSystem, entering: int) -> dict[int, Fraction]:
        """The decrease of the basic columns per unit of an entering one."""
        count = len(self.columns)
        column = dict(self.columns[entering]) if entering < count else {entering - count: 1}
        falls = system.solve([column.get(i, 0) for i in self.basis.rows])
        return self._with_slacks(dict(zip(self.basis.columns, falls, strict=True)), column)

    def _with_slacks(self, inside: dict[int, Fraction], right: dict[int, int]) -> dict[int, Fraction]:
        """Values extended by the slacks of the rows that are not tight: the remainder of the right side."""
        tight, count = set(self.basis.rows), len(self.columns)
        for i, row in enumerate(self.program.rows):
            if i not in tight:
                taken = sum((factor * inside[j] for j, factor in row if j in inside), Fraction(0))
                inside[count + i] = right.get(i, 0) - taken
        return inside

    def multipliers(self, system: BasisSystem) -> dict[int, Fraction]:
        """The multipliers of the tight rows."""
        y = system.solve_transposed([self.program.costs[j] for j in self.basis.columns])
        return dict(zip(self.basis.rows, y, strict=True))

    def reduced_costs(self, multipliers: dict[int, Fraction]) -> dict[int, Fraction]:
        """The reduced costs of the nonbasic columns."""
        count = len(self.columns)
        return {
            column: self.program.costs[column] - _inner_product(self.columns[column], multipliers)
            if column < count
            else -multipliers[column - count]
            for column in self.outside()
        }

    def tableau_row(self, system: BasisSystem, leaving: int) -> dict[int, Fraction]:
        """The decrease of a basic column per unit of each nonbasic one."""
        count = len(self.columns)
        if leaving < count:
            own, sign, first = [int(j == leaving) for j in self.basis.columns], 1, {}
        else:
            first = dict(self.program.rows[leaving - count])
            own, sign = [first.get(j, 0) for j in self.basis.columns], -1
        z = dict(zip(self.basis.rows, system.solve_transposed(own), strict=True))
        return {
            column: first.get(column, 0) + sign * _inner_product(self.columns[column], z)
            if column < count
            else sign * z[column - count]
            for column in self.outside()
        }

    # ------------------------------------------------------------- both methods

    def make_feasible(self) -> None:
        """The dual simplex method, with shifted costs."""
        system = self.system()
        reduced = {
            column: Fraction(0) if self._is_worth_it(column, cost) else cost
            for column, cost in self.reduced_costs(self.multipliers(system)).items()
        }
        while True:
            values = self.values(system)
            wrong = {
                column: value
                for column, value in values.items()
                if (self.is_fixed(column) and value) or (value < 0 and not self.is_free(column))
            }
            if not wrong:
                return
            leaving = self.worst(wrong)
            row = self.tableau_row(system, leaving)
            sign = -1 if wrong[leaving] < 0 else 1
            fitting = [
                column
                for column, slope in row.items()
                if slope and not self.is_fixed(column) and (self.is_free(column) or sign * slope > 0)
            ]
            if not fitting:
                raise _NoOptimum
            entering = min(fitting, key=lambda column: (abs(reduced[column] / row[column]), column))
            price = reduced.pop(entering) / row[entering]
            for column in reduced:
                reduced[column] -= price * row[column]
            reduced[leaving] = -price
            self.exchange(leaving, entering, price)
            system = self.system()

    def _is_worth_it(self, column: int, cost: Fraction) -> bool:
        """Whether a nonbasic column with this reduced cost should enter the basis."""
        return not self.is_fixed(column) and (cost > 0 or (self.is_free(column) and cost < 0))

    def make_optimal(self) -> Certificate:
        """The primal simplex method."""
        self.idle = 0
        while True:
            system = self.system()
            values, multipliers = self.values(system), self.multipliers(system)
            costs = self.reduced_costs(multipliers)
            wrong = {column: cost for column, cost in costs.items() if self._is_worth_it(column, cost)}
            if not wrong:
                return certificate_of(self.program, values, multipliers)
            entering = self.worst(wrong)
            sign = 1 if wrong[entering] > 0 else -1
            falls = self.direction(system, entering)
            room = {
                column: values[column] / abs(fall)
                for column, fall in falls.items()
                if not self.is_free(column) and (sign * fall > 0 or (fall and self.is_fixed(column)))
            }
            if not room:
                raise _NoOptimum
            leaving = min(room, key=lambda column: (room[column], column))
            self.exchange(leaving, entering, room[leaving])


def _inner_product(column: Row, weights: dict[int, Fraction]) -> Fraction:
    return sum((factor * weights[i] for i, factor in column if i in weights), Fraction(0))


_ROUNDS = 12


def optimum(program: LinearProgram, limits: Limits) -> tuple[Certificate, bool] | None:
    """The solution with its multipliers, and whether they are proved to be optimal; None if no solution is found.

    Raises ``ZermeloError``: ``broken-installation``, ``out-of-time``, ``out-of-memory``."""
    limits.require(program.bytes, f"a linear program of {len(program.rows):,} rows")
    limits.hold(program, program.bytes)
    if len(program.rows) <= SMALL:
        certificate = optimum_from(program, Basis([], []), limits)
        if certificate is not None and is_optimal(program, certificate):
            return certificate, True
    return refine_optimum(program, limits)


def refine_optimum(program: LinearProgram, limits: Limits) -> tuple[Certificate, bool] | None:
    """The same by HiGHS, whatever the size. Raises as :func:`optimum`."""
    optimizer = Optimizer(program, limits)
    found, last = None, Basis([], [])
    nothing = Certificate([Fraction(0)] * len(program.costs), [Fraction(0)] * len(program.rows))
    basis = optimizer.optimize(*_residual_program(optimizer, nothing))
    for _ in range(_ROUNDS):
        certificate = None if basis is None or basis == last else solve_basis(program, basis, limits)
        if basis is None or certificate is None:
            break
        found, last = certificate, basis
        if is_optimal(program, certificate):
            return certificate, True
        basis = optimizer.optimize(*_residual_program(optimizer, certificate))
    certificate = optimum_from(program, last, limits)
    if certificate is not None:
        return certificate, is_optimal(program, certificate)
    return None if found is None else (found, False)


def _residual_program(
    optimizer: Optimizer, certificate: Certificate
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """The costs, lowest values and bounds of the program relative to a pair, slacks included."""
    program, x, y = optimizer.program, certificate.x, certificate.y
    missed = [bound - value for bound, value in zip(program.bounds, matrix_product(program.rows, x), strict=True)]
    worth = [Fraction(cost) for cost in program.costs]
    for row, multiplier in zip(program.rows, y, strict=True):
        if multiplier:
            for j, factor in row:
                worth[j] -= factor * multiplier
    costs = [*worth, *(-y[i] for i in optimizer.slacks)]
    lowest = [*(-value for value in x), *(-missed[i] for i in optimizer.slacks)]
    bounds = [gap if program.is_equality[i] else Fraction(0) for i, gap in enumerate(missed)]
    return costs, lowest, bounds


# Whether a system of linear inequalities has a solution, in fractions.
#
# A linear program finds the least amount by which some of the forms must be raised so that all are at least 0. If the
# other forms have a solution, there always is an optimum, and its certificate proves either answer: the amount is 0, or
# it cannot be.


ONE: Final = "one"
"""The constant of a linear form, as if it were a variable."""

Form = dict[Hashable, int]
"""A linear form: whole factors of variables, and of 1 (:data:`ONE`)."""

Values = dict[Hashable, Fraction]


def solve_inequalities(
    kept: Sequence[Form], raised: Sequence[Form], positive: Collection[Hashable], limits: Limits
) -> Values | Literal["none", "unknown"]:
    """Values of all variables for which every form is at least 0, those of ``positive`` at least 1; ``none`` if it is
    proved that there are none, ``unknown`` if no proof was found. ``kept``, alone, must have a solution.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``broken-installation``."""
    limits.check({"nodes": 0})
    names = dict.fromkeys([*positive, *(name for form in (*kept, *raised) for name in form if name != ONE)])
    place = {name: 1 + k for k, name in enumerate(names)}
    lowest = dict.fromkeys(positive, 1)
    program = LinearProgram([-1] + [0] * len(place), [False, *(name not in lowest for name in place)])
    for k, form in enumerate((*kept, *raised)):
        row = [(place[name], -factor) for name, factor in form.items() if factor and name != ONE]
        if k >= len(kept):
            row.append((0, -1))
        if row:
            at_lowest = sum(factor for name, factor in form.items() if name in lowest or name == ONE)
            program.add(row, at_lowest, is_equality=False)
    if not program.rows:
        return {name: Fraction(lowest.get(name, 0)) for name in place}
    found = optimum(program, limits)
    if found is None or not found[1]:
        return "unknown"
    x = found[0].x
    return "none" if x[0] else {name: x[k] + lowest.get(name, 0) for name, k in place.items()}
