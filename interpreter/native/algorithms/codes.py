"""Small operations on codes of values and on masks; ``low`` is the code that bit 0 stands for."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, highest, lowest

NO_NUMBER: int  # none among numbers


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
