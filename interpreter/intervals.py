"""Interval arithmetic on the types of numbers.

A bound of None is unknown. A step of 1 means whole numbers, another step s the numbers ``low + k s``, and None any
fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import floor, gcd, lcm
from operator import add, mul, sub
from typing import Any, Final

from zermelo.interpreter.types import NumberType
from zermelo.interpreter.values import exact, has_few_digits

Bound = Fraction | int | None

_ON_TWO_NUMBERS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {"+": add, "-": sub, "*": mul, "/": Fraction}


def _interval(low: Bound, high: Bound, step: Bound) -> NumberType:
    """The type of the numbers between the bounds. A bound with too many digits is dropped: such a number is an error
    at run time, and arithmetic on such bounds would take ever longer."""
    if low is not None and not has_few_digits(low):
        low, step = None, step if step == 1 else None
    if high is not None and not has_few_digits(high):
        high = None
    if step is not None and not has_few_digits(step):
        step = None
    return NumberType(low, high, step)


def has_too_many_digits(operator: str, a: NumberType, b: NumberType) -> bool:
    """Whether both operands are known numbers, and the result has too many digits."""
    if a.low is None or b.low is None or a.low != a.high or b.low != b.high or operator not in _ON_TWO_NUMBERS:
        return False
    return not (operator == "/" and b.low == 0) and not has_few_digits(_ON_TWO_NUMBERS[operator](a.low, b.low))


def literal(value: Fraction | int) -> NumberType:
    """The type of one number."""
    return NumberType(value, value, exact(Fraction(1, Fraction(value).denominator)))


def hull(a: NumberType, b: NumberType) -> NumberType:
    """The smallest interval that contains both, with the widest common step."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return _interval(low, high, _whole_step(a, b) or _common_step(a, b, apart=True))


def negate(a: NumberType) -> NumberType:
    low, high = None if a.high is None else -a.high, None if a.low is None else -a.low
    return NumberType(low, high, _whole_step(a) or (a.step if _fits_step(a) else None))


def arithmetic(operator: str, a: NumberType, b: NumberType) -> NumberType:
    """The interval of ``x operator y`` for x in ``a`` and y in ``b``."""
    match operator:
        case "+":
            return _interval(_add(a.low, b.low), _add(a.high, b.high), _whole_step(a, b) or _common_step(a, b))
        case "-":
            return arithmetic("+", a, negate(b))
        case "*":
            return _from_corners(_products(a, b), _whole_step(a, b) or _product_step(a, b))
        case "/":
            return _quotient(a, b, None)
        case "//":
            quotient = _quotient(a, b, 1)
            low = None if quotient.low is None else floor(quotient.low)
            high = None if quotient.high is None else floor(quotient.high)
            return NumberType(low, high, 1)
        case _:
            whole = _whole_step(a, b)
            if b.low is None or b.high is None or b.low <= 0:
                return NumberType(None, None, whole)
            return NumberType(0, b.high - 1 if whole else b.high, whole)


def count_range(a: NumberType, b: NumberType) -> NumberType:
    """The interval of ``x, x + 1, ...`` up to y, for x in ``a`` and y in ``b``."""
    if a.step == 1 and _is_whole(0 if a.low is None else a.low):
        return NumberType(a.low, None if b.high is None else floor(b.high), 1)
    if a.low is None or a.step is None:
        return NumberType(a.low, b.high, None)
    return NumberType(a.low, b.high, 1 if a.low == a.high else _divisor(a.step, 1))


def is_whole(a: NumberType) -> bool:
    return _is_whole(a.step) and _is_whole(0 if a.low is None else a.low)


def total(a: NumberType, most: int | None) -> NumberType:
    """The interval of a sum of at most ``most`` numbers of ``a`` (None: of any length)."""
    if most is None:
        return NumberType(0 if a.low is not None and a.low >= 0 else None, None, _whole_step(a))
    low = None if a.low is None else min(0, most * a.low)
    high = None if a.high is None else max(0, most * a.high)
    return _interval(low, high, _whole_step(a))


