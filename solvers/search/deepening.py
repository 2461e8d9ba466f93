"""How far a search looks: to the end of all plays, to a depth, or to one depth after the other.

A search that may be stopped is made anew, to depth 1, 2, 3, ..., and its result is that of the last depth that was
completed (:mod:`.iterative_deepening`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from math import inf
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import LimitReached, ahead
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.solution import Problem


class IterationResult(Protocol):
    """What an iteration finds; ``whole`` tells that no horizon was met."""

    @property
    def whole(self) -> bool: ...


Result = TypeVar("Result", bound=IterationResult)

Iteration = Callable[[int, Result | None], Result]
"""A search to a depth, given what the search to the depth before it has found."""


@frozen(eq=False, repr=False)
class Deepest(Displayed, Generic[Result]):
    """What was found, to which depth (None: to the end of all plays), and in words what stopped a deeper search."""

    found: Result
    depth: int | None = None
    stopped: str = ""

    @property
    def plies(self) -> Number:
        """How deep the search went that found it."""
        return inf if self.depth is None else self.depth

    def counts(self, counts: Mapping[str, int]) -> dict[str, int]:
        """What has been counted, and the depth if there is one."""
        return {**counts} if self.depth is None else {**counts, "depth": self.depth}

    def notes(self, problem: Problem[State]) -> tuple[str, ...]:
        """What the user has to know of the horizon that was met, if one was."""
        return () if self.found.whole else (looked_ahead(problem, self.depth or 0, self.stopped),)


def deepest(problem: Problem[State], iteration: Iteration[Result]) -> tuple[Result, int, str]:
    """What the last iteration found that could be completed, its depth, and in words what stopped the next one. Where
    nothing says what a position is worth, nothing can be learned short of a depth that is asked for."""
    if problem.facts.terminates.holds is False and not (problem.limits.has_horizon or problem.limits.seconds < inf):
        looking = ahead(problem.has_estimate)
        raise ZermeloError(
            "needs-end",
            f"a play of this game may never end: {problem.facts.terminates.how}",
            f"{looking}; --solver positions is for games whose plays go round",
        )
    found: Result | None = None
    completed, stopped = 0, ""
    limit = problem.limits.depth
    for depth in count(1) if problem.has_estimate or limit == inf else (int(limit),):
        if depth > limit:
            break
        try:
            with problem.limits.kept():
                found = iteration(depth, found)
        except LimitReached as reached:
            if found is None or not problem.has_estimate:
                raise
            stopped = f", where it was stopped {reached.limit}"
            break
        completed = depth
        if found.whole:
            break
    assert found is not None, "the depth is at least 1"
    return found, completed, stopped


def searched(problem: Problem[State], iteration: Callable[[Number, Result | None], Result]) -> Deepest[Result]:
    """What a search finds that learns nothing from one depth to the next: by one iteration, to the end of all plays or
    to the depth that was asked for; by deepening where it may be stopped before, so that it has a result then,
    unless it is traced: a trace has one search."""
    limits = problem.limits
    if limits.has_horizon and limits.may_stop and problem.has_estimate and problem.trace is None:
        return Deepest(*deepest(problem, iteration))
    found = iteration(limits.depth, None)
    return Deepest(found, None if found.whole else int(limits.depth))


def looked_ahead(problem: Problem[State], depth: int, stopped: str) -> str:
    """How far a search looked, and what stopped it, for the user."""
    guess = "the mean of random plays" if problem.rollouts else "the file's estimate"
    return f"The search looked {depth} {'ply' if depth == 1 else 'plies'} ahead{stopped}; what lies behind is {guess}."
