"""What algorithms find that prove bounds of the numbers of a contest, and no fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol


class Intervals(Protocol):
    """Proved bounds of the numbers of a contest, and for each who decides an edge that belongs to the proof."""

    @property
    def choices(self) -> Sequence[int]: ...

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none."""
