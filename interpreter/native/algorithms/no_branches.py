"""The histories of :mod:`.preferring` in games whose rules do not use them: nothing is done."""

from __future__ import annotations

BRANCHES: int


def begin_branches(S: state, B: ints[BRANCHES]) -> int:
    """Begin with the position S."""
    return 0


def recall(C: ints[CONTEXT], B: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return 0


def branch_digest(C: ints[CONTEXT], T: state, B: ints[BRANCHES]) -> int:
    """A digest of the history of T."""
    return 0


def same_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], other: int) -> int:
    """Whether T and another position have the same history."""
    return 1


def keep_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of T, a new position reached from position ``at``; whether there is room."""
    return 1
