"""What the rules have looked for in the history of a play.

``repeated`` and ``repetitions`` look for values. Whatever values the rules have looked for lie in a *subcube*, for each
group of values: those whose bits are 1 only where the bit of one of them was, and 0 likewise. An entry of the history
outside of it has not been found by anything. For each word of an entry the context has the bits that have been 1, and
``WORDS`` words later those that have been 0; so nothing has been looked for where all of these words are 0.

A subcube is little to keep, and it is just what tells moves that cannot be taken back: while the men of an ancestor
that have moved are nowhere where they stood then, no position below can be that of the ancestor.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PAST, Context, ints

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
GROUPS: int  # the number of groups of values that the rules look for
BEGINS: tuple[int, ...]
ENDS: tuple[int, ...]  # the range of each group's values in an entry
READS: int  # the offset of what has been looked for in the context


def recorded(context: Context, entry: int, word: int) -> int:
    """A word of an entry."""
    return context[FIRST + entry * WORDS + word]


def take_reads(context: Context, past: ints[PAST]) -> int:
    """Write what has been looked for, and forget it."""
    for k in range(2 * WORDS):
        past[k] = context[READS + k]
        context[READS + k] = 0
    return 0


def add_reads(context: Context, past: ints[PAST]) -> int:
    """This has been looked for, too."""
    for k in range(2 * WORDS):
        context[READS + k] = context[READS + k] | past[k]
    return 0


def may_read(context: Context, past: ints[PAST], entry: int) -> int:
    """Whether the values of an entry in some group are in the subcube of those that have been looked for."""
    for group in range(GROUPS):
        if is_within(context, past, entry, group) != 0:
            return 1
    return 0


def is_within(context: Context, past: ints[PAST], entry: int, group: int) -> int:
    """Whether the values of an entry in a group are in the subcube."""
    at: int = FIRST + entry * WORDS
    for word in range(BEGINS[group], ENDS[group]):
        value: int = context[at + word]
        if value & past[word] != value:
            return 0
        if value | past[WORDS + word] != -1:
            return 0
    return 1
