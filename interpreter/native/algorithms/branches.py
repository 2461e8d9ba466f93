"""The histories of the positions of a turn (:mod:`zermelo.interpreter.native.rules.decisions`), in an array of numbers.

Each position has three columns: the position it was reached from, the length of its history, and the first of the rows
that its step has added to the *pool*. The number of rows and the pool follow these columns.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, State, ints

LENGTH: int  # the offset of the column of lengths
ROW: int  # the offset of the column of first rows
COUNT: int  # the offset of the number of rows; the pool follows
ROWS: int  # the most of them
WIDTH: int  # the words of a row: an entry and its digests
WORDS: int  # the words of an entry
FIRST: int  # the offset of the entries in the context
MOST: int  # the most entries
HISTORY: int  # the slot of their number
OVERFLOW: int  # the fault site if there are more rows


class BRANCHES(metaclass=Length):
    """The length of the array."""


def entries_digest(context: Context, first: int, end: int) -> int: ...


def same_entries(context: Context, first: int, end: int, more: int) -> int: ...


def begin_branches(state: State, branches: ints[BRANCHES]) -> int:
    """Begin with a position."""
    branches[LENGTH] = state[HISTORY]
    branches[COUNT] = 0
    return 0


def recall(context: Context, branches: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return recall_behind(context, branches, at, 0)


def recall_behind(context: Context, branches: ints[BRANCHES], number: int, further: int) -> int:
    """Write the branch of a position into the context, ``further`` entries behind its own place."""
    at: int = number
    while at != 0:
        first: int = branches[LENGTH + branches[at]]
        for i in range(first, branches[LENGTH + at]):
            one: int = COUNT + 1 + (branches[ROW + at] + i - first) * WIDTH
            for word in range(WORDS):
                context[FIRST + (i + further) * WORDS + word] = branches[one + word]
            for word in range(WORDS, WIDTH):
                context[FIRST + word * MOST + i + further] = branches[one + word]
        at = branches[at]
    return 0


def branch_digest(context: Context, there: State, branches: ints[BRANCHES]) -> int:
    """A digest of the history of position ``there``."""
    return entries_digest(context, branches[LENGTH], there[HISTORY])


def same_branch(context: Context, there: State, branches: ints[BRANCHES], other: int) -> int:
    """Whether ``there`` and another position have the same history: both are written to the context, one behind the
    other."""
    more: int = branches[LENGTH + other] - branches[LENGTH]
    if more > MOST - there[HISTORY]:
        return 0
    recall_behind(context, branches, other, there[HISTORY] - branches[LENGTH])
    return same_entries(context, branches[LENGTH], there[HISTORY], more)


def keep_branch(context: Context, there: State, branches: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of ``there``, a new position reached from position ``at``; whether there is room."""
    branches[found] = at
    branches[LENGTH + found] = there[HISTORY]
    branches[ROW + found] = branches[COUNT]
    for i in range(branches[LENGTH + at], branches[LENGTH + found]):
        if branches[COUNT] >= ROWS:
            if context[0] == 0:
                context[0] = OVERFLOW
            return 0
        one: int = COUNT + 1 + branches[COUNT] * WIDTH
        for word in range(WORDS):
            branches[one + word] = context[FIRST + i * WORDS + word]
        for word in range(WORDS, WIDTH):
            branches[one + word] = context[FIRST + word * MOST + i]
        branches[COUNT] = branches[COUNT] + 1
    return 1
