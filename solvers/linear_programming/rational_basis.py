"""The solution and the multipliers of a basis, in rational numbers.

Both solve a square system of equations: that of the tight rows in the basic columns, and its transpose. The systems of
games are large, sparse and almost triangular. So a system is split into *blocks*, each of which depends only on those
before it (Dulmage and Mendelsohn 1958: match rows with columns; the strongly connected components are the blocks). Most
blocks are single numbers. Large ones are still sparse, so that most of their unknowns are eliminated with little work.
The rest is solved by FLINT in exact arithmetic (Dixon's p-adic lifting). A small system is a single block.

Cost: that of elimination; and for n remaining unknowns of a block, about n^3 steps modulo a prime, and n^2 numbers in
memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import chain
from math import gcd
from typing import Final

from attrs import define, field

from zermelo.foundation.deadline import check_deadline
from zermelo.solvers.common.libraries import SearchFailed, broken_library, import_library, results_until
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import bytes_over_one_denominator, over_one_denominator
from zermelo.solvers.linear_programming.linear_program import Basis, Certificate, LinearProgram, Row

# Gaussian elimination of sparse systems of equations, in whole numbers.
#
# An unknown is eliminated by a *pivot* equation: a multiple of it is subtracted from every other equation with that
# unknown. This causes *fill-in*, new coefficients other than 0. Markowitz (1957) chooses a pivot with the least bound
# on it: (r - 1)(c - 1) for an equation with r unknowns and an unknown in c equations. It is searched in a few of the
# shortest equations (Zlatev 1980); ties go to small coefficients, which keep the results small.
#
# Coefficients remain whole: both equations are scaled to a common multiple, and the common divisor of the result is
# divided out.
#
# A *dense* solver takes about n^2 steps, in machine code, for each of n remaining unknowns. So elimination continues as
# long as it is cheaper than that; and to the end in small systems, for which no library is loaded.
#
# Cost: the fill-in. In the systems of games it is small: of 5,000 equations of one block all but 150 are eliminated in
# a few tenths of a second. The numbers become about as long as minors of the matrix, as are those of the solution.


_RIGHT: Final = -1
"""The key of the right side among an equation's coefficients."""

_Equation = dict[int, int]
"""Coefficients by unknown, and the right side; none of them is 0."""

_CANDIDATES: Final = 4
"""The number of shortest equations in which a pivot is searched."""

_DENSE_STEPS: Final = 128
"""The number of a dense solver's steps that take as long as one here."""

_PLACE_BYTES: Final = 200
"""The bytes of a coefficient besides its digits: an entry in its equation, and one among those with the unknown."""


class Singular(Exception):
    """The system has no solution, or more than one."""


