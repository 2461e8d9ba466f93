"""Numbers as whole numbers: the scale of a type, and the bounds on it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final

from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.types import NumberType, Type, strip_none

LIMIT: Final = 1 << 61
"""The bound on absolute values of numbers; plays with larger ones fall back to the reference machine."""

NO_NUMBER: Final = -(1 << 62)
"""The code of none among numbers."""

MOST_PARTS: Final = 1 << 24
"""The largest denominator of numbers and of payoffs."""


def number_type(type: Type) -> NumberType | None:
    """The type of numbers behind a type, or None."""
    base = strip_none(type).base
    return base if isinstance(base, NumberType) else None


@cache
def scale_of(type: Type) -> int:
    """The scale of a type of numbers in steps: a code is the number times the scale. 1 for all other types."""
    number = number_type(type)
    if number is None or number.low is None or number.step is None:
        return 1
    return lcm(Fraction(number.low).denominator, Fraction(number.step).denominator)


def greatest_magnitude(type: Type) -> Fraction | None:
    """The greatest absolute value of a type of numbers, None if it has no bounds."""
    number = number_type(type)
    if number is None or number.low is None or number.high is None:
        return None
    return max(abs(Fraction(number.low)), abs(Fraction(number.high)))


def is_below(type: Type, scale: int, limit: int) -> bool:
    """Whether the bounds of the type keep its numbers, on this scale, below a limit."""
    size = greatest_magnitude(type)
    return size is not None and size * scale < limit


def is_beyond(type: NumberType, limit: int, scale: int = 1) -> bool:
    """Whether all numbers of a type lie beyond a limit, on this scale."""
    return (type.low is not None and type.low * scale > limit) or (type.high is not None and type.high * scale < -limit)


def step_of(type: NumberType) -> int:
    """The distance between neighbouring codes of a type of numbers in steps."""
    assert type.step is not None
    return int(type.step * scale_of(type))


@cache
def code_bounds(type: NumberType) -> tuple[int, int]:
    """The least and the greatest code of a bounded type of numbers in steps, cut at :data:`LIMIT`."""
    if type.low is None or type.high is None:
        raise Unsupported("a number without known bounds")
    if type.step is None:
        raise Unsupported("storing a number that may be any fraction")
    scale = scale_of(type)
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    low, high = max(int(type.low * scale), -LIMIT), min(int(type.high * scale // 1), LIMIT)
    if low > LIMIT or high < -LIMIT:
        raise Unsupported("a type whose numbers all have more than 62 bits")
    return low, high
