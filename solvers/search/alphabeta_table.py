"""Alpha-beta with a transposition table: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm."""

from __future__ import annotations

from math import inf
from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import State
from zermelo.solvers.running.backend import Backend
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.search.alphabeta import KERNEL, search_with_window
from zermelo.solvers.solution import Answer, Problem

WITH_TABLE: Final = evolve(KERNEL, counted=("nodes", "terminals", "cutoffs", "hits"))


@with_fallback
def alphabeta_table(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by alpha-beta with a transposition table. Needs what minimax needs. ``counts`` also has ``cutoffs``, and
    ``hits``: states whose value the table gave.

    The table is left out where what is to come depends on how long it took to get here, as payoffs with a discount
    do. What it holds is worth the same however far a search looks, so a search to a depth has no use for it: this one
    looks to the end of all plays, and a limit of nodes stops it."""
    to_the_end = evolve(problem, limits=evolve(problem.limits, depth=inf, nodes=inf))
    has_table = not problem.facts.discounted
    return search_with_window(backend, to_the_end, WITH_TABLE, problem.limits, has_table=has_table)
