"""Correlation plans of two players: how likely it is that both are told the moves of a pair of sequences.

A mediator draws a pure strategy for each player and tells every move at the information set where it is due. What the
players' payoffs depend on is the *correlation plan* z: for a sequence of each player the probability that both are
told to follow them. Two information sets are *connected* if a play can pass through both, and a pair of sequences is
*relevant* if one of them is empty or their last information sets are connected. Relevant pairs are at most as many as
pairs of sequences, whereas a joint distribution has a number for every pair of pure strategies.

Every correlation plan satisfies the *consistency equations*: z is 1 for the two empty sequences and never negative, and
what is told at an information set adds up,

    sum over the moves a of I of z(I a, s)  =  z(sequence that leads to I, s)      for every s that is relevant with I,

for both players alike. The converse holds if the game is *triangle-free*: if there are no sets I, I' after one sequence
and J, J' after one of the other player such that I is connected to J, I to J', and I' to J'. Without chance, and where
chance draws in the open, there are none. With a hidden deal there are, and the equations admit what no mediator can do.

*Why the converse holds.* Take the sets that follow a pair of sequences that are told. Connections among them have no
path of three edges, so every component is a star. The centre chooses a move; then the same is done for the sets after
that move and those at the points of the star. A move of I is chosen such that z of it and the last relevant sequence
told to the other is positive, which exists by the equation. No set told elsewhere is connected to I: the two would have
been in one component, up to the set that came between them, and be told with it. So z is positive for all relevant
pairs that are told. Subtract these two pure strategies, as often as z allows: the rest satisfies the equations, up to a
factor, and has one zero more. After as many rounds as z has positive numbers nothing is left, and z is a mixture.

Source: von Stengel and Forges, "Extensive-form correlated equilibrium: definition and computational complexity" (2008),
without chance; Farina and Sandholm, "Polynomial-time computation of optimal correlated equilibria in two-player
extensive-form games with public chance moves and beyond" (2020), for the condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.following_sets import FollowingSets
from zermelo.solvers.linear_programming.linear_program import Row

Told: TypeAlias = tuple[frozenset[int], ...]
"""The sequences of a pure strategy of each player, the empty one included."""


@define(eq=False)
class CorrelationPlans:
    """The correlation plans of a game of two players. ``connected`` are pairs of information sets, and ``place`` gives
    every relevant pair of sequences its number."""

    form: SequenceForm
    sides: tuple[FollowingSets, FollowingSets] = field(init=False)
    connected: set[tuple[int, int]] = field(init=False)
    place: dict[tuple[int, ...], int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        mine, theirs = (FollowingSets(own) for own in self.form.players)
        self.sides = mine, theirs
        ends = {(mine.last[s], theirs.last[t]): (s, t) for s, t in zip(*self.form.leaves, strict=True)}
        self.connected = {(i, j) for s, t in ends.values() for i, _ in mine.steps(s) for j, _ in theirs.steps(t)}

    def count(self) -> int:
        """The number of relevant pairs of sequences."""
        mine, theirs = self.sides
        both = sum(len(mine.options(i)) * len(theirs.options(j)) for i, j in self.connected)
        return both + len(mine.own) + len(theirs.own) - 1

    def crossing(self) -> tuple[int, int] | None:
        """Two connected sets, each of which is connected to another one after the same sequence as its partner: with
        these they are a triangle. None if the game is triangle-free."""
        mine, theirs = (side.own.parents for side in self.sides)
        ends = Counter[tuple[int, int, int]]()
        for i, j in self.connected:
            ends.update([(0, i, theirs[j]), (1, j, mine[i])])
        crowded = (pair for pair in self.connected if ends[0, pair[0], theirs[pair[1]]] > 1)
        return min((pair for pair in crowded if ends[1, pair[1], mine[pair[0]]] > 1), default=None)

    def number(self) -> None:
        """Number the relevant pairs, that of the two empty sequences first."""
        mine, theirs = self.sides
        pairs = [(s, 0) for s in range(len(mine.own))] + [(0, t) for t in range(1, len(theirs.own))]
        for i, j in sorted(self.connected):
            look()
            pairs += [(s, t) for s in mine.options(i) for t in theirs.options(j)]
        self.place.update((pair, k) for k, pair in enumerate(pairs))

    def consistency(self) -> Iterator[Row]:
        """The consistency equations but the first, as rows over the numbers of pairs that sum to 0."""
        mine, theirs = self.sides
        place = self.place
        with_mine, with_theirs = ([[0] for _ in side.own.parents] for side in self.sides)  # relevant sequences
        for i, j in sorted(self.connected):
            with_mine[i] += theirs.options(j)
            with_theirs[j] += mine.options(i)
        for i, parent in enumerate(mine.own.parents):
            look()
            for t in with_mine[i]:
                yield [*((place[s, t], 1) for s in mine.options(i)), (place[parent, t], -1)]
        for j, parent in enumerate(theirs.own.parents):
            look()
            for s in with_theirs[j]:
                yield [*((place[s, t], 1) for t in theirs.options(j)), (place[s, parent], -1)]

    def mixture(self, plan: Sequence[Fraction]) -> dict[Told, Fraction]:
        """Pairs of pure strategies with probabilities, of which this is the correlation plan. The game must be
        triangle-free."""
        left, scale = over_one_denominator(plan)
        drawn: dict[Told, Fraction] = {}
        while left[0]:
            look()
            told = self._told(left)
            pairs = [self.place[s, t] for s in told[0] for t in told[1] if (s, t) in self.place]
            often = min(left[pair] for pair in pairs)
            assert often > 0, "every relevant pair that is told has a probability"
            for pair in pairs:
                left[pair] -= often
            drawn[told] = Fraction(often, scale)
        assert not any(left), "nothing is left of a correlation plan"
        return drawn

    def _told(self, plan: Sequence[int]) -> Told:
        """A pure strategy of each player such that all relevant pairs of their sequences have a positive number."""
        told: tuple[set[int], set[int]] = ({0}, {0})
        due = [((0, 0), (self.sides[0].behind[0], self.sides[1].behind[0]))]
        while due:
            after, sets = due.pop()
            for player, centre, points in self._stars(sets):
                sequence = self._chosen(player, centre, after[1 - player], plan)
                told[player].add(sequence)
                behind = self.sides[player].behind[sequence]
                if player == 0:
                    due.append(((sequence, after[1]), (behind, points)))
                else:
                    due.append(((after[0], sequence), (points, behind)))
        return frozenset(told[0]), frozenset(told[1])

    def _stars(self, sets: tuple[list[int], list[int]]) -> Iterator[tuple[int, int, list[int]]]:
        """The components of connected sets, each with the player of its centre, the centre, and the points."""
        points = [[j for j in sets[1] if (i, j) in self.connected] for i in sets[0]]
        backward = [[i for i in sets[0] if (i, j) in self.connected] for j in sets[1]]
        degree = dict(zip(sets[1], map(len, backward), strict=True))
        for i, found in zip(sets[0], points, strict=True):
            if len(found) != 1 or degree[found[0]] == 1:
                yield 0, i, found
        for j, found in zip(sets[1], backward, strict=True):
            if len(found) != 1:
                yield 1, j, found

    def _chosen(self, player: int, at: int, other: int, plan: Sequence[int]) -> int:
        """The sequence with a move of a set that is most likely, given what the other player is told."""
        theirs = self.sides[1 - player]
        last = theirs.last[other]
        while last >= 0 and ((at, last) if player == 0 else (last, at)) not in self.connected:
            other = theirs.own.parents[last]
            last = theirs.last[other]
        options = self.sides[player].options(at)
        return max(options, key=lambda own: plan[self.place[(own, other) if player == 0 else (other, own)]])
