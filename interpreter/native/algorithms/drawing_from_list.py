"""Drawing one of the moves of a decision from their list."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, Context, Random, State, drawn, ints


def list_moves(context: Context, state: State, moves: ints[MOVES]) -> int: ...


def any_move(context: Context, state: State, moves: ints[MOVES], random: Random) -> int:
    """One of the moves, all equally likely, -1 if there is none."""
    count: int = list_moves(context, state, moves)
    return moves[drawn(random, count)] if count > 0 else -1
