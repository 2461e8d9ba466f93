"""Iterative deepening.

What it computes: the value of alpha-beta to depth 1, 2, 3, ... until no horizon is met, which makes it the value of
the game, or until a limit is reached, which leaves the value of the last depth that was completed. Source: Slate and
Atkin, "CHESS 4.5" (1977); Korf, "Depth-first iterative-deepening", Artificial Intelligence 27 (1985).

Searching the shallow depths again costs little, since each is a fraction 1/b of the next; and it pays, since what was
best at one depth is tried first at the next, so that more is cut off.

Cost: O(b^m) at worst for depth m, like one search to depth m; memory for the table.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.search.alphabeta import TIES
from zermelo.solvers.search.deepening import Iteration, deepest, looked_ahead
from zermelo.solvers.search.window_search import Selection, WindowResult, Windows, best_moves, windowed
from zermelo.solvers.solution import Answer, Certainty, Problem

ENDLESS: Final = (
    "No horizon was met. But it is not proved that all plays end, and the rules do not say what an endless one pays, "
    "which may be more than any that ends: 'endless draw' or 'endless payoff ...' says it, and makes the value exact."
)
"""What the user has to know of a value at a bound of the payoffs, if these bound only plays that end."""


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search with an open window to one depth after the other."""
    return deepen(problem, search, lambda depth, _: search.root(problem.root, -inf, inf, depth))


def deepen(problem: Problem[State], search: Windows[State], iteration: Iteration[WindowResult]) -> Answer:
    """What the last iteration found that could be completed; ``counts`` has its ``depth``."""
    return answer(problem, search, *deepest(problem, iteration))


def answer(
    problem: Problem[State], search: Windows[State], found: WindowResult, depth: int | None = None, stopped: str = ""
) -> Answer:
    """What a search has found: to the end of all plays, or to a depth."""
    counts = {**search.counts, **({} if depth is None else {"depth": depth})}
    if found.whole and search.settles(found.value):
        notes, certainty = (TIES,), Certainty.EXACT
    elif found.whole:
        notes, certainty = (ENDLESS,), Certainty.DEPTH_LIMITED
    else:
        notes = (looked_ahead(problem, depth or 0, search.selection + stopped),)
        certainty = Certainty.HEURISTIC if search.selection else Certainty.DEPTH_LIMITED
    return Answer(
        value=problem.share(Fraction(found.value)),
        best=best_moves(found.line)[:1],
        line=search.line(found, inf if found.whole or depth is None else depth),
        counts=counts,
        certainty=certainty,
        notes=notes,
    )


iterative_deepening = windowed(drive, Selection())
"""Solve by iterative deepening. Needs what alpha-beta needs; where it is cut off it needs an estimate, too."""
