"""Axes with round numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from zermelo.pictures.curves import axis

numbers = st.fractions(-(10**6), 10**6, max_denominator=1000)


@given(numbers, numbers)
def test_numbers_lie_on_the_axis_between_a_few_round_ones(one, other):
    least, most = sorted((one, other))
    found = axis(least, most, 100)
    assert found.low <= least <= most <= found.high and 3 <= len(found.ticks) <= 9
    assert found.ticks[0] == found.low and found.ticks[-1] == found.high
    assert 0 <= found.place(least) <= found.place(most) <= 100
    step = found.ticks[1] - found.ticks[0]
    digits = str(step.numerator * (10**9 // step.denominator)).strip("0")
    assert digits in ("1", "2", "5") and all(tick % step == 0 for tick in found.ticks)


def test_the_numbers_of_a_small_axis():
    assert axis(Fraction(0), Fraction(7), 70).ticks == (0, 2, 4, 6, 8)
    assert axis(Fraction(3), Fraction(3), 70).ticks[0] == 2
