"""Whether the moves that are offered tell a player what they do not know.

Plays that a player cannot tell apart must offer them the same moves. Plays are visited breadth first, so the first two
that differ are of the least length for the longer of them. Cost: one information state for each play, all of which are
kept.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Generic

from attrs import frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Seen, State, TellingMachine
from zermelo.solvers.validation.histories import Decided, Histories

HISTORIES: Final = 10_000
"""The most plays, the unfinished ones among them, that are visited."""


@frozen(eq=False, repr=False)
class Betrayal(Displayed, Generic[State]):
    """Two decisions that their player can tell apart by the moves alone."""

    first: Decided[State]
    second: Decided[State]

    def leaks(self, machine: TellingMachine[State]) -> list[tuple[Seen, Seen]]:
        """The entries of variables that their player sees in neither and whose values differ: what the moves give
        away is among them."""
        player = self.first.player
        first, second = (_unseen(machine, decided.state, player) for decided in (self.first, self.second))
        return [(first[entry], second[entry]) for entry in first if entry in second and first[entry] != second[entry]]


def find_betrayal(histories: Histories[State]) -> Betrayal[State] | None:
    """Visit histories up to the first two that a player cannot tell apart by anything but their moves."""
    first_of: dict[Hashable, Decided[State]] = {}
    for decided in histories.decisions():
        first = first_of.setdefault((decided.player, decided.known), decided)
        if first.moves != decided.moves:
            return Betrayal(first, decided)
    return None


def _unseen(machine: TellingMachine[State], state: State, player: int) -> dict[Hashable, Seen]:
    """The entries that a player does not see, by name and indices."""
    seen = set(machine.view(state, player))
    return {(entry.variable, entry.indices): entry for entry in machine.entries(state) if entry not in seen}
