"""Exact numbers in print."""

from __future__ import annotations

from fractions import Fraction


def approximation(number: Fraction | int) -> str:
    """A whole number as it is, another one as a decimal that is marked as rounded: ``≈ -0.0556``."""
    return str(number) if number.denominator == 1 else f"≈ {float(number):.4g}"


def exactly(number: Fraction | int) -> str:
    """The number itself, with a decimal beside it where it is not whole: ``-1/18 ≈ -0.05556``."""
    return str(number) if number.denominator == 1 else f"{number} {approximation(number)}"
