"""Random draws: numbers, outcomes of chance, moves, and members and parts of a set
(:mod:`zermelo.interpreter.native.rules.sampling`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, Context, Random, State, bits, drawn, ints, mix, popcount

LIMIT: int  # the bound on sums of weights
HALF: int  # the greatest power of two below the number of places of a mask; 0 if there is one place


def list_outcomes(context: Context, state: State, moves: ints[MOVES], weights: ints[MOVES]) -> int: ...


def list_moves(context: Context, state: State, moves: ints[MOVES]) -> int: ...


# Random numbers; ``random[0]`` is the state of the generator.


def drawn_below(random: Random, count: int) -> int:
    """A number below ``count``: a splitmix step, finalized by ``mix``. 43 of its bits are scaled to ``count`` numbers,
    equally likely up to ``count`` parts in 2 ** 43. Beyond 20 bits :func:`drawn_large` uses the other bits."""
    random[0] = (random[0] + 668265263) & 9007199254740991
    x: int = mix(mix(random[0], 2654435769), 40503)
    return ((x >> 20) * count) >> 43 if count < 1048576 else drawn_large(random, count, x >> 32)


def drawn_large(random: Random, count: int, first: int) -> int:
    """A number below ``count`` by rejection: 62 bits, the first 31 in ``first``, redrawn until they are below a
    multiple of ``count``."""
    high: int = first
    even: int = 4611686018427387904 - 4611686018427387904 % count
    x: int = even
    while x >= even:
        random[0] = (random[0] + 668265263) & 9007199254740991
        low: int = mix(mix(random[0], 2654435769), 40503) >> 32
        x = high << 31 | low
        high = low
    return x % count


# Drawing an outcome of chance from the list of weights.


def weighted(context: Context, state: State, moves: ints[MOVES], weights: ints[MOVES], random: Random) -> int:
    """One of the outcomes by its weight, -1 if there is none."""
    count: int = list_outcomes(context, state, moves, weights)
    if count == 0 or context[0] != 0:  # after a fault there may be no weights
        return -1
    total: int = 0
    for k in range(count):
        total += weights[k]
    rest: int = drawn(random, total)
    at: int = 0
    while rest >= weights[at]:
        rest -= weights[at]
        at += 1
    return moves[at]


# Drawing one of the moves of a decision from their list.


def any_move(context: Context, state: State, moves: ints[MOVES], random: Random) -> int:
    """One of the moves, all equally likely, -1 if there is none."""
    count: int = list_moves(context, state, moves)
    return moves[drawn(random, count)] if count > 0 else -1


# Weights of chance on a common scale.


def share(context: Context, weight: int, factor: int, total: int, site: int) -> int:
    """A weight times a factor; a fault at ``site`` if the total with it exceeds the limit."""
    if weight > (LIMIT - total) // factor:
        if context[0] == 0:
            context[0] = site
        return 0
    return weight * factor


# Selecting a one bit of a mask by its number.


def chosen_one(mask: bits, k: int) -> int:
    """The place of one bit number k of a mask, by bisection."""
    at: int = 0
    left: int = k
    half: int = HALF
    one: bits = 1
    while half != 0:
        ones: int = popcount((mask >> at) & ((one << half) - 1))
        if left >= ones:
            left -= ones
            at += half
        half = half >> 1
    return at


# Random subsets of a mask.


def chosen_part(random: Random, mask: bits, k: int) -> bits:
    """k of the one bits of a mask, which has at least k, all subsets equally likely."""
    rest: bits = mask
    one: bits = 1
    for _ in range(k):
        rest = rest ^ (one << chosen_one(rest, drawn(random, popcount(rest))))
    return mask ^ rest


# Taking candidates out of what is left of them (:mod:`zermelo.interpreter.native.rules.sampling`).


def taken(moves: ints[MOVES], at: int, count: int) -> int:
    """Entry ``at`` of the first ``count``, whose place the last one of them takes."""
    move: int = moves[at]
    moves[at] = moves[count - 1]
    return move


def without(pool: bits, place: int) -> bits:
    """A mask without one of its one bits."""
    one: bits = 1
    return pool ^ (one << place)
