"""The state after ``setup``."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import STATE, Context, State, bits

START: tuple[bits, ...]  # its entries


def set_up(context: Context, state: State) -> int:
    """Fill the state."""
    for k in range(STATE):
        state[k] = START[k]
    return 0
