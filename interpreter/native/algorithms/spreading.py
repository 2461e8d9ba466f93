"""The image of a set under a relation that is given row by row."""

from __future__ import annotations

ROWS: tuple[bits, ...]  # what each member leads to


def spread(m: bits) -> bits:
    """What the members of a set lead to, together."""
    rest: bits = m
    found: bits = 0
    while rest != 0:
        found = found | ROWS[lowest(rest)]
        rest = rest & (rest - 1)
    return found