@define(eq=False)
class SparseElimination:
    """A square system of equations with whole coefficients, from which :meth:`run` eliminates unknowns. The rest,
    :meth:`rows` and :meth:`right`, is for a dense solver, whose solution :meth:`completed` extends to the whole
    system."""

    system: Sequence[Row]
    numbers: Sequence[int]
    limits: Limits
    _equations: dict[int, _Equation] = field(init=False)
    _users: dict[int, set[int]] = field(init=False)
    """The equations with each unknown, and those whose right side is not 0."""
    _shortest: list[tuple[int, int]] = field(init=False)
    """A heap of equations by length; outdated entries are skipped."""
    _pivots: list[tuple[int, _Equation]] = field(factory=list)
    _places: int = field(init=False)
    """The number of coefficients, those of the pivots included."""

    def __attrs_post_init__(self) -> None:
        self._equations = {i: dict(row) for i, row in enumerate(self.system)}
        for i, number in enumerate(self.numbers):
            if number:
                self._equations[i][_RIGHT] = number
        self._users = {unknown: set() for unknown in range(_RIGHT, len(self.system))}
        for i, equation in self._equations.items():
            for unknown in equation:
                self._users[unknown].add(i)
        self._shortest = [(len(equation), i) for i, equation in self._equations.items()]
        heapify(self._shortest)
        self._places = sum(map(len, self._equations.values()))

    @property
    def unknowns(self) -> list[int]:
        """The remaining unknowns."""
        return [unknown for unknown in self._users if unknown != _RIGHT]

    def rows(self) -> list[Row]:
        """The remaining equations, in the remaining unknowns, renumbered."""
        place = {unknown: k for k, unknown in enumerate(self.unknowns)}
        return [[(place[j], a) for j, a in equation.items() if j != _RIGHT] for equation in self._equations.values()]

    def right(self) -> list[int]:
        """The right sides of the remaining equations."""
        return [equation.get(_RIGHT, 0) for equation in self._equations.values()]

    def completed(self, solution: Sequence[Fraction]) -> list[Fraction]:
        """The solution of the whole system, given that of the rest."""
        values = dict(zip(self.unknowns, solution, strict=True))
        for unknown, equation in reversed(self._pivots):
            rest = Fraction(equation.get(_RIGHT, 0))
            for j, factor in equation.items():
                if j != unknown and j != _RIGHT and values[j]:
                    rest -= factor * values[j]
            values[unknown] = rest / equation[unknown]
        return [values[unknown] for unknown in range(len(self.system))]

    def run(self, is_last: bool = False) -> None:
        """Eliminate unknowns while that is cheaper than a dense solver; all of them, if none comes after this.

        Raises :class:`Singular`, and ``ZermeloError`` (``out-of-memory``). A deadline ends it between unknowns."""
        left, places = len(self._equations) + 1, self._places
        while self._equations:
            check_deadline()
            if 2 * len(self._equations) < left or self._places > 2 * places:
                left, places = len(self._equations), self._places
                self._check_memory()
            work, i, unknown = self._cheapest_pivot()
            if work * _DENSE_STEPS > len(self._equations) ** 2 and not is_last:
                return
            self._eliminate(unknown, i)

    def _check_memory(self) -> None:
        kept = chain(self._equations.values(), (equation for _, equation in self._pivots))
        digits = sum(number.bit_length() for equation in kept for number in equation.values()) // 8
        if digits + _PLACE_BYTES * self._places > self.limits.memory:
            raise self.limits.out_of_memory({})

    def _cheapest_pivot(self) -> tuple[int, int, int]:
        """The least bound on fill-in, with the pivot's equation and unknown."""
        seen: dict[int, int] = {}
        while self._shortest and len(seen) < _CANDIDATES:
            length, i = heappop(self._shortest)
            if i in self._equations and len(self._equations[i]) == length:
                seen[i] = length
                if length == (_RIGHT in self._equations[i]):
                    raise Singular
        for i, length in seen.items():
            heappush(self._shortest, (length, i))
        work, _, i, unknown = min(
            ((length - 1) * (len(self._users[unknown]) - 1), abs(factor), i, unknown)
            for i, length in seen.items()
            for unknown, factor in self._equations[i].items()
            if unknown != _RIGHT
        )
        return work, i, unknown

    def _eliminate(self, unknown: int, i: int) -> None:
        pivot = self._equations.pop(i)
        self._pivots.append((unknown, pivot))
        for j in pivot:
            self._users[j].remove(i)
        own = pivot[unknown]
        others = [(j, factor) for j, factor in pivot.items() if j != unknown]
        for k in self._users.pop(unknown):
            equation = self._equations[k]
            self._places -= len(equation)
            factor = equation.pop(unknown)
            common = gcd(own, factor)
            times, factor = own // common, factor // common
            if times < 0:
                times, factor = -times, -factor
            if times != 1:
                for j in equation:
                    equation[j] *= times
            for j, amount in others:
                changed = equation.get(j, 0) - factor * amount
                if changed:
                    equation[j] = changed
                    self._users[j].add(k)
                else:
                    del equation[j]
                    self._users[j].remove(k)
            if times != 1:
                _reduce_equation(equation)
            self._places += len(equation)
            heappush(self._shortest, (len(equation), k))


