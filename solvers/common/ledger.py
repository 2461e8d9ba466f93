"""What a solve holds at the moment, in bytes.

Its phases follow each other and hand on what they have made: a tree, the sequence form made of it, a linear program
made of that. What has been made is put down here, and taken off when nobody refers to it any more; so what a phase may
still take is what the others have left, and to let something go early is to make room.
"""

from __future__ import annotations

from weakref import finalize

from attrs import define


@define(eq=False)
class Ledger:
    """All that is there now takes ``held`` bytes, about."""

    held: int = 0

    def hold(self, thing: object, taken: int) -> None:
        """``thing`` takes so many bytes for as long as it lives."""
        self.held += taken
        finalize(thing, self._let_go, taken).atexit = False

    def _let_go(self, taken: int) -> None:
        self.held -= taken
