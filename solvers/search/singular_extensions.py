"""Principal variation search with singular extensions.

What it computes: what :mod:`zermelo.solvers.search.principal_variation` computes, and more where it matters: behind a
move that is better than all others by a margin (*singular*) it looks one ply further. There a player has no choice, the
opponent's threats are long, and what lies behind the horizon is most likely to upset the value. Source: Anantharaman,
Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching", Artificial Intelligence 43 (1990),
who used them in Deep Thought from 1988 on.

They tested a move once it had turned out to be best, and searched it again. Here, as programs do it today, moves are
tested before they are searched. A search of half the depth, mostly no more than a look into the table, says which move
is best and what it is worth. Then the others are searched, to half the depth, too, and only to see whether one of them
comes within the margin. If none does, the best move is searched one ply deeper than the others will be.

The margin is a 400th of what lies between the least and the most that the game can pay. That is a pawn in the bundled
chess; where estimates are coarser than that, every move that is better than all others is singular.

So a value found this way is not the value to any one depth, and it is called a guess. It is exact where no horizon was
met.

Invariant: no line is extended beyond twice the depth of the search, since moves are only tested while the path is no
longer than that depth. What a search without the best move finds is remembered of no position.

Cost: the tests take a small part of the nodes where few moves are singular; where most are, the extensions make the
search as large as one that goes several plies deeper.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Final

from zermelo.interpreter.machine import State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import horizon_of
from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.principal_variation import SCOUT, ScoutingSearch
from zermelo.solvers.search.search import Visit, best_moves
from zermelo.solvers.search.window_search import Plan, WindowResult
from zermelo.solvers.solution import Answer, Problem

LEAST_DEPTH: Final = 4
"""In searches of fewer plies no move is tested."""

_MARGINS: Final = 400
"""So many margins lie between the least and the most that the game can pay."""

SELECTION: Final = ", further where one move stood out"
"""Where it looks further, in words."""


def singular_extensions(problem: Problem[State]) -> Answer:
    """Search by singular extensions and iterative deepening. Needs what iterative deepening needs."""
    return drive(problem, _Extending(problem))


def margin(problem: Problem[State]) -> Number:
    """By how much a singular move is better than all others; any difference will do where payoffs have no bounds."""
    low, high = problem.bounds
    return 0 if low == -inf or high == inf else exact(Fraction(high - low) / _MARGINS)


class _Extending(ScoutingSearch[State]):
    """Looks further behind moves that are better than all others."""

    selection = SELECTION

    def __init__(self, problem: Problem[State]) -> None:
        super().__init__(problem, horizon_of(problem))
        self._margin = margin(problem)
        self._depth: Number = 0

    def root(self, state: State, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        self._depth = depth
        return super().root(state, alpha, beta, depth)

    def search(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, plan: Plan
    ) -> Visit[WindowResult]:
        if plan.barred is None and LEAST_DEPTH <= depth < inf and 0 < ply <= self._depth:
            found = yield self.value(state, alpha, beta, depth // 2, ply)
            best = best_moves(found.line)
            if best:
                plan = Plan(best[0])
            if best and (found.value > alpha if actor == 0 else found.value < beta):
                bound = found.value - self._margin if actor == 0 else found.value + self._margin
                low, high = (bound, bound + SCOUT) if actor == 0 else (bound - SCOUT, bound)
                others = yield self.search(state, actor, low, high, depth // 2, ply, Plan(barred=best[0]))
                if others.value <= bound if actor == 0 else others.value >= bound:
                    plan = Plan(best[0], extended=best[0])
        return (yield from super().search(state, actor, alpha, beta, depth, ply, plan))
