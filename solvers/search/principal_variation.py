"""Principal variation search.

What it computes: what :mod:`zermelo.solvers.search.iterative_deepening` computes. If moves are well ordered the first
one is best, and of the others it need only be shown that they are no better. So they are *scouted*: searched with a
window so narrow that all it can tell is better or not. Only a move that turns out to be better is searched again for
its value. Source: Pearl's SCOUT, "Asymptotic properties of minimax trees and game-searching procedures" (1980);
Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); as NegaScout: Reinefeld (1983).

Invariant: a scout's answer <= alpha or >= beta is a bound as good as that of a full search; one in between is only a
bound, so the move is searched again.

Cost: never more leaves than alpha-beta when moves are well ordered and values differ; a move that is searched twice is
helped by what the table remembers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.common.numbers import Number, plus
from zermelo.solvers.search.horizon import horizon_of
from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.search import Visit
from zermelo.solvers.search.window_search import WindowResult, WindowSearch
from zermelo.solvers.solution import Answer, Problem

SCOUT: Final = Fraction(1, 1000)
"""The width of a scout's window. Any width is right; one below the difference of any two values cuts off most."""


def principal_variation_search(problem: Problem[State]) -> Answer:
    """Solve by principal variation search and iterative deepening. Needs what iterative deepening needs."""
    return drive(problem, ScoutingSearch(problem, horizon_of(problem)))


def scouting_window(actor: int, alpha: Number, beta: Number) -> tuple[Number, Number]:
    """The part of a window that tells no more than whether a move of ``actor`` is better than what there is."""
    if plus(beta, -alpha) <= SCOUT:
        return alpha, beta
    return (alpha, plus(alpha, SCOUT)) if actor == 0 else (plus(beta, -SCOUT), beta)


class ScoutingSearch(WindowSearch[State]):
    """Searches all moves but the first with a null window first."""

    def child(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, number: int
    ) -> Visit[WindowResult]:
        if number > 0 and plus(beta, -alpha) > SCOUT:
            low, high = scouting_window(actor, alpha, beta)
            found = yield self.value(state, low, high, depth, ply)
            if not alpha < found.value < beta:
                return found
        return (yield self.value(state, alpha, beta, depth, ply))
