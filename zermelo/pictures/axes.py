"""An axis with round numbers: what lies where on it."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

from attrs import frozen

_TICKS: Final = 6
"""About how many numbers stand on an axis."""


@frozen
class Axis:
    """Numbers from ``low`` to ``high`` along so many pixels, with ``ticks`` at round ones."""

    low: Fraction
    high: Fraction
    length: float
    ticks: tuple[Fraction, ...]

    def place(self, number: Fraction) -> float:
        """How far along the axis a number lies, in pixels."""
        return float((number - self.low) / (self.high - self.low)) * self.length


def axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of numbers between two, from a round one to a round one; if they are the same, with one on each side."""
    if least == most:
        least, most = least - 1, most + 1
    step = _step((most - least) / _TICKS)
    first, last = floor(least / step), ceil(most / step)
    return Axis(first * step, last * step, length, tuple(k * step for k in range(first, last + 1)))


def _step(least: Fraction) -> Fraction:
    """The least of ..., 1/10, 1/5, 1/2, 1, 2, 5, 10, ... that is no less."""
    power = Fraction(10) ** floor(log10(least))
    return next(step for factor in (1, 2, 5, 10, 20) if (step := factor * power) >= least)
