"""The view that ``repeated`` has of a branch: the current values, and the *set* of the earlier ones."""

from __future__ import annotations

DIGESTS: int  # the offset of the digests of its values in the context
SUMMAND: int  # the mask of the summed bits of a digest


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int: ...  # how many of them equal entry i


def digest(C: ints[CONTEXT], first: int, n: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, n - 1):
        if count(C, DIGESTS, i, C[DIGESTS + i]) == 0:
            total += C[DIGESTS + i] & SUMMAND
    return mix(mix(before, C[DIGESTS + n - 1]), total)


def same(C: ints[CONTEXT], first: int, n: int, more: int) -> int:
    """Whether the entries from ``first`` to n are indistinguishable from the ``more`` entries after them."""
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
