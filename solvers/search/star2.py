"""Star2: Star1 with a probing phase.

What it computes: what :mod:`zermelo.solvers.search.star1` computes. Source: Ballard, "The *-minimax search procedure
for trees containing chance nodes", Artificial Intelligence 21 (1983); Hauk, Buro and Schaeffer, "*-minimax performance
in backgammon", Computers and Games 2004.

Star1 knows nothing of the outcomes that it has not searched but ``low`` and ``high``. Where a player moves after the
draw, one of his moves already tells something: the first player gets at least what one of his moves brings him, and at
most what one of his opponent's leaves him. So before any outcome is searched, all are *probed*: one move after each is
searched, and v_i is then known to lie in [l_i, h_i]. Often the sum of p_i l_i reaches beta or that of p_i h_i falls to
alpha, and the draw is cut off at the price of one move an outcome. Otherwise every outcome is searched as in Star1, in
a window that these narrower intervals leave:

    a_i = (alpha - sum of p_j h_j over j != i) / p_i,    b_i = (beta - sum of p_j l_j over j != i) / p_i.

Invariant: v_i lies in [l_i, h_i], and an outcome that has been searched without a cut-off has l_i = h_i. A probe is
made in a window that is open on the side where it proves nothing: what it finds is a value, or else it cuts off. So the
move need not be searched again, and nothing is searched twice.

Cost: as expectiminimax at worst. The better the first moves are, the more is cut off, down to one move an outcome.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from attrs import define

from zermelo.interpreter.machine import State
from zermelo.solvers.common.numbers import Number, plus, times
from zermelo.solvers.search.search import Visit
from zermelo.solvers.search.star1 import Star1, solve
from zermelo.solvers.search.window_search import WindowResult
from zermelo.solvers.solution import Answer, Problem


def star2(problem: Problem[State]) -> Answer:
    """Solve by Star2. Needs what Star1 needs."""
    return solve(problem, Star2(problem))


@define(eq=False)
class Intervals:
    """What is known of the values behind the outcomes of a draw, which have these probabilities."""

    probabilities: list[Fraction]
    lows: list[Number]
    highs: list[Number]

    @property
    def least(self) -> Number:
        """The least that the mean can be."""
        return _mean(self.probabilities, self.lows)

    @property
    def most(self) -> Number:
        return _mean(self.probabilities, self.highs)

    def window(self, i: int, alpha: Number, beta: Number) -> tuple[Number, Number]:
        """Between what values outcome ``i`` matters to a mean that matters between alpha and beta."""
        others = [Fraction(0) if j == i else probability for j, probability in enumerate(self.probabilities)]
        a = times(1 / self.probabilities[i], plus(alpha, -_mean(others, self.highs)))
        b = times(1 / self.probabilities[i], plus(beta, -_mean(others, self.lows)))
        return max(a, self.lows[i]), min(b, self.highs[i])

    def decided(self, alpha: Number, beta: Number) -> Number | None:
        """A bound of the mean that shows it to lie outside the window."""
        if (most := self.most) <= alpha:
            return most
        return least if (least := self.least) >= beta else None


def _mean(probabilities: list[Fraction], values: list[Number]) -> Number:
    mean: Number = 0
    for probability, value in zip(probabilities, values, strict=True):
        if probability:
            mean = plus(mean, times(probability, value))
    return mean


class Star2(Star1[State]):
    """Probes every outcome of a draw before it searches one."""

    def draw(self, state: State, alpha: Number, beta: Number, depth: Number) -> Visit[WindowResult]:
        outcomes = self.machine.outcomes(state)
        children = [self.machine.after(state, outcome) for outcome, _ in outcomes]
        many = len(children)
        known = Intervals([probability for _, probability in outcomes], [self.low] * many, [self.high] * many)
        probes: list[WindowResult | None] = [None] * many
        whole = True
        if depth > 1:
            for i, child in enumerate(children):
                actor = self.machine.actor(child)
                if actor < 0:
                    continue
                a, b = known.window(i, alpha, beta)
                found = yield self.probe(child, *((self.low, b) if actor == 0 else (a, self.high)), depth - 1)
                (known.lows if actor == 0 else known.highs)[i] = found.value
                probes[i], whole = found, whole and found.whole
                if (bound := known.decided(alpha, beta)) is not None:
                    self.cutoffs += 1
                    return WindowResult(bound, None, whole)
        for i, child in enumerate(children):
            if known.lows[i] == known.highs[i]:
                continue
            a, b = known.window(i, alpha, beta)
            probed = probes[i]
            if probed is None:
                found = yield self.value(child, a, b, depth - 1)
            else:
                found = yield self.resume(child, a, b, depth - 1, probed)
            whole = whole and found.whole
            if found.value < b:
                known.highs[i] = found.value
            if found.value > a:
                known.lows[i] = found.value
            if (bound := known.decided(alpha, beta)) is not None:
                self.cutoffs += i + 1 < many
                return WindowResult(bound, None, whole)
        return WindowResult(known.least, None, whole)

    def probe(self, state: State, alpha: Number, beta: Number, depth: Number) -> Visit[WindowResult]:
        """What the first move of a state brings."""
        self.met(state, depth)
        return (yield self.value(self.machine.after(state, self.machine.moves(state)[0]), alpha, beta, depth - 1))

    def resume(
        self, state: State, alpha: Number, beta: Number, depth: Number, probe: WindowResult
    ) -> Visit[WindowResult]:
        """The value of a state that has been probed."""
        if depth == inf:
            self.enter(state)
        return (yield from self.decide(state, self.machine.actor(state), alpha, beta, depth, probe))
