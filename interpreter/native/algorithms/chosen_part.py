"""Random subsets of a mask."""

from __future__ import annotations


def chosen_one(m: bits, k: int) -> int: ...


def chosen_part(R: ints[1], m: bits, k: int) -> bits:
    """k of the one bits of a mask, which has at least k, all subsets equally likely."""
    rest: bits = m
    one: bits = 1
    for _ in range(k):
        rest = rest ^ (one << chosen_one(rest, drawn(R, popcount(rest))))
    return m ^ rest
