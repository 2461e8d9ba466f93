"""Expectiminimax: :mod:`zermelo.solvers.kernels.expectiminimax` has the algorithm."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import expectiminimax as kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.deepening import searched
from zermelo.solvers.solution import Answer, Certainty, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.expectiminimax, ("nodes", "terminals", "estimates"))


@frozen
class Expected:
    """What the first player can expect, the best moves that are known at the root, and whether no horizon was met."""

    value: Fraction
    best: tuple[Move, ...]
    whole: bool


@with_fallback
def expectiminimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by expectiminimax. Needs two players, constant sum, perfect information, and plays that end. Under a limit
    it deepens, and where it is cut off it needs an estimate."""
    sees = sight(backend, problem)

    def work(kernels: GameKernels) -> Answer:
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path)
        search, lookahead = paths.search, Lookahead(paths)

        def best(state: State) -> tuple[Move, ...]:
            wanted = sees.fraction(search.value)
            moves = enumerate(backend.machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if sees.fraction(search.values[k]) == wanted)

        def iteration(depth: Number, _: Expected | None) -> Expected:
            whole = lookahead.to(problem.root, depth)
            return Expected(sees.fraction(search.value), best(problem.root), whole)

        seen = searched(problem, iteration)
        found, counts = seen.found, seen.counts(lookahead.counts)
        return Answer(
            value=problem.share(found.value),
            best=found.best,
            line=lookahead.line(problem.root, found.best, seen.plies, best),
            counts=counts,
            certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
            notes=seen.notes(problem),
        )

    shown = TraceView(lambda search, value, arguments: sees.fraction(value))
    return backend.run(KERNEL.source(**sees.holes), work, shown)
