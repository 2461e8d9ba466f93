"""Drawing an outcome of chance from the list of weights."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, Context, Random, State, drawn, ints


def list_outcomes(context: Context, state: State, moves: ints[MOVES], weights: ints[MOVES]) -> int: ...


def weighted(context: Context, state: State, moves: ints[MOVES], weights: ints[MOVES], random: Random) -> int:
    """One of the outcomes by its weight, -1 if there is none."""
    count: int = list_outcomes(context, state, moves, weights)
    if count == 0 or context[0] != 0:  # after a fault there may be no weights
        return -1
    total: int = 0
    for k in range(count):
        total += weights[k]
    rest: int = drawn(random, total)
    at: int = 0
    while rest >= weights[at]:
        rest -= weights[at]
        at += 1
    return moves[at]
