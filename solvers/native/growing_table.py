"""A depth-first search whose table grows with it.

A table that takes all the memory from the first node on is slow for small games: every look into it goes to memory that
has not been touched yet. So it begins small, and whenever the search has made a node for every :data:`ROOM` entries a
table ``GROWTH`` times as large takes its place. Until it has all the memory hardly a position is ever forgotten.

Invariant: the table grows after numbers of nodes that do not depend on the clock, so that every run visits the same
nodes.

Cost: what stands in the table is moved a few times in all, each time before it is a sixteenth full.
"""

from __future__ import annotations

from typing import Any, Final

from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredState
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.native.alphabeta import table_size
from zermelo.solvers.native.depth_first import DepthFirst

ROOM: Final = 16
"""Entries for each node, while there is memory."""

GROWTH: Final = 8

_FIRST: Final = 1 << 12


def first_size(limits: Limits, width: int, kernels: Kernels) -> int:
    """The entries that a table begins with, each of ``width`` numbers. In Python entries come about when they are used
    first, so there the table has its full size at once."""
    most = table_size(limits, width, kernels)
    return min(_FIRST, most) if kernels.is_compiled else most


class TableSearch(DepthFirst):
    """``others`` begin with the table and ``sizes`` with its entries, of ``width`` numbers each; there is none where
    that is 1. The kernel has a function ``NAME_grow(old, new, size, larger)``, which fills a new table."""

    def __init__(self, *arguments: Any, width: int) -> None:
        """``arguments`` are those of any search."""
        super().__init__(*arguments)
        self.width = width

    def go_on(self, root: LoweredState, steps: int) -> int:
        """Search for so many steps, or until the table has to grow."""
        room = self._room()
        while room <= 0:
            self._grow()
            room = self._room()
        return super().go_on(root, int(min(steps, room)))

    def _room(self) -> float:
        """How many nodes may be made before the table has to grow."""
        size = self.sizes[0]
        if size == 1 or size >= table_size(self.limits, self.width, self.kernels):
            return float("inf")
        return size // ROOM - int(self.registers[1])

    def _grow(self) -> None:
        size = self.sizes[0]
        larger = min(GROWTH * size, table_size(self.limits, self.width, self.kernels))
        table = self.kernels.table(larger, self.width)
        self.kernels.call_by_name(f"{self.name}_grow", self.others[0], table, size, larger)
        self.others = [table, *self.others[1:]]
        self.sizes = [larger, *self.sizes[1:]]
