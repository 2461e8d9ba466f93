"""Making room in the state for a telling, which is kept there until the next move."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

TOLD: int  # the slot of the number of tellings, which follow it
SIZE: int  # the slots of a telling: a head and its values
MOST: int  # the most of them; one more is counted, but has no room
LABEL: int  # the low bits of a head, for the label; the hearers are above


def begin_telling(state: State, hearers: bits, label: int) -> int:
    """Write the head of a telling; its slot, before those of the values, or -1 if there is no room."""
    told: int = state[TOLD]
    if told <= MOST:
        state[TOLD] = told + 1
    if told >= MOST:
        return -1
    at: int = TOLD + 1 + told * SIZE
    state[at] = (hearers << LABEL) | label
    return at
