"""The least of the keys of a position and its images."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, STATE, State, array, copy, ints, pack, scratch

IMAGES: int  # how many symmetries there are, the identity with number 0
HALF: int  # a mask of 32 bits


def head(state: State) -> int: ...  # the phase and its arguments, as a number


def rename_head(state: State, there: State, image: int) -> int: ...  # write the phase and its arguments of an image


def rename_rest(state: State, there: State, image: int) -> int: ...  # write its variables


def is_less(one: ints[KEY], other: ints[KEY]) -> int:
    """Whether a key is less than another one. Its words have no sign."""
    for k in range(KEY):
        high: int = ((one[k] >> 32) & HALF) - ((other[k] >> 32) & HALF)
        low: int = (one[k] & HALF) - (other[k] & HALF)
        if high != 0 or low != 0:
            return high < 0 or (high == 0 and low < 0)
    return 0


def least_image(state: State, key: ints[KEY]) -> int:
    """Write the least key. First comes the phase with its arguments: so most images need not be made."""
    there = scratch()
    other = array(KEY)
    best: int = 0
    least: int = head(state)
    copy(there, state, STATE)
    pack(state, key)
    for image in range(1, IMAGES):
        rename_head(state, there, image)
        first: int = head(there)
        if first <= least:
            rename_rest(state, there, image)
            pack(there, other)
            if first < least or is_less(other, key) != 0:
                best = image
                least = first
                for k in range(KEY):
                    key[k] = other[k]
    return best
