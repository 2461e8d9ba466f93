"""What :mod:`.preferring` does with histories in games whose rules do not look at them: nothing."""

from __future__ import annotations

BRANCHES: int


def begin_branches(S: state, B: ints[BRANCHES]) -> int:
    """Begin with one position."""
    return 0


def recall(C: ints[CONTEXT], B: ints[BRANCHES], at: int) -> int:
    """Put the history of a position into the context."""
    return 0


def branch_digest(C: ints[CONTEXT], T: state, B: ints[BRANCHES]) -> int:
    """A digest of the history of T."""
    return 0


def same_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], other: int) -> int:
    """Whether the histories of T and of another position are the same."""
    return 1


def keep_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of T, a new position that has been reached from another one; whether there is room."""
    return 1
