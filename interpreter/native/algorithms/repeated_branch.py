"""The view that ``repeated`` has of a branch: the current values, and the *set* of the earlier ones."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, count, mix

DIGESTS: int  # the offset of the digests of its values in the context
SUMMAND: int  # the mask of the summed bits of a digest


def times(context: Context, i: int, low: int, high: int) -> int: ...  # how many of them equal entry i


def digest(context: Context, first: int, end: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, end - 1):
        if count(context, DIGESTS, i, context[DIGESTS + i]) == 0:
            total += context[DIGESTS + i] & SUMMAND
    return mix(mix(before, context[DIGESTS + end - 1]), total)


def same(context: Context, first: int, end: int, more: int) -> int:
    """Whether the entries from ``first`` to ``end`` are indistinguishable from the ``more`` entries after them."""
    beyond: int = end + more
    if times(context, end - 1, beyond - 1, beyond) == 0:
        return 0
    for i in range(first, end - 1):
        if times(context, i, 0, first) + times(context, i, end, beyond - 1) == 0:
            return 0
    for i in range(end, beyond - 1):
        if times(context, i, 0, end - 1) == 0:
            return 0
    return 1