def _reduce_equation(equation: _Equation) -> None:
    """Divide out the common divisor of the coefficients."""
    common = gcd(*equation.values())
    if common > 1:
        for j in equation:
            equation[j] //= common


SMALL: Final = 32
"""Programs with at most so many rows, and systems, are solved without libraries."""

_LONG: Final = 128
"""Equations from which on FLINT may take longer than an interrupt should wait."""

_DENSE_BYTES: Final = 40
"""The bytes of a coefficient of a dense system: in a list, in a matrix, and in the inverse modulo a prime."""


@define(eq=False)
class BasisSystem:
    """The systems of equations of a basis: the tight rows in the basic columns, and their transpose."""

    program: LinearProgram
    basis: Basis
    limits: Limits
    _rows: list[Row] = field(init=False)
    _columns: list[Row] = field(init=False)

    def __attrs_post_init__(self) -> None:
        place = {column: k for k, column in enumerate(self.basis.columns)}
        rows = self.program.rows
        self._rows = [[(place[j], factor) for j, factor in rows[i] if j in place] for i in self.basis.rows]
        self._columns = [[] for _ in self.basis.columns]
        for k, row in enumerate(self._rows):
            for j, factor in row:
                self._columns[j].append((k, factor))

    def solve(self, right: Sequence[int]) -> list[Fraction]:
        """The values of the basic columns for which the tight rows equal ``right``. Raises :class:`Singular`."""
        return solve_equations(self._rows, right, self.limits)

    def solve_transposed(self, right: Sequence[int]) -> list[Fraction]:
        """The multipliers of the tight rows for which the basic columns sum to ``right``. Raises :class:`Singular`."""
        return solve_equations(self._columns, right, self.limits)


def solve_basis(program: LinearProgram, basis: Basis, limits: Limits) -> Certificate | None:
    """The solution and the multipliers of a basis, feasible or not; None if it is found to be singular.

    Raises ``ZermeloError``: ``broken-installation``, ``out-of-memory``, ``out-of-time``."""
    system = BasisSystem(program, basis, limits)
    try:
        solution = system.solve([program.bounds[i] for i in basis.rows])
        multipliers = system.solve_transposed([program.costs[j] for j in basis.columns])
    except Singular:
        return None
    found = certificate_of(
        program, dict(zip(basis.columns, solution, strict=True)), dict(zip(basis.rows, multipliers, strict=True))
    )
    for numbers in (found.x, found.y):  # the check needs a common denominator
        limits.require(bytes_over_one_denominator(numbers), f"{len(numbers):,} numbers over one denominator")
    return found


def certificate_of(
    program: LinearProgram, values: Mapping[int, Fraction], multipliers: Mapping[int, Fraction]
) -> Certificate:
    """The solution and the multipliers with these values of columns and rows; the others are 0."""
    nothing = Fraction(0)
    return Certificate(
        [values.get(j, nothing) for j in range(len(program.costs))],
        [multipliers.get(i, nothing) for i in range(len(program.rows))],
    )


