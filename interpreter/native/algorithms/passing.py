"""Null moves (:mod:`zermelo.interpreter.native.rules.passing`)."""

from __future__ import annotations

PHASE: int  # the slot of the phase
ACTOR: int  # the slot of the actor: a player's number plus 2
PLAYER: int  # the slot of the player, the argument of the phase


def offers(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # whether the decision of this phase offers anything


def passed(C: ints[CONTEXT], S: state) -> int:
    """Let the other player move, in place; whether that is possible. A fault on the way is discarded."""
    S[PLAYER] = 1 - S[PLAYER]
    S[ACTOR] = 5 - S[ACTOR]
    offered: int = offers(C, S, S[PHASE])
    if C[0] == 0:
        return offered
    C[0] = 0
    return 0
