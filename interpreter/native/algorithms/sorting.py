"""Sorting sets in the order of the language: by size, those of one size by their ascending members."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Length, bits, lowest, masks, popcount


class SIZE(metaclass=Length):
    """The length of the array."""


def sort(sets: masks[SIZE], count: int) -> int:
    """Sort the first ``count`` sets of an array by insertion."""
    for i in range(count):
        mask: bits = sets[i]
        at: int = i
        while at > 0 and comes_before(mask, sets[at - 1]):
            sets[at] = sets[at - 1]
            at -= 1
        sets[at] = mask
    return 0


def comes_before(a: bits, b: bits) -> int:
    """Whether one set comes before another."""
    if popcount(a) != popcount(b):
        return popcount(a) < popcount(b)
    return a != b and (a >> lowest(a ^ b)) & 1 != 0  # below this place, they have the same members
