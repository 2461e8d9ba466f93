"""Minimax: :mod:`zermelo.solvers.kernels.minimax` has the algorithm."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.kernels import minimax as kernel
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.whole_tree import search_whole_tree
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.minimax)


@with_fallback
def minimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance."""
    path = backend.watch(problem)

    def work(kernels: GameKernels) -> Answer:
        search = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, path)
        found = search_whole_tree(search, problem.root)
        return Answer(value=problem.share(found.value), best=found.best, line=found.line, counts=found.counts)

    return backend.run(KERNEL.source(**path.holes), work)
