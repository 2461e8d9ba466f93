"""Taking candidates out of what is left of them (:mod:`zermelo.interpreter.native.rules.sampling`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, bits, ints


def taken(moves: ints[MOVES], at: int, count: int) -> int:
    """Entry ``at`` of the first ``count``, whose place the last one of them takes."""
    move: int = moves[at]
    moves[at] = moves[count - 1]
    return move


def without(pool: bits, place: int) -> bits:
    """A mask without one of its one bits."""
    one: bits = 1
    return pool ^ (one << place)
