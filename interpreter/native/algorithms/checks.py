"""Checks of numbers and sets before rules use them.

A failed check notes the fault at the place ``site`` of the rules, and gives a valid value to continue with.
"""

from __future__ import annotations

NO_NUMBER: int  # none among numbers
LIMIT: int  # the bound on numbers


def fail(C: ints[CONTEXT], site: int) -> int:
    """Note a fault, if it is the first."""
    if C[0] == 0:
        C[0] = site
    return 0


def held(C: ints[CONTEXT], x: int, limit: int, instead: int, site: int) -> int:
    """A number that must not exceed a limit."""
    if x > limit or x < -limit:
        fail(C, site)
        return instead
    return x


def product(C: ints[CONTEXT], x: int, y: int, instead: int, site: int) -> int:
    """A product, which must not exceed the limit."""
    a: int = x if x >= 0 else -x
    b: int = y if y >= 0 else -y
    if b != 0 and a > LIMIT // b:
        fail(C, site)
        return instead
    return x * y


def beyond(C: ints[CONTEXT], instead: int, site: int) -> int:
    """The substitute for a number that is surely too large."""
    fail(C, site)
    return instead


def need(C: ints[CONTEXT], x: int, none: int, instead: int, site: int) -> int:
    """A code that must not be none."""
    if x == none:
        fail(C, site)
        return instead
    return x


def divisor(C: ints[CONTEXT], x: int, instead: int, site: int) -> int:
    """A number that must not be 0."""
    if x == 0:
        fail(C, site)
        return instead
    return x


def exactly(C: ints[CONTEXT], x: int, y: int, instead: int, site: int) -> int:
    """A quotient, which must be whole."""
    if x % y != 0:
        fail(C, site)
        return instead
    return x // y


def undivided(C: ints[CONTEXT], x: int, parts: int, site: int) -> int:
    """The quotient of a number, or none, that must be a multiple of ``parts``."""
    if x == NO_NUMBER:
        return x
    if x % parts != 0:
        fail(C, site)
    return x // parts


def within(C: ints[CONTEXT], x: int, low: int, high: int, step: int, none: int, site: int) -> int:
    """A code that must be in a range with steps, or none."""
    if (x < low or x > high or (x - low) % step != 0) and x != none:
        fail(C, site)
        return low
    return x


def in_part(
    C: ints[CONTEXT], x: int, allowed: bits, low: int, size: int, none: int, least: int, site: int
) -> int:  # fmt: skip
    """A code that must be one of ``allowed``, a mask whose bit 0 stands for the code ``low``, or none."""
    if x >= low and x - low < size and (allowed >> (x - low)) & 1 != 0:
        return x
    if x != none:
        fail(C, site)
    return least if x != none else none


def other_than(C: ints[CONTEXT], x: int, bad: int, site: int) -> int:
    """A code that must differ from ``bad``."""
    if x == bad:
        fail(C, site)
        return 0
    return x


def subset(C: ints[CONTEXT], m: bits, allowed: bits, site: int) -> bits:
    """A set that must be a subset of ``allowed``."""
    if m & allowed != m:
        fail(C, site)
    return m & allowed


def some_set(C: ints[CONTEXT], m: bits, none: int, site: int) -> bits:
    """A set that must not be none."""
    if none != 0:
        fail(C, site)
        return 0
    return m


def no_set(C: ints[CONTEXT], site: int) -> bits:
    """The substitute for a set that is none and must not be."""
    fail(C, site)
    return 0
