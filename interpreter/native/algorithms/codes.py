"""Small questions about the codes of values, and about sets as masks; ``low`` is the code that bit 0 stands for."""

from __future__ import annotations

NO_NUMBER: int  # what stands for none where a number is meant


def maximum(x: int, y: int) -> int:
    """The greater one of two numbers."""
    return x if x > y else y


def minimum(x: int, y: int) -> int:
    """The lesser one of two numbers."""
    return x if x < y else y


def absolute(x: int) -> int:
    """A number without its sign."""
    return -x if x < 0 else x


def on_step(x: int, y: int) -> int:
    """How many times a number is another one, none if that is not whole."""
    return x // y if x % y == 0 else NO_NUMBER


def finer(x: int, factor: int) -> int:
    """A number, or none, so many times."""
    return x * factor if x != NO_NUMBER else x


def between(x: int, low: int, high: int) -> int:
    """Whether a number is one of a range."""
    return low <= x and x <= high


def numbered(x: int, low: int) -> int:
    """A number, or another code for none."""
    return low if x == NO_NUMBER else x


def none_of(x: int, none: int) -> int:
    """The code for none of one type in place of that of another."""
    return none


def signed(x: int) -> int:
    """An entry of a state, which has no sign by itself, as a number with one."""
    return x


def other(x: int) -> int:
    """The other one of two players, none for none."""
    return -1 if x < 0 else 1 - x


def next_in(p: int, m: bits) -> int:
    """The player of a set who comes next behind another one, going round; none where there is no set or player."""
    if p < 0 or m == 0:
        return -1
    rest: bits = m >> (p + 1)
    return lowest(rest) + p + 1 if rest != 0 else lowest(m)


def bit(x: int, low: int) -> bits:
    """The set of one value."""
    m: bits = 1
    return m << (x - low)


def bit_if_any(x: int, low: int, none: int) -> bits:
    """The set of one value, the empty set for none."""
    return bit(x, low) if x != none else 0


def only(x: int) -> bits:
    """The set of the value with this code, bit 0 being for code 0; the empty set for a code below, as none has."""
    m: bits = 1
    return m << x if x >= 0 else 0


def has(m: bits, x: int, low: int, size: int) -> int:
    """Whether a value is in a set; ``size`` is how many bits there are."""
    if x < low or x - low >= size:
        return 0
    return (m >> (x - low)) & 1


def least(m: bits, low: int, none: int) -> int:
    """The least member of a set, or none."""
    return lowest(m) + low if m != 0 else none


def greatest(m: bits, low: int, none: int) -> int:
    """The greatest member of a set, or none."""
    return highest(m) + low if m != 0 else none
