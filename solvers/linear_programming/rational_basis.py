"""The solution and the multipliers of a basis, in rational numbers.

Both solve a square system of equations: that of the tight rows in the basic columns, and its transpose. The systems of
games are large, sparse and almost triangular. So a system is split into *blocks*, each of which depends only on those
before it (Dulmage and Mendelsohn 1958: match rows with columns; the strongly connected components are the blocks). Most
blocks are single numbers. Large ones are still sparse, so that most of their unknowns are eliminated with little work
(:mod:`zermelo.solvers.linear_programming.sparse_elimination`). The rest is solved by FLINT in exact arithmetic (Dixon's
p-adic lifting). A small system is a single block.

Cost: that of elimination; and for n remaining unknowns of a block, about n^3 steps modulo a prime, and n^2 numbers in
memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from graphlib import TopologicalSorter
from typing import Final

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.solvers.common.apart import SearchFailed, until
from zermelo.solvers.common.libraries import imported, unusable
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.rationals import bytes_over_one_denominator, over_one_denominator
from zermelo.solvers.linear_programming.linear_program import Certificate, LinearProgram, Row
from zermelo.solvers.linear_programming.optimal_basis import Basis
from zermelo.solvers.linear_programming.sparse_elimination import Singular, SparseElimination

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

    def solve(self, right: Sequence[int]) -> list[Fraction] | None:
        """The values of the basic columns for which the tight rows equal ``right``; None if the basis is singular."""
        return solve(self._rows, right, self.limits)

    def solve_transposed(self, right: Sequence[int]) -> list[Fraction] | None:
        """The multipliers of the tight rows for which the basic columns sum to ``right``."""
        return solve(self._columns, right, self.limits)


def solve_basis(program: LinearProgram, basis: Basis, limits: Limits) -> Certificate | None:
    """The solution and the multipliers of a basis, feasible or not; None if it is found to be singular.

    Raises ``ZermeloError``: ``broken-installation``, ``out-of-memory``, ``out-of-time``."""
    system = BasisSystem(program, basis, limits)
    solution = system.solve([program.bounds[i] for i in basis.rows])
    multipliers = system.solve_transposed([program.costs[j] for j in basis.columns])
    if solution is None or multipliers is None:
        return None
    x, y = [Fraction(0)] * len(program.costs), [Fraction(0)] * len(program.rows)
    for column, value in zip(basis.columns, solution, strict=True):
        x[column] = value
    for row_number, value in zip(basis.rows, multipliers, strict=True):
        y[row_number] = value
    for numbers in (x, y):  # the check needs a common denominator
        limits.require(bytes_over_one_denominator(numbers), f"{len(numbers):,} numbers over one denominator")
    return Certificate(x, y)


def solve(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[Fraction] | None:
    """The solution of a square system of equations with whole coefficients; None if it is found to be singular (blocks
    with right side 0 are skipped)."""
    values = [Fraction(0)] * len(system)
    blocks = _blocks(system)
    if blocks is None:
        return None
    grown = 0  # bytes of long numbers, unknown beforehand
    for rows, columns in blocks:
        look()
        inside = {column: k for k, column in enumerate(columns)}
        rest = []
        for i in rows:
            known = Fraction(right[i])
            for j, factor in system[i]:
                if j not in inside and values[j]:
                    known -= factor * values[j]
            rest.append(known)
        own = [[(inside[j], factor) for j, factor in system[i] if j in inside] for i in rows]
        found = _solve_block(own, rest, limits)
        if found is None:
            return None
        for column, value in zip(columns, found, strict=True):
            values[column] = value
            grown += (value.numerator.bit_length() + value.denominator.bit_length()) // 8
        limits.require(grown, f"the numbers that solve {len(system):,} equations")
    return values


def _blocks(system: Sequence[Row]) -> list[tuple[list[int], list[int]]] | None:
    """The rows and columns of each block, in order of dependence; None for a structurally singular system."""
    if len(system) <= SMALL:
        return [(list(range(len(system))), list(range(len(system))))]
    graphs = imported("scipy.sparse.csgraph", "exact linear programs")
    sparse = imported("scipy.sparse", "exact linear programs")
    at = [i for i, row in enumerate(system) for _ in row]
    to = [j for row in system for j, _ in row]
    shape = sparse.csr_array(([1] * len(at), (at, to)), shape=(len(system), len(system)))
    column_of = graphs.maximum_bipartite_matching(shape, perm_type="column").tolist()
    if min(column_of) < 0:
        return None
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


def _solve_block(block: Sequence[Row], right: Sequence[Fraction], limits: Limits) -> list[Fraction] | None:
    if not any(right):
        return [Fraction(0)] * len(block)
    if len(block) == 1:
        return [right[0] / factor for _, factor in block[0]] or None
    numerators, denominator = over_one_denominator(right)
    try:
        if len(block) <= SMALL:
            found = _solve_dense(block, numerators, limits)
        else:
            elimination = SparseElimination(block, numerators, limits)
            elimination.run()
            found = elimination.completed(_solve_dense(elimination.rows(), elimination.right(), limits))
    except Singular:
        return None
    return [value / denominator for value in found]


def _solve_dense(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[Fraction]:
    """The solution of a dense system. Raises :class:`Singular`."""
    size = len(system)
    if not any(right):
        return [Fraction(0)] * size
    limits.require(_DENSE_BYTES * size**2, f"a system of {size:,} equations that hang together")
    ratios = _by_flint(system, right) if size < _LONG else _by_flint_apart(system, right, limits)
    if ratios is None:
        raise Singular
    return [Fraction(*ratio) for ratio in ratios]


def _by_flint(system: Sequence[Row], right: Sequence[int]) -> list[tuple[int, int]] | None:
    """The solution of a system by FLINT, as numerators and denominators; None if it is singular."""
    flint = imported("flint", "exact linear programs")
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


def _by_flint_apart(system: Sequence[Row], right: Sequence[int], limits: Limits) -> list[tuple[int, int]] | None:
    """The same in a process of its own: while FLINT runs, Python handles no interrupts and no time limit."""
    imported("flint", "exact linear programs")  # raises here if it is missing
    try:
        for found in until(limits.left, limits.free, lambda: iter([_by_flint(system, right)])):
            return found
    except SearchFailed as error:
        raise unusable("flint", "exact linear programs", "", str(error)) from error
    raise limits.out_of_time({})
