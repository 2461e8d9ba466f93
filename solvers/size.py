"""How large a game is."""

from __future__ import annotations

from attrs import frozen


@frozen
class Size:
    """How large a game is: its positions, how many of them are ends, and the moves of its longest play (None where that
    is not known). ``stopped`` says what ended the count early; it is empty where everything was counted."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str

    @property
    def finished(self) -> bool:
        return not self.stopped
