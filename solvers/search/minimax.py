"""Minimax: :mod:`zermelo.solvers.kernels.minimax` has the algorithm."""

from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import State
from zermelo.solvers.kernels import minimax as kernel
from zermelo.solvers.search.search import principal_variation
from zermelo.solvers.search.search_function import FunctionSearch
from zermelo.solvers.solution import Answer, Problem


def minimax(problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance."""
    search = FunctionSearch(problem, kernel.minimax)
    worth = search.worth()
    return Answer(
        value=problem.share(Fraction(worth.number)),
        best=search.best(worth),
        line=principal_variation(worth.line),
        counts=search.counts,
    )
