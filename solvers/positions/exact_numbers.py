"""What the positions of a component are worth, in fractions: circles with chance.

For one player, players who all want the same, none, or two who want the opposite; the component's plays may go round, may
earn something, may be discounted, and need not end. What it takes::

    arena                 the component as rows of numbers
    end_components        where plays may stay for ever; there nothing may be earned
    leaving               a policy to begin with, by which plays end
    policy_evaluation     what a policy is worth
    policy_iteration      the best reply to a policy
    strategy_iteration    the best policies of two sides

Numbers are rationals of FLINT. They may have very many digits: about as many as there are positions whose circles hang
together. Pig to 20 points needs 8, to 50 points 391, to 70 points 5,392. So there is a limit on digits, and beyond it
:mod:`zermelo.solvers.positions.certified_numbers` finds an interval for each number.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from zermelo.solvers.common.extras import imported
from zermelo.solvers.common.numbers import Infinite
from zermelo.solvers.positions.arena import Arena, Number, Policy, arena_of
from zermelo.solvers.positions.contest import Component, Contest
from zermelo.solvers.positions.end_components import end_components
from zermelo.solvers.positions.leaving import leaving
from zermelo.solvers.positions.policy_iteration import Play
from zermelo.solvers.positions.refusals import EarnsForEver, TooManyDigits
from zermelo.solvers.positions.strategy_iteration import best_policies

DIGITS: Final = 400
"""How many digits numerators and denominators may have."""

_BITS_PER_DIGIT: Final = 3.3219280948873626


def solve(contest: Contest, component: Component, endless: Fraction | Infinite, digits: int = DIGITS) -> None:
    """Find the numbers of the positions of a component and, for those who decide, the choices; all numbers behind it
    are known. ``endless`` is what a play is worth that never ends. It may be infinite; then so are the numbers of
    positions from which such a play, or a position with such a number, cannot be avoided, and nothing is chosen there.

    Raises :class:`EarnsForEver` and :class:`TooManyDigits`, and ``ZermeloError`` (``extra-missing``)."""
    flint = imported("flint", "exact", "games of chance that go round")

    def number(fraction: Fraction) -> Number:
        return flint.fmpq(fraction.numerator, fraction.denominator)

    def known(position: int) -> Number:
        found = contest.numbers[position]
        assert found is not None, "positions are solved after all that lie behind them"
        return number(found) if isinstance(found, Fraction) else found

    arena = arena_of(contest, component, known, number)
    refuse_earning(contest, arena)
    arena, policy = beginning(arena, endless)
    play = Play(arena, number(endless) if isinstance(endless, Fraction) else None, _watching(digits))
    values = best_policies(play, policy, leaving_side(endless))
    for position in component:
        if isinstance(endless, Infinite):
            contest.numbers[position] = endless
    for p, position in enumerate(arena.positions):
        play.watch(values[p])
        contest.numbers[position] = Fraction(int(values[p].p), int(values[p].q))
        if arena.signs[p]:
            contest.choices[position] = arena.edges[p][policy[p]]


def refuse_earning(contest: Contest, arena: Arena) -> None:
    """Raise :class:`EarnsForEver` if plays may earn something again and again."""
    graph = contest.graph
    if graph.rewards is None:
        return
    for component in end_components(arena, arena.every_row()):
        for p, rows in component.items():
            for edge in (edge for k in rows for edge in arena.edges_of(p, k)):
                if any(graph.reward(edge)):
                    raise EarnsForEver(edge)


def leaving_side(endless: Fraction | Infinite) -> int:
    """The side that leaves in any case if ``endless`` is infinite; it is the one that improves its policy."""
    return 1 if isinstance(endless, Fraction) or endless < 0 else -1


def beginning(arena: Arena, endless: Fraction | Infinite) -> tuple[Arena, Policy]:
    """The positions whose numbers are finite, with the rows that keep them so, and a policy to begin with."""
    side = leaving_side(endless)
    found = leaving(arena, side)
    if isinstance(endless, Fraction):
        return arena, [found.ways.get(p, 0) for p in range(len(arena))]
    ways = [rows.index(found.ways[p]) if p in found.ways else 0 for p, rows in found.rows.items()]
    return arena.part(found.rows), ways


def _watching(digits: int) -> Callable[[Any], None]:
    bits = int(digits * _BITS_PER_DIGIT) + 1

    def watch(number: Any) -> None:
        if number.height_bits() > bits:
            raise TooManyDigits

    return watch
