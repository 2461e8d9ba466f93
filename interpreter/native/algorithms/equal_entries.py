"""Equality of entries of the history, restricted to the words that one expression of the rules uses."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the first words, all of which count
BEGIN: int
END: int  # the range of the others that count


def times(context: Context, i: int, low: int, high: int) -> int:
    """How many of the entries from ``low`` to ``high`` equal entry i."""
    found: int = 0
    one: int = FIRST + i * WORDS
    for k in range(low, high):
        found += equal(context, one, FIRST + k * WORDS)
    return found


def equal(context: Context, one: int, other: int) -> int:
    """Whether the entries at two offsets are equal."""
    for word in range(HEAD):
        if context[one + word] != context[other + word]:
            return 0
    for word in range(BEGIN, END):
        if context[one + word] != context[other + word]:
            return 0
    return 1
