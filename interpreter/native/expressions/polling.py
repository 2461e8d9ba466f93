"""Polling in loops of the rules, so that the host can stop them.

Polling costs a little, and serving it costs more: calls of a program that may take long run in a thread of their own,
so that the main thread receives interrupts. So loops poll only if the product of the bounds on nested rounds allows for
much work, and then in the innermost loop that suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define

from zermelo.interpreter.native.dialect.language import STOPPED
from zermelo.interpreter.native.dialect.text import Body

_UNASKED: Final = 1 << 18
"""The most rounds between polls: a quarter of a second in Python, milliseconds in machine code."""

_LONG: Final = 1 << 28
"""So many rounds may take seconds. (The static bound for a move of chess is 2 ** 26, which takes microseconds.)"""


@define(eq=False)
class Asking:
    """Bounds on the rounds of loops in the text so far: in the current block, in all and between polls; and the most in
    any block."""

    rounds: int = 1
    unasked: int = 1
    most: int = 1

    @property
    def may_take_long(self) -> bool:
        """Whether the text so far may take long."""
        return self.most >= _LONG

    @contextmanager
    def inside(self, rounds: int, body: Body) -> Iterator[None]:
        """The inside of a loop with at most ``rounds`` rounds."""
        before, place = (self.rounds, self.unasked), len(body.lines)
        self.rounds = self.unasked = 1
        yield
        self.rounds *= max(1, rounds)
        self.most = max(self.most, self.rounds)
        if self.unasked * rounds < _UNASKED:
            self.unasked *= max(1, rounds)
        else:
            asking = body.beside()
            with asking.block("if poll() != 0"):
                with asking.block("if C[0] == 0"):
                    asking.line(f"C[0] = {STOPPED}")
                asking.line("break")
            body.lines[place:place] = asking.lines
        self.rounds, self.unasked = max(before[0], self.rounds), max(before[1], self.unasked)

    def repeat(self, steps: int) -> None:
        """The text so far may be called ``steps`` times in a row."""
        self.most *= steps

    def ask(self, body: Body) -> None:
        """Poll before a check of ``C[0]``, if the text may take long."""
        if self.may_take_long:
            with body.block("if poll() != 0 and C[0] == 0"):
                body.line(f"C[0] = {STOPPED}")
