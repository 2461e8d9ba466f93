"""Whether a set of cells connects two sides."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits

FULL: bits  # all bits of a word


def spread(mask: bits) -> bits: ...


def connected_to(within: bits, here: bits, there: bits) -> int:
    """Whether a cell of ``there`` is reachable from one of ``here`` within a set."""
    todo: bits = within & here
    found: bits = todo
    while todo != 0:
        if todo & there != 0:
            return 1
        todo = spread(todo) & within & (found ^ FULL)
        found = found | todo
    return 0
