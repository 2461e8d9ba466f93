"""Positions as kernels meet them: their keys in tables, and what may happen next."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    KEY,
    MOVES,
    Context,
    Random,
    State,
    actor,
    drawn,
    ints,
    mix,
    moves,
    outcomes,
)

# Where a position stands in a table, by its key: the table's length is a power of 2.


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


# What may happen next in a position, moves and outcomes of chance alike.


def list_next(rules: Context, state: State, legal: ints[MOVES], weights: ints[MOVES]) -> int:
    """Write down what may happen next: moves, or where chance draws outcomes with their weights. How many there are,
    0 at the end."""
    if actor(state) == END:
        return 0
    if actor(state) == CHANCE:
        return outcomes(rules, state, legal, weights)
    return moves(rules, state, legal)


def sum_of(weights: ints[MOVES], count: int) -> int:
    """The sum of the first weights."""
    total: int = 0
    for k in range(count):
        total += weights[k]
    return total


def drawn_by(random: Random, weights: ints[MOVES], count: int) -> int:
    """The place of one of the first outcomes, at random by their weights."""
    left: int = drawn(random, sum_of(weights, count))
    place: int = 0
    while left >= weights[place]:
        left -= weights[place]
        place += 1
    return place
