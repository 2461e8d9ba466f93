"""The entries of a variable of which several share a slot (:mod:`zermelo.interpreter.native.coding.state_layout`), in
their stored form."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

FIRST: int  # the first slot
DOUBLINGS: int  # the logarithm of the number of entries in a slot
LAST: int  # the place of the last of them
WIDTH: int  # the bits of an entry
ENTRY: bits  # an entry with all its bits
FULL: bits  # all bits of a slot


def get(state: State, at: int) -> int:
    """An entry that is a number."""
    return (state[FIRST + (at >> DOUBLINGS)] >> ((at & LAST) * WIDTH)) & ENTRY


def get_set(state: State, at: int) -> bits:
    """An entry that is a set."""
    return (state[FIRST + (at >> DOUBLINGS)] >> ((at & LAST) * WIDTH)) & ENTRY


def put(state: State, at: int, value: bits) -> int:
    """Write an entry."""
    slot: int = FIRST + (at >> DOUBLINGS)
    shift: int = (at & LAST) * WIDTH
    entry: bits = ENTRY
    state[slot] = (state[slot] & ((entry << shift) ^ FULL)) | (value << shift)
    return 0
