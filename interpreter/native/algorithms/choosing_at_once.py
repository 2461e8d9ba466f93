"""A choice among those that players make at once, one after the other; all take effect after the last one."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PLAYERS, Context, State, lowest

ACTOR: int  # the slot of the actor: a player's number plus 2
WAITING: int  # the slot of the set of players who are still to choose
CHOICES: int  # the first slot of the players' choices so far: a move plus 1


def begin_run(state: State) -> int: ...


def take_effect(context: Context, state: State) -> int: ...


def choose(context: Context, state: State, move: int) -> int:
    """Make the choice of the player to act; whether others are still to choose."""
    state[CHOICES + state[ACTOR] - 2] = move + 1
    state[WAITING] = state[WAITING] & (state[WAITING] - 1)
    if state[WAITING] != 0:
        state[ACTOR] = lowest(state[WAITING]) + 2
        return 1
    begin_run(state)
    take_effect(context, state)
    for player in range(PLAYERS):
        state[CHOICES + player] = 0
    return 0
