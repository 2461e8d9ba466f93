"""How large a game is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from zermelo.interpreter.checks.loops import Loop


@frozen
class Size:
    """How large a game is: its positions, how many of them are ends, and the moves of its longest play (None where that
    is not known or has no bound). ``stopped`` says what ended the count early; it is empty where everything was
    counted. ``loop`` is a play that comes back to a position, if one was met."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str
    loop: Loop | None = None

    @property
    def finished(self) -> bool:
        return not self.stopped
