"""Sorting sets in the order of the language: lexicographically by their ascending members."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Length, bits, lowest, masks


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
    if a == b:
        return 0
    place: int = lowest(a ^ b)  # below this place, they have the same members
    if (a >> place) & 1 != 0:
        return (b >> place) != 0
    return (a >> place) == 0
