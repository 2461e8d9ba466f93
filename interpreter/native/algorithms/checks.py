"""Checks of numbers and sets before rules use them.

A failed check notes the fault at the place ``site`` of the rules, and gives a valid value to continue with.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, bits, lowest

NO_NUMBER: int  # none among numbers
LIMIT: int  # the bound on numbers
WIDTH: int  # the width of a mask


def fail(context: Context, site: int) -> int:
    """Note a fault, if it is the first."""
    if context[0] == 0:
        context[0] = site
    return 0


def held(context: Context, x: int, limit: int, instead: int, site: int) -> int:
    """A number that must not exceed a limit."""
    if x > limit or x < -limit:
        fail(context, site)
        return instead
    return x


def product(context: Context, x: int, y: int, instead: int, site: int) -> int:
    """A product, which must not exceed the limit."""
    left: int = x if x >= 0 else -x
    right: int = y if y >= 0 else -y
    if right != 0 and left > LIMIT // right:
        fail(context, site)
        return instead
    return x * y


def beyond(context: Context, instead: int, site: int) -> int:
    """The substitute for a number that is surely too large."""
    fail(context, site)
    return instead


def need(context: Context, x: int, none: int, instead: int, site: int) -> int:
    """A code that must not be none."""
    if x == none:
        fail(context, site)
        return instead
    return x


def divisor(context: Context, x: int, instead: int, site: int) -> int:
    """A number that must not be 0."""
    if x == 0:
        fail(context, site)
        return instead
    return x


def exactly(context: Context, x: int, y: int, instead: int, site: int) -> int:
    """A quotient, which must be whole."""
    if x % y != 0:
        fail(context, site)
        return instead
    return x // y


def undivided(context: Context, x: int, parts: int, site: int) -> int:
    """The quotient of a number, or none, that must be a multiple of ``parts``."""
    if x == NO_NUMBER:
        return x
    if x % parts != 0:
        fail(context, site)
    return x // parts


def within(context: Context, x: int, low: int, high: int, none: int, site: int) -> int:
    """A code that must be in a range, or none."""
    if (x < low or x > high) and x != none:
        fail(context, site)
        return low
    return x


def stepped(context: Context, x: int, low: int, step: int, none: int, site: int) -> int:
    """A code that must be a number of steps above ``low``, or none."""
    if x != none and (x - low) % step != 0:
        fail(context, site)
        return low
    return x


def in_part(context: Context, x: int, allowed: bits, low: int, none: int, site: int) -> int:
    """A code that must be one of ``allowed``, a mask whose bit 0 stands for the code ``low``, or none."""
    if x >= low and x - low < WIDTH and (allowed >> (x - low)) & 1 != 0:
        return x
    if x == none:
        return none
    fail(context, site)
    return lowest(allowed) + low if allowed != 0 else low


def other_than(context: Context, x: int, bad: int, site: int) -> int:
    """A code that must differ from ``bad``."""
    if x == bad:
        fail(context, site)
        return 0
    return x


def subset(context: Context, mask: bits, allowed: bits, site: int) -> bits:
    """A set that must be a subset of ``allowed``."""
    if mask & allowed != mask:
        fail(context, site)
    return mask & allowed


def some_set(context: Context, mask: bits, none: int, site: int) -> bits:
    """A set that must not be none."""
    if none != 0:
        fail(context, site)
        return 0
    return mask


def no_set(context: Context, site: int) -> bits:
    """The substitute for a set that is none and must not be."""
    fail(context, site)
    return 0
