"""Certified intervals for what the positions of a contest are worth, to any number of digits.

Exact numbers may have thousands of digits (:mod:`zermelo.solvers.positions.circles.exact_numbers`). Here every number
is a ball (:mod:`zermelo.solvers.positions.circles.balls`), which certainly holds it, component by component, each from
the balls of those behind it:

1. The best policies of both sides are looked for by strategy iteration, in balls: what is certainly better is taken.
2. Their worths, found by elimination, are balls as well. If every other row of either side is certainly worse for it,
   then, whatever numbers in the balls are the true ones, both policies are best (by the reasons in
   ``strategy_iteration``: nothing is better, and nobody can stay by rows that are worth as much, since there are none).
   So the balls hold the numbers.
3. Else there are ties, or what looks like ties. Then two bounds are proved: the policy of those who want more
   guarantees the lower one, and that of those who want less the upper one
   (:mod:`zermelo.solvers.positions.circles.slack`). The ball holds both.

If the balls of the root are too large in the end, or something could not be proved, everything is done again with more
digits, from the policies that have been found.

**Tolls.** Where staying only costs those who decide there (:mod:`zermelo.solvers.positions.circles.beginning`), the
policy begins by leaving, and whatever is *certainly* better is better in truth, so that it always leaves, as in
fractions. Then 2 holds by the proof in ``slack``, for which it is enough that no row is worth more. In 3 no way to go
round may be left among what looks like ties: around a circle the numbers of ties would have to rise by what it costs,
so that balls tell, once they are small enough.

Balls grow by a rounding or two for each step of elimination, and along the way from the ends to the root by what is
left of that. Nowhere is it asked how little an iteration still changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final

from attrs import define, field, frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, Infinite
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.circles.arena import ArenaMaker, Number
from zermelo.solvers.positions.circles.balls import Undecided, ball, interval_of, precision
from zermelo.solvers.positions.circles.beginning import begin
from zermelo.solvers.positions.circles.policy_iteration import Play
from zermelo.solvers.positions.circles.slack import most
from zermelo.solvers.positions.circles.strategy_iteration import approach, best_policies
from zermelo.solvers.positions.graph.components import Components
from zermelo.solvers.positions.graph.contest import Component, Contest
from zermelo.solvers.positions.graph.graph import PAYS, ROOT
from zermelo.solvers.positions.graph.refusals import NeedsEndless

BALL_BYTES: Final = 120
"""The bytes of a ball besides its digits, about."""

_BITS_PER_DIGIT: Final = 3.3219280948873626

_GUARD_BITS: Final = 64
"""Bits more than are asked for, at first; then twice as many, and so on."""

_CHECK_EVERY: Final = 1024
"""Components between two checks of the limits."""


@frozen(eq=False)
class CertifiedNumbers:
    """Balls that hold what every position is worth, ``low`` if plays that never end are worth as little as they may be,
    and ``high`` if they are worth as much; mostly they are the same. ``choices`` has the edges that prove the lower
    bounds for those who want more, and the upper ones for the others; -1 where nobody decides, or the number depends on
    what the rules do not say."""

    low: Sequence[Number]
    high: Sequence[Number]
    choices: Sequence[int]

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none, since it depends on what the rules do not say."""
        low, high = self.low[position], self.high[position]
        if isinstance(low, Infinite) or isinstance(high, Infinite):
            return None
        return interval_of(low)[0], interval_of(high)[1]


