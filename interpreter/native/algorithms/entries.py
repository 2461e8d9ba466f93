"""The entries of a variable in the state: filling all of them, and reading and writing those that share a slot
(:mod:`zermelo.interpreter.native.rules.statements`, :mod:`zermelo.interpreter.native.state_encoding.state_layout`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

SLOTS: tuple[int, ...]  # the slots of the entries
COUNT: int  # the number of slots
FIRST: int  # the first slot, that of the lowest plane
WIDTH: int  # the bits of an entry
DOUBLINGS: int  # the logarithm of the number of entries in a slot
ENTRIES: tuple[bits, ...]  # the bits of the entries in each slot
PLANES: int  # the number of planes
FULL: bits  # all bits of a word
LAST: int  # the place of the last entry in a slot
ENTRY: bits  # an entry with all its bits


# One value for all entries of a variable that has a slot for each (:mod:`zermelo.interpreter.native.rules.statements`).


def fill_slots(state: State, value: bits) -> int:
    """Write the stored form of a value to every entry."""
    for k in range(COUNT):
        state[SLOTS[k]] = value
    return 0


# One value for all entries of a variable of which several share a slot
# (:mod:`zermelo.interpreter.native.rules.statements`).


def fill_packed(state: State, value: bits) -> int:
    """Write the stored form of a value to every entry: whole slots, with the value repeated side by side."""
    pattern: bits = value
    for k in range(DOUBLINGS):
        pattern = pattern | (pattern << (WIDTH << k))
    for k in range(COUNT):
        state[FIRST + k] = pattern & ENTRIES[k]
    return 0


# One value for some entries of a variable that is kept in planes, one for each bit of a value
# (:mod:`zermelo.interpreter.native.rules.statements`).


def fill_planes(state: State, entries: bits, value: int) -> int:
    """Write the stored form of a value to these entries."""
    for k in range(PLANES):
        plane: bits = state[FIRST + k]
        state[FIRST + k] = plane | entries if (value >> k) & 1 != 0 else plane & (entries ^ FULL)
    return 0


# The entries of a variable of which several share a slot
# (:mod:`zermelo.interpreter.native.state_encoding.state_layout`), in their stored form.


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
