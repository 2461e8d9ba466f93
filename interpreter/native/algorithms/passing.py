"""Null moves (:mod:`zermelo.interpreter.native.rules.runs`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State

PHASE: int  # the slot of the phase
ACTOR: int  # the slot of the actor: a player's number plus 2
PLAYER: int  # the slot of the player, the argument of the phase


def offers(context: Context, state: State, phase: int) -> int: ...  # whether the decision of this phase offers anything


def passed(context: Context, state: State) -> int:
    """Let the other player move, in place; whether that is possible. A fault on the way is discarded."""
    state[PLAYER] = 1 - state[PLAYER]
    state[ACTOR] = 5 - state[ACTOR]
    offered: int = offers(context, state, state[PHASE])
    if context[0] == 0:
        return offered
    context[0] = 0
    return 0
