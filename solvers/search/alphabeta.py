"""Alpha-beta: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm."""

from __future__ import annotations

from typing import Any, Final

from zermelo.interpreter.machine import State
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.growing_table import table_size
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.whole_tree import search_whole_tree
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.alphabeta, ("nodes", "terminals", "cutoffs"))

TIES: Final = "Alpha-beta proves the first best move only: others may be as good, and minimax lists them all."


@with_fallback
def alphabeta(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by alpha-beta. Needs what minimax needs. ``counts`` also has ``cutoffs``: states left before all their
    moves were tried."""
    return search_with_window(backend, problem, KERNEL, has_table=False)


def search_with_window(
    backend: Backend[State], problem: Problem[State], counted: PathKernel[kernel.Search], has_table: bool
) -> Answer:
    """The answer of alpha-beta, with or without a table that may fill all the memory."""
    path = backend.watch(problem)
    window = {"alpha": -backend.infinite, "beta": backend.infinite}

    def work(kernels: GameKernels) -> Answer:
        size = table_size(problem.limits, kernels.words_of(kernel.Search, "table"), kernels) if has_table else 0
        table: list[Any] = kernels.elements(kernel.Entry, size, everywhere=True)
        search = CallSearch(
            counted, backend, kernels, problem.limits, problem.progress, path, first=window, table=table
        )
        found = search_whole_tree(search, problem.root, has_window=True)
        return Answer(
            value=problem.share(found.value),
            best=found.best[:1],
            line=found.line,
            counts=found.counts,
            notes=(TIES,) if len(found.best) > 1 else (),
        )

    return backend.run(counted.source(**path.holes), work)
