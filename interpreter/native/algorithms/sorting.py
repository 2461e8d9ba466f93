"""Sorting sets in the order of the language: lexicographically by their ascending members."""

from __future__ import annotations

SIZE: int  # the length of the array


def sort(L: masks[SIZE], n: int) -> int:
    """Sort the first n sets of an array by insertion."""
    for i in range(n):
        m: bits = L[i]
        at: int = i
        while at > 0 and comes_before(m, L[at - 1]):
            L[at] = L[at - 1]
            at -= 1
        L[at] = m
    return 0


def comes_before(a: bits, b: bits) -> int:
    """Whether one set comes before another."""
    if a == b:
        return 0
    place: int = lowest(a ^ b)  # below this place, they have the same members
    if (a >> place) & 1 != 0:
        return (b >> place) != 0
    return (a >> place) == 0
