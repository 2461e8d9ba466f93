"""The state behind the moves of a play, a line, or a path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from zermelo.interpreter.machine import Machine, Move

S = TypeVar("S")


def reached(machine: Machine[S], moves: Iterable[Move]) -> S:
    """The state after these moves and outcomes from the beginning."""
    state = machine.initial()
    for move in moves:
        state = machine.after(state, move)
    return state
