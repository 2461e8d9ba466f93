"""The histories of the positions of a turn (:mod:`zermelo.interpreter.native.rules.branches`), in an array ``B``.

A position has the number of the one that it was reached from, how long its history is, and where in the *pool* the rows
begin that its step has added; behind these columns stand how many rows there are, and the pool.
"""

from __future__ import annotations

BRANCHES: int  # how long B is
LENGTH: int  # where the column of lengths begins
ROW: int  # where the column of first rows begins
COUNT: int  # where the number of rows stands, the pool behind it
ROWS: int  # room for so many
WIDTH: int  # how many words a row has: those of an entry, and its digests
WORDS: int  # how many words an entry has
FIRST: int  # where the entries begin in the context
MOST: int  # room for so many of them
HISTORY: int  # where a state holds how many there are
OVERFLOW: int  # the place in the rules to blame where there are more rows


def entries_digest(C: ints[CONTEXT], first: int, n: int) -> int: ...


def same_entries(C: ints[CONTEXT], first: int, n: int, more: int) -> int: ...


def begin_branches(S: state, B: ints[BRANCHES]) -> int:
    """Begin with one position."""
    B[LENGTH] = S[HISTORY]
    B[COUNT] = 0
    return 0


def recall(C: ints[CONTEXT], B: ints[BRANCHES], at: int) -> int:
    """Put the history of a position into the context."""
    return recall_behind(C, B, at, 0)


def recall_behind(C: ints[CONTEXT], B: ints[BRANCHES], number: int, further: int) -> int:
    """Write the branch of a position into the context, so much further behind than where it belongs."""
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
    """Whether the histories of T and of another position are the same: both are laid behind each other."""
    more: int = B[LENGTH + other] - B[LENGTH]
    if more > MOST - T[HISTORY]:
        return 0
    recall_behind(C, B, other, T[HISTORY] - B[LENGTH])
    return same_entries(C, B[LENGTH], T[HISTORY], more)


def keep_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of T, a new position that has been reached from another one; whether there is room."""
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
