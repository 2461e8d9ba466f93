"""Minimax and alpha-beta, with and without a table: the hosts of :mod:`zermelo.solvers.kernels.alphabeta`."""

from __future__ import annotations

from math import inf
from typing import Any, Final

from attrs import evolve

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.kernels import minimax as minimax_kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import (
    CallSearch,
    CallTableSearch,
    PathKernel,
    Sight,
    TableKernel,
    sight,
)
from zermelo.solvers.search.deepening import TIES, Found, search_below
from zermelo.solvers.solution import Answer, Problem

# The first moves of a search: which of them are best, and the line behind.


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
    minimax_kernel.Search, minimax_kernel.start, minimax_kernel.minimax, ("nodes", "terminals", "lookups", "estimates")
)


@with_fallback
def minimax(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance. Under a
    limit of depth or nodes plays need not end, but where it is cut off it needs an estimate."""
    sees = sight(backend, problem)

    def work(kernels: GameKernels) -> Answer:
        known = sees.known(kernels)
        paths = CallSearch(MINIMAX, backend, kernels, problem.limits, problem.progress, sees.path, endgames=known)
        return search_first_moves(problem, paths, sees)

    return backend.run(sees.source(MINIMAX), work, TraceView(lambda search, value, arguments: sees.value(value)))


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
