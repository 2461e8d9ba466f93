"""Exact numbers and the two infinities."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue

Number = int | Fraction | float
"""An exact payoff; the only floats are the two infinities."""


def plus(one: Number, other: Number) -> Number:
    """The sum of two numbers, one of which may be infinite. Python would convert the other one to a float, which may
    overflow."""
    if isinstance(one, float):
        return one
    return other if isinstance(other, float) else one + other


def times(factor: Number, number: Number) -> Number:
    """The product of a factor above 0 and a number, which may be infinite."""
    return number if isinstance(number, float) else factor * number


class Infinite(float):
    """More or less than every number. Negation, and sums and differences with numbers, are exact: Python would convert
    the number to a float, which may overflow."""

    def __neg__(self) -> Infinite:
        return Infinite(-float(self))

    def _itself(self, _: object) -> Infinite:
        return self

    __add__ = __radd__ = __sub__ = _itself

    def __rsub__(self, _: object) -> Infinite:
        return -self


INFINITE: Final = Infinite(inf)


@frozen(eq=False, repr=False)
class JustAbove(ByValue):
    """More than an amount, and less than whatever else is more than that."""

    amount: Number

    def __le__(self, number: Number) -> bool:
        return self.amount < number

    def __gt__(self, number: Number) -> bool:
        return self.amount >= number
