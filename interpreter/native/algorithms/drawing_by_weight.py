"""Drawing an outcome of chance from the list of weights."""

from __future__ import annotations


def list_outcomes(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int: ...


def weighted(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], R: ints[1]) -> int:
    """One of the outcomes by its weight, -1 if there is none."""
    n: int = list_outcomes(C, S, M, W)
    if n == 0 or C[0] != 0:  # after a fault there may be no weights
        return -1
    total: int = 0
    for k in range(n):
        total += W[k]
    r: int = drawn(R, total)
    at: int = 0
    while r >= W[at]:
        r -= W[at]
        at += 1
    return M[at]
