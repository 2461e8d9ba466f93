"""Tellings, kept in the state until the next move, and a player's observations of them."""

from __future__ import annotations

TOLD: int  # the slot of the number of tellings, which follow it
SIZE: int  # the slots of a telling: a head and its values
MOST: int  # the most of them
LABEL: int  # the low bits of a head, for the label; the hearers are above
OVERFLOW: int  # the fault site if there are more


def show(S: state, at: int, label: int, R: ints[WORDS], n: int) -> int: ...  # write the telling at a slot


def shown_tellings(C: ints[CONTEXT], S: state, p: int, R: ints[WORDS], n: int) -> int:
    """Write the tellings that player p hears."""
    told: int = S[TOLD]
    if told > MOST:
        if C[0] == 0:
            C[0] = OVERFLOW
        told = MOST
    one: int = 1
    for i in range(told):
        at: int = TOLD + 1 + i * SIZE
        if (S[at] >> (LABEL + p)) & 1 != 0:
            n = show(S, at, S[at] & ((one << LABEL) - 1), R, n)
    return n
