"""Whether players who are to decide tell the same plays apart in two games.

Two files may describe the same observations differently, so information states are compared through the plays that
they join: a pair of them, one of each game, is what a player knows after a play; if another play leads to one of the
two and not to the other, then in one game the player knows which of the two plays it is, and in the other not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from attrs import define, field

from zermelo.interpreter.machine import InformationState
from zermelo.solvers.validation.situations import Aspect, Difference, Side

A = TypeVar("A")
B = TypeVar("B")


@define(eq=False)
class ToldApart(Generic[A, B]):
    """``told`` are the pairs of states by which a player, in a game, has come to know something, at their decisions."""

    first: Side[A]
    second: Side[B]
    told: dict[tuple[int, int, InformationState], tuple[A, B]] = field(factory=dict)

    def difference(self, first: A, second: B, player: int) -> Difference | None:
        """The difference if the player who decides here knows in only one of the games which of two plays this is."""
        ours, theirs = self.first.knows(first, player), self.second.knows(second, player)
        before = self.told.setdefault((0, player, ours), (first, second))
        if self.second.knows(before[1], player) == theirs:
            before = self.told.setdefault((1, player, theirs), (first, second))
            if self.first.knows(before[0], player) == ours:
                return None
            said = "tells the two plays apart", "does not"
        else:
            said = "does not tell the two plays apart", "does"
        return Difference(
            Aspect.PERCEPTION,
            (self.first.play(before[0]), self.second.play(before[1])),
            said,
            (self.first.play(first), self.second.play(second)),
            self.players[player],
        )

    @property
    def players(self) -> Sequence[str]:
        """The names of the players in the second game."""
        return self.second.machine.player_names