def absolute(a: NumberType) -> NumberType:
    if a.low is None or a.high is None:
        return NumberType(0, None, _whole_step(a))
    if a.low <= 0 <= a.high:
        return NumberType(0, max(-a.low, a.high), _whole_step(a))
    return a if a.low > 0 else negate(a)


def extreme(kind: str, a: NumberType, b: NumberType) -> NumberType:
    """The interval of ``max(x, y)`` or ``min(x, y)``."""
    choose = max if kind == "max" else min
    known_low = [bound for bound in (a.low, b.low) if bound is not None]
    known_high = [bound for bound in (a.high, b.high) if bound is not None]
    needed_low = 1 if kind == "max" else 2
    needed_high = 2 if kind == "max" else 1
    return NumberType(
        choose(known_low) if len(known_low) >= needed_low else None,
        choose(known_high) if len(known_high) >= needed_high else None,
        _whole_step(a, b),
    )


def are_disjoint(a: NumberType, b: NumberType) -> bool:
    return (a.high is not None and b.low is not None and a.high < b.low) or (
        a.low is not None and b.high is not None and a.low > b.high
    )


def _whole_step(*operands: NumberType) -> int | None:
    """The step of a sum, difference or product of whole numbers; None where some are not."""
    bounds = [bound for o in operands for bound in (o.low, o.high) if bound is not None]
    return 1 if all(map(_is_whole, [*bounds, *(o.step for o in operands)])) else None


def _is_whole(number: Bound) -> bool:
    return number is not None and Fraction(number).denominator == 1


def _common_step(a: NumberType, b: NumberType, apart: bool = False) -> Bound:
    """The widest step from the least sum to all sums; if ``apart``, from the lesser least value to all values of
    both."""
    if a.low is None or b.low is None or a.step is None or b.step is None:
        return None
    return _divisor(a.step, b.step, a.low - b.low if apart else 0)


def _product_step(a: NumberType, b: NumberType) -> Bound:
    """The widest step from the least product to all products: those of ``l + i s`` and ``m + k t`` differ by sums of
    multiples of ``l t``, ``m s`` and ``s t``."""
    if a.low is None or b.low is None or a.step is None or b.step is None or not _fits_step(a) or not _fits_step(b):
        return None
    s, t = 0 if a.low == a.high else a.step, 0 if b.low == b.high else b.step
    return _divisor(a.low * t, b.low * s, s * t)


def _fits_step(a: NumberType) -> bool:
    """Whether the steps from the least value reach the greatest."""
    return a.low is not None and a.high is not None and a.step is not None and (a.high - a.low) % a.step == 0


def _divisor(*numbers: Fraction | int) -> Fraction | int | None:
    """The greatest common divisor, also of fractions; None if all are 0."""
    parts = lcm(*(number.denominator for number in numbers))
    return exact(Fraction(gcd(*(int(number * parts) for number in numbers)), parts)) or None


def _add(a: Bound, b: Bound) -> Bound:
    return None if a is None or b is None else a + b


def _products(a: NumberType, b: NumberType) -> list[Fraction | int] | None:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    return [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]


def _quotient(a: NumberType, b: NumberType, step: int | None) -> NumberType:
    if b.low is None or b.high is None or b.low <= 0 <= b.high or b.low > b.high:
        return NumberType(None, None, step)
    inverse = NumberType(Fraction(1) / Fraction(b.high), Fraction(1) / Fraction(b.low), None)
    if b.low == b.high and step is None:
        return arithmetic("*", a, literal(Fraction(1) / Fraction(b.low)))
    return _from_corners(_products(a, inverse), step)


def _from_corners(corners: Iterable[Fraction | int] | None, step: Bound) -> NumberType:
    if corners is None:
        return NumberType(None, None, step)
    values = list(corners)
    return _interval(min(values), max(values), step)
