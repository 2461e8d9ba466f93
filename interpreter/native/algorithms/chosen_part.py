"""Random subsets of a mask."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Random, bits, drawn, popcount


def chosen_one(mask: bits, k: int) -> int: ...


def chosen_part(random: Random, mask: bits, k: int) -> bits:
    """k of the one bits of a mask, which has at least k, all subsets equally likely."""
    rest: bits = mask
    one: bits = 1
    for _ in range(k):
        rest = rest ^ (one << chosen_one(rest, drawn(random, popcount(rest))))
    return mask ^ rest
