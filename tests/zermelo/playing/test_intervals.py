"""Confidence intervals against published examples and another library."""

from __future__ import annotations

from fractions import Fraction

import pytest
from scipy import stats

from zermelo.playing.intervals import difference_of_means, difference_of_shares, interval, share_interval


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_have_the_intervals_that_newcombe_prints(count: int, of: int, low: float, high: float) -> None:
    """Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
    method 3."""
    assert share_interval(count, of) == pytest.approx((low, high), abs=5e-5)
    assert share_interval(of - count, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_differences_of_shares_have_the_intervals_that_newcombe_prints(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Newcombe, "Interval estimation for the difference between independent proportions", the same volume, table II,
    method 10."""
    assert difference_of_shares(*first, *second) == pytest.approx((low, high), abs=5e-5)
    assert difference_of_shares(*second, *first) == pytest.approx((-high, -low), abs=5e-5)


FIRST = [Fraction(k) for k in (3, 1, 4, 1, 5, 9, 2, 6)]
SECOND = [Fraction(k, 2) for k in (2, 7, 1, 8, 2, 8)]


def test_means_and_their_differences_have_the_intervals_of_another_library() -> None:
    mean, half = interval(FIRST) or (Fraction(0), 0.0)
    told = stats.ttest_1samp([float(each) for each in FIRST], 0).confidence_interval(0.95)
    assert (float(mean) - half, float(mean) + half) == pytest.approx((told.low, told.high))
    welch = stats.ttest_ind([float(each) for each in FIRST], [float(each) for each in SECOND], equal_var=False)
    told = welch.confidence_interval(0.95)
    assert difference_of_means(FIRST, SECOND) == pytest.approx((told.low, told.high))


def test_what_does_not_vary_has_no_interval() -> None:
    assert interval([Fraction(1)] * 9) is None and interval([Fraction(1)]) is None
    assert difference_of_means([Fraction(1)] * 9, [Fraction(2)] * 5) is None
    assert difference_of_means([Fraction(1)], SECOND) is None
    low, high = difference_of_means([Fraction(1)] * 9, SECOND) or (0.0, 0.0)
    assert low < 1 - float(sum(SECOND, Fraction(0)) / len(SECOND)) < high
