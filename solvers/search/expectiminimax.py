"""Searches with chance: expectiminimax, Star1 and Star2."""

from __future__ import annotations

from fractions import Fraction
from math import inf, lcm
from typing import Final

from attrs import evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, State
from zermelo.solvers.common.trace import Between, WhichMoves, known_bounds
from zermelo.solvers.kernels import expectiminimax as kernel
from zermelo.solvers.kernels import star as star_kernel
from zermelo.solvers.running.backend import Arguments, Backend, GameKernels, TraceView
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import CallSearch, PathKernel, Sight, bounds_of, sight
from zermelo.solvers.search.deepening import Found, search_below
from zermelo.solvers.search.window_search import ENDLESS
from zermelo.solvers.solution import Answer, Certainty, Problem

# Expectiminimax: :mod:`zermelo.solvers.kernels.expectiminimax` has the algorithm.


KERNEL: Final = PathKernel(
    kernel.Search, kernel.start, kernel.expectiminimax, ("nodes", "terminals", "lookups", "estimates")
)


@with_fallback
def expectiminimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by expectiminimax. Needs two players, constant sum, perfect information, and plays that end. Under a limit
    it deepens, and where it is cut off it needs an estimate."""
    sees = sight(backend, problem)

    def work(kernels: GameKernels) -> Answer:
        known = sees.known(kernels)
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path, endgames=known)
        search = paths.search

        def best(state: State) -> tuple[Move, ...]:
            wanted = sees.fraction(search.value)
            moves = enumerate(backend.machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if sees.fraction(search.values[k]) == wanted)

        def look(whole: bool) -> Found:
            return Found(problem.share(sees.fraction(search.value)), best(problem.root), whole)

        return search_below(problem, paths, look, best)

    shown = TraceView(lambda search, value, arguments: sees.fraction(value))
    return backend.run(sees.source(KERNEL), work, shown)


# Star1 and Star2: :mod:`zermelo.solvers.kernels.star` has the algorithm.


STAR: Final = PathKernel(
    star_kernel.Search, star_kernel.start, star_kernel.star, ("nodes", "terminals", "lookups", "cutoffs", "estimates")
)

_PARTS: Final = {
    star_kernel.SEARCHING: WhichMoves.ALL,
    star_kernel.PROBING: WhichMoves.FIRST,
    star_kernel.RESUMING: WhichMoves.OTHERS,
}

TIES: Final = "Star proves the first best move only: others may be as good, and expectiminimax lists them all."


@with_fallback
def star1(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by Star1. Needs what expectiminimax needs, and bounds of the payoffs. ``counts`` also has ``cutoffs``:
    states left before all their moves or outcomes were tried. Under a limit it deepens, and needs an estimate with
    bounds."""
    return _search_draws(backend, problem, probes=False)


@with_fallback
def star2(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by Star2. Needs what Star1 needs."""
    return _search_draws(backend, problem, probes=True)


def _search_draws(backend: Backend[State], problem: Problem[State], probes: bool) -> Answer:
    low, high = _value_bounds(problem)
    sees = sight(backend, problem, lcm(low.denominator, high.denominator))

    def work(kernels: GameKernels) -> Answer:
        known = sees.known(kernels)
        paths = CallSearch(STAR, backend, kernels, problem.limits, problem.progress, sees.path, endgames=known)
        search = paths.search

        def best(_: State) -> tuple[Move, ...]:
            """The best move of the state searched last, none where chance draws or it is cut off."""
            return () if search.best_move == star_kernel.NO_MOVE else (backend.move(search.best_move),)

        def look(whole: bool) -> Found:
            return Found(problem.share(sees.fraction(search.value.low)), best(problem.root), whole)

        found = search_below(problem, paths, look, best, completes=True)
        if found.exact and problem.has_certain_bounds:
            return evolve(found, notes=(TIES,))
        return evolve(found, certainty=Certainty.DEPTH_LIMITED, notes=found.notes or (ENDLESS,))

    edges = {"LOW": backend.number(low * sees.unit), "HIGH": backend.number(high * sees.unit)}
    return backend.run(sees.source(STAR, **edges, PROBES=int(probes)), work, _trace_view(sees))


def _trace_view(sees: Sight) -> TraceView:
    """What a trace shows of a visit."""

    def value(search: object, found: star_kernel.Interval, arguments: object) -> Fraction | Between:
        return known_bounds(sees.fraction(found.low), sees.fraction(found.high))

    def window(arguments: Arguments) -> tuple[Fraction, Fraction]:
        return sees.fraction(arguments["window"].low), sees.fraction(arguments["window"].high)

    def part(arguments: Arguments) -> WhichMoves:
        return _PARTS[arguments["task"]]

    return TraceView(value, window, part)


def _value_bounds(problem: Problem[State]) -> tuple[Fraction, Fraction]:
    """Bounds on all values that the search can come to. Raises ``ZermeloError`` (``needs-bounds``)."""
    if not problem.limits.has_horizon:
        low, high = problem.certain_bounds
        unbounded = "it is not proved that all plays end, and the rules do not say what an endless one pays"
    else:
        low, high = bounds_of(problem)
        unbounded = "the rules do not bound what they estimate"
    if low == -inf or high == inf:
        raise ZermeloError("needs-bounds", f"Star needs bounds, and {unbounded}", "--solver expectiminimax needs none")
    return Fraction(low), Fraction(high)
