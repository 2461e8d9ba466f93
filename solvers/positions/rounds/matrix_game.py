"""The value of a matrix game, exactly, with an optimal mixture for each side.

One side chooses a row and wants much, the other side a column and wants little, at the same moment; the entry is what
is paid. By von Neumann's theorem (1928) the most that a mixture of rows guarantees is the least that a mixture of
columns concedes: the *value*.

1. A *saddle point*, an entry that is least in its row and greatest in its column, is the value, without mixing.
2. Two rows and two columns without a saddle point: both mixtures make the other side indifferent, in closed form.
3. Else a linear program (Dantzig 1951): if all entries are above 0, as they are after a shift, the mixture of columns
   is proportional to the y that maximizes the sum of y subject to A y <= 1, y >= 0, and the value is 1 over that sum;
   the slacks' reduced costs are the mixture of rows. The slacks are a feasible basis, so the simplex method has one
   phase. It runs in whole numbers (:mod:`zermelo.solvers.linear_programming.pivoting`).

The greatest reduced cost enters (Dantzig), until a step brings no progress; from then on, until one does, the first
that is above 0 (Bland 1977), so that no basis comes again and the method ends.

Cost: a step is a pass over the matrix; there are hardly ever more than a few times as many as rows and columns. A game
of two by two takes 16 microseconds, of six by six 200, of twenty by twenty 5 milliseconds, of a hundred by a hundred
six seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.solvers.linear_programming.pivoting import pivot

Mixture = tuple[Fraction, ...]
"""The probabilities of moves, in their order."""


@frozen
class MatrixValue:
    """The ``value`` of a matrix game; ``rows`` is a mixture that guarantees it, ``columns`` one that concedes it."""

    value: Fraction
    rows: Mixture
    columns: Mixture


def matrix_value(matrix: Sequence[Sequence[Fraction]]) -> MatrixValue:
    """The value of a matrix game, for the side that chooses a row and wants much. There is a row and a column."""
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    whole = [[entry.numerator * (scale // entry.denominator) for entry in row] for row in matrix]
    number, weight, rows, columns = _whole_value(whole)
    return MatrixValue(Fraction(number, weight * scale), _mixture(rows), _mixture(columns))


def _mixture(weights: list[int]) -> Mixture:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


Solved = tuple[int, int, list[int], list[int]]
"""A value as numerator and denominator, and the weights of the rows and of the columns."""


def _whole_value(matrix: list[list[int]]) -> Solved:
    """The value of a matrix game in whole numbers."""
    guaranteed = list(map(min, matrix))
    conceded = list(map(max, zip(*matrix, strict=True)))
    most, least = max(guaranteed), min(conceded)
    if most == least:
        row, column = guaranteed.index(most), conceded.index(least)
        return most, 1, [int(i == row) for i in range(len(matrix))], [int(j == column) for j in range(len(conceded))]
    if len(matrix) == len(conceded) == 2:
        (a, b), (c, d) = matrix  # without a saddle point both entries of a diagonal exceed both of the other one
        return a * d - b * c, a + d - b - c, [d - c, a - b], [d - b, a - c]
    return _by_simplex(matrix, min(map(min, matrix)) - 1)


def _by_simplex(matrix: list[list[int]], shift: int) -> Solved:
    """The value by the simplex method; ``shift`` is less than all entries."""
    count, width = len(matrix), len(matrix[0])
    tableau = [
        [entry - shift for entry in row] + [int(i == k) for k in range(count)] + [1] for i, row in enumerate(matrix)
    ]
    tableau.append([1] * width + [0] * (count + 1))
    basis = list(range(width, width + count))
    denominator, is_idle = 1, False
    while True:
        check_deadline()
        costs = tableau[-1]
        entering = _entering(costs, is_idle)
        if entering is None:
            break
        row = _leaving(tableau, basis, entering)
        is_idle = tableau[row][-1] == 0
        denominator = pivot(tableau, denominator, row, entering)
        basis[row] = entering
    columns = [0] * width
    for row, column in enumerate(basis):
        if column < width:
            columns[column] = tableau[row][-1]
    # The last row ends with minus the sum of y; over the same denominator, 1 over that sum is the shifted value.
    rows = [-cost for cost in tableau[-1][width:-1]]
    total = -tableau[-1][-1]
    return denominator + shift * total, total, rows, columns


def _entering(costs: list[int], is_idle: bool) -> int | None:
    """The column to make basic: that of the greatest reduced cost, or the first above 0 if the last step was idle."""
    if is_idle:
        return next((j for j, cost in enumerate(costs[:-1]) if cost > 0), None)
    most = max(costs[:-1])
    return costs.index(most) if most > 0 else None


def _leaving(tableau: list[list[int]], basis: list[int], entering: int) -> int:
    """The row whose basic column reaches 0 first; the first of these columns in the order of all."""
    found = -1
    for row, entries in enumerate(tableau[:-1]):
        if entries[entering] <= 0:
            continue
        if found < 0:
            found = row
            continue
        here, there = entries[-1] * tableau[found][entering], tableau[found][-1] * entries[entering]
        if here < there or (here == there and basis[row] < basis[found]):
            found = row
    return found


# One equilibrium of a game of two players who choose at once, exactly: the algorithm of Lemke and Howson.
#
# Let A and B be the payoffs of the two players, made positive. The mixtures x of the first player, up to scale, form
# the polytope x >= 0, B'x <= 1, those of the second one y >= 0, A y <= 1. A point has the *labels* of its tight
# inequalities: a strategy that is not played, or a best reply of the other player. A pair of vertices other than (0, 0)
# that has all labels together is an equilibrium: each strategy is not played, or a best reply. From (0, 0), which has
# all labels, the algorithm gives up one label, and moves along edges, now in one polytope and now in the other: a step
# picks up a label, and if it is there twice, the next one gives it up in the other polytope. It ends when the missing
# label is found.
#
# So that no pair comes again, ties are broken as if the right sides were disturbed a little (lexicographically): then
# every vertex has as many labels as it has dimensions, the path is unique and has another end. The steps are in whole
# numbers (:mod:`zermelo.solvers.linear_programming.pivoting`).
#
# Source: Lemke and Howson, "Equilibrium points of bimatrix games" (1964); von Stengel, "Computing equilibria for
# two-person games" (2002). Cost: a pass over a matrix for each step; mostly a few steps, exponentially many at worst.


_GIVEN_UP: Final = 0
"""The label that is given up first: the first player's first strategy."""


