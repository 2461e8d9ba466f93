"""Numbers with proved bounds: balls and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from zermelo.solvers.common.libraries import import_library

# Ball arithmetic: numbers with bounds on their errors, as FLINT computes them (Johansson 2017, "Arb").
#
# A *ball* is a midpoint and a radius, and holds the number that is meant. Every operation gives a ball that holds the
# results for all numbers in its operands. One ball is less than another if all its numbers are; so ``<`` and ``>`` are
# certain, and if neither holds, the precision does not tell.


class Undecided(Exception):
    """Balls do not tell what is best; a higher precision may."""


@cache
def flint() -> Any:
    """The library. Raises ``ZermeloError`` (``broken-installation``)."""
    return import_library("flint", "circles with chance")


def rational(fraction: Fraction) -> Any:
    """A rational of FLINT."""
    return flint().fmpq(fraction.numerator, fraction.denominator)


def ball(fraction: Fraction) -> Any:
    """A ball with a fraction in it, as small as the precision allows."""
    return flint().arb(rational(fraction))


def interval_of(ball: Any) -> tuple[Fraction, Fraction]:
    """The least and the greatest number in a ball."""
    middle, radius = _fraction(ball.mid()), _fraction(ball.rad())
    return middle - radius, middle + radius


def _fraction(exact: Any) -> Fraction:
    """A ball with radius 0 as a fraction."""
    digits, exponent = exact.man_exp()
    return Fraction(int(digits)) * Fraction(2) ** int(exponent)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Computing in balls whose midpoints have so many bits."""
    with flint().ctx.workprec(bits):
        yield


# What algorithms find that prove bounds of the numbers of a contest, and no fractions.


class Intervals(Protocol):
    """Proved bounds of the numbers of a contest, and for each who decides an edge that belongs to the proof."""

    @property
    def choices(self) -> Sequence[int]: ...

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none."""
