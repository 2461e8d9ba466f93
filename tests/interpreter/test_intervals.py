"""Intervals hold every result that the arithmetic of their members can have."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from hypothesis import assume, given
from hypothesis import strategies as st

from interpreter import intervals
from interpreter.types import NumberType

NUMBERS = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=6))


@st.composite
def members(draw: st.DrawFn) -> tuple[NumberType, Fraction | int]:
    """A number, and an interval around it that may be open on either side."""
    number = draw(NUMBERS)
    low = draw(st.one_of(st.none(), NUMBERS.filter(lambda bound: bound <= number)))
    high = draw(st.one_of(st.none(), NUMBERS.filter(lambda bound: bound >= number)))
    return NumberType(low, high, 1 if isinstance(number, int) else None), number


def holds(interval: NumberType, number: Fraction | int) -> bool:
    whole = interval.step is None or Fraction(number).denominator == 1
    above = interval.low is None or number >= interval.low
    return whole and above and (interval.high is None or number <= interval.high)


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
    assert holds(intervals.negated(first), -x)
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
