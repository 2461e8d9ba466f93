"""A player's observations on coming to a state, each preceded by its length."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import WORDS, Context, State, ints


def shown_moves(last: State, state: State, move: int, player: int, seen: ints[WORDS], count: int) -> int: ...


def is_midway(last: State, state: State, move: int) -> int: ...  # whether others are still to choose


def shown_values(context: Context, last: State, state: State, player: int, seen: ints[WORDS], count: int) -> int: ...


def shown_question(state: State, player: int, seen: ints[WORDS], count: int) -> int: ...


def observed(context: Context, last: State, state: State, move: int, player: int, seen: ints[WORDS]) -> int:
    """Write a player's observations on coming to ``state`` from ``last`` by a move; the number of words."""
    count: int = shown_moves(last, state, move, player, seen, 0)
    if is_midway(last, state, move) != 0:
        return count
    count = shown_tellings(context, state, player, seen, count)
    end: int = shown_values(context, last, state, player, seen, count + 1)  # all new values make one observation
    seen[count] = end - count - 1
    return shown_question(state, player, seen, end if end > count + 1 else count)


def shown_tellings(context: Context, state: State, player: int, seen: ints[WORDS], count: int) -> int:
    """Write no tellings, in games that tell nothing."""
    return count
