"""Checks of numbers and sets before rules use them, and small operations on codes."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, bits, highest, lowest

NO_NUMBER: int  # none among numbers
LIMIT: int  # the bound on numbers
WIDTH: int  # the width of a mask


# Small operations on codes of values and on masks; ``low`` is the code that bit 0 stands for.


def maximum(x: int, y: int) -> int:
    """The greater of two numbers."""
    return x if x > y else y


def minimum(x: int, y: int) -> int:
    """The lesser of two numbers."""
    return x if x < y else y


def absolute(x: int) -> int:
    """The absolute value of a number."""
    return -x if x < 0 else x


def on_step(x: int, y: int) -> int:
    """The quotient of two numbers, none if it is not whole."""
    return x // y if x % y == 0 else NO_NUMBER


def finer(x: int, factor: int) -> int:
    """A number times ``factor``, or none."""
    return x * factor if x != NO_NUMBER else x


def between(x: int, low: int, high: int) -> int:
    """Whether a number is in a range."""
    return low <= x and x <= high


def numbered(x: int, low: int) -> int:
    """A number; none becomes the code below ``low``."""
    return low if x == NO_NUMBER else x


def none_of(x: int, none: int) -> int:
    """A code, with -1 for none replaced by ``none``."""
    return none


def signed(x: int) -> int:
    """A slot of a state, which is unsigned, as a signed number."""
    return x


def signed_again(x: int) -> int:
    """The number of which x is the two's complement in 64 bits. Machine code takes it for that number already."""
    return (x ^ (-1 << 63)) + (1 << 63)


def other(x: int) -> int:
    """The other one of two players, none for none."""
    return -1 if x < 0 else 1 - x


def next_in(player: int, mask: bits) -> int:
    """The next player of a set after ``player`` in cyclic order; none if there is no set or player."""
    if player < 0 or mask == 0:
        return -1
    rest: bits = mask >> (player + 1)
    return lowest(rest) + player + 1 if rest != 0 else lowest(mask)


def bit(x: int, low: int) -> bits:
    """The singleton of a value."""
    mask: bits = 1
    return mask << (x - low)


def bit_if_any(x: int, low: int, none: int) -> bits:
    """The singleton of a value, the empty set for none."""
    return bit(x, low) if x != none else 0


def only(x: int) -> bits:
    """The singleton of a code, with bit 0 for code 0; the empty set for negative codes, such as none."""
    mask: bits = 1
    return mask << x if x >= 0 else 0


def has(mask: bits, x: int, low: int, size: int) -> int:
    """Whether a value is in a set of ``size`` bits."""
    if x < low or x - low >= size:
        return 0
    return (mask >> (x - low)) & 1


def least(mask: bits, low: int, none: int) -> int:
    """The least member of a set, or none."""
    return lowest(mask) + low if mask != 0 else none


def greatest(mask: bits, low: int, none: int) -> int:
    """The greatest member of a set, or none."""
    return highest(mask) + low if mask != 0 else none


# Checks of numbers and sets before rules use them.
#
# A failed check notes the fault at the place ``site`` of the rules, and gives a valid value to continue with.


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


def overflow(context: Context, instead: int, site: int) -> int:
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
