"""Alpha-beta with a transposition table: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import State
from zermelo.solvers.running.backend import Backend
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.search.alphabeta import KERNEL, search_with_window
from zermelo.solvers.solution import Answer, Problem

WITH_TABLE: Final = evolve(KERNEL, counted=(*KERNEL.counted, "hits"))


@with_fallback
def alphabeta_table(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by alpha-beta with a transposition table. Needs what minimax needs. ``counts`` also has ``cutoffs``, and
    ``hits``: states whose value the table gave.

    The table is left out where what is to come depends on how long it took to get here, as payoffs with a discount do,
    and where the key of a position leaves out the history at which the rules look."""
    has_table = backend.knows_the_past and not problem.facts.discounted
    return search_with_window(backend, problem, WITH_TABLE, has_table)
