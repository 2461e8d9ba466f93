"""How a run of lowered code can fail, beside the errors of the rules."""

from __future__ import annotations


class Disagreement(AssertionError):
    """The two machines differ: a fault of the lowering, never of a game."""


class BeyondLimits(Exception):
    """A play exceeds the limits of kernels, and ``why``, in words. The machine itself can continue it."""

    def __init__(self, why: str = "numbers are too large for 64 bits") -> None:
        super().__init__(why)
        self.why = why
