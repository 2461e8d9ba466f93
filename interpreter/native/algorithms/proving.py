"""Proofs that a step of a turn is preferred, without looking at the others: one complete turn that begins with this
step and whose worth is the upper bound of all worths."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    MOVES,
    STATE,
    Context,
    State,
    array,
    copy,
    effects,
    scratch,
    settle,
    steps,
)

ACTOR: int  # the slot of the actor
PHASE: int  # the slot of the phase
TURNS: int  # the phases that are turns, as bits
STEPS: int  # the most steps of a proof: a turn may go round for ever


def is_best(context: Context, state: State, there: State) -> int: ...  # whether no turn can leave more than this one


def proof(context: Context, state: State, move: int) -> int:
    """Whether a move is surely among the preferred ones: it is followed by the first step that the rules allow, again
    and again, up to the end of the turn."""
    player: int = state[ACTOR]
    onward = array(MOVES)
    there = scratch()
    copy(there, state, STATE)
    step: int = move
    for _ in range(STEPS):
        effects(context, there, step)
        best: int = is_best(context, state, there)
        settle(context, there)
        if there[ACTOR] != player or (TURNS >> there[PHASE]) & 1 == 0:
            return context[0] == 0 and best != 0
        if steps(context, there, onward) == 0:
            return 0
        step = onward[0]
    return 0
