"""The memory that a solve holds, in bytes.

Its phases pass on their results: a tree, its sequence form, the linear program of that. Each result is entered here and
removed when it is garbage-collected. So a phase may use the memory that the others leave, and dropping a result early
frees memory.
"""

from __future__ import annotations

from weakref import finalize

from attrs import define


@define(eq=False, repr=False)
class Ledger:
    """The live results take ``held`` bytes, about."""

    held: int = 0

    def hold(self, thing: object, taken: int) -> None:
        """Enter ``thing``, which takes ``taken`` bytes as long as it lives."""
        self.held += taken
        finalize(thing, self._let_go, taken).atexit = False

    def _let_go(self, taken: int) -> None:
        self.held -= taken
