"""Loops of the rules that ask whether they are to go on.

To ask costs a little, and to be asked costs more: calls of a program that may take long are made in a thread of their
own, so that the main thread hears an interrupt. So loops ask only where the bounds on their rounds, multiplied along
the nest, allow for much work, and then the outermost for which that is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define

from zermelo.interpreter.native.dialect.language import STOPPED
from zermelo.interpreter.native.dialect.text import Body

_UNASKED: Final = 1 << 18
"""So many rounds may go by until one asks: a quarter of a second of Python, thousandths of machine code."""

_LONG: Final = 1 << 28
"""So many may take seconds. (What the types tell of a move of chess is 2 ** 26, which takes microseconds.)"""


@define(eq=False)
class Asking:
    """What is known of the text so far: of the block being written, how many rounds its loops make at most, in all and
    in a row without asking; and the most that there are anywhere."""

    rounds: int = 1
    unasked: int = 1
    most: int = 1

    @property
    def may_take_long(self) -> bool:
        """Whether what has been written so far may take long."""
        return self.most >= _LONG

    @contextmanager
    def inside(self, rounds: int, body: Body) -> Iterator[None]:
        """The inside of a loop that has so many rounds at most."""
        before, place = (self.rounds, self.unasked), len(body.lines)
        self.rounds = self.unasked = 1
        yield
        self.rounds *= max(1, rounds)
        self.most = max(self.most, self.rounds)
        if self.unasked * rounds < _UNASKED:
            self.unasked *= max(1, rounds)
        else:
            indent = "    " * body.depth
            asking = ("if poll() != 0:", "    if C[0] == 0:", f"        C[0] = {STOPPED}", "    break")
            body.lines[place:place] = [indent + line for line in asking]
        self.rounds, self.unasked = max(before[0], self.rounds), max(before[1], self.unasked)

    def repeat(self, steps: int) -> None:
        """What has been written so far may be called so often, one after the other."""
        self.most *= steps

    def ask(self, body: Body) -> None:
        """Ask where ``C[0]`` is looked at next, if all may take long."""
        if self.may_take_long:
            with body.block("if poll() != 0 and C[0] == 0"):
                body.line(f"C[0] = {STOPPED}")
