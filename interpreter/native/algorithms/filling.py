"""One value for all entries of a variable that has a slot for each
(:mod:`zermelo.interpreter.native.rules.statements`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import State, bits

SLOTS: tuple[int, ...]  # the slots of the entries
COUNT: int  # their number


def fill(state: State, value: bits) -> int:
    """Write the stored form of a value to every entry."""
    for k in range(COUNT):
        state[SLOTS[k]] = value
    return 0
