"""What ``repeated`` can tell of the entries of a branch: the present value, and the *set* of the earlier ones."""

from __future__ import annotations

DIGESTS: int  # where the digests of its values begin in the context
SUMMAND: int  # what is added up of a digest


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int: ...  # how many of them are as entry i


def digest(C: ints[CONTEXT], first: int, n: int, before: int) -> int:
    """A digest of the entries from the first one on, which does not depend on their order, on top of another one."""
    total: int = 0
    for i in range(first, n - 1):
        if count(C, DIGESTS, i, C[DIGESTS + i]) == 0:
            total += C[DIGESTS + i] & SUMMAND
    return mix(mix(before, C[DIGESTS + n - 1]), total)


def same(C: ints[CONTEXT], first: int, n: int, more: int) -> int:
    """Whether the entries from the first to the n-th cannot be told from the ``more`` entries behind them."""
    end: int = n + more
    if times(C, n - 1, end - 1, end) == 0:
        return 0
    for i in range(first, n - 1):
        if times(C, i, 0, first) + times(C, i, n, end - 1) == 0:
            return 0
    for i in range(n, end - 1):
        if times(C, i, 0, n - 1) == 0:
            return 0
    return 1
