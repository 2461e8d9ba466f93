"""Star1: alpha-beta where chance takes part.

What it computes: what :mod:`zermelo.solvers.search.expectiminimax` computes, and one first move that secures it,
without visiting states that cannot change it. Source: Ballard, "The *-minimax search procedure for trees containing
chance nodes", Artificial Intelligence 21 (1983); in the fail-soft form.

A mean can be judged before all its parts are known if every part is known to lie between ``low`` and ``high``, the
least and the most that the game can pay the first player. Let S be the weighted sum of the outcomes searched so far, p
the probability of the next and r that of all behind it. Whatever those come to, the mean lies between
S + p v + r low and S + p v + r high. So v matters only between

    a = (alpha - S - r high) / p        at or below it the mean cannot come up to alpha any more,
    b = (beta  - S - r low)  / p        at or above it the mean cannot fall below beta any more,

which is the window for the next outcome, and where v lies outside, the rest of the draw is cut off. Windows are cut to
[low, high], too: nobody looks for more than the most. Means and windows are fractions, so all this is exact.

Invariant (fail-soft): with the window (alpha, beta) a call returns the value v of its state if alpha < v < beta, an
upper bound of it if v <= alpha, and a lower bound if v >= beta. A number outside [low, high] is never returned, so at
the edges of that range a bound is the value.

Cost: as expectiminimax at worst. The first outcomes of a draw have wide windows: a cut-off needs that most of the
probability has been seen, which :mod:`zermelo.solvers.search.star2` mends.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from attrs import evolve

from zermelo.interpreter.machine import CHANCE, END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number, plus, times
from zermelo.solvers.search.horizon import horizon_of, no_horizon
from zermelo.solvers.search.iterative_deepening import answer, drive
from zermelo.solvers.search.search import Search, Visit, principal_variation
from zermelo.solvers.search.window_search import WindowResult, Windows, better, narrowed
from zermelo.solvers.solution import Answer, Problem


def star1(problem: Problem[State]) -> Answer:
    """Solve by Star1. Needs what expectiminimax needs, and bounds of the payoffs. ``counts`` also has ``cutoffs``:
    states left before all their moves or outcomes were tried. Under a limit it deepens, and needs an estimate."""
    return solve(problem, Star1(problem))


def solve(problem: Problem[State], search: Windows[State]) -> Answer:
    """What a search finds: to one depth after the other if it may be cut off, otherwise to the end of all plays."""
    if problem.limits.has_horizon:
        found = drive(problem, search)
    else:
        found = answer(problem, search, search.root(problem.root, -inf, inf, inf))
    return evolve(found, notes=(TIES,)) if found.exact else found


TIES = "Star proves the first best move only: others may be as good, and expectiminimax lists them all."


class Star1(Search[State]):
    """The search, and how many cut-offs it has made. ``low`` and ``high`` bound every value."""

    selection = ""

    def __init__(self, problem: Problem[State]) -> None:
        super().__init__(problem)
        self.horizon = horizon_of(problem) if problem.limits.has_horizon else no_horizon(problem)
        self.low, self.high = self.horizon.bounds
        self.cutoffs = 0

    @property
    def counts(self) -> dict[str, int]:
        counts = {**super().counts, "cutoffs": self.cutoffs}
        return {**counts, "estimates": self.horizon.met} if self.horizon.met else counts

    def root(self, state: State, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state ``depth`` plies deep; a draw of chance is a ply, too."""
        return self.run(self.value(state, max(alpha, self.low), min(beta, self.high), depth))

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """Best play up to the end, the horizon or the first draw of chance."""
        return principal_variation(found.line)

    def value(self, state: State, alpha: Number, beta: Number, depth: Number) -> Visit[WindowResult]:
        """The value of a state for a window."""
        actor = self.met(state, depth)
        if actor == END:
            return WindowResult(exact(self.machine.payoff(state)[0]), None, whole=True)
        if depth <= 0 and self.horizon.is_met(state, -depth):
            return WindowResult(self.horizon.worth(state), None, whole=False)
        if actor == CHANCE:
            return (yield from self.draw(state, alpha, beta, depth))
        return (yield from self.decide(state, actor, alpha, beta, depth))

    def decide(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, probed: WindowResult | None = None
    ) -> Visit[WindowResult]:
        """The value of a state in which a player moves; ``probed`` is what his first move has been found to bring, by
        a search that has been made already."""
        best = WindowResult(-inf if actor == 0 else inf, None, whole=True)
        legal = self.machine.moves(state)
        for k, move in enumerate(legal):
            if k == 0 and probed is not None:
                found = probed
            else:
                found = yield self.value(self.machine.after(state, move), alpha, beta, depth - 1)
            best = better(actor, best, move, found)
            alpha, beta = narrowed(actor, alpha, beta, best.value)
            if alpha >= beta:
                self.cutoffs += k + 1 < len(legal)
                break
        return best

    def draw(self, state: State, alpha: Number, beta: Number, depth: Number) -> Visit[WindowResult]:
        """The value of a state in which chance draws."""
        total: Number = 0
        rest = Fraction(1)
        whole = True
        for outcome, probability in self.machine.outcomes(state):
            rest -= probability
            least, most = weighted(rest, self.low), weighted(rest, self.high)
            a = times(1 / probability, plus(alpha, -plus(total, most)))
            b = times(1 / probability, plus(beta, -plus(total, least)))
            child = self.machine.after(state, outcome)
            found = yield self.value(child, max(a, self.low), min(b, self.high), depth - 1)
            total += probability * found.value
            whole = whole and found.whole
            least, most = plus(total, least), plus(total, most)
            if most <= alpha or least >= beta:
                self.cutoffs += rest > 0
                return WindowResult(most if most <= alpha else least, None, whole)
        return WindowResult(total, None, whole)


def weighted(probability: Fraction, bound: Number) -> Number:
    """Their product, where what is not there weighs nothing against an unknown bound either."""
    return times(probability, bound) if probability else 0
