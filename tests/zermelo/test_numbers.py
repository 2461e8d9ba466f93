"""Numbers in print."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.numbers import certain_decimals, interval_text, text_within


@pytest.mark.parametrize(
    ("number", "error", "printed"),
    [
        (Fraction(1, 3), Fraction(0), "1/3 ≈ 0.3333"),
        (Fraction(1, 3), Fraction(1, 20_000), "≈ 0.3333"),
        (Fraction(1, 3), Fraction(1, 19_999), "≈ 0.333"),
        (Fraction(-1, 2), Fraction(1, 10**12), "≈ -0.50000000000"),
        (Fraction(1, 3), Fraction(1, 10**40), "≈ 0.333333333333"),
        (Fraction(0), Fraction(1, 10**40), "≈ 0"),
        (Fraction(-1, 10**20), Fraction(1, 10**40), "≈ -0." + "0" * 19 + "1" + "0" * 11),
        (Fraction(7, 2), Fraction(1, 2), "≈ 4"),
        (Fraction(7, 2), Fraction(3, 2), "between 2.00 and 5.00"),
    ],
)
def test_what_is_certain_is_printed(number, error, printed):
    assert text_within(number, error) == printed


def test_all_digits_may_be_asked_for():
    assert text_within(Fraction(1, 3), Fraction(1, 10**20), None) == "≈ 0.3333333333333333333"
    low, high = Fraction(1, 3) - Fraction(1, 10**20), Fraction(1, 3) + Fraction(1, 10**20)
    assert interval_text(low, high) == "0.333333333333 and 0.333333333334"
    assert interval_text(low, high, None) == "0.3333333333333333333233 and 0.3333333333333333333434"


@given(
    st.fractions(-1000, 1000),
    st.fractions(Fraction(1, 10**9), Fraction(1, 2)),
    st.sampled_from((-1, Fraction(1, 3), 1)),
)
def test_it_is_wrong_by_one_in_the_last_place_at_most(number, error, side):
    printed = certain_decimals(number, error)
    assert printed is not None
    last = Fraction(1, 10 ** len(printed.partition(".")[2]))
    assert abs(Fraction(printed) - (number + side * error)) <= last
