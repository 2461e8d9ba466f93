"""Confidence intervals for what samples of plays tell: means, shares, and differences between two samples.

The interval of a mean of n independent results is the mean, more or less t times their standard error, where t is the
quantile of Student's distribution with n - 1 degrees of freedom. If the results were normally distributed, 95 of 100
such intervals would contain the true mean, for any n; for other distributions the share is the nearer to that, the more
results there are. Results that are all alike tell nothing about how they vary, and have no interval. The difference of
two means has the interval of Welch, which does not suppose that both vary alike.

A share, k of n plays, has the interval of Wilson: the shares p from which k / n is no further away than z standard
errors of p itself. It is sound where none or all of the plays count, too. The interval of a difference of two shares is
made from theirs (Newcombe's tenth method).

Nothing is proved: no interval takes account of a rare and large result that has not come up.

Sources: Student, "The probable error of a mean", Biometrika 6 (1908). Welch, "The generalization of 'Student's' problem
when several different population variances are involved", Biometrika 34 (1947). Wilson, "Probable inference, the law of
succession, and statistical inference", Journal of the American Statistical Association 22 (1927). Newcombe, "Interval
estimation for the difference between independent proportions", Statistics in Medicine 17 (1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Final

from zermelo.solvers.common.libraries import import_library

LEVEL: Final = Fraction(95, 100)
"""The share of such intervals that contain the true number."""

_NORMAL: Final = 1.959963984540054
"""The quantile of the normal distribution that goes with it."""

Bounds = tuple[float, float]
"""The least and the greatest number of an interval."""


def interval(results: Sequence[Fraction]) -> tuple[Fraction, float] | None:
    """The middle of the interval of a mean and half of its width, in the unit of the results; None for fewer than two
    results, and if all are alike."""
    if len(set(results)) < 2:
        return None
    mean, square = _mean_and_square(results)
    return mean, _quantile(len(results) - 1) * sqrt(square)


def difference_of_means(first: Sequence[Fraction], second: Sequence[Fraction]) -> Bounds | None:
    """The interval of how much greater the first mean is; None for fewer than two results, and if all are alike."""
    if min(len(first), len(second)) < 2 or len(set(first)) + len(set(second)) < 3:
        return None
    (mean, square), (other, other_square) = _mean_and_square(first), _mean_and_square(second)
    both = square + other_square
    freedom = both**2 / (square**2 / (len(first) - 1) + other_square**2 / (len(second) - 1))
    half = _quantile(float(freedom)) * sqrt(both)
    middle = float(mean - other)
    return middle - half, middle + half


def share_interval(count: int, of: int) -> Bounds:
    """The interval of a share of so many plays ``of`` at least one."""
    share, slack = count / of, _NORMAL**2 / of
    half = _NORMAL * sqrt(share * (1 - share) / of + slack / (4 * of))
    low, high = ((share + slack / 2 + sign * half) / (1 + slack) for sign in (-1, 1))
    return max(0.0, low) if count else 0.0, min(1.0, high) if count < of else 1.0


def difference_of_shares(count: int, of: int, other_count: int, other_of: int) -> Bounds:
    """The interval of how much greater the first share is."""
    first, second = count / of, other_count / other_of
    low, high = share_interval(count, of)
    other_low, other_high = share_interval(other_count, other_of)
    below = sqrt((first - low) ** 2 + (other_high - second) ** 2)
    above = sqrt((high - first) ** 2 + (second - other_low) ** 2)
    return first - second - below, first - second + above


def _mean_and_square(results: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """The mean of at least two results, and the square of its standard error."""
    count = len(results)
    mean = sum(results, Fraction(0)) / count
    return mean, sum(((result - mean) ** 2 for result in results), Fraction(0)) / (count - 1) / count


def _quantile(freedom: float) -> float:
    """How many standard errors belong to the level, by Student's distribution with so many degrees of freedom."""
    stdtrit = import_library("scipy.special", "confidence intervals").stdtrit
    return float(stdtrit(freedom, float((1 + LEVEL) / 2)))
