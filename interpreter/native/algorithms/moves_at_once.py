"""A player's observations of the last move where choices are made together: players see these after the last one."""

from __future__ import annotations

ACTOR: int  # the slot of the actor: a player's number plus 2
PHASE: int  # the slot of the phase
TOGETHER: tuple[int, ...]  # whether the choices of a phase are made together
CHOICES: int  # the first slot of the players' choices so far: a move plus 1


def shown_moves(L: state, S: state, m: int, p: int, R: ints[WORDS], n: int) -> int:
    """Write player p's observations of move m, made in L; -1 stands for none."""
    if m < 0:
        return n
    q: int = L[ACTOR] - 2
    if TOGETHER[L[PHASE]] == 0:
        return moved(m, q, p, R, n)
    if q == p:
        n = moved(m, p, p, R, n)
    if is_midway(L, S, m) != 0:
        return n
    for other in range(PLAYERS):
        made: int = m + 1 if other == q else L[CHOICES + other]
        if made != 0 and other != p:
            n = moved(made - 1, other, p, R, n)
    return n


def is_midway(L: state, S: state, m: int) -> int:
    """Whether other players are still to choose together with move m, made in L."""
    return m >= 0 and TOGETHER[L[PHASE]] != 0 and S[CHOICES + L[ACTOR] - 2] != 0
