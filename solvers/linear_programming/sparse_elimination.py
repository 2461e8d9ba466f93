"""Gaussian elimination of sparse systems of equations, in whole numbers.

An unknown is eliminated by a *pivot* equation: a multiple of it is subtracted from every other equation with that
unknown. This causes *fill-in*, new coefficients other than 0. Markowitz (1957) chooses a pivot with the least bound on
it: (r - 1)(c - 1) for an equation with r unknowns and an unknown in c equations. It is searched in a few of the
shortest equations (Zlatev 1980); ties go to small coefficients, which keep the results small.

Coefficients remain whole: both equations are scaled to a common multiple, and the common divisor of the result is
divided out.

A *dense* solver takes about n^2 steps, in machine code, for each of n remaining unknowns. So elimination continues as
long as it is cheaper than that.

Cost: the fill-in. In the systems of games it is small: of 5,000 equations of one block all but 150 are eliminated in a
few tenths of a second. The numbers become about as long as minors of the matrix, as are those of the solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import chain
from math import gcd
from typing import Final

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.linear_program import Row

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

    def run(self) -> None:
        """Eliminate unknowns while that is cheaper than a dense solver.

        Raises :class:`Singular`, and ``ZermeloError`` (``out-of-memory``). A deadline ends it between unknowns."""
        left, places = len(self._equations) + 1, self._places
        while self._equations:
            look()
            if 2 * len(self._equations) < left or self._places > 2 * places:
                left, places = len(self._equations), self._places
                self._ask_for_memory()
            work, i, unknown = self._cheapest()
            if work * _DENSE_STEPS > len(self._equations) ** 2:
                return
            self._eliminate(unknown, i)

    def _ask_for_memory(self) -> None:
        kept = chain(self._equations.values(), (equation for _, equation in self._pivots))
        digits = sum(number.bit_length() for equation in kept for number in equation.values()) // 8
        if digits + _PLACE_BYTES * self._places > self.limits.memory:
            raise self.limits.out_of_memory({})

    def _cheapest(self) -> tuple[int, int, int]:
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
                _make_small(equation)
            self._places += len(equation)
            heappush(self._shortest, (len(equation), k))


def _make_small(equation: _Equation) -> None:
    """Divide out the common divisor of the coefficients."""
    common = gcd(*equation.values())
    if common > 1:
        for j in equation:
            equation[j] //= common
