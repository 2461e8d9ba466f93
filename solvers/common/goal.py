"""Where an iteration that comes nearer and nearer is to stop, and where its work is kept."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Final

from attrs import frozen

EXPLOITABILITY: Final = 0.001
ITERATIONS: Final = 100_000
"""Where to stop if nobody says so."""


@frozen
class Goal:
    """Stop at this ``exploitability``, in units of payoff, or after so many ``iterations``. The work is kept in the
    file ``checkpoint``, and goes on from there if it exists."""

    exploitability: float | None = None
    iterations: float = inf
    checkpoint: Path | None = None

    def settled(self, seconds: float) -> tuple[float, float]:
        """At which exploitability and after how many iterations to stop, where the time is limited to ``seconds``: as
        it was said, or where nothing was, at what will do."""
        if self.exploitability is None and min(self.iterations, seconds) == inf:
            return EXPLOITABILITY, ITERATIONS
        return (-inf if self.exploitability is None else self.exploitability), self.iterations
