"""Where a position stands in a table, by its key: the table's length is a power of 2."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, ints, mix


def slot_of(key: ints[KEY], size: int) -> int:
    """The number of the entry for a key. The lowest bits of a mixed number are the ones least mixed."""
    return (hash_of(key) >> 12) & (size - 1)


def hash_of(key: ints[KEY]) -> int:
    """A key, stirred into one number."""
    hash: int = 0
    for k in range(KEY):
        hash = mix(hash, key[k])
    return hash


def is_same(one: ints[KEY], other: ints[KEY]) -> bool:
    """Whether two keys are one."""
    for k in range(KEY):
        if one[k] != other[k]:
            return False
    return True
