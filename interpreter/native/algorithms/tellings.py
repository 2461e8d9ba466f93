"""Tellings, kept in the state until the next move, and a player's observations of them."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import WORDS, Context, State, ints

TOLD: int  # the slot of the number of tellings, which follow it
SIZE: int  # the slots of a telling: a head and its values
MOST: int  # the most of them
LABEL: int  # the low bits of a head, for the label; the hearers are above
OVERFLOW: int  # the fault site if there are more


def show(state: State, at: int, label: int, seen: ints[WORDS], count: int) -> int: ...  # write the telling at a slot


def shown_tellings(context: Context, state: State, player: int, seen: ints[WORDS], count: int) -> int:
    """Write the tellings that a player hears."""
    told: int = state[TOLD]
    if told > MOST:
        if context[0] == 0:
            context[0] = OVERFLOW
        told = MOST
    one: int = 1
    for i in range(told):
        at: int = TOLD + 1 + i * SIZE
        if (state[at] >> (LABEL + player)) & 1 != 0:
            count = show(state, at, state[at] & ((one << LABEL) - 1), seen, count)
    return count
