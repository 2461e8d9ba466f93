"""Alpha-beta with everything that is known beforehand.

What it computes: what :mod:`solvers.alphabeta` computes, by one search to the end of all plays
(:mod:`solvers.window_search`): with a transposition table, a look at all next positions before one of them is searched,
the window cut to what the game can pay at all, and the moves in the order of the file's ``order moves by``, or, where
the file leaves their order open, of what the search has learned about them (:mod:`solvers.move_ordering`).

Cost: O(b^m) at worst like minimax; a small part of plain alpha-beta's in games where plays meet again or wins are near.
"""

from __future__ import annotations

from math import inf

from interpreter.machine import State
from solvers.horizon import no_horizon
from solvers.iterative_deepening import answer
from solvers.solution import Answer, Problem
from solvers.window_search import Windows, WindowSearch


def enhanced_alphabeta(problem: Problem[State]) -> Answer:
    """Solve by enhanced alpha-beta. Needs what minimax needs."""
    return drive(problem, WindowSearch(problem, no_horizon(problem), learns=not problem.facts.has_order))


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search once, to the end of all plays."""
    return answer(problem, search, search.root(problem.root, -inf, inf, inf))
