"""Principal variation search with late-move reductions.

What it computes: nearly what :mod:`zermelo.solvers.search.principal_variation` computes, in less time, so that a deeper
search fits into it. Where moves are well ordered a good one comes early, so the late ones, from the fifth on, are first
searched one ply less deep and only to see whether they are better than what there is. One that turns out to be better
is searched again to its full depth. One that would have been better only a ply further down is missed. Source: Levy,
Broughton and Taylor, "The SEX algorithm in computer chess" (1989); Romstad, "An introduction to late move reductions"
(2006).

So a value found this way is a guess even as a value to its depth. It is exact where no horizon was met, since a search
that has seen the ends of all plays has missed nothing.

Cost: never much more than without, and often a small part of it, the smaller the deeper the search.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import horizon_of
from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.principal_variation import ScoutingSearch, scouting_window
from zermelo.solvers.search.search import Visit
from zermelo.solvers.search.window_search import WindowResult
from zermelo.solvers.solution import Answer, Problem

LATE: Final = 4
"""So many moves are searched to the full depth."""

LEAST_DEPTH: Final = 2
"""Searches of fewer plies are not reduced."""

SELECTION: Final = ", less far where it expected little"
"""Where it looks less far, in words."""


def late_move_reductions(problem: Problem[State]) -> Answer:
    """Search by late-move reductions and iterative deepening. Needs what iterative deepening needs."""
    return drive(problem, _Reducing(problem, horizon_of(problem)))


class _Reducing(ScoutingSearch[State]):
    """Searches late moves less deep, unless they turn out to be good."""

    selection = SELECTION

    def child(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, number: int
    ) -> Visit[WindowResult]:
        if number >= LATE and depth >= LEAST_DEPTH:
            low, high = scouting_window(actor, alpha, beta)
            found = yield self.value(state, low, high, depth - 1, ply)
            if found.value <= alpha if actor == 0 else found.value >= beta:
                return found
        return (yield super().child(state, actor, alpha, beta, depth, ply, number))
