"""A path of complementary pivots: how Lemke's algorithm walks from a start to a solution, in whole numbers.

Variables, all at least 0, come in *pairs*, and at most one of a pair may be above 0: those of pair k have the numbers
2k and 2k + 1. At the start all even ones are basic, and all odd ones are 0. One more variable, :data:`GO`, leads away
from the start: it enters the basis; the partner of the variable that leaves enters next, and so on, until :data:`STOP`
leaves, the slack of the last equation. Every basis on the way has one variable of each pair, except of the pair whose
turn is next, of which it has none; so two ways lead out of it, one back and one on, and the path cannot return to where
it has been.

That holds if no two variables become 0 at once. So right sides are perturbed: that of equation i by the i-th power of
an infinitely small number. A tie is broken by the powers, whose factors are the columns of the variables that were
basic at the start (Charnes 1952). Where ``STOP`` could leave as well as another, it leaves.

Equations are dictionaries of whole numbers without a common factor, and only those with an entry in the column that
enters are changed: games are sparse.

Source: Lemke and Howson, "Equilibrium points of bimatrix games" (1964); Lemke, "Bimatrix equilibrium points and
mathematical programming" (1965). Cost: exponential in the worst case, and about as many pivots as equations as a rule;
a pivot takes one pass over the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from math import gcd
from operator import attrgetter, methodcaller
from typing import Final

from attrs import define

from zermelo.foundation.deadline import check_deadline
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import OBJECT_BYTES

GO: Final = -1
STOP: Final = -2


@define(eq=False)
class Equation:
    """An equation: ``scale`` times the ``basic`` variable, plus ``entries`` times the others, makes ``right``. The
    scale is above 0, and the right side at least 0."""

    basic: int
    scale: int
    entries: dict[int, int]
    right: int

    @property
    def bytes(self) -> int:
        """The memory of the numbers, about; most are as long as the scale."""
        return len(self.entries) * (2 * OBJECT_BYTES + self.scale.bit_length() // 8)

    def column(self, variable: int) -> int:
        """The entry of any variable."""
        return self.scale if variable == self.basic else self.entries.get(variable, 0)

    def exchange(self, entering: int) -> None:
        """Solve for another variable, whose entry is above 0."""
        self.entries[self.basic] = self.scale
        self.basic, self.scale = entering, self.entries.pop(entering)

    def clear(self, other: Equation) -> None:
        """Subtract as much of another equation as clears the column of that equation's basic variable."""
        factor = self.entries.pop(other.basic, 0)
        if not factor:
            return
        head = other.scale
        entries = {variable: head * entry for variable, entry in self.entries.items()}
        for variable, entry in other.entries.items():
            entries[variable] = entries.get(variable, 0) - factor * entry
        right, scale = head * self.right - factor * other.right, head * self.scale
        common = gcd(scale, right, *entries.values())
        self.entries = {variable: entry // common for variable, entry in entries.items() if entry}
        self.right, self.scale = right // common, scale // common


def follow_path(equations: Sequence[Equation], limits: Limits) -> tuple[dict[int, Fraction], int]:
    """The variables above 0 at the end of the path, and the number of pivots. Equation k has variable 2k, the last one
    ``STOP``. The caller has to make sure that no variable grows for ever on the way.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``."""
    entering, pivots = GO, 0
    while entering != STOP:
        equation = _first_at_zero(equations, entering)
        leaving = equation.basic
        equation.exchange(entering)
        for other in equations:
            if other is not equation:
                check_deadline()
                other.clear(equation)
        pivots += 1
        counts = {"nodes": 0, "pivots": pivots}
        limits.check(counts)
        if sum(each.bytes for each in equations) > limits.free:
            raise limits.out_of_memory(counts)
        entering = leaving if leaving == STOP else leaving ^ 1
    return {each.basic: Fraction(each.right, each.scale) for each in equations if each.right}, pivots


def _first_at_zero(equations: Sequence[Equation], entering: int) -> Equation:
    """The equation whose basic variable is the first to become 0 while another one grows."""
    falling = [each for each in equations if each.entries.get(entering, 0) > 0]
    tied = _least_equations(falling, entering, attrgetter("right"))
    for equation in tied:
        if equation.basic == STOP:
            return equation
    basic_at_start = count(0, 2)
    while len(tied) > 1:
        tied = _least_equations(tied, entering, methodcaller("column", next(basic_at_start)))
    return tied[0]


def _least_equations(equations: list[Equation], entering: int, amount: Callable[[Equation], int]) -> list[Equation]:
    """The equations with the least ratio of an amount to the entry of a variable."""
    amounts = [Fraction(amount(equation), equation.entries[entering]) for equation in equations]
    least = min(amounts)
    return [each for each, beside in zip(equations, amounts, strict=True) if beside == least]


# Pivoting in whole numbers: the step of the simplex method and of its relatives, without fractions.
#
# A tableau of whole numbers stands for itself over a common denominator, the last pivot. A step makes ``column`` basic
# in ``row``: as much of the pivot's row is taken from every other one as clears the column, and the pivot becomes the
# denominator. By Sylvester's identity all entries are minors of the first tableau, so the divisions leave no rest, and
# the entries grow no faster than determinants do.
#
# Source: Edmonds, "Systems of distinct representatives and linear algebra" (1967); Bareiss, "Sylvester's identity and
# multistep integer-preserving Gaussian elimination" (1968); for the simplex method: Avis, "lrs" (2000). Cost: one pass
# over the tableau.


def pivot(tableau: list[list[int]], denominator: int, row: int, column: int) -> int:
    """Make a column basic in a row, in place; the new denominator. The pivot must be above 0."""
    taken = tableau[row]
    head = taken[column]
    for i, entries in enumerate(tableau):
        if i == row:
            continue
        factor = entries[column]
        if factor:
            tableau[i] = [(head * a - factor * b) // denominator for a, b in zip(entries, taken, strict=True)]
        elif head != denominator:
            tableau[i] = [head * a // denominator for a in entries]
    return head
