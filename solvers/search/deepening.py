"""How far a search looks: to the end of all plays, to a depth, or to one depth after the other.

A search that may be stopped is made anew, to depth 1, 2, 3, ..., and its result is that of the last depth that was
completed (iterative deepening, :mod:`zermelo.solvers.search.window_search`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from math import inf
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import evolve, frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.common.limits import LimitReached, lookahead_advice
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.running.path_search import CallSearch, Lookahead, best_line
from zermelo.solvers.solution import Answer, Certainty, Problem

TIES: Final = "Alpha-beta proves the first best move only: others may be as good, and minimax lists them all."


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
        """The depth of the search that found it."""
        return inf if self.depth is None else self.depth

    def counts(self, counts: Mapping[str, int]) -> dict[str, int]:
        """What has been counted, and the depth if there is one."""
        return {**counts} if self.depth is None else {**counts, "depth": self.depth}

    def notes(self, problem: Problem[State]) -> tuple[str, ...]:
        """What the user has to know of the horizon that was met, if one was."""
        return () if self.found.whole else (horizon_text(problem, self.depth or 0, self.stopped),)


def deepest(problem: Problem[State], iteration: Iteration[Result]) -> Deepest[Result]:
    """The result of the last completed iteration. Where nothing says what a position is worth, an iteration to less
    than the requested depth would find nothing. Where plays may go round, positions whose values are known are what a
    search may end at."""
    ends = problem.limits.has_horizon or problem.limits.seconds < inf or problem.endgames is not None
    if problem.facts.terminates.holds is False and not ends:
        looking = lookahead_advice(problem.has_estimate)
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
            with problem.limits.enforce():
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
    return Deepest(found, completed, stopped)


def search_to_depth(problem: Problem[State], iteration: Callable[[Number, Result | None], Result]) -> Deepest[Result]:
    """The result of a search that learns nothing from one depth to the next: by one iteration, to the end of all plays
    or to the requested depth; or by deepening, where it may be stopped early and has to have a result then, unless it
    is traced: a trace has one search."""
    limits = problem.limits
    if limits.has_horizon and limits.may_stop and problem.has_estimate and problem.trace is None:
        return deepest(problem, iteration)
    found = iteration(limits.depth, None)
    return Deepest(found, None if found.whole else int(limits.depth))


def horizon_text(problem: Problem[State], depth: int, stopped: str) -> str:
    """How far a search looked, and what stopped it, for the user."""
    guess = "the mean of random plays" if problem.rollouts else "the file's estimate"
    return f"The search looked {depth} {'ply' if depth == 1 else 'plies'} ahead{stopped}; what lies behind is {guess}."


@frozen(eq=False, repr=False)
class Found(Displayed):
    """What the players get; the first moves that are worth as much; whether no horizon was met; and other payoffs that
    ties allow, None where nobody has looked for them."""

    value: Payoff
    best: tuple[Move, ...]
    whole: bool
    alternatives: tuple[Payoff, ...] | None = None


def search_below(
    problem: Problem[State],
    paths: CallSearch[Any],
    look: Callable[[bool], Found],
    best: Callable[[State], tuple[Move, ...]],
    aim: Callable[[State], None] = lambda state: None,
    completes: bool = False,
) -> Answer:
    """The answer of a search below the root of a problem, as far as the problem's limits let it look. ``look`` tells
    what the search of the root has found, given whether no horizon was met, and ``best`` the best moves of the state
    searched last, at the root and along the line; ``aim`` is told of every state before it is searched. If it
    ``completes`` its line, that is searched to the end where no horizon was met.

    Only memory limits the search of the line, since it costs little and belongs to the value. Raises what
    ``CallSearch.run`` raises."""
    lookahead = Lookahead(paths)

    def iteration(depth: Number, _: Found | None) -> Found:
        aim(problem.root)
        return look(lookahead.to(problem.root, depth))

    seen = search_to_depth(problem, iteration)
    found, counts = seen.found, seen.counts(lookahead.counts)
    plies = inf if completes and found.whole else seen.plies
    paths.limits = evolve(paths.limits, nodes=inf, seconds=inf)

    def best_behind(state: State, made: int) -> tuple[Move, ...]:
        aim(state)
        lookahead.to(state, plies - made)
        return best(state)

    return Answer(
        value=found.value,
        best=found.best,
        line=best_line(paths.backend.machine, problem.root, found.best, best_behind, plies),
        counts=counts,
        certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
        alternatives=found.alternatives,
        notes=seen.notes(problem),
    )