def certified_numbers(
    contest: Contest, components: Components, digits: int, limits: Limits, progress: Progress = ignore_progress
) -> CertifiedNumbers:
    """Intervals for all positions, of which that of the root is no wider than 10 to the power of minus ``digits``.
    Where ``contest.choices`` has edges, these are tried first. ``progress`` is told how many components are done.

    Raises :class:`NeedsEndless`, :class:`~.refusals.EarnsForEver`, and ``ZermeloError`` (``out-of-memory``,
    ``out-of-time``, ``broken-installation``)."""
    wanted, guard = Fraction(1, 10**digits), _GUARD_BITS
    other = Contest(contest.graph, contest.wants)
    while True:
        bits = int(digits * _BITS_PER_DIGIT) + guard
        size = 2 * len(contest.graph) * (BALL_BYTES + bits // 8)
        limits.require(size, f"intervals for {len(contest.graph):,} positions to {digits:,} digits")
        with precision(bits), suppress(Undecided):
            found = _found(contest, other, components, limits, progress)
            interval = found.interval(ROOT)
            if interval is None or found.low[ROOT] < found.high[ROOT]:
                raise NeedsEndless(ROOT, ())
            if interval[1] - interval[0] <= wanted:
                limits.hold(found, size)
                return found
        guard *= 2


def _found(
    contest: Contest, other: Contest, components: Components, limits: Limits, progress: Progress
) -> CertifiedNumbers:
    """Intervals at the present precision. Raises :class:`Undecided`."""

    def solved(contest: Contest, endless: Fraction | Infinite) -> CertifiedSolver:
        solver = CertifiedSolver(contest, endless)
        for done, component in enumerate(components):
            if done % _CHECK_EVERY == 0:
                progress(done)
                limits.check({"nodes": done})
            solver.solve(component)
        return solver

    graph, wants = contest.graph, contest.wants
    known = Fraction(0) if graph.discount < 1 else contest.endless
    low = solved(contest, -INFINITE if known is None else known)
    if known is not None or not low.may_last:
        return CertifiedNumbers(low.balls, low.balls, contest.choices)
    high = solved(other, INFINITE)
    choices = [
        (contest if kind < 0 or wants[kind] > 0 else other).choices[position]
        for position, kind in enumerate(graph.kinds)
    ]
    return CertifiedNumbers(low.balls, high.balls, choices)


@define(eq=False)
class CertifiedSolver:
    """Finds balls for the numbers of components of a contest at the present precision, and the choices that prove them.

    ``endless`` and ``may_last`` are as in :class:`~zermelo.solvers.positions.circles.exact_numbers.ExactSolver`;
    ``balls[p]`` is infinite where the number is."""

    contest: Contest
    endless: Fraction | Infinite
    may_last: bool = field(default=False, init=False)
    balls: list[Number] = field(init=False)
    _maker: ArenaMaker = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.balls = [None] * len(self.contest.graph)
        self._maker = ArenaMaker(self.contest, ball, self.balls.__getitem__)

    def solve(self, component: Component) -> None:
        """Solve a component; those behind it are solved.

        Raises :class:`~.refusals.EarnsForEver`, :class:`Undecided`, and ``ZermeloError`` (``broken-installation``)."""
        graph = self.contest.graph
        if graph.kinds[component[0]] <= PAYS:
            self.balls[component[0]] = ball(graph.payoff(component[0])[0])
            return
        beginning = begin(self.contest, self._maker.arena(component), self.endless)
        arena, policy = beginning.arena, beginning.policy
        self.may_last = self.may_last or beginning.may_last
        endless = ball(self.endless) if isinstance(self.endless, Fraction) else self.endless
        play = Play(arena, endless if beginning.may_stay and isinstance(self.endless, Fraction) else None)
        if play.endless is not None or not beginning.may_last:
            approach(play, policy)
        view = best_policies(play, policy, beginning.side)
        values = view.values
        if view.ties:
            staying = endless if beginning.toll is None else None
            upper, lower = (most(arena, policy, view, side, staying) for side in (1, -1))
            values = [low.union(high) for low, high in zip(lower[:-1], upper[:-1], strict=True)]
        for position in component:
            self.balls[position] = self.endless
        for p, position in enumerate(arena.positions):
            self.balls[position] = values[p]
            if arena.signs[p]:
                self.contest.choices[position] = arena.edges[p][policy[p]]
