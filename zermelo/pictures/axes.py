"""Axes with round numbers: what lies where on them, on a plain scale and on one of powers of ten."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final, Protocol

from attrs import frozen

_TICKS: Final = 6
"""About how many numbers stand on an axis."""

_LONG: Final = 10**6
"""From here on numbers are written with powers of ten."""

_SHORT: Final = Fraction(1, 10**4)
"""So are those below."""

_FEW_DECADES: Final = 2
"""On so many there is room for 2 and 5 beside each power of ten."""


class AnyAxis(Protocol):
    """An axis of either scale, from the left or from below."""

    @property
    def length(self) -> float:
        """The whole axis, in pixels."""

    @property
    def ticks(self) -> tuple[Fraction, ...]:
        """The round numbers on it."""

    def place(self, number: Fraction) -> float:
        """How far along the axis a number lies, in pixels."""


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


@frozen
class LogAxis:
    """Positive numbers from ``low`` to ``high``, as many pixels for each power of ten, with ``ticks`` at round ones."""

    low: Fraction
    high: Fraction
    length: float
    ticks: tuple[Fraction, ...]

    def place(self, number: Fraction) -> float:
        """How far along the axis a positive number lies, in pixels."""
        return _log(number / self.low) / _log(self.high / self.low) * self.length


def axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of numbers between two, from a round one to a round one; if they are the same, with one on each side."""
    if least == most:
        least, most = least - 1, most + 1
    step = _step((most - least) / _TICKS)
    first, last = floor(least / step), ceil(most / step)
    return Axis(first * step, last * step, length, tuple(k * step for k in range(first, last + 1)))


def count_axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of whole numbers between two, with ticks at whole numbers, from a round one to the last."""
    last = max(most, least + 1)
    step = max(Fraction(1), _step((last - least) / _TICKS / 2))
    first = floor(least / step) * step
    return Axis(first, last, length, tuple(first + k * step for k in range(floor((last - first) / step) + 1)))


def log_axis(least: Fraction, most: Fraction, length: float) -> LogAxis:
    """The axis of positive numbers between two, from a round one to a round one: powers of ten, or these with 2 and 5
    times each if they are few."""
    first, last = floor(_log(least)), ceil(_log(most))
    last = max(last, first + 1)
    if last - first <= _FEW_DECADES:
        round_ones = [factor * Fraction(10) ** power for power in range(first, last + 1) for factor in (1, 2, 5)]
        below = [each for each in round_ones if each <= least]
        above = [each for each in round_ones if each >= most and each > below[-1]]
        ticks = tuple(each for each in round_ones if below[-1] <= each <= above[0])
    else:
        stride = ceil((last - first) / _TICKS)
        ticks = tuple(Fraction(10) ** power for power in range(first, last + stride, stride))
    return LogAxis(ticks[0], ticks[-1], length, ticks)


def _step(least: Fraction) -> Fraction:
    """The least of ..., 1/10, 1/5, 1/2, 1, 2, 5, 10, ... that is no less."""
    power = Fraction(10) ** floor(_log(least))
    return next(step for factor in (1, 2, 5, 10, 20) if (step := factor * power) >= least)


def _log(number: Fraction) -> float:
    """The logarithm of a positive number, which may be beyond floating point."""
    return log10(number.numerator) - log10(number.denominator)


def written(number: Fraction) -> str:
    """A number at an axis: 1,000 and 0.01, and powers of ten where these are shorter."""
    is_plain = number.denominator == 1 and abs(number) < _LONG
    return f"{int(number):,}" if is_plain else about(number, 6)


def about(number: Fraction, digits: int = 3) -> str:
    """A number rounded to so many digits, without zeros at the end; it may be beyond floating point."""
    value = Decimal(number.numerator) / Decimal(number.denominator)
    rounded = f"{value:.{digits - 1}e}" if 0 < abs(number) < _SHORT else f"{value:.{digits}g}"
    figures, e, power = rounded.partition("e")
    short = figures.rstrip("0").rstrip(".") if "." in figures else figures
    return f"{short}{e}{int(power)}" if e else short
