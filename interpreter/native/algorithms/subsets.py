"""The subsets of a mask of one size, in lexicographic order."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, highest, popcount


def first_subset(mask: bits, k: int) -> bits:
    """The k lowest one bits of a mask."""
    rest: bits = mask
    for _ in range(k):
        rest = rest & (rest - 1)
    return mask ^ rest


def next_subset(mask: bits, chosen: bits) -> bits:
    """The subset of ``mask`` after ``chosen``, 0 after the last one: members at its very end cannot advance, so
    the last member before them does, and they follow it closely."""
    free: bits = mask ^ chosen
    if free == 0:
        return 0
    end: int = highest(free)
    one: bits = 1
    kept: bits = chosen & ((one << end) - 1)
    if kept == 0:
        return 0
    last: int = highest(kept)
    behind: bits = mask ^ (one << last) ^ (mask & ((one << last) - 1))
    return (kept ^ (one << last)) | first_subset(behind, popcount(chosen >> end) + 1)
