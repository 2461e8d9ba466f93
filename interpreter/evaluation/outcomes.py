"""The payoffs of ``end``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from zermelo.grammar.source import Span
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Compiles, Context, Frame
from zermelo.interpreter.evaluation.quantifiers import loop
from zermelo.interpreter.machine import Payoff
from zermelo.interpreter.model import (
    DrawOutcome,
    FixedOutcome,
    Outcome,
    PayoffForOutcome,
    PayoffOutcome,
    Players,
    WinOutcome,
)
from zermelo.interpreter.values import Member, Value, format_value

Paying = Callable[[Context, Frame], Payoff]


def payoff_of(compiler: Compiles, outcome: Outcome, players: Players, span: Span) -> Paying:
    """The payoff as a closure; ``span`` is that of the statement."""
    match outcome:
        case WinOutcome():
            return _win(compiler, outcome, players)
        case PayoffOutcome():
            return _payoff(compiler, outcome, players, span)
        case PayoffForOutcome():
            return _payoff_for(compiler, outcome, players, span)
        case DrawOutcome():
            nothing = (Fraction(0),) * len(players)
            return lambda context, frame: nothing


def fixed_payoff(compiler: Compiles, fixed: FixedOutcome, players: Players) -> Payoff:
    """What an outcome pays that is the same in every position. Raises :class:`EvaluationError`."""
    return payoff_of(compiler, fixed.outcome, players, fixed.span)(Context(()), [None] * fixed.frame_size)


def _win(compiler: Compiles, outcome: WinOutcome, players: Players) -> Paying:
    winners, span = compiler.value(outcome.winners, "a player or a set of players"), outcome.winners.span
    known: dict[Value, Payoff] = {}

    def win(context: Context, frame: Frame) -> Payoff:
        who = winners(context, frame)
        if who not in known:
            known[who] = shared(players, [who] if isinstance(who, Member) else who.items, span)
        return known[who]

    return win


def shared(players: Players, winners: Iterable[Member], span: Span) -> Payoff:
    """1 shared equally by the winners, -1 by all others."""
    won = set(winners)
    if not won:
        raise EvaluationError("no-payoff", "nobody wins", span, "a play without a winner ends with 'end draw'")
    lost = len(players) - len(won)
    return tuple(Fraction(1, len(won)) if player in won else Fraction(-1, lost) for player in players)


def _payoff(compiler: Compiles, outcome: PayoffOutcome, players: Players, span: Span) -> Paying:
    entries = [
        (compiler.value(player, "a player"), compiler.value(amount, "a number")) for player, amount in outcome.entries
    ]

    def payoff(context: Context, frame: Frame) -> Payoff:
        return _gathered(
            ((player(context, frame), amount(context, frame)) for player, amount in entries), players, span
        )

    return payoff


def _payoff_for(compiler: Compiles, outcome: PayoffForOutcome, players: Players, span: Span) -> Paying:
    slot, walk = loop(compiler, outcome.binders)
    player, amount = compiler.value(outcome.player, "a player"), compiler.value(outcome.amount, "a number")

    def pairs(context: Context, frame: Frame) -> Iterable[tuple[Member, Value]]:
        for value in walk(context, frame):
            frame[slot] = value
            yield player(context, frame), amount(context, frame)

    return lambda context, frame: _gathered(pairs(context, frame), players, span)


def _gathered(pairs: Iterable[tuple[Member, Value]], players: Players, span: Span) -> Payoff:
    """The pairs as a tuple in the order of the players; each player must occur, with only one amount."""
    amounts: dict[Member, Value] = {}
    for player, amount in pairs:
        if amounts.setdefault(player, amount) != amount:
            both = f"{format_value(amounts[player])} and {format_value(amount)}"
            raise EvaluationError("conflicting-payoffs", f"{player.name} is given two payoffs, {both}", span)
    missing = [player.name for player in players if player not in amounts]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise EvaluationError("no-payoff", f"{' and '.join(missing)} {verb} given no payoff", span)
    return tuple(Fraction(amounts[player]) for player in players)
