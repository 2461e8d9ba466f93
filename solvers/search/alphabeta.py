"""Minimax and alpha-beta, with and without a table: the hosts of :mod:`zermelo.solvers.kernels.alphabeta`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from math import inf
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import evolve, frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.common.limits import LimitReached, Limits, lookahead_advice
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.kernels import minimax as minimax_kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import (
    CallSearch,
    CallTableSearch,
    Lookahead,
    PathKernel,
    Sight,
    TableKernel,
    best_line,
    sight,
)
from zermelo.solvers.solution import Answer, Certainty, Problem

# How far a search looks: to the end of all plays, to a depth, or to one depth after the other.
#
# A search that may be stopped is made anew, to depth 1, 2, 3, ..., and its result is that of the last depth that was
# completed (:mod:`zermelo.solvers.search.window_search`).


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


def search_first_moves(
    problem: Problem[State], paths: CallSearch[Any], sees: Sight, has_window: bool = False
) -> Answer:
    """The answer of a search that stores the values of the first moves. Once the value of best play is known, one that
    ``has_window`` asks along the line whether the player to move gets as much."""
    machine, record = paths.backend.machine, paths.search
    known = 0

    def best(state: State) -> tuple[Move, ...]:
        moves = enumerate(machine.moves(state)[: record.tried])
        return tuple(move for k, move in moves if record.values[k] == record.value)

    def look(whole: bool) -> Found:
        nonlocal known
        known = record.value
        return Found(problem.share(sees.value(known)), best(problem.root), whole)

    def aim(state: State) -> None:
        if has_window and state is not problem.root:
            alpha = known - 1 if machine.actor(state) == 0 else known
            paths.first = {"alpha": alpha, "beta": alpha + 1}

    return search_below(problem, paths, look, best, aim)


# Alpha-beta: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm.


KERNEL: Final = TableKernel(
    record=kernel.Search,
    start=kernel.start,
    go_on=kernel.alphabeta,
    counted=("nodes", "terminals", "lookups", "cutoffs", "estimates"),
    entry=kernel.Entry,
    spread=kernel.spread,
)

TIES: Final = "Alpha-beta proves the first best move only: others may be as good, and minimax lists them all."


@with_fallback
def alphabeta(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by alpha-beta. Needs what minimax needs. ``counts`` also has ``cutoffs``: states left before all their
    moves were tried."""
    return search_with_window(backend, problem, KERNEL, problem.limits, has_table=False)


def search_with_window(
    backend: Backend[State],
    problem: Problem[State],
    counted: TableKernel[kernel.Search],
    limits: Limits,
    has_table: bool,
) -> Answer:
    """The answer of alpha-beta, with or without a table. The limits of the problem say how far it looks, and ``limits``
    what it may use."""
    sees = sight(backend, problem)
    window = {"alpha": -backend.infinite, "beta": backend.infinite}

    def work(kernels: GameKernels) -> Answer:
        paths = CallTableSearch(
            counted,
            backend,
            kernels,
            limits,
            problem.progress,
            sees.path,
            remembers=has_table,
            first=window,
            endgames=sees.known(kernels),
        )
        found = search_first_moves(problem, paths, sees, has_window=True)
        ties = (TIES,) if len(found.best) > 1 else ()
        return evolve(found, best=found.best[:1], notes=(*found.notes, *ties))

    return backend.run(sees.source(counted), work)


# Minimax: :mod:`zermelo.solvers.kernels.minimax` has the algorithm.


MINIMAX: Final = PathKernel(
    minimax_kernel.Search, minimax_kernel.start, minimax_kernel.minimax, ("nodes", "terminals", "estimates")
)


@with_fallback
def minimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance. Under a
    limit of depth or nodes plays need not end, but where it is cut off it needs an estimate."""
    sees = sight(backend, problem)

    def work(kernels: GameKernels) -> Answer:
        paths = CallSearch(MINIMAX, backend, kernels, problem.limits, problem.progress, sees.path)
        return search_first_moves(problem, paths, sees)

    return backend.run(
        MINIMAX.source(**sees.holes), work, TraceView(lambda search, value, arguments: sees.value(value))
    )


# Alpha-beta with a transposition table: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm.


WITH_TABLE: Final = evolve(KERNEL, counted=("nodes", "terminals", "lookups", "cutoffs", "hits"))


@with_fallback
def alphabeta_table(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by alpha-beta with a transposition table. Needs what minimax needs. ``counts`` also has ``cutoffs``, and
    ``hits``: states whose value the table gave.

    The table is left out where what follows depends on how long it took to get there, as discounted payoffs do. The
    values that it holds are those of whole plays, so a search to a depth has no use for it: this one looks to the end
    of all plays, and a limit of nodes stops it."""
    to_the_end = evolve(problem, limits=evolve(problem.limits, depth=inf, nodes=inf))
    has_table = not problem.facts.discounted
    return search_with_window(backend, to_the_end, WITH_TABLE, problem.limits, has_table=has_table)
