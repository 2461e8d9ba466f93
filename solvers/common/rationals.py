"""Rational numbers, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def over_one_denominator(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """The same numbers as numerators over their least common denominator. Sums of products of whole numbers need no
    common divisors on the way, which is what makes sums of fractions slow."""
    denominator = lcm(*{number.denominator for number in numbers})
    return [number.numerator * (denominator // number.denominator) for number in numbers], denominator


def bytes_over_one_denominator(numbers: Sequence[Fraction]) -> int:
    """What :func:`over_one_denominator` would make of numbers that are about 1 in size: the digits alone, which may be
    many where denominators have little in common."""
    return len(numbers) * (lcm(*{number.denominator for number in numbers}).bit_length() // 8)
