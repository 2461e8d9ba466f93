"""A player's observations on coming to a state, each preceded by its length."""

from __future__ import annotations


def shown_moves(L: state, S: state, m: int, p: int, R: ints[WORDS], n: int) -> int: ...


def is_midway(L: state, S: state, m: int) -> int: ...  # whether others are still to choose together with m


def shown_values(C: ints[CONTEXT], L: state, S: state, m: int, p: int, R: ints[WORDS], n: int) -> int: ...


def shown_question(S: state, p: int, R: ints[WORDS], n: int) -> int: ...


def observed(C: ints[CONTEXT], L: state, S: state, m: int, p: int, R: ints[WORDS]) -> int:
    """Write player p's observations on coming to S from L by move m; the number of words."""
    n: int = shown_moves(L, S, m, p, R, 0)
    if is_midway(L, S, m) != 0:
        return n
    n = shown_tellings(C, S, p, R, n)
    end: int = shown_values(C, L, S, m, p, R, n + 1)  # all new values make one observation
    R[n] = end - n - 1
    return shown_question(S, p, R, end if end > n + 1 else n)


def shown_tellings(C: ints[CONTEXT], S: state, p: int, R: ints[WORDS], n: int) -> int:
    """Write no tellings, in games that tell nothing."""
    return n
