"""Minimax: :mod:`zermelo.solvers.kernels.minimax` has the algorithm."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.kernels import minimax as kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.horizon import sight
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.first_moves import search_first_moves
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.minimax, ("nodes", "terminals", "estimates"))


@with_fallback
def minimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance. Under a
    limit of depth or nodes plays need not end, but where it is cut off it needs an estimate."""
    sees = sight(backend, problem)

    def work(kernels: GameKernels) -> Answer:
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path)
        return search_first_moves(problem, paths, sees)

    return backend.run(KERNEL.source(**sees.holes), work, TraceView(lambda search, value, arguments: sees.value(value)))
