"""Equality of entries of the history, restricted to the words that one expression of the rules uses."""

from __future__ import annotations

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the first words, all of which count
BEGIN: int
END: int  # the range of the others that count


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int:
    """How many of the entries from ``low`` to ``high`` equal entry i."""
    found: int = 0
    one: int = FIRST + i * WORDS
    for k in range(low, high):
        found += equal(C, one, FIRST + k * WORDS)
    return found


def equal(C: ints[CONTEXT], one: int, other: int) -> int:
    """Whether the entries at two offsets are equal."""
    for w in range(HEAD):
        if C[one + w] != C[other + w]:
            return 0
    for w in range(BEGIN, END):
        if C[one + w] != C[other + w]:
            return 0
    return 1
