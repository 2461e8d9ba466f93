"""The image of a set under a relation given by rows."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, lowest

ROWS: tuple[bits, ...]  # the image of each member


def spread(mask: bits) -> bits:
    """The union of the members' images."""
    rest: bits = mask
    found: bits = 0
    while rest != 0:
        found = found | ROWS[lowest(rest)]
        rest = rest & (rest - 1)
    return found
