"""What the depth-first kernels answer when a slice is over: the depth that they have come to, or one of these."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context

DONE = -1
"""The search has come to its end."""

COMES_BACK = -2
"""The move tried last leads back to a position of the path."""

BEYOND = -3
"""The search has come to a number or a set that it has no room for."""

UNVALUED = -4
"""The search is cut off at a position of which nothing says what it is worth."""


def note_beyond(rules: Context) -> None:
    """Leave a search function for want of room, as at a rule that goes wrong."""
    if rules[0] == 0:
        rules[0] = BEYOND


def note_unvalued(rules: Context) -> None:
    """Leave a search function where a position has no value, as at a rule that goes wrong."""
    if rules[0] == 0:
        rules[0] = UNVALUED


# Gains: what a play pays beyond the least that a player can get.


def share(gains: int, most: int) -> float:
    """Gains as a part of the most that they can be."""
    return float(gains) / float(most)
