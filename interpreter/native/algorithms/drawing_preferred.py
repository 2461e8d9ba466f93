"""Drawing one of the preferred steps of a turn.

A step is drawn from all, and taken if it is preferred; otherwise one of the preferred steps is drawn. If the step can
be proved to be preferred by itself, the others are not looked at.
"""

from __future__ import annotations


def list_steps(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int: ...


def prefer(C: ints[CONTEXT], S: state, M: ints[MOVES], n: int) -> int: ...  # keep the preferred ones


def prove(C: ints[CONTEXT], S: state, m: int) -> int: ...  # whether m is surely one of them


def any_preferred(C: ints[CONTEXT], S: state, M: ints[MOVES], R: ints[1]) -> int:
    """One of the preferred steps, all equally likely, -1 if there is none."""
    n: int = list_steps(C, S, M)
    if n == 0:
        return -1
    m: int = M[drawn(R, n)]
    if n == 1 or prove(C, S, m) != 0:
        return m
    n = prefer(C, S, M, n)
    for k in range(n):
        if M[k] == m:
            return m
    return M[drawn(R, n)] if n > 0 else -1
