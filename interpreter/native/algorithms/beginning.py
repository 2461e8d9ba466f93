"""The state after ``setup``, and the one in which a play begins."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import STATE, Context, State, bits, settle

START: tuple[bits, ...]  # the entries of the state after ``setup``


def start(context: Context, state: State) -> int: ...  # enter the first phase


def set_up(context: Context, state: State) -> int:
    """Fill the state."""
    for k in range(STATE):
        state[k] = START[k]
    return 0


def begin(context: Context, state: State) -> int:
    """Make the state in which a play begins."""
    set_up(context, state)
    start(context, state)
    return settle(context, state)
