"""What may happen next in a position, whoever acts there."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import CHANCE, END, MOVES, Context, State, actor, ints, moves, outcomes


def list_choices(rules: Context, state: State, choices: ints[MOVES], weights: ints[MOVES]) -> int:
    """Write down the legal moves, or the outcomes of chance with their weights; how many there are, 0 at the end."""
    if actor(state) == END:
        return 0
    if actor(state) == CHANCE:
        return outcomes(rules, state, choices, weights)
    return moves(rules, state, choices)