def equilibrium(first: Sequence[Sequence[Fraction]], second: Sequence[Sequence[Fraction]]) -> tuple[Mixture, Mixture]:
    """Mixtures of rows and of columns neither of which can be bettered against the other one; the matrices hold what
    the first and the second player get."""
    rows, columns = len(first), len(first[0])
    ours = _positive(first)
    theirs = _positive([list(column) for column in zip(*second, strict=True)])
    mixtures = (
        _Polytope([[*row, *_unit(columns, j), 1] for j, row in enumerate(theirs)], rows),
        _Polytope([[*_unit(rows, i), *row, 1] for i, row in enumerate(ours)], 0),
    )
    label, turn = _GIVEN_UP, 0
    while True:
        check_deadline()
        label = mixtures[turn].take_in(label)
        if label == _GIVEN_UP:
            return mixtures[0].mixture(range(rows)), mixtures[1].mixture(range(rows, rows + columns))
        turn = 1 - turn


def _positive(matrix: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """A matrix of whole numbers above 0 with the same best replies."""
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    whole = [[entry.numerator * (scale // entry.denominator) for entry in row] for row in matrix]
    shift = 1 - min(map(min, whole))
    return [[entry + shift for entry in row] for row in whole]


def _unit(size: int, place: int) -> list[int]:
    return [int(k == place) for k in range(size)]


class _Polytope:
    """A vertex of one player's polytope. Column k of the tableau is the variable of label k: a strategy of this player,
    or the slack of a reply of the other one; the slacks begin at ``slacks`` and are basic at first."""

    def __init__(self, tableau: list[list[int]], slacks: int) -> None:
        self.tableau = tableau
        self.denominator = 1
        self.slacks = range(slacks, slacks + len(tableau))
        self.basis = list(self.slacks)

    def take_in(self, label: int) -> int:
        """Give up a label: its variable becomes basic; the label that is picked up, of the one that leaves."""
        leaving = -1
        for row, entries in enumerate(self.tableau):
            if entries[label] > 0 and (leaving < 0 or self._is_sooner(row, leaving, label)):
                leaving = row
        self.denominator = pivot(self.tableau, self.denominator, leaving, label)
        picked_up, self.basis[leaving] = self.basis[leaving], label
        return picked_up

    def _is_sooner(self, row: int, other: int, label: int) -> bool:
        """Whether the basic variable of a row reaches 0 before that of another one, with ties broken."""
        one, two = self.tableau[row], self.tableau[other]
        columns = (-1, *self.slacks)
        return [one[k] * two[label] for k in columns] < [two[k] * one[label] for k in columns]

    def mixture(self, strategies: range) -> Mixture:
        """The vertex as probabilities of these strategies."""
        weights = dict.fromkeys(strategies, 0)
        weights.update(
            (label, row[-1]) for label, row in zip(self.basis, self.tableau, strict=True) if label in weights
        )
        total = sum(weights.values())
        return tuple(Fraction(weight, total) for weight in weights.values())
