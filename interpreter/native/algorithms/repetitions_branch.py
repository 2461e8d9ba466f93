"""The view that ``repetitions`` has of a branch: how often each pair of phase and values has occurred."""

from __future__ import annotations

DIGESTS: int  # the offset of the digests of its values in the context
SUMMAND: int  # the mask of the summed bits of a digest
FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the words of the phase


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int: ...  # how many of them equal entry i


def digest(C: ints[CONTEXT], first: int, n: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, n):
        d: int = C[DIGESTS + i]
        for w in range(HEAD):
            d = mix(d, C[FIRST + i * WORDS + w])
        total += d & SUMMAND
    return mix(before, total)


def same(C: ints[CONTEXT], first: int, n: int, more: int) -> int:
    """Whether the entries from ``first`` to n are indistinguishable from the ``more`` entries after them."""
    if n - first != more:
        return 0
    for i in range(first, n):
        if times(C, i, first, n) != times(C, i, n, n + more):
            return 0
    return 1
