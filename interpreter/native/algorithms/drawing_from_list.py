"""Drawing one of the moves of a decision from their list."""

from __future__ import annotations


def list_moves(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int: ...


def any_move(C: ints[CONTEXT], S: state, M: ints[MOVES], R: ints[1]) -> int:
    """One of the moves, all equally likely, -1 if there is none."""
    n: int = list_moves(C, S, M)
    return M[drawn(R, n)] if n > 0 else -1
