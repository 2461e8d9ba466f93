"""Behaviour strategies found by sampling: probabilities for the information sets that the samples have met.

They are kept as weights, in floating point, and become probabilities when a decision is looked at. What a move loses is
not known, since nobody has gone through the whole game.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, overload

from attrs import evolve, field, frozen

from zermelo.grammar.unchanging import Unchanging
from zermelo.interpreter.machine import InformationState, Move
from zermelo.solvers.forms.strategy import Decision, ListedDecisions, Strategy

_PARTS: Final = 1 << 40
"""The denominator of probabilities."""

_PARENTLESS: Final = -1


def rounded_shares(weights: Sequence[float]) -> list[Fraction]:
    """Probabilities nearly proportional to weights; uniform if all weights are 0."""
    total = sum(weights)
    shares = [weight / total if total > 0 else 1 / len(weights) for weight in weights]
    parts = [round(share * _PARTS) for share in shares]
    parts[parts.index(max(parts))] += _PARTS - sum(parts)
    return [Fraction(count, _PARTS) for count in parts]


@frozen
class SampledExploitability:
    """What the players gain on average by responses that have been learned from samples, and judged by plays of their
    own: ``mean``, and half the width of its interval of confidence, 95%. No response can do better than a best one; so
    it is an estimate of a lower bound for the exploitability."""

    mean: Fraction
    margin: Fraction


@frozen(eq=False)
class SampledSets:
    """Information sets met by samples, each after those that lead to it. Set s is that of player ``owners[s]``, and has
    the rows from ``firsts[s]`` to ``firsts[s + 1]`` (exclusive): moves with their weights. ``parents[s]`` is the row of
    the player's move before it, or -1."""

    owners: Sequence[int]
    parents: Sequence[int]
    firsts: Sequence[int]
    weights: Sequence[float]
    move_of: Callable[[int], Move]
    known: Callable[[int], InformationState]
    _reached: dict[int, Fraction] = field(factory=dict, init=False, repr=False)

    def chances(self, s: int) -> list[Fraction]:
        """The probabilities of the moves of a set."""
        return rounded_shares(self.weights[self.firsts[s] : self.firsts[s + 1]])

    def reach(self, s: int) -> Fraction:
        """The probability with which the player's own moves lead to a set."""
        row = self.parents[s]
        if row == _PARENTLESS:
            return Fraction(1)
        if row not in self._reached:
            before = self.set_of(row)
            self._reached[row] = self.reach(before) * self.chances(before)[row - self.firsts[before]]
        return self._reached[row]

    def set_of(self, row: int) -> int:
        """The set to which a row belongs."""
        return bisect_right(self.firsts, row) - 1

    @cached_property
    def is_reached(self) -> array[int]:
        """For each set whether its player's own moves lead to it."""
        found = array("b", bytes(len(self.owners)))
        for s, row in enumerate(self.parents):
            if row == _PARENTLESS:
                found[s] = 1
            else:
                before = self.set_of(row)
                found[s] = found[before] and self._is_made(before, row)
        return found

    def _is_made(self, s: int, row: int) -> bool:
        weights = self.weights[self.firsts[s] : self.firsts[s + 1]]
        return not any(weights) or self.weights[row] * _PARTS > sum(weights)


@frozen(eq=False)
class SampledDecisions(Sequence[Decision], Unchanging):
    """Decisions of a player in the sets of these ``places``, made when they are looked at."""

    sets: SampledSets
    places: Sequence[int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Decision: ...

    @overload
    def __getitem__(self, index: slice) -> SampledDecisions: ...

    def __getitem__(self, index: int | slice) -> Decision | SampledDecisions:
        if isinstance(index, slice):
            return evolve(self, places=self.places[index])
        sets, s = self.sets, self.places[index]
        moves = tuple(map(sets.move_of, range(sets.firsts[s], sets.firsts[s + 1])))
        return Decision(sets.known(s), moves, tuple(sets.chances(s)), None, sets.reach(s), bool(sets.is_reached[s]))

    def __reduce__(self) -> tuple[type[ListedDecisions], tuple[tuple[Decision, ...]]]:
        return ListedDecisions, (tuple(self),)

    @property
    def reached(self) -> SampledDecisions:
        """Those to which the player's own moves lead."""
        return evolve(self, places=[s for s in self.places if self.sets.is_reached[s]])

    @property
    def met(self) -> SampledDecisions:
        """The same: of the others nobody knows all that they do."""
        return self.reached

    @property
    def chosen(self) -> SampledDecisions:
        """Those with more than one move."""
        firsts = self.sets.firsts
        return evolve(self, places=[s for s in self.places if firsts[s + 1] - firsts[s] > 1])


def sampled_strategies(players: Sequence[str], sets: SampledSets) -> tuple[Strategy, ...]:
    """The strategies of all players, in order."""
    places: list[list[int]] = [[] for _ in players]
    for s, owner in enumerate(sets.owners):
        places[owner].append(s)
    return tuple(
        Strategy(player, SampledDecisions(sets, own), is_partial=True)
        for player, own in zip(players, places, strict=True)
    )
