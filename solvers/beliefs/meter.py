"""What a search over beliefs has looked at, and the memory that its stores take."""

from __future__ import annotations

from typing import Final

from attrs import define, field

from zermelo.grammar.footprint import Budget, Room, Things, size
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress

_EVERY: Final = 256
"""How many things are looked at between two looks at the limits."""


@define(eq=False)
class Meter:
    """``looked`` counts what a search has looked at, and ``kept`` are its stores, all within the free memory."""

    limits: Limits
    progress: Progress
    looked: int = 0
    budget: Budget = field(init=False)
    kept: list[tuple[Things, Room]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.budget = self.limits.budget()

    def keep(self, *stores: Things) -> None:
        """Count these stores, too, from now on."""
        self.kept += [(things, Room(self.budget)) for things in stores]

    def drop(self, *stores: Things) -> None:
        """These stores are not needed any more."""
        for things, room in self.kept:
            if any(things is store for store in stores):
                room.shrink(0)
        self.kept = [(things, room) for things, room in self.kept if not any(things is each for each in stores)]

    def look(self) -> None:
        """Count one more thing looked at, and stop where limits say so: raises ``ZermeloError`` (``out-of-time``,
        ``out-of-memory``)."""
        self.looked += 1
        if self.looked % _EVERY == 0:
            self.progress(self.looked)
            self.limits.check({"nodes": self.looked})
            if not all(len(things) < room.most or room.grows(things) for things, room in self.kept):
                raise LimitReached(
                    "out-of-memory",
                    f"in {size(self.limits.memory)} of memory",
                    {"nodes": self.looked},
                    f"{self.limits.more_memory}; a smaller game may fit",
                )
