"""How long plays last from the positions of a chain on, and whether they end: in fractions, or in balls.

They are a Markov chain of the positions (:mod:`.chains`). Its strongly connected components, the last ones first, tell
(Kemeny and Snell 1960, *Finite Markov Chains*):

- A component in which no play ends, and that none leaves, is kept for ever. Plays that cannot come to such a component
  end with probability 1, and no others do. So this is known without a number.
- Where plays are certain to end, the mean length is the only solution of ``length(p) = step(p) + sum of share(p, q) *
  length(q)``.
- Elsewhere the probability that they end is the least solution of ``ends(p) = ended(p) + sum of share(p, q) *
  ends(q)``; it is 0 in what is kept for ever, and the only one in the other components.

Both are found by the elimination that finds what a policy is worth (:mod:`.circles.policy_evaluation`): in fractions if
the values of the solution are exact, as long as they have few digits, else in balls. A discount does not matter: it
says by how much later payoffs count less, and a play goes on all the same.

This takes about as much work as to find what one policy is worth, which solving does at least once, but in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Final

from attrs import define, field, frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.duration import Bounds, Duration, Unit
from zermelo.solvers.positions.chains import Chain, Onward
from zermelo.solvers.positions.circles.arena import AWAY, Arena, Number
from zermelo.solvers.positions.circles.balls import ball, interval_of, precision, rational
from zermelo.solvers.positions.circles.exact_numbers import refuse_digits, refuse_work
from zermelo.solvers.positions.circles.policy_evaluation import evaluate
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.positions.graph.refusals import TooManyDigits

_BITS: Final = 128
"""The precision of balls."""

_CHECK_EVERY: Final = 1024
"""Components between two checks of the limits."""


@frozen(eq=False)
class _Numbers:
    """A kind of numbers: how one is made of a fraction, what bounds it has, what watches its making, and where."""

    make: Callable[[Fraction], Number]
    bounds: Callable[[Number], Bounds]
    watch: Callable[[Number, int], None]
    place: Callable[[], AbstractContextManager[None]]


def _twice(number: Number) -> Bounds:
    fraction = Fraction(int(number.p), int(number.q))
    return fraction, fraction


_EXACT: Final = _Numbers(rational, _twice, refuse_digits, nullcontext)
_BALLS: Final = _Numbers(ball, interval_of, refuse_work, lambda: precision(_BITS))


@define(eq=False)
class ChainDurations:
    """How long plays last from the positions of a ``chain`` on. Implements
    :class:`~zermelo.solvers.positions.durations.Durations`.

    ``lengths[p]`` is the mean length from position p of the chain on, None where plays are not certain to end;
    ``chances[p]`` the probability that they end, None if they may come to where the solution does not say what to do.
    """

    chain: Chain
    numbers: _Numbers
    unit: Unit = field(init=False)
    is_random: bool = field(init=False)
    lengths: list[Number | None] = field(init=False)
    chances: list[Number | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        ways = (len(onward.shares) + (onward.ended > 0) for onward in self.chain.onward if onward is not None)
        self.is_random = any(count > 1 for count in ways)
        deciders = {onward.deciders for onward in self.chain.onward if onward is not None} - {0}
        self.unit = Unit.DRAWS if not deciders else Unit.MOVES if 1 in deciders else Unit.ROUNDS
        self.lengths = [None] * len(self.chain.onward)
        self.chances = [None] * len(self.chain.onward)

    def at(self, position: int) -> Duration | None:
        if self.chain.graph.kinds[position] <= PAYS:
            return Duration((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)), self.unit, self.is_random)
        p = self.chain.numbers.get(position)
        if p is None or self.chances[p] is None:
            return None
        length = self.lengths[p]
        bounds = self.numbers.bounds
        ends, lasts = bounds(self.chances[p]), None if length is None else bounds(length)
        return Duration(ends, lasts, self.unit, self.is_random)

    def find(self, component: Sequence[int]) -> None:
        """Find the numbers of a component; those behind it have been found. Raises :class:`TooManyDigits`."""
        rows = [onward for p in component if (onward := self.chain.onward[p]) is not None]
        behind = {q for row in rows for q in row.shares}.difference(component)
        if len(rows) < len(component) or any(self.chances[q] is None for q in behind):
            return
        if not behind and not any(row.ended for row in rows):
            chances = [self.numbers.make(Fraction(0))] * len(component)
        elif any(self.lengths[q] is None for q in behind):
            chances = self._solved(component, rows, self.chances, lambda row: row.ended)
        else:
            chances = [self.numbers.make(Fraction(1))] * len(component)
            lengths = self._solved(component, rows, self.lengths, lambda row: Fraction(self.counted(row.deciders > 0)))
            for p, length in zip(component, lengths, strict=False):
                self.lengths[p] = length
        for p, chance in zip(component, chances, strict=False):
            self.chances[p] = chance

    def counted(self, is_decision: bool) -> int:
        return int(is_decision or self.unit is Unit.DRAWS)

    def _solved(
        self,
        component: Sequence[int],
        rows: Sequence[Onward],
        found: Sequence[Number | None],
        brought: Callable[[Onward], Fraction],
    ) -> list[Number]:
        """The numbers of a component, each what a step brings, and the mean of those where it leads."""
        make, inside = self.numbers.make, {p: k for k, p in enumerate(component)}
        arena = Arena(component)
        for row in rows:
            brings, away = make(brought(row)), row.ended
            shares = []
            for q, share in row.shares.items():
                if q in inside:
                    shares.append((inside[q], make(share)))
                else:
                    brings += make(share) * found[q]
                    away += share
            if away:
                shares.append((AWAY, make(away)))
            arena.rows.append([(brings, tuple(shares))])
        return evaluate(arena, [0] * len(rows), None, self.numbers.watch)


def chain_durations(chain: Chain, is_exact: bool, limits: Limits) -> ChainDurations | None:
    """How long plays last from the positions of a chain on, in fractions if ``is_exact`` and they are short enough,
    else in balls; None if both take too much.

    Raises ``ZermeloError`` (``out-of-time``, ``broken-installation``)."""
    for numbers in (_EXACT, _BALLS) if is_exact else (_BALLS,):
        try:
            with numbers.place():
                return _found(ChainDurations(chain, numbers), limits)
        except TooManyDigits:
            continue
    return None


def _found(durations: ChainDurations, limits: Limits) -> ChainDurations:
    for done, component in enumerate(durations.chain.components(limits)):
        if done % _CHECK_EVERY == 0:
            limits.check({"nodes": 0})
        durations.find(component)
    return durations
