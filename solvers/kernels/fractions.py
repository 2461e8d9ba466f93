"""Exact fractions of whole numbers, in lowest terms.

Expectations over chance are fractions, and must be exact. So kernels compute with fractions of numbers up to
:data:`~zermelo.solvers.kernels.ranges.FRACTION`. Overflow of products and sums is noted like a fault of a rule: from
then on results are invalid, except that denominators are not 0; and the search stops.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context
from zermelo.solvers.kernels.answers import note_beyond
from zermelo.solvers.kernels.ranges import FRACTION

HALF = 1073741823
"""Products of two numbers up to this are within 2 ** 60."""


class Fraction:
    """``over / under`` in lowest terms, ``under`` above 0."""

    over: int
    under: int


def is_large(number: int) -> bool:
    """Whether a product with this number may be too large."""
    return number > HALF or number < -HALF


def greatest_common_divisor(number: int, other: int) -> int:
    """By Euclid's algorithm; not negative."""
    while other != 0:
        rest: int = number % other
        number, other = other, rest
    return -number if number < 0 else number


def product(rules: Context, number: int, other: int) -> int:
    """The product of two numbers, 0 if it is too large."""
    size: int = -number if number < 0 else number
    if (is_large(number) or is_large(other)) and size != 0:
        most: int = FRACTION // size
        if other > most or other < -most:
            note_beyond(rules)
            return 0
    return number * other


def is_less(one: Fraction, other: Fraction) -> bool:
    """Whether one fraction is less than another: if the products are too large, by the whole parts and then by the
    reciprocals of the rest."""
    a: int = one.over
    b: int = one.under
    c: int = other.over
    d: int = other.under
    while b != d and (is_large(a) or is_large(b) or is_large(c) or is_large(d)):
        whole: int = a // b
        other_whole: int = c // d
        if whole != other_whole:
            return whole < other_whole
        a, c = a - whole * b, c - other_whole * d
        if a == 0 or c == 0:
            return c > a
        a, b, c, d = d, c, b, a
    return a < c if b == d else a * d < c * b


def is_equal(one: Fraction, other: Fraction) -> bool:
    """Whether two fractions in lowest terms are equal."""
    return one.over == other.over and one.under == other.under


def is_whole(one: Fraction, number: int) -> bool:
    """Whether a fraction equals a whole number."""
    return one.over == number and one.under == 1


def put_whole(target: Fraction, number: int) -> None:
    """Assign a whole number."""
    target.over, target.under = number, 1


def put(target: Fraction, source: Fraction) -> None:
    """Assign a fraction."""
    target.over, target.under = source.over, source.under


def put_negative(target: Fraction, source: Fraction) -> None:
    """Assign the negative of a fraction."""
    target.over, target.under = -source.over, source.under


def put_multiple(rules: Context, target: Fraction, number: int, source: Fraction) -> None:
    """Assign a multiple of a fraction, for comparisons: not in lowest terms."""
    target.over, target.under = product(rules, number, source.over), source.under


def put_reduced(rules: Context, target: Fraction, over: int, under: int) -> None:
    """Assign ``over / under``, in lowest terms."""
    if over > FRACTION or over < -FRACTION:
        note_beyond(rules)
    if rules[0] != 0:
        over, under = 0, 1
    common: int = 1 if under == 1 else greatest_common_divisor(over, under)
    target.over, target.under = over // common, under // common


def add(rules: Context, target: Fraction, weight: int, term: Fraction) -> None:
    """Add a multiple of a fraction."""
    share: int = product(rules, weight, term.over)
    if term.under == target.under:
        put_reduced(rules, target, target.over + share, target.under)
    else:
        common: int = greatest_common_divisor(target.under, term.under)
        there: int = term.under // common
        here: int = target.under // common
        over: int = product(rules, target.over, there) + product(rules, share, here)
        put_reduced(rules, target, over, product(rules, target.under, there))


def divide(rules: Context, target: Fraction, number: int) -> None:
    """Divide by a number above 0."""
    put_reduced(rules, target, target.over, product(rules, target.under, number))
