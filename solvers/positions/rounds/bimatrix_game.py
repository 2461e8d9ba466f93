"""One equilibrium of a game of two players who choose at once, exactly: the algorithm of Lemke and Howson.

Let A and B be the payoffs of the two players, made positive. The mixtures x of the first player, up to scale, form the
polytope x >= 0, B'x <= 1, those of the second one y >= 0, A y <= 1. A point has the *labels* of its tight inequalities:
a strategy that is not played, or a best reply of the other player. A pair of vertices other than (0, 0) that has all
labels together is an equilibrium: each strategy is not played, or a best reply. From (0, 0), which has all labels, the
algorithm gives up one label, and moves along edges, now in one polytope and now in the other: a step picks up a label,
and if it is there twice, the next one gives it up in the other polytope. It ends when the missing label is found.

So that no pair comes again, ties are broken as if the right sides were disturbed a little (lexicographically): then
every vertex has as many labels as it has dimensions, the path is unique and has another end. The steps are in whole
numbers (:mod:`zermelo.solvers.linear_programming.integer_pivoting`).

Source: Lemke and Howson, "Equilibrium points of bimatrix games" (1964); von Stengel, "Computing equilibria for
two-person games" (2002). Cost: a pass over a matrix for each step; mostly a few steps, exponentially many at worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from zermelo.grammar.deadline import look
from zermelo.solvers.linear_programming.integer_pivoting import pivot
from zermelo.solvers.positions.rounds.matrix_game import Mixture

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
        look()
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
