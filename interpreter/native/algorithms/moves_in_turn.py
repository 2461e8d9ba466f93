"""A player's observations of the last move where all decide in turn."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import WORDS, State, ints, moved

ACTOR: int  # the slot of the actor: a player's number plus 2


def shown_moves(last: State, state: State, move: int, player: int, seen: ints[WORDS], count: int) -> int:
    """Write a player's observations of a move, made in ``last``, behind ``count`` words; -1 stands for no move."""
    return moved(move, last[ACTOR] - 2, player, seen, count) if move >= 0 else count


def is_midway(last: State, state: State, move: int) -> int:
    """Whether other players are still to choose together with a move."""
    return 0
