"""Alpha-beta: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.growing_table import CallTableSearch, TableKernel
from zermelo.solvers.running.horizon import sight
from zermelo.solvers.search.first_moves import search_first_moves
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = TableKernel(
    record=kernel.Search,
    start=kernel.start,
    go_on=kernel.alphabeta,
    counted=("nodes", "terminals", "cutoffs", "estimates"),
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
    """The answer of alpha-beta as far as the limits of the problem say that it is to look, with or without a table;
    ``limits`` are what it may use."""
    sees = sight(backend, problem)
    window = {"alpha": -backend.infinite, "beta": backend.infinite}

    def work(kernels: GameKernels) -> Answer:
        paths = CallTableSearch(
            counted, backend, kernels, limits, problem.progress, sees.path, remembers=has_table, first=window
        )
        found = search_first_moves(problem, paths, sees, has_window=True)
        ties = (TIES,) if len(found.best) > 1 else ()
        return evolve(found, best=found.best[:1], notes=(*found.notes, *ties))

    return backend.run(counted.source(**sees.holes), work)
