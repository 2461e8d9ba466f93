"""Bounds of each player's payoff.

A search stops as soon as a player has secured the upper bound. The bounds come from every reachable ``end``: a win pays
between -1 and 1, and an amount lies within the type of its expression. An amount for a player whom the file does not
name may be anybody's. Earnings have no bound here, since a play may repeat them.

Sound, since a play pays what one ``end`` (or ``endless``) says, times a discount between 0 and 1, and the type of an
expression contains all its values (:mod:`zermelo.interpreter.intervals`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from zermelo.interpreter.checks.game_facts import Bounds
from zermelo.interpreter.checks.sums import earnings, outcomes_of_ends
from zermelo.interpreter.intervals import hull, literal
from zermelo.interpreter.model import Const, DrawOutcome, Expr, Model, Outcome, PayoffForOutcome, PayoffOutcome, Phase
from zermelo.interpreter.types import NumberType, strip_none


def payoff_bounds(model: Model, phases: tuple[Phase, ...], sum: Fraction | None) -> tuple[Bounds | None, ...]:
    """The bounds of each player's payoff, None if unknown.

    ``phases`` are the reachable ones; ``sum`` is a constant sum of two payoffs, by which a bound of one bounds the
    other.
    """
    players = len(model.players)
    if any(earnings(model, phases)):
        return (None,) * players
    found = [_bounds(model, phases, player) for player in range(players)]
    if sum is not None and players == 2:
        one, two = found
        found = [_tighter(one, _rest(two, sum)), _tighter(two, _rest(one, sum))]
    return tuple(found)


def _bounds(model: Model, phases: tuple[Phase, ...], player: int) -> Bounds | None:
    known: NumberType | None = None
    for _, outcome in outcomes_of_ends(model, phases):
        for amount in _amounts(outcome, player, len(model.players)):
            known = amount if known is None else hull(known, amount)
    if known is not None and model.discount != 1:  # what comes later shrinks towards 0
        known = hull(known, literal(0))
    return None if known is None else _closed(known)


def _amounts(outcome: Outcome, player: int, players: int) -> Iterator[NumberType]:
    """The types of the amounts that an outcome may pay a player."""
    match outcome:
        case DrawOutcome():
            yield literal(0)
        case PayoffOutcome(entries):
            for to, amount in entries:
                if not isinstance(to, Const) or to.value.index == player:
                    yield _range(amount)
        case PayoffForOutcome(_, amount, _):
            yield _range(amount)
        case _:
            yield literal(1)
            if players > 1:
                yield literal(-1)


def _range(amount: Expr) -> NumberType:
    base = strip_none(amount.type).base
    if isinstance(amount, Const):
        return literal(amount.value)
    return base if isinstance(base, NumberType) else NumberType(None, None, None)


def bounds_of_expression(amount: Expr) -> Bounds | None:
    """The bounds of a number; None if one is missing."""
    return _closed(_range(amount))


def _closed(known: NumberType) -> Bounds | None:
    return None if known.low is None or known.high is None else (known.low, known.high)


def _rest(bounds: Bounds | None, sum: Fraction) -> Bounds | None:
    return None if bounds is None else (sum - bounds[1], sum - bounds[0])


def _tighter(one: Bounds | None, two: Bounds | None) -> Bounds | None:
    if one is None or two is None:
        return one or two
    return max(one[0], two[0]), min(one[1], two[1])
