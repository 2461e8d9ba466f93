"""Selecting a one bit of a mask by its number."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, popcount

HALF: int  # the greatest power of two below the width of a mask


def chosen_one(mask: bits, k: int) -> int:
    """The place of one bit number k of a mask, by bisection."""
    at: int = 0
    left: int = k
    half: int = HALF
    one: bits = 1
    while half != 0:
        ones: int = popcount((mask >> at) & ((one << half) - 1))
        if left >= ones:
            left -= ones
            at += half
        half = half >> 1
    return at
