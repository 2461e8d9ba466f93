"""The players who choose at once."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PLAYERS, Context, State, bits


def players_asked(context: Context, state: State) -> bits: ...  # the players whom the rules name


def is_offered(context: Context, state: State, player: int) -> int: ...  # whether a player has a choice


def choosers(context: Context, state: State) -> int:
    """The mask of those who are asked and have a choice."""
    asked: bits = players_asked(context, state)
    found: int = 0
    for player in range(PLAYERS):
        if (asked >> player) & 1 != 0 and is_offered(context, state, player) != 0:
            found = found | 1 << player
    return found
