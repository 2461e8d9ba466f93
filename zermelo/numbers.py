"""Exact numbers in print."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

from zermelo.interpreter.decimals import rounded

LEGIBLE: Final = 40
"""The longest fraction worth printing, in characters."""


def approximation(number: Fraction | int) -> str:
    """A whole number as it is, a fraction as a rounded decimal: ``≈ -0.0556``."""
    return str(number) if number.denominator == 1 else f"≈ {rounded(number, 4)}"


def exactly(number: Fraction | int) -> str:
    """The number, with a decimal if it is not whole: ``-1/18 ≈ -0.05556``; the decimal alone if the fraction is too
    long to read."""
    if number.denominator == 1:
        return str(number)
    return approximation(number) if len(str(number)) > LEGIBLE else f"{number} {approximation(number)}"


def within(number: Fraction | int, error: Fraction) -> str:
    """A number known to within ``error``, as :func:`exactly` if that is 0, else by the decimals that are certain: ``≈
    0.0797857195``; the interval if no place is."""
    if not error:
        return exactly(number)
    known = certain_decimals(number, error)
    return f"between {interval_text(number - error, number + error)}" if known is None else f"≈ {known}"


def certain_decimals(number: Fraction | int, error: Fraction) -> str | None:
    """The decimals that are certain of a number known to within ``error`` above 0: whatever it is, what is written
    differs from it by no more than 1 in the last place. None if not even the whole numbers are certain.

    Sound: there are as many places as let 2 * error be at most 1 in the last one, and rounding adds half of that."""
    if 2 * error > 1:
        return None
    scale = floor(1 / (2 * error))
    places = len(str(scale)) - 1
    return _decimal(round(number * 10**places), places)


def above(number: Fraction) -> str:
    """A small positive number, rounded up to two digits: ``1.8e-11``."""
    upwards = Context(prec=2, rounding=ROUND_CEILING)
    return str(upwards.divide(Decimal(number.numerator), Decimal(number.denominator))).lower()


def interval_text(low: Fraction, high: Fraction) -> str:
    """An interval in decimals, rounded outward: ``-0.0857 and -0.0855``."""
    if low == high:
        return f"{low} and {high}"
    width = high - low
    places = max(0, 2 - floor(log10(width.numerator) - log10(width.denominator)))
    return f"{_decimal(floor(low * 10**places), places)} and {_decimal(ceil(high * 10**places), places)}"


def _decimal(units: int, places: int) -> str:
    """The decimal with ``places`` places whose digits are ``units``."""
    digits = str(abs(units)).zfill(places + 1)
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if units < 0 else "") + whole + ("." if rest else "") + rest
