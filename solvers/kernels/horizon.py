"""Where a search goes no further, and what positions are worth there.

That is the end of a play, and in a search to a depth its horizon: a position with no plies left, or one that the file
calls ``unsettled`` once the search has gone ``OVERTIME`` plies beyond its depth; with ``HORIZON`` 0 there is none. The
rules say what the end pays, and the host what a position at the horizon is worth
(:mod:`zermelo.solvers.running.path_search`), or with ``ESTIMATES`` 0 that nobody knows. All values are whole parts of
one unit, of which payoffs are ``PAYOFFS`` times as many as the rules give. (:mod:`.fractions` notices what is too
large.)
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, Context, State, actor, hole, payoff
from zermelo.solvers.kernels.answers import note_unvalued
from zermelo.solvers.kernels.fractions import product

ESTIMATES: int
PAYOFFS: int
HORIZON: int
OVERTIME: int


@hole
def guess(rules: Context, state: State, player: int) -> int:
    """What a position at the horizon is worth to a player."""


@hole
def is_unsettled(rules: Context, state: State) -> int:
    """Whether the file says that much is about to change."""


def goes_on(rules: Context, state: State, plies: int) -> bool:
    """Whether a search goes on from a position, with so many plies left."""
    if actor(state) == END:
        return False
    if HORIZON == 0:
        return True
    return plies > 0 or (plies > -OVERTIME and is_unsettled(rules, state) != 0)


def worth(rules: Context, state: State, player: int) -> int:
    """What a position where the search does not go on is worth to a player."""
    if actor(state) != END:
        if ESTIMATES == 0:
            note_unvalued(rules)
        return guess(rules, state, player)
    if PAYOFFS == 1:
        return payoff(state, player)
    return product(rules, payoff(state, player), PAYOFFS)
