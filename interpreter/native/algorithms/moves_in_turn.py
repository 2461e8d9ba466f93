"""A player's observations of the last move where all decide in turn."""

from __future__ import annotations

ACTOR: int  # the slot of the actor: a player's number plus 2


def shown_moves(L: state, S: state, m: int, p: int, R: ints[WORDS], n: int) -> int:
    """Write player p's observations of move m, made in L; -1 stands for none."""
    return moved(m, L[ACTOR] - 2, p, R, n) if m >= 0 else n


def is_midway(L: state, S: state, m: int) -> int:
    """Whether other players are still to choose together with move m."""
    return 0
