"""Exact numbers in print."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

from zermelo.interpreter.decimals import rounded

LEGIBLE: Final = 40
"""How many characters of a fraction are worth printing."""


def approximation(number: Fraction | int) -> str:
    """A whole number as it is, another one as a decimal that is marked as rounded: ``≈ -0.0556``."""
    return str(number) if number.denominator == 1 else f"≈ {rounded(number, 4)}"


def exactly(number: Fraction | int) -> str:
    """The number itself, with a decimal beside it where it is not whole: ``-1/18 ≈ -0.05556``; the decimal alone where
    nobody would read the fraction."""
    if number.denominator == 1:
        return str(number)
    return approximation(number) if len(str(number)) > LEGIBLE else f"{number} {approximation(number)}"


def above(number: Fraction) -> str:
    """A small positive number in two digits, which is no less: ``1.8e-11``."""
    upwards = Context(prec=2, rounding=ROUND_CEILING)
    return str(upwards.divide(Decimal(number.numerator), Decimal(number.denominator))).lower()


def between(low: Fraction, high: Fraction) -> str:
    """An interval in decimals, which contains this one and is hardly wider: ``-0.0857 and -0.0855``."""
    if low == high:
        return f"{low} and {high}"
    width = high - low
    places = max(0, 2 - floor(log10(width.numerator) - log10(width.denominator)))
    return f"{_decimal(floor(low * 10**places), places)} and {_decimal(ceil(high * 10**places), places)}"


def _decimal(units: int, places: int) -> str:
    """So many units of the last of these decimal places."""
    digits = str(abs(units)).zfill(places + 1)
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if units < 0 else "") + whole + ("." if rest else "") + rest
