"""A confidence interval for the mean of independent results, by Student's t.

The interval is the mean of n results, more or less t times their standard error, where t is the quantile of Student's
distribution with n - 1 degrees of freedom. If the results were normally distributed, 95 of 100 such intervals would
contain the true mean, for any n; for others that holds the better, the more results there are. It is no bound that is
proved: a rare and large result that has not come up is not in it. Results that are all alike tell nothing about how
they vary, and have no interval.

Source: Student, "The probable error of a mean", Biometrika 6 (1908).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Final

from zermelo.solvers.common.libraries import imported

LEVEL: Final = Fraction(95, 100)
"""What part of such intervals contain the true mean."""


def interval(results: Sequence[Fraction]) -> tuple[Fraction, float] | None:
    """The middle of the interval and half of its width, in the unit of the results; None for fewer than two results,
    and if all are alike."""
    count = len(results)
    if len(set(results)) < 2:
        return None
    mean = sum(results, Fraction(0)) / count
    variance = sum(((result - mean) ** 2 for result in results), Fraction(0)) / (count - 1)
    quantile = imported("scipy.special", "confidence intervals").stdtrit(count - 1, float((1 + LEVEL) / 2))
    return mean, float(quantile) * sqrt(variance / count)
