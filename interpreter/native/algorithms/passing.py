"""Passing: the state in which the player to move has let the other one move
(:mod:`zermelo.interpreter.native.rules.passing`)."""

from __future__ import annotations

PHASE: int  # where a state holds the phase
ACTOR: int  # where it holds who acts, a player's number and two
PLAYER: int  # where it holds the number of the player, the argument of the phase


def offers(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # whether the decision of this phase offers anything


def passed(C: ints[CONTEXT], S: state) -> int:
    """Pass in place; whether that can be. A rule that goes wrong on the way is forgotten."""
    S[PLAYER] = 1 - S[PLAYER]
    S[ACTOR] = 5 - S[ACTOR]
    offered: int = offers(C, S, S[PHASE])
    if C[0] == 0:
        return offered
    C[0] = 0
    return 0
