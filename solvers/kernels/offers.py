"""What may happen next in a position, moves and outcomes of chance alike."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import CHANCE, END, MOVES, Context, State, actor, ints, moves, outcomes


def list_next(rules: Context, state: State, legal: ints[MOVES], weights: ints[MOVES]) -> int:
    """Write down what may happen next: moves, or where chance draws outcomes with their weights. How many there are,
    0 at the end."""
    if actor(state) == END:
        return 0
    if actor(state) == CHANCE:
        return outcomes(rules, state, legal, weights)
    return moves(rules, state, legal)


def sum_of(weights: ints[MOVES], count: int) -> int:
    """The sum of the first weights."""
    total: int = 0
    for k in range(count):
        total += weights[k]
    return total
