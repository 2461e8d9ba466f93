"""A kernel that draws one move or outcome at the beginning of a play."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, Context, Random, State, array, begin, sample


class Draw:
    """The state of a random generator, and what it has drawn."""

    rules: Context
    state: State
    random: Random


def draw(drawing: Draw) -> int:
    """A move or outcome."""
    legal = array(MOVES)
    weights = array(MOVES)
    begin(drawing.rules, drawing.state)
    return sample(drawing.rules, drawing.state, legal, weights, drawing.random)
