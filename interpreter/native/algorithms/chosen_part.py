"""Random parts of a mask."""

from __future__ import annotations


def chosen_one(m: bits, k: int) -> int: ...


def chosen_part(R: ints[1], m: bits, k: int) -> bits:
    """k ones of a mask, which has as many, all parts of k equally likely."""
    rest: bits = m
    one: bits = 1
    for _ in range(k):
        rest = rest ^ (one << chosen_one(rest, drawn(R, popcount(rest))))
    return m ^ rest
