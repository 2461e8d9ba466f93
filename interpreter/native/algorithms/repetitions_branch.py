"""The view that ``repetitions`` has of a branch: how often each pair of phase and values has occurred."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, mix

DIGESTS: int  # the offset of the digests of its values in the context
SUMMAND: int  # the mask of the summed bits of a digest
FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the words of the phase


def times(context: Context, i: int, low: int, high: int) -> int: ...  # how many of them equal entry i


def digest(context: Context, first: int, end: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, end):
        entry: int = context[DIGESTS + i]
        for word in range(HEAD):
            entry = mix(entry, context[FIRST + i * WORDS + word])
        total += entry & SUMMAND
    return mix(before, total)


def same(context: Context, first: int, end: int, more: int) -> int:
    """Whether the entries from ``first`` to ``end`` are indistinguishable from the ``more`` entries after them."""
    if end - first != more:
        return 0
    for i in range(first, end):
        if times(context, i, first, end) != times(context, i, end, end + more):
            return 0
    return 1
