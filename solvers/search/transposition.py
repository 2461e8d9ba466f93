"""The transposition table: what a search remembers of the positions it has searched.

Different orders of the same moves lead to the same position, and what is known of it need not be found again. Source:
Greenblatt, Eastlake and Crocker, "The Greenblatt chess program" (1967); Breuker, "Memory versus search in games"
(1998), whose form of the bounds this is.

For a position the table holds an interval in which its value lies, the depth to which that has been searched, and the
line that was found best. The key is the position itself and never a hash of it, so that no two positions are taken for
one another. What has been earned on the way belongs to the play and not to the position, so the interval is one for
what is still to come.

Invariant: an entry holds for every play that comes to its position. That needs a game without discount, where what is
to come does not depend on how long it took to get here.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf

from attrs import define, field, frozen

from zermelo.grammar.footprint import Room
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.search import Line


@frozen
class TableEntry:
    """``low <= value <= high`` for what is still to come, when searched ``depth`` plies deep (infinity: to the end of
    every play), and the best line."""

    low: Number
    high: Number
    depth: Number
    line: Line


UNKNOWN = TableEntry(-inf, inf, 0, None)
"""What a table holds of a position it has not met."""


@define(eq=False)
class TranspositionTable:
    """Entries by position, as many as there is ``room`` for. When it is full the positions that it knows may still be
    known better, but no others come in."""

    room: Room
    _entries: dict[Hashable, TableEntry] = field(factory=dict)

    def find(self, position: Hashable, depth: Number) -> TableEntry:
        """What is known of a position that is to be searched so deep: from an entry that is not deep enough only its
        line."""
        entry = self._entries.get(position, UNKNOWN)
        return entry if entry.depth >= depth else TableEntry(-inf, inf, entry.depth, entry.line)

    def keep(self, position: Hashable, entry: TableEntry) -> None:
        """Remember what is known of a position now."""
        if position in self._entries or len(self._entries) < self.room.most or self.room.grows(self._entries):
            self._entries[position] = entry
