"""The histories of the positions of a turn (:mod:`zermelo.interpreter.native.rules.branches`), in an array ``B``.

Each position has three columns: the position it was reached from, the length of its history, and the first of the rows
that its step has added to the *pool*. The number of rows and the pool follow these columns.
"""

from __future__ import annotations

BRANCHES: int  # the length of B
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


def entries_digest(C: ints[CONTEXT], first: int, n: int) -> int: ...


def same_entries(C: ints[CONTEXT], first: int, n: int, more: int) -> int: ...


def begin_branches(S: state, B: ints[BRANCHES]) -> int:
    """Begin with the position S."""
    B[LENGTH] = S[HISTORY]
    B[COUNT] = 0
    return 0


def recall(C: ints[CONTEXT], B: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return recall_behind(C, B, at, 0)


def recall_behind(C: ints[CONTEXT], B: ints[BRANCHES], number: int, further: int) -> int:
    """Write the branch of a position into the context, ``further`` entries behind its own place."""
    at: int = number
    while at != 0:
        first: int = B[LENGTH + B[at]]
        for i in range(first, B[LENGTH + at]):
            one: int = COUNT + 1 + (B[ROW + at] + i - first) * WIDTH
            for w in range(WORDS):
                C[FIRST + (i + further) * WORDS + w] = B[one + w]
            for w in range(WORDS, WIDTH):
                C[FIRST + w * MOST + i + further] = B[one + w]
        at = B[at]
    return 0


def branch_digest(C: ints[CONTEXT], T: state, B: ints[BRANCHES]) -> int:
    """A digest of the history of T."""
    return entries_digest(C, B[LENGTH], T[HISTORY])


def same_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], other: int) -> int:
    """Whether T and another position have the same history: both are written to the context, one behind the other."""
    more: int = B[LENGTH + other] - B[LENGTH]
    if more > MOST - T[HISTORY]:
        return 0
    recall_behind(C, B, other, T[HISTORY] - B[LENGTH])
    return same_entries(C, B[LENGTH], T[HISTORY], more)


def keep_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of T, a new position reached from position ``at``; whether there is room."""
    B[found] = at
    B[LENGTH + found] = T[HISTORY]
    B[ROW + found] = B[COUNT]
    for i in range(B[LENGTH + at], B[LENGTH + found]):
        if B[COUNT] >= ROWS:
            if C[0] == 0:
                C[0] = OVERFLOW
            return 0
        one: int = COUNT + 1 + B[COUNT] * WIDTH
        for w in range(WORDS):
            B[one + w] = C[FIRST + i * WORDS + w]
        for w in range(WORDS, WIDTH):
            B[one + w] = C[FIRST + w * MOST + i]
        B[COUNT] = B[COUNT] + 1
    return 1
