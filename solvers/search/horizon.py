"""Where a search is cut off, and what a position is worth there.

A search to a depth sees no further than its horizon. What lies behind it is guessed: by the file's ``estimate``, or by
random plays from there to the end (*rollouts*), or not at all where the search goes on until no horizon is met.

A position in which much is about to change is a bad place to stop: a loss that can be put off by one move looks as if
it were averted (the *horizon effect*, Berliner 1973). So where the file says ``unsettled`` the search goes on until the
position has come to rest (*quiescence search*, Shannon 1950; Harris 1975), at most ``QUIESCENCE_PLIES`` further.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from random import Random
from typing import Generic

from zermelo.interpreter.machine import State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.running.horizon import QUIESCENCE_PLIES, check_estimate
from zermelo.solvers.running.rollouts import Rollouts
from zermelo.solvers.solution import Problem

Worth = Callable[[State], Number]
"""What a position is worth to the first player."""


class _Sight(Generic[State]):
    """How far a search sees. ``met`` counts the positions that have been cut off."""

    def __init__(self, problem: Problem[State]) -> None:
        self._machine = problem.machine
        self._quiesces = problem.facts.has_unsettled
        self.met = 0

    def is_met(self, state: State, overtime: Number) -> bool:
        """Whether a search that has gone ``overtime`` plies beyond its depth stops here."""
        return overtime >= QUIESCENCE_PLIES or not self.is_unsettled(state)

    def is_unsettled(self, state: State) -> bool:
        """Whether the file says that much is about to change."""
        return self._quiesces and self._machine.is_unsettled(state)


class Horizon(_Sight[State]):
    """The horizon of a search; ``bounds`` are those of all that the search can come to, payoffs and guesses."""

    def __init__(self, problem: Problem[State], worth: Worth[State], bounds: tuple[Number, Number]) -> None:
        super().__init__(problem)
        self.bounds = bounds
        self._worth = worth

    def worth(self, state: State) -> Number:
        """What a position at the horizon counts for."""
        self.met += 1
        return self._worth(state)

    def at_first_sight(self, state: State) -> Number:
        """What a position would count for at the horizon, where it does not stand there."""
        return self._worth(state)


def horizon_of(problem: Problem[State]) -> Horizon[State]:
    """The horizon for a problem, by the file's estimate or by rollouts. A search without limits goes on until no
    horizon is met, so there it does not matter what a position is worth.

    Raises ``ZermeloError`` (``needs-estimate``) where the search is asked to stop early and nothing says what a
    position is worth.
    """
    machine = problem.machine
    if problem.rollouts:
        rollouts = Rollouts(machine, Random(problem.seed))
        return Horizon(problem, lambda state: rollouts.means(state)[0], problem.bounds)
    if problem.facts.has_estimate:
        low, high = problem.facts.estimates or (-inf, inf)
        bounds = min(low, problem.bounds[0]), max(high, problem.bounds[1])
        return Horizon(problem, lambda state: exact(machine.estimate(state, 0)), bounds)
    check_estimate(problem)
    return no_horizon(problem)


def no_horizon(problem: Problem[State]) -> Horizon[State]:
    """For a search to the end: every position is worth what lies in the middle of all payoffs."""
    low, high = problem.bounds
    middle = 0 if low == -inf or high == inf else exact(Fraction(low + high) / 2)
    return Horizon(problem, lambda state: middle, problem.bounds)
