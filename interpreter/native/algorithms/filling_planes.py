"""One value for some entries of a variable that is kept in planes, one for each bit of a value
(:mod:`zermelo.interpreter.native.rules.statements`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

FIRST: int  # the slot of the lowest plane
PLANES: int  # the number of planes
FULL: bits  # all bits of a word


def fill(state: State, entries: bits, value: int) -> int:
    """Write the stored form of a value to these entries."""
    for k in range(PLANES):
        plane: bits = state[FIRST + k]
        state[FIRST + k] = plane | entries if (value >> k) & 1 != 0 else plane & (entries ^ FULL)
    return 0
