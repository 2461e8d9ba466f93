"""Rational numbers over a common denominator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def over_one_denominator(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """The same numbers as numerators over their least common denominator. Sums of products then need no greatest common
    divisors, which make sums of fractions slow."""
    denominator = lcm(*{number.denominator for number in numbers})
    return [number.numerator * (denominator // number.denominator) for number in numbers], denominator


def bytes_over_one_denominator(numbers: Sequence[Fraction]) -> int:
    """The bytes of the digits from :func:`over_one_denominator`, for numbers of size about 1; many if denominators have
    few common factors."""
    return len(numbers) * (lcm(*{number.denominator for number in numbers}).bit_length() // 8)