def solve_equations(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[Fraction]:
    """The solution of a square system of equations with whole coefficients. Raises :class:`Singular` if the system is
    found to be so (blocks with right side 0 are skipped)."""
    values = [Fraction(0)] * len(system)
    grown = 0  # bytes of long numbers, unknown beforehand
    for rows, columns in _blocks(system):
        check_deadline()
        inside = {column: k for k, column in enumerate(columns)}
        rest = []
        for i in rows:
            known = Fraction(right[i])
            for j, factor in system[i]:
                if j not in inside and values[j]:
                    known -= factor * values[j]
            rest.append(known)
        own = [[(inside[j], factor) for j, factor in system[i] if j in inside] for i in rows]
        for column, value in zip(columns, _solve_block(own, rest, limits), strict=True):
            values[column] = value
            grown += (value.numerator.bit_length() + value.denominator.bit_length()) // 8
        limits.require(grown, f"the numbers that solve {len(system):,} equations")
    return values


def _blocks(system: Sequence[Row]) -> list[tuple[list[int], list[int]]]:
    """The rows and columns of each block, in order of dependence. Raises :class:`Singular` where none can be found."""
    if len(system) <= SMALL:
        return [(list(range(len(system))), list(range(len(system))))]
    graphs = import_library("scipy.sparse.csgraph", "exact linear programs")
    sparse = import_library("scipy.sparse", "exact linear programs")
    at = [i for i, row in enumerate(system) for _ in row]
    to = [j for row in system for j, _ in row]
    shape = sparse.csr_array(([1] * len(at), (at, to)), shape=(len(system), len(system)))
    column_of = graphs.maximum_bipartite_matching(shape, perm_type="column").tolist()
    if min(column_of) < 0:
        raise Singular
    row_of = [0] * len(system)
    for i, column in enumerate(column_of):
        row_of[column] = i
    needs = sparse.csr_array(([1] * len(at), (at, [row_of[column] for column in to])), shape=shape.shape)
    _, labels = graphs.connected_components(needs, directed=True, connection="strong")
    members: dict[int, list[int]] = defaultdict(list)
    for i, label in enumerate(labels.tolist()):
        members[label].append(i)
    order = TopologicalSorter(dict.fromkeys(members, ()))
    for i, column in zip(at, to, strict=True):
        needed = labels[row_of[column]]
        if needed != labels[i]:
            order.add(int(labels[i]), int(needed))
    return [(members[label], [column_of[i] for i in members[label]]) for label in order.static_order()]


def _solve_block(block: Sequence[Row], right: Sequence[Fraction], limits: Limits) -> list[Fraction]:
    if not any(right):
        return [Fraction(0)] * len(block)
    if block == [[]]:
        raise Singular
    if len(block) == 1:
        return [right[0] / factor for _, factor in block[0]]
    numerators, denominator = over_one_denominator(right)
    elimination = SparseElimination(block, numerators, limits)
    if len(block) <= SMALL:
        elimination.run(is_last=True)
        found = elimination.completed([])
    else:
        elimination.run()
        found = elimination.completed(_solve_dense(elimination.rows(), elimination.right(), limits))
    return [value / denominator for value in found]


def _solve_dense(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[Fraction]:
    """The solution of a dense system. Raises :class:`Singular`."""
    size = len(system)
    if not any(right):
        return [Fraction(0)] * size
    limits.require(_DENSE_BYTES * size**2, f"a system of {size:,} equations that hang together")
    ratios = _by_flint(system, right) if size < _LONG else _by_flint_in_process(system, right, limits)
    if ratios is None:
        raise Singular
    return [Fraction(*ratio) for ratio in ratios]


def _by_flint(system: Sequence[Row], right: Sequence[int]) -> list[tuple[int, int]] | None:
    """The solution of a system by FLINT, as numerators and denominators; None if it is singular."""
    flint = import_library("flint", "exact linear programs")
    size = len(system)
    entries = [0] * (size * size)
    for i, row in enumerate(system):
        for j, factor in row:
            entries[i * size + j] = factor
    try:
        found = flint.fmpz_mat(size, size, entries).solve(flint.fmpz_mat(size, 1, right))
    except ZeroDivisionError:
        return None
    return [(int(value.p), int(value.q)) for value in found.entries()]


def _by_flint_in_process(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[tuple[int, int]] | None:
    """The same in a process of its own: while FLINT runs, Python handles no interrupts and no time limit."""
    import_library("flint", "exact linear programs")  # raises here if it is missing
    try:
        for found in results_until(limits.left, limits.free, lambda: iter([_by_flint(system, right)])):
            return found
    except SearchFailed as error:
        raise broken_library("flint", "exact linear programs", "", str(error)) from error
    raise limits.out_of_time({})
