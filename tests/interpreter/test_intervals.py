"""Intervals contain every result of arithmetic on their members."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from hypothesis import assume, given
from hypothesis import strategies as st

from zermelo.interpreter import intervals
from zermelo.interpreter.types import NumberType

NUMBERS = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=6))


@st.composite
def members(draw: st.DrawFn) -> tuple[NumberType, Fraction | int]:
    """An interval, in steps or unbounded on either side, and a number in it."""
    number = draw(NUMBERS)
    if draw(st.booleans()):
        step = draw(NUMBERS.filter(lambda step: step > 0))
        below, above = draw(st.integers(0, 5)), draw(st.integers(0, 5))
        beyond = step * draw(st.sampled_from([0, Fraction(1, 3)]))  # a bound off the steps
        return NumberType(number - below * step, number + above * step + beyond, step), number
    low = draw(st.one_of(st.none(), NUMBERS.filter(lambda bound: bound <= number)))
    high = draw(st.one_of(st.none(), NUMBERS.filter(lambda bound: bound >= number)))
    is_whole = isinstance(number, int) and isinstance(low, int | None)
    return NumberType(low, high, 1 if is_whole else None), number


def holds(interval: NumberType, number: Fraction | int) -> bool:
    if interval.low is None and interval.step is not None and Fraction(number).denominator != 1:
        return False
    return interval.contains(number)


@given(members(), members(), st.sampled_from(["+", "-", "*", "/", "//", "%"]))
def test_arithmetic(a: tuple[NumberType, Fraction | int], b: tuple[NumberType, Fraction | int], sign: str) -> None:
    (first, x), (second, y) = a, b
    assume(sign in "+-*" or y != 0)
    results = {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "/": lambda: Fraction(x) / Fraction(y),
        "//": lambda: floor(Fraction(x) / Fraction(y)),
        "%": lambda: x - y * floor(Fraction(x) / Fraction(y)),
    }
    assert holds(intervals.arithmetic(sign, first, second), results[sign]())


@given(members(), members())
def test_extremes_hull_and_absolute_value(
    a: tuple[NumberType, Fraction | int], b: tuple[NumberType, Fraction | int]
) -> None:
    (first, x), (second, y) = a, b
    assert holds(intervals.extreme("max", first, second), max(x, y))
    assert holds(intervals.extreme("min", first, second), min(x, y))
    assert holds(intervals.absolute(first), abs(x))
    assert holds(intervals.negate(first), -x)
    hull = intervals.hull(first, second)
    assert holds(hull, x)
    assert holds(hull, y)
    if x == y:
        assert not intervals.disjoint(first, second)


@given(members(), st.integers(0, 5), st.integers(0, 5))
def test_a_sum_of_at_most_so_many(a: tuple[NumberType, Fraction | int], most: int, count: int) -> None:
    interval, number = a
    assert holds(intervals.total(interval, None), number * count)
    if count <= most:
        assert holds(intervals.total(interval, most), number * count)


def test_nothing_is_known_of_a_division_by_a_member_of_an_empty_range():
    for operator in ("/", "//"):
        found = intervals.arithmetic(operator, NumberType(0, 3, 1), NumberType(1, 0, 1))
        assert (found.low, found.high) == (None, None)
