"""Aspiration windows.

What it computes: what :mod:`zermelo.solvers.search.iterative_deepening` computes. The value changes little from one
depth to the next, so each search begins with a narrow window around the value before: a narrow window cuts off more. If
the value turns out to lie outside, the search is repeated with the window open on that side. Source: Slate and Atkin,
"CHESS 4.5" (1977); Baudet (1978).

Invariant: the last search for a depth has its value inside the window, so by alpha-beta's invariant it is that value.
Cost: mostly at most two searches for each depth, the second helped by the first's table entries. A third one, with the
whole window, is made where an entry that was searched deeper takes the second beyond the other side.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from zermelo.interpreter.machine import State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.iterative_deepening import deepen
from zermelo.solvers.search.window_search import Selection, WindowResult, Windows, windowed
from zermelo.solvers.solution import Answer, Problem


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search with a narrow window around the value before, to one depth after the other."""
    margin = half_width(search.low, search.high)

    def iteration(depth: int, before: WindowResult | None) -> WindowResult:
        if before is None:
            return search.root(problem.root, -inf, inf, depth)
        alpha, beta = before.value - margin, before.value + margin
        found = search.root(problem.root, alpha, beta, depth)
        if found.value <= alpha:
            found, alpha = search.root(problem.root, -inf, beta, depth), -inf
        elif found.value >= beta:
            found, beta = search.root(problem.root, alpha, inf, depth), inf
        return found if alpha < found.value < beta else search.root(problem.root, -inf, inf, depth)

    return deepen(problem, search, iteration)


def half_width(low: Number, high: Number) -> Number:
    """How far a window reaches to both sides: a sixteenth of what lies between the least and the greatest payoff."""
    return Fraction(1) if inf in (-low, high) else Fraction(high - low) / 16


aspiration = windowed(drive, Selection())
"""Solve by iterative deepening with aspiration windows. Needs what iterative deepening needs."""
