"""The size of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from zermelo.interpreter.checks.loops import Loop


@frozen
class Size:
    """The number of positions, of ends among them, and of moves of the longest play (None if unknown or unbounded).
    ``stopped`` says what ended the count early, empty if nothing did. ``loop`` is a play with a cycle, if one was
    met."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str
    loop: Loop | None = None

    @property
    def finished(self) -> bool:
        return not self.stopped
