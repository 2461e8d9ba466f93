"""Ranking and unranking of sets of few members: the combinatorial number system
(:mod:`zermelo.interpreter.native.coding.encoding`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, lowest, popcount

SIZE: int  # the size of the universe
LEAST: int
MOST: int  # bounds on the number of members
FIRSTS: tuple[int, ...]  # the first rank of each number of members
BINOMIALS: tuple[int, ...]  # C(n, k) at k * (SIZE + 1) + n


def rank(mask: bits) -> int:
    """The rank of a set."""
    rest: bits = mask
    x: int = FIRSTS[popcount(mask) - LEAST]
    k: int = 0
    while rest != 0:
        k += 1
        x += BINOMIALS[k * (SIZE + 1) + lowest(rest)]
        rest = rest & (rest - 1)
    return x


def ranked(number: int) -> bits:
    """The set with this rank, found from its greatest place down."""
    k: int = LEAST
    while k < MOST and number >= FIRSTS[k + 1 - LEAST]:
        k += 1
    x: int = number - FIRSTS[k - LEAST]
    mask: bits = 0
    one: bits = 1
    place: int = SIZE - 1
    while k > 0:
        while BINOMIALS[k * (SIZE + 1) + place] > x:
            place -= 1
        x -= BINOMIALS[k * (SIZE + 1) + place]
        mask = mask | (one << place)
        k -= 1
    return mask
