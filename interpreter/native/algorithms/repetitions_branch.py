"""What ``repetitions`` can tell of the entries of a branch: how often each has been there, phase and values."""

from __future__ import annotations

DIGESTS: int  # where the digests of its values begin in the context
SUMMAND: int  # what is added up of a digest
FIRST: int  # where the entries begin in the context
WORDS: int  # how many words each has
HEAD: int  # how many of them are for the phase


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int: ...  # how many of them are as entry i


def digest(C: ints[CONTEXT], first: int, n: int, before: int) -> int:
    """A digest of the entries from the first one on, which does not depend on their order, on top of another one."""
    total: int = 0
    for i in range(first, n):
        d: int = C[DIGESTS + i]
        for w in range(HEAD):
            d = mix(d, C[FIRST + i * WORDS + w])
        total += d & SUMMAND
    return mix(before, total)


def same(C: ints[CONTEXT], first: int, n: int, more: int) -> int:
    """Whether the entries from the first to the n-th cannot be told from the ``more`` entries behind them."""
    if n - first != more:
        return 0
    for i in range(first, n):
        if times(C, i, first, n) != times(C, i, n, n + more):
            return 0
    return 1
