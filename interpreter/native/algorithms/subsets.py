"""The subsets of a mask of one size, in lexicographic order."""

from __future__ import annotations


def first_subset(m: bits, k: int) -> bits:
    """The k lowest one bits of a mask."""
    rest: bits = m
    for _ in range(k):
        rest = rest & (rest - 1)
    return m ^ rest


def next_subset(m: bits, chosen: bits) -> bits:
    """The subset of ``m`` after ``chosen``, 0 after the last one: members at the very end of ``m`` cannot advance, so
    the last member before them does, and they follow it closely."""
    free: bits = m ^ chosen
    if free == 0:
        return 0
    end: int = highest(free)
    one: bits = 1
    kept: bits = chosen & ((one << end) - 1)
    if kept == 0:
        return 0
    last: int = highest(kept)
    behind: bits = m ^ (one << last) ^ (m & ((one << last) - 1))
    return (kept ^ (one << last)) | first_subset(behind, popcount(chosen >> end) + 1)
