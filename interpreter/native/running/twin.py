"""The reference machine beside a lowered one: the same states, found by playing their moves again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from zermelo.interpreter.machine import NULL_MOVE, TellingMachine
from zermelo.interpreter.native.running.lowered_state import LoweredState


class Twin:
    """The reference machine of the same game, which is made when it is needed first."""

    def __init__(self, make: Callable[[], TellingMachine[Any]]) -> None:
        self._make = make

    @cached_property
    def machine(self) -> TellingMachine[Any]:
        return self._make()

    def state(self, state: LoweredState) -> Any:
        """The same state on the reference machine. It is kept, so that later ones need one step each."""
        waiting = []
        at = state
        while at.reference is None and at.before is not None:
            waiting.append(at)
            at = at.before
        there = self.machine.initial() if at.reference is None else at.reference
        at.reference = there
        for later in reversed(waiting):
            assert later.move is not None
            is_pass = later.move == NULL_MOVE
            behind = self.machine.passed(there) if is_pass else self.machine.after(there, later.move)
            assert behind is not None, "null moves are possible on both machines or on none"
            there = later.reference = behind
        return there
