"""Certified bounds of a stochastic game: moves at once in circles, where values may be irrational.

**What is certain.** Let T be one step of the game (:mod:`zermelo.solvers.positions.rounds.stochastic_game`), and x a
way for the player who wants more to choose in each position, a mixture where both choose at once. Numbers l for the
positions of a component are *lower bounds* of what x guarantees, and so of the value, if

1. by l, x makes every step worth at least l(p), whatever the other player does;
2. l(p) is at most what a play is worth that never ends, in every end component of what x leaves to the other player:
   wherever they can let the play go round for ever (:mod:`zermelo.solvers.positions.circles.end_components`).

Proof. Let the player choose by x, and the other one in any way, by memory and chance as well. What has been earned,
plus the discounted l of the position, never falls on average, by 1. If the play leaves the component, l has become a
lower bound outside. If it does not, then with probability 1 it is in the end in an end component of what x leaves to
the other player (de Alfaro 1997); there l is at most what the play will be worth, by 2. Or the discount has made l
worthless. So what is paid in the end is on average at least what l was in the beginning; the limit may be taken since l
is bounded, and what is earned on the way is, too: nothing is earned in end components, which a play leaves, or never
leaves again, after a number of steps with a finite mean. The same holds, turned round, for upper bounds and the player
who wants less. Both conditions are checked in fractions; how the numbers were found does not matter. The second one is
empty where plays leave with probability 1 whatever the players do, as with a discount: then l <= T(l) is all (Shapley
1953). The other case is Everett's "Recursive games" (1957): where waiting is worth what ``endless`` says, no mixture
need be best, but some come as near as one likes.

**How the numbers are found.** Newton's method brings numbers v near the value
(:mod:`zermelo.solvers.positions.rounds.stochastic_iteration`). Lower bounds are sought a little below them: less by a
multiple of what |T(v) - v| comes to, on average, in the rest of the play, since T brings back one step of that; and
then lowered where they fail, until they hold. If the bounds are too far apart, all is done again with more digits.

Cost: that of Newton's method, and a few more steps of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import floor, log2
from typing import Final

from attrs import define, frozen

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.rounds.stochastic_game import Mixing, Step, against, choose, kept
from zermelo.solvers.positions.rounds.stochastic_iteration import (
    Approximation,
    Numbers,
    StochasticIteration,
    changed,
    rounded,
)

_LEAST: Final = 400
"""The least probability with which plays end, as minus the exponent of 2, so that doubles hold its square."""

_ATTEMPTS: Final = 4
"""How often the precision is doubled, to bring bounds nearer to each other."""

_LOWERINGS: Final = 100
"""How often bounds are lowered where they fail."""

_BEYOND_DOUBLES: Final = (ValueError, OverflowError)
"""What is raised if probabilities beyond doubles have made an amount infinite, or no number."""

_MARGINS: Final = (4, 1 << 10, 1 << 20)
"""By how many times the slack the bounds are apart from v."""


@frozen
class Certified:
    """Bounds of one side for the positions of a component, and the choices by which the side guarantees them."""

    numbers: Numbers
    choices: Mapping[int, Mixing]


@frozen
class Enclosed:
    """Proved bounds of both sides; ``width`` is the largest between them."""

    lower: Certified
    upper: Certified
    width: Fraction


@define(eq=False)
class Circle:
    """A component with circles: the ``steps`` of its positions, and bounds of the positions behind it. ``endless`` is
    what a play is worth that never ends, None if the rules do not say; ``stays``: all players together can stay for
    ever."""

    steps: Sequence[Step]
    lows: Mapping[int, Fraction]
    highs: Mapping[int, Fraction]
    endless: Fraction | None
    stays: bool

    def enclosed(self, width: Fraction) -> Enclosed | None:
        """Bounds that are at most so far apart, or the best that are found; None if there are none of one side.

        Raises :class:`~zermelo.grammar.deadline.Passed`."""
        best: Enclosed | None = None
        bits = max(32, 16 - floor(log2(width)))
        for attempt in range(_ATTEMPTS):
            for found in self._attempts(bits << attempt):
                if best is None or found.width < best.width:
                    best = found
                if best.width <= width:
                    return best
            if best is None and self.stays and self.endless is None:
                break  # more digits do not keep a play from staying for ever
        return best

    def _attempts(self, bits: int) -> Iterator[Enclosed]:
        """Bounds by numbers of so many bits, near different approximations."""
        grid = 1 << (2 * bits + 8)
        for there, slack in self._approximations(bits, grid):
            lower, upper = (self._certified(there, slack, grid, side) for side in (1, -1))
            if lower is not None and upper is not None:
                yield Enclosed(lower, upper, max(upper.numbers[p] - number for p, number in lower.numbers.items()))

    def _approximations(self, bits: int, grid: int) -> Iterator[tuple[Approximation, Numbers]]:
        """Numbers near the value, each with what is still wrong. Where plays can stay: those found at once, which
        mostly do, then from a solution in which plays end by themselves, and that solution."""
        behind = {p: (self.lows[p] + self.highs[p]) / 2 for p in self.lows}
        doubts = {p: (self.highs[p] - self.lows[p]) / 2 for p in self.lows}
        ending = Fraction(self.stays, 1 << min(bits, _LEAST))
        paid = self.endless or Fraction(0)
        method = StochasticIteration(self.steps, behind, paid, ending, grid, Fraction(1, 1 << 2 * bits))
        if self.stays:
            with suppress(*_BEYOND_DOUBLES):
                here = method.polished(method.beginning())
                yield here, method.slack(here, doubts)
        with suppress(*_BEYOND_DOUBLES):
            here = method.approximation()
            found = [(there, method.slack(there, doubts)) for there in ([method.polished(here)] * self.stays + [here])]
            yield from found

    def _certified(self, near: Approximation, slack: Numbers, grid: int, side: int) -> Certified | None:
        """Bounds of one side (1: below the value, -1: above), near some numbers; or else what is always true where
        nothing is earned: the least that may be paid."""
        for margin in _MARGINS:
            changes = {p: -side * margin * amount for p, amount in slack.items()}
            found = self._lowered(changed(near.numbers, changes, grid, -side), grid, side)
            if found is not None:
                return found
        paid = [*(self.lows if side > 0 else self.highs).values(), *([] if self.endless is None else [self.endless])]
        worst = (min if side > 0 else max)(paid, default=None)
        return None if worst is None else self._lowered(dict.fromkeys(slack, worst), grid, side)

    def _lowered(self, numbers: Numbers, grid: int, side: int) -> Certified | None:
        """Bounds of one side that are as good as these numbers or less so; None if not found soon."""
        behind = self.lows if side > 0 else self.highs
        worse = min if side > 0 else max
        for _ in range(_LOWERINGS):
            look()
            known = {**behind, **numbers}
            choices = {step.position: choose(step, known) for step in self.steps}
            others = self._kept(choices, side)
            if others and self.endless is None:
                return None
            lowered = {p: worse(number, rounded(choices[p].number, grid, -side)) for p, number in numbers.items()}
            for p in others:
                assert self.endless is not None
                lowered[p] = worse(lowered[p], self.endless)
            if lowered == numbers:
                return Certified(numbers, choices)
            numbers = lowered
        return None

    def _kept(self, choices: Mapping[int, Mixing], side: int) -> frozenset[int]:
        """Where the others can let a play go round for ever against these choices of a side."""
        if not self.stays:
            return frozenset()
        return kept(self.steps, lambda step: against(step, choices[step.position], side))
