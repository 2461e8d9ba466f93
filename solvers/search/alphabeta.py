"""Alpha-beta: :mod:`zermelo.solvers.kernels.alphabeta` has the algorithm."""

from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import State
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.search.search import principal_variation
from zermelo.solvers.search.search_function import INFINITE, FunctionSearch
from zermelo.solvers.solution import Answer, Problem


def alphabeta(problem: Problem[State]) -> Answer:
    """Solve by alpha-beta. Needs what minimax needs. ``counts`` also has ``cutoffs``: states left before all their
    moves were tried."""
    search = FunctionSearch(problem, kernel.alphabeta)
    worth = search.worth(-INFINITE, INFINITE)
    candidates = search.best(worth)
    return Answer(
        value=problem.share(Fraction(worth.number)),
        best=candidates[:1],
        line=principal_variation(worth.line),
        counts={**search.counts, "cutoffs": search.record.cutoffs},
        notes=(TIES,) if len(candidates) > 1 else (),
    )


TIES = "Alpha-beta proves the first best move only: others may be as good, and minimax lists them all."
