"""What the positions of a component are worth, in fractions: circles with chance.

For one player, players who all want the same, none, or two who want the opposite. Plays may go round, may earn
something on the way, may be discounted, and need not end. What it takes::

    arena                 the component as rows of numbers
    end_components        where plays may stay for ever; nothing may be earned there
    leaving               where one side can avoid that
    policy_evaluation     what a policy is worth
    policy_iteration      the best reply to a policy
    strategy_iteration    the best policies of two sides

**Two passes.** A policy far from the best is worth numbers with several times as many digits as the best one. So first
a good policy is looked for in balls of a few digits, where only what is certainly better counts as better; from there
on strategy iteration is done in rationals. Mostly it confirms the policy at once.

**Digits.** Exact numbers have about as many digits as there are positions whose circles hang together. Pig to 20 points
needs 16, to 50 points several hundred, to 70 several thousand. So there is a limit on digits, and beyond it
:mod:`zermelo.solvers.positions.circles.certified_numbers` finds an interval for each number.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.solvers.common.numbers import Infinite
from zermelo.solvers.positions.circles.arena import Arena, ArenaMaker, Number, Policy, begin
from zermelo.solvers.positions.circles.intervals import flint, precision, rational
from zermelo.solvers.positions.circles.policy_iteration import Play, approach, best_policies
from zermelo.solvers.positions.graph.graph import Component, Contest, TooManyDigits

DIGITS: Final = 1000
"""How many digits numerators and denominators may have."""

MOST: Final = 10_000_000
"""How many products the elimination of a component may take: a minute in fractions. Where circles hang together at so
many positions that it takes more, fractions have far too many digits, anyway."""

_BITS_PER_DIGIT: Final = 3.3219280948873626

_SCOUTING_BITS: Final = 64


@define(eq=False)
class ExactSolver:
    """Finds the numbers of components of a contest and, for those who decide, the choices.

    ``endless`` is what a play is worth that never ends (0 with a discount). It may be infinite; then so are the numbers
    of positions from which such a play, or a position with such a number, cannot be avoided: these remain None, and
    nothing is chosen there. The choices of the side to which endless plays are worst bring about the other numbers,
    whatever happens. ``may_last`` says whether a play may never end in a component solved so far; else the numbers do
    not depend on ``endless``."""

    contest: Contest
    endless: Fraction | Infinite
    digits: int = DIGITS
    may_last: bool = field(default=False, init=False)
    _maker: ArenaMaker = field(init=False)
    _found: dict[int, Number] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._maker = ArenaMaker(self.contest, rational, self._known)

    def _known(self, position: int) -> Number:
        if position not in self._found:
            number = self.contest.numbers[position]
            self._found[position] = self.endless if number is None else rational(number)
        return self._found[position]

    def solve(self, component: Component) -> None:
        """Solve a component; those behind it are solved.

        Raises :class:`EarnsForEver` and :class:`TooManyDigits`, and ``ZermeloError`` (``broken-installation``)."""
        beginning = begin(self.contest, self._maker.arena(component), self.endless)
        self.may_last = self.may_last or beginning.may_last
        arena, policy, side = beginning.arena, beginning.policy, beginning.side
        endless = rational(self.endless) if beginning.may_stay and isinstance(self.endless, Fraction) else None
        if endless is not None or not beginning.may_last:
            _scout(arena, endless, policy)
        play = Play(arena, endless, self._watch)
        values = best_policies(play, policy, side).values
        for p, position in enumerate(arena.positions):
            self._watch(values[p])
            self._found[position] = values[p]
            self.contest.numbers[position] = Fraction(int(values[p].p), int(values[p].q))
            if arena.signs[p]:
                self.contest.choices[position] = arena.edges[p][policy[p]]

    def _watch(self, number: Number, products: int = 0) -> None:
        refuse_digits(number, products, self.digits)


def refuse_digits(number: Number, products: int, digits: int = DIGITS) -> None:
    """Watch an elimination in fractions: raise :class:`TooManyDigits` if it takes too many, or too much work."""
    refuse_work(number, products)
    if number.height_bits() > digits * _BITS_PER_DIGIT + 1:
        raise TooManyDigits


def refuse_work(number: Number, products: int) -> None:
    """Watch an elimination: raise :class:`TooManyDigits` if it takes too much work."""
    if products > MOST:
        raise TooManyDigits


def _scout(arena: Arena, endless: Number | None, policy: Policy) -> None:
    """Improve a policy by what is certain in balls."""
    if any(len(rows) > 1 for rows in arena.rows):
        with precision(_SCOUTING_BITS):
            ball = flint().arb
            approach(Play(arena.mapped(ball), None if endless is None else ball(endless), refuse_work), policy)
