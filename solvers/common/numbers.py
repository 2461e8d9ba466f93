"""Exact numbers, with the two infinities beside them."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Final

from attrs import frozen

Number = int | Fraction | float
"""An exact payoff; floats are the two infinities alone."""


def plus(one: Number, other: Number) -> Number:
    """The sum of two numbers, of which one may be infinite. Python by itself would make a float of the other then, and
    not every number can be one."""
    if isinstance(one, float):
        return one
    return other if isinstance(other, float) else one + other


def times(factor: Number, number: Number) -> Number:
    """The product with a factor above 0, where the number may be infinite."""
    return number if isinstance(number, float) else factor * number


class Infinite(float):
    """More or less than every number. With a sign before it, or with a number added or taken away, it stays what it
    is: Python by itself would make a float of the number, and not every number can be one."""

    def __neg__(self) -> Infinite:
        return Infinite(-float(self))

    def _itself(self, _: object) -> Infinite:
        return self

    __add__ = __radd__ = __sub__ = _itself

    def __rsub__(self, _: object) -> Infinite:
        return -self


INFINITE: Final = Infinite(inf)


@frozen
class JustAbove:
    """More than an amount, and less than whatever else is more than that."""

    amount: Number

    def __le__(self, number: Number) -> bool:
        return self.amount < number

    def __gt__(self, number: Number) -> bool:
        return self.amount >= number
