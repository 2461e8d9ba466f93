"""Principal variation search with null-move pruning.

What it computes: nearly what :mod:`zermelo.solvers.search.principal_variation` computes, in less time, so that a deeper
search fits into it. In most positions it is better to move than not to. So before the moves of a position are searched
that looks good enough already, its player lets the other one move in his place (a *null move*), and the position then
is searched some plies less deep. If it is good enough even so, it will be with a move, and none of his moves is
searched. Sources: Beal, "Experiments with the null move" (1989); Goetsch and Campbell, "Experiments with the null-move
heuristic" (1990); Donninger, "Null move and deep search", ICCA Journal 16 (1993), who takes off R = 2 plies more than
the pass itself; Heinz, "Adaptive null-move pruning", ICCA Journal 22 (1999), who takes off R = 3 where the search is
still deep.

Where it errs: in a *zugzwang*, a position in which every move is worse than none. There are games that are full of them
(nim is nothing else), and for those it is no good. So a value found this way is a guess even as a value to its depth.
What a pass is, and in which games there is one, :mod:`zermelo.interpreter.model.passing` says.

Nobody passes

- where the estimate does not look good enough: a pass would hardly make it so;
- where the position is ``unsettled``, as in check, where the rules would not let him leave it as it is;
- behind a pass, or both would do nothing until the horizon;
- where the other would have no ply left to answer in: a pass that nobody answers shows nothing;
- at the root, which asks for a move.

A pass may lead to where no play comes. If a rule goes wrong behind one, that is no fault of the game: the pass is taken
back, and the moves are searched.

Invariant: what a search behind a pass has seen to the end of all plays cuts nothing off. So the result is exact where
no horizon was met, which is so for every game without end that is searched deep enough: nothing has been left out then.

Cost: where it cuts off, a position costs what it would cost R + 1 plies from its horizon.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.machine import PlayError, State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import horizon_of
from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.principal_variation import ScoutingSearch, scouting_window
from zermelo.solvers.search.search import Visit
from zermelo.solvers.search.window_search import Plan, WindowResult
from zermelo.solvers.solution import Answer, Problem

LEAST_DEPTH: Final = 4
"""Searches of fewer plies leave the other player none to answer a pass in."""

ADAPTIVE_DEPTH: Final = 7
"""From so many plies on a pass costs one more."""

SELECTION: Final = ", less far where a player could afford to pass"
"""Where it looks less far, in words."""


def null_move_pruning(problem: Problem[State]) -> Answer:
    """Search by null-move pruning and iterative deepening. Needs what iterative deepening needs, and passes."""
    return drive(problem, _Passing(problem, horizon_of(problem)))


def depth_behind(depth: Number) -> Number:
    """How deep the search behind a pass is, where the moves would be searched ``depth`` plies deep."""
    return depth - 1 - (3 if depth >= ADAPTIVE_DEPTH else 2)


class _Passing(ScoutingSearch[State]):
    """Asks first whether a position is good enough even for a player who passes."""

    selection = SELECTION

    def search(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, plan: Plan
    ) -> Visit[WindowResult]:
        passed = self.passed(state, actor, alpha, beta, depth, ply)
        if passed is not None:
            low, high = scouting_window(1 - actor, alpha, beta)
            try:
                found = yield self.value(passed, low, high, depth_behind(depth), ply + 1)
            except PlayError:
                found = None
            if found is not None and not found.whole and is_enough(actor, alpha, beta, found.value):
                self.cutoffs += 1
                line = None if plan.first is None else ((plan.first,), None)
                best = WindowResult(found.value, line, whole=False)
                self.remember(state, (alpha, beta), depth, best)
                return best
        return (yield from super().search(state, actor, alpha, beta, depth, ply, plan))

    def passed(self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int) -> State | None:
        """The state behind a pass, if it is worth a try."""
        if ply == 0 or depth < LEAST_DEPTH or not is_enough(actor, alpha, beta, self.horizon.at_first_sight(state)):
            return None
        passed = None if self.horizon.is_unsettled(state) else self.machine.passed(state)
        if passed is not None:
            self.count()
        return passed


def is_enough(actor: int, alpha: Number, beta: Number, value: Number) -> bool:
    """Whether a position of ``actor`` that is worth so much need not be searched for this window."""
    return value >= beta if actor == 0 else value <= alpha
