"""The interface of regret minimization algorithms."""

from __future__ import annotations

from typing import Protocol


class Minimizer(Protocol):
    """An algorithm between two iterations."""

    @property
    def iterations(self) -> int:
        """The number of iterations made."""

    def iterate(self, count: int = 1) -> None:
        """Make ``count`` more iterations."""

    def averages(self) -> list[list[float]]:
        """The average plan of each player, up to rounding."""

    def gains(self) -> list[float]:
        """Each player's gain by a best response to the average plans, up to rounding."""

    def save(self) -> bytes | None:
        """All that determines the next iterations; None in the middle of one, after an interrupt."""

    def load(self, saved: bytes) -> None:
        """Resume from a saved state."""
