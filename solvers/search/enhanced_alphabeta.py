"""Enhanced alpha-beta: a transposition table, enhanced cut-offs, and move ordering.

What it computes: what :mod:`zermelo.solvers.search.alphabeta` computes, by one search to the end of all plays
(:mod:`zermelo.solvers.kernels.window`): with a transposition table, a look at all next positions before one of them is
searched, the window cut to what the game can pay at all, and the moves in the order of the file's ``order moves by``,
or, where the file leaves their order open, of what the search has learned about them.

Cost: O(b^m) at worst like minimax; a small part of plain alpha-beta's in games where plays meet again or wins are near.
"""

from __future__ import annotations

from math import inf

from zermelo.interpreter.machine import State
from zermelo.solvers.search.iterative_deepening import answer
from zermelo.solvers.search.window_search import Selection, Windows, windowed
from zermelo.solvers.solution import Answer, Problem


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search once, to the end of all plays."""
    return answer(problem, search, search.root(problem.root, -inf, inf, inf))


enhanced_alphabeta = windowed(drive, Selection(), deepens=False)
"""Solve by enhanced alpha-beta. Needs what minimax needs."""
