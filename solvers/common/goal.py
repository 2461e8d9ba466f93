"""When an iteration stops, and where its checkpoint is kept."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue

EXPLOITABILITY: Final = 0.001
ITERATIONS: Final = 100_000
"""The default number of iterations."""


@frozen(eq=False, repr=False)
class Goal(ByValue):
    """Stop at this ``exploitability``, in units of payoff, or after so many ``iterations``. The work is saved to the
    file ``checkpoint``, and resumes from it if it exists."""

    exploitability: float | None = None
    iterations: float = inf
    checkpoint: Path | None = None

    def settled(self, seconds: float) -> tuple[float, float]:
        """The exploitability and the number of iterations at which to stop, with defaults for a time limit of
        ``seconds``."""
        if self.exploitability is None and min(self.iterations, seconds) == inf:
            return EXPLOITABILITY, ITERATIONS
        return (-inf if self.exploitability is None else self.exploitability), self.iterations
