"""Proofs that a step of a turn is preferred, without looking at the others.

Only for turns that cannot end the game: then one complete turn that attains the upper bound on worths is a proof.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    MOVES,
    STATE,
    Context,
    State,
    array,
    arrive,
    copy,
    effects,
    scratch,
    steps,
)

ACTOR: int  # the slot of the actor, 0 at the end
PHASE: int  # the slot of the phase
TURNS: int  # the phases that are turns, as bits


def is_safe(context: Context, state: State) -> int: ...  # whether no turn from there ends the game


def is_best(context: Context, state: State, there: State) -> int: ...  # whether no turn can leave more than this one


def proof(context: Context, state: State, move: int) -> int:
    """Whether a move is surely among the preferred ones."""
    if is_safe(context, state) == 0:
        return 0
    player: int = state[ACTOR]
    onward = array(MOVES)
    there = scratch()
    copy(there, state, STATE)
    step: int = move
    best: int = 0
    branching: int = 1
    while branching != 0:
        effects(context, there, step)
        best = is_best(context, state, there)
        arrive(context, there)
        if there[ACTOR] != player or (TURNS >> there[PHASE]) & 1 == 0:
            return 0
        branching = steps(context, there, onward)
        step = onward[0] if branching != 0 else -1
    return context[0] == 0 and best != 0
