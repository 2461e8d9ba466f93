"""Exact numbers as short decimals."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

_LARGEST_FLOAT: Final = 10**300


def rounded(number: Fraction | int, digits: int) -> str:
    """A number, perhaps beyond the range of floats, to so many significant digits: ``-0.0556``, ``5.53e+17``."""
    if -_LARGEST_FLOAT < number < _LARGEST_FLOAT:
        return f"{float(number):.{digits}g}"
    from decimal import Decimal

    return f"{Decimal(number.numerator) / number.denominator:.{digits}g}"
