"""Intervals contain every result of arithmetic on their members."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import Source
from zermelo.grammar.parse import parse
from zermelo.interpreter import check as check_module
from zermelo.interpreter import intervals
from zermelo.interpreter.check import check, check_at_extremes
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
        assert not intervals.are_disjoint(first, second)


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


@pytest.mark.parametrize("step", [1, 2, 3, Fraction(1, 2), Fraction(2, 3)])
@pytest.mark.parametrize("low", [-3, -1, 0, 1, Fraction(1, 6), Fraction(1, 2)])
def test_a_type_contains_what_it_generates(low: Fraction | int, step: Fraction | int) -> None:
    for count in (0, 1, 4):
        for beyond in (0, Fraction(1, 3)):  # a bound off the steps
            numbers = NumberType(low, low + (count + beyond) * step, step)
            listed = list(numbers.generate())
            assert listed == [low + k * step for k in range(count + 1)] and numbers.size == len(listed)
            for part in range(-30, 61):
                number = Fraction(part, 6)
                assert numbers.contains(number) == (number in listed)


# Files that are sound for some parameters only.


GAME = """
game "A game"
players Ann, Bob
param small: 0..9 = 5
param large: 0..9 = 5
param fast: Bool = false
REQUIRE
start at play(small)
phase play(k: 0..9):
    turn Ann:
        move go_on(n in RANGE): end win Ann
        move stop if fast and k + large > 3: end draw
"""


def messages(text: str, **parameters: object) -> list[str]:
    return [f"{each.code}: {each.message}" for each in check_at_extremes(Source("test.game", text), parameters)[1]]


def game(range: str, require: str = "") -> str:
    return GAME.replace("RANGE", range).replace("REQUIRE", require)


@pytest.mark.parametrize(
    ("range", "where"),
    [
        ("{1 / small}", "(if small = 0)"),
        ("{1 / (9 - large)}", "(if large = 9)"),
        ("{1 / (small + large)}", "(if small = 0, large = 0)"),
        ("{1 / (small - 4)}", ""),  # between the extremes
    ],
)
def test_what_is_wrong_at_the_extremes_alone_says_where(range, where):
    text = game(range)
    assert not check(Source("test.game", text))[1].found
    found = messages(text)
    if not where:
        assert found == []
    else:
        (message,) = found
        assert message.startswith("division-by-zero: ") and message.endswith(where)


def test_combinations_that_the_file_excludes_do_not_count():
    assert messages(game("{1 / (small + large)}", "require small + large > 0")) == []


def test_parameters_that_are_given_are_not_varied():
    text = game("{1 / small}")
    assert messages(text, small=3) == []
    (message,) = messages(text, small=0)
    assert "(if" not in message


def test_a_finding_at_the_default_values_is_not_repeated():
    (message,) = messages(game("{1 / (small - 5)}"))
    assert "(if" not in message


def test_many_parameters_are_varied_together_only():
    parameters = "\n".join(f"param p{k}: 0..1 = 0" for k in range(30))
    used = " + ".join(f"p{k}" for k in range(30))
    (message,) = messages(game(f"{{1 / (30 - ({used}))}}", parameters))
    assert "p0 = 1, p1 = 1" in message


def test_the_range_of_an_argument_may_be_too_short():
    text = """
game "Rolls"
players Ann, Bob
param dice: 1..5 = 2
start at roll(1)
phase roll(k: 1..dice):
    turn Ann:
        move go_on: go roll(2)
        move stop: end draw
"""
    (message,) = messages(text)
    assert message.startswith("out-of-range") and message.endswith("(if dice = 1)")


def test_a_parameter_of_very_many_values_is_not_varied():
    text = game("{1 / small}").replace("param large", "param some_of: set of 1..60 = {}\nparam large")
    (message,) = messages(text.replace("k + large", "k + size(some_of) + large"))
    assert message.startswith("division-by-zero")


def test_the_text_is_parsed_once_for_all_values(monkeypatch):
    read = []
    monkeypatch.setattr(check_module, "parse", lambda source: read.append(source) or parse(source))
    assert messages(game("{1 / small}"))
    assert len(read) == 1
