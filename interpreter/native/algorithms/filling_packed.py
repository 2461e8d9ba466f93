"""One value for all entries of a variable of which several share a slot
(:mod:`zermelo.interpreter.native.rules.statements`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

FIRST: int  # the first slot
SLOTS: int  # the number of slots
WIDTH: int  # the bits of an entry
DOUBLINGS: int  # the logarithm of the number of entries in a slot
ENTRIES: tuple[bits, ...]  # the bits of the entries in each slot


def fill(state: State, value: bits) -> int:
    """Write the stored form of a value to every entry: whole slots, with the value repeated side by side."""
    pattern: bits = value
    for k in range(DOUBLINGS):
        pattern = pattern | (pattern << (WIDTH << k))
    for k in range(SLOTS):
        state[FIRST + k] = pattern & ENTRIES[k]
    return 0
