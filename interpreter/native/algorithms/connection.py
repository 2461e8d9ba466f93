"""Whether a set of cells is connected."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits

FULL: bits  # all bits of a word


def spread(mask: bits) -> bits: ...


def connected(within: bits) -> int:
    """Whether all cells of a set are reachable from one of them within the set."""
    todo: bits = within ^ (within & (within - 1)) if within != 0 else within
    found: bits = todo
    while todo != 0:
        todo = spread(todo) & within & (found ^ FULL)
        found = found | todo
    return found == within
