"""What all algorithms of regret offer."""

from __future__ import annotations

from typing import Protocol


class Minimizer(Protocol):
    """An algorithm between two iterations."""

    @property
    def iterations(self) -> int:
        """How many iterations have been made."""

    def iterate(self, count: int = 1) -> None:
        """So many iterations more."""

    def averages(self) -> list[list[float]]:
        """The average plan of each player, but for rounding."""

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than his own, but for rounding."""

    def save(self) -> bytes | None:
        """All that the next iterations depend on; None in the middle of one, after an interrupt."""

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
