"""End-game tables: positions whose values are known. A search that meets one goes no further, and none is a horizon. If
they are ``ESTIMATED``, a search goes on, and they say what a position at its horizon is worth.

They are found by binary search. Keys are kept in halves of words, each less by 2^31, so that their order as numbers
with a sign is that of the halves without one, which is the order of tables. Source: Schaeffer et al., "A world
championship caliber checkers program", Artificial Intelligence 53 (1992).

Cost: for n positions log2(n) comparisons, most of them of one half.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, PLAYERS, State, array, half, hole, ints

ENDGAMES: int
ESTIMATED: int

HALF_WORD = (1 << 32) - 1
BIAS = 1 << 31

UNKNOWN = -1


class Endgames:
    """Positions whose values are known, in the order of their keys. Position p has the halves of its key from
    ``halves[2 * KEY * p]`` on, and players get what stands from ``values[PLAYERS * outcomes[p]]`` on, without what they
    have earned before. If two players may have changed places in a position, what they get then stands in the second
    half of the values."""

    halves: list[half]
    outcomes: list[half]
    values: list[int]


@hole
def name(state: State, key: ints[KEY]) -> int:
    """Write the key under which a position is known; the number of the image that has it, if images are kept."""


@hole
def is_exchanged(image: int) -> int:
    """Whether the two players have changed places in an image."""


def outcome_of(endgames: Endgames, state: State) -> int:
    """Which of the values a state has that is no end, or ``UNKNOWN``."""
    if ENDGAMES == 0:
        return UNKNOWN
    key = array(KEY)
    image: int = name(state, key)
    first: int = 0
    end: int = len(endgames.outcomes)
    while first < end:
        middle: int = (first + end) >> 1
        order: int = compared(endgames, middle, key)
        if order == 0:
            outcome: int = endgames.outcomes[middle]
            return outcome if is_exchanged(image) == 0 else outcome + len(endgames.values) // (2 * PLAYERS)
        if order < 0:
            first = middle + 1
        else:
            end = middle
    return UNKNOWN


def compared(endgames: Endgames, position: int, key: ints[KEY]) -> int:
    """Whether the key of a known position is less than a key (-1), the same (0), or greater (1)."""
    place: int = 2 * KEY * position
    for k in range(KEY):
        here: int = endgames.halves[place + 2 * k]
        there: int = (key[k] >> 32 & HALF_WORD) - BIAS
        if here == there:
            here = endgames.halves[place + 2 * k + 1]
            there = (key[k] & HALF_WORD) - BIAS
        if here != there:
            return -1 if here < there else 1
    return 0


def is_known(endgames: Endgames, state: State) -> bool:
    """Whether the value of a state that is no end is known."""
    return ESTIMATED == 0 and outcome_of(endgames, state) != UNKNOWN
