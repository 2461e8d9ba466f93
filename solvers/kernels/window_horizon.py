"""The horizon of a window search, and its numbers.

Values are whole parts of a unit in which payoffs, estimates and the middle between two payoffs are whole. A payoff that
is too large for that is detected, and so is a position at the horizon that has no value, where ``ESTIMATES`` is 0.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, Context, State, actor, hole
from zermelo.solvers.kernels.answers import note_unvalued
from zermelo.solvers.kernels.window_records import Search

ESTIMATES: int
OVERTIME: int
SCALE: int
LARGEST: int


@hole
def worth(rules: Context, state: State) -> int:
    """What a position seems to be worth."""


@hole
def is_unsettled(rules: Context, state: State) -> int:
    """Whether the file says that much is about to change."""


def is_at_horizon(search: Search, state: State, left: int) -> bool:
    """Whether a search with so many plies left stops here: at a quiet position, and in any case
    ``OVERTIME`` plies beyond its depth (*quiescence search*)."""
    if left > 0 or actor(state) == END:
        return False
    return left <= -OVERTIME or is_unsettled(search.rules, state) == 0


def worth_at_horizon(rules: Context, state: State) -> int:
    """The value of a position at the horizon."""
    if ESTIMATES == 0:
        note_unvalued(rules)
    return worth(rules, state)


def scaled(search: Search, amount: int) -> int:
    """A payoff as a value: ``SCALE`` times as many parts, if it is at most ``LARGEST``."""
    if amount > LARGEST or amount < -LARGEST:
        search.is_beyond = True
        return 0
    return amount * SCALE
