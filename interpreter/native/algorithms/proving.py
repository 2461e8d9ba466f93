"""Proofs that a step of a turn is preferred, without looking at the others.

Only for turns that cannot end the game: then one complete turn that attains the upper bound on worths is a proof.
"""

from __future__ import annotations

ACTOR: int  # the slot of the actor, 0 at the end
PHASE: int  # the slot of the phase
TURNS: int  # the phases that are turns, as bits


def is_safe(C: ints[CONTEXT], S: state) -> int: ...  # whether no turn from S ends the game


def is_best(C: ints[CONTEXT], S: state, T: state) -> int: ...  # whether no turn can leave more than T


def proof(C: ints[CONTEXT], S: state, m: int) -> int:
    """Whether move m is surely among the preferred ones."""
    if is_safe(C, S) == 0:
        return 0
    who: int = S[ACTOR]
    L = array(MOVES)
    T = scratch()
    copy(T, S, STATE)
    step: int = m
    best: int = 0
    many: int = 1
    while many != 0:
        effects(C, T, step)
        best = is_best(C, S, T)
        arrive(C, T)
        if T[ACTOR] != who or (TURNS >> T[PHASE]) & 1 == 0:
            return 0
        many = steps(C, T, L)
        step = L[0] if many != 0 else -1
    return C[0] == 0 and best != 0
