"""Constant-sum games, and games with a common payoff.

A play pays what its ``end`` says and what was earned on the way. The sum is proved constant if every ``end`` (and
``endless``) has the same sum in every state, and every group of adjacent ``earn`` statements sums to zero. Proofs that
an amount is constant are those of :mod:`zermelo.interpreter.checks.symbolic`. The payoff is common if every ``end``
and every such group give all players the same.

Soundness: a play reaches no other ``end``. Adjacent ``earn`` statements pay in the same state with the same discount,
and all or none of them run: no statement between them could leave or change anything. A payoff with as many entries as
players has one for each, or it is an error. ``end win`` shares out 1 and -1, which sums to 0 if there surely are
winners and losers; a winner that may be none is no winner. A sum other than 0 shrinks with the discount, so that it is
not constant then. Two ends with different sums refute a constant sum only if plays reach both, as in trees and tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Literal

from zermelo.grammar.source import NOWHERE
from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.analysis.simplifying import listed_values, simplify
from zermelo.interpreter.checks.known_values import NOTHING, may_be_none
from zermelo.interpreter.checks.phase_graph import reachable_blocks
from zermelo.interpreter.checks.symbolic import proved_constant
from zermelo.interpreter.model import (
    Arithmetic,
    Block,
    Const,
    Do,
    DrawOutcome,
    Earn,
    End,
    Expr,
    For,
    If_,
    MakeSet,
    Model,
    Outcome,
    PayoffForOutcome,
    PayoffOutcome,
    Phase,
    SetLocal,
    Statement,
    Tell,
    WinOutcome,
)
from zermelo.interpreter.model.rewriting import free_slots, map_parts, substitute
from zermelo.interpreter.types import NUMBER, SetType
from zermelo.interpreter.values import Member, Value

Amounts = tuple[Expr, ...]
Earned = tuple[tuple[Expr, Expr], ...]
"""Who earns, and how much."""


def constant_sum(model: Model, phases: tuple[Phase, ...]) -> tuple[Fact, Fraction | None]:
    """Whether all plays pay the same sum, and this sum. ``phases`` are the reachable ones."""
    for place, earned in earnings(model, phases):
        if _total(tuple(amount for _, amount in earned)) != 0:
            return Fact(None, f"it is not proved that what is earned in {place} sums to 0"), None
    sums: dict[Fraction, str] = {}
    for place, outcome in outcomes_of_ends(model, phases):
        amount = _sum_of(outcome, len(model.players))
        if amount is None:
            return Fact(None, f"it is not proved that the payoffs in {place} always have the same sum"), None
        sums.setdefault(amount, place)
    if len(sums) > 1:
        (one, here), (another, there), *_ = sums.items()
        elsewhere = f" in {there}" if there != here else ""
        how = f"the payoffs sum to {one} in {here} and to {another}{elsewhere}"
        return Fact(_if_all_is_reached(model) if model.discount == 1 else None, how), None
    amount = next(iter(sums), Fraction(0))
    if amount != 0 and model.discount != 1:
        return Fact(None, f"the payoffs sum to {amount}, but the discount makes late ones smaller"), None
    return Fact(True, f"the payoffs sum to {amount} wherever a play ends"), amount


def common_payoff(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether all players always get the same. ``phases`` are the reachable ones."""
    players = len(model.players)
    if players == 1:
        return Fact(True, "there is one player")
    for place, outcome in outcomes_of_ends(model, phases):
        if isinstance(outcome, WinOutcome):
            return Fact(_if_all_is_reached(model), f"{place} tells winners from losers")
        amounts = _amounts(outcome, players)
        difference = None if amounts is None else _first_difference(amounts)
        if difference is None:
            return Fact(None, f"it is not proved that {place} pays all players the same")
        if difference != 0:
            return Fact(_if_all_is_reached(model), f"{place} pays unequal amounts")
    for place, earned in earnings(model, phases):
        if not _are_shared(earned, model.players):
            return Fact(None, f"it is not proved that all earn the same in {place}")
    return Fact(True, "all players get the same wherever a play ends")


def _first_difference(amounts: Amounts) -> Fraction | None:
    """The first difference to the first amount that is not 0, or, None, not proved to have one value; 0 if there is
    none."""
    differences = (proved_constant(_arithmetic("-", amount, amounts[0])) for amount in amounts[1:])
    return next((found for found in differences if found != 0), Fraction(0))


def _if_all_is_reached(model: Model) -> bool | None:
    """What a counterexample in the rules proves: in a tree or a table some play reaches every payoff, so it refutes the
    fact; elsewhere perhaps no play reaches it."""
    return None if model.notation == "phases" else False


def outcomes_of_ends(model: Model, phases: tuple[Phase, ...]) -> Iterator[tuple[str, Outcome]]:
    """The outcomes of all reachable ends, with their places. Every play of a tree or a table ends."""
    for block in reachable_blocks(model, phases):
        yield from _ends(block, {})
    if model.endless is not None and model.notation == "phases":
        yield "'endless'", model.endless.outcome


def _ends(block: Block, known: Mapping[int, Expr]) -> Iterator[tuple[str, Outcome]]:
    """The outcomes of the ends of a block. A local name stands for its value, if that is ``known``: nothing that it
    depends on has changed since."""
    for statement in block:
        match statement:
            case End(outcome):
                yield f"line {statement.span.line}", map_parts(outcome, partial(substitute, values=known))
            case SetLocal(slot, value):
                value = substitute(value, known)
                known = {name: held for name, held in {**known, slot: value}.items() if slot not in free_slots(held)}
            case If_(_, yes, no):
                yield from _ends(yes, known)
                yield from _ends(no, known)
                if not all(isinstance(inner, End | Earn | Tell) for inner in (*yes, *no)):
                    known = {}
            case For(_, body):
                yield from _ends(body, {})
                known = {}
            case Do(action, _):
                yield from _ends(action.body, {})
                known = {}
            case Earn() | Tell():
                pass
            case _:
                known = {}


def _sum_of(outcome: Outcome, players: int) -> Fraction | None:
    """The sum of the payoffs of an outcome, if constant."""
    if isinstance(outcome, WinOutcome):
        return _sum_of_win(outcome.winners, players)
    return _total(_amounts(outcome, players))


def _sum_of_win(winners: Expr, players: int) -> Fraction | None:
    """1 is shared by the winners and -1 by the others, so the sum is 0 if there are both."""
    winners = simplify(winners)
    if isinstance(winners, Const) and isinstance(winners.type, SetType):
        sizes = {len(winners.value)}
    elif isinstance(winners, MakeSet) and not any(may_be_none(item, NOTHING) for item in winners.items):
        sizes = set(range(1, len(winners.items) + 1))
    elif isinstance(winners.type, SetType):
        return None
    else:
        sizes = {1}
    if sizes == {players}:
        return Fraction(1)
    return Fraction(0) if all(0 < size < players for size in sizes) else None


def _amounts(outcome: Outcome, players: int) -> Amounts | None:
    """One amount for each player, in any order; None if the amounts are not known.

    Every player must occur in a payoff, so as many entries as players are one for each.
    """
    match outcome:
        case DrawOutcome():
            return (_zero(),) * players
        case PayoffOutcome(entries) if len(entries) == players:
            return tuple(amount for _, amount in entries)
        case PayoffForOutcome(_, amount, (binder,)):
            values = listed_values(binder)
            if values is not None and len(values) == players:
                return tuple(substitute(amount, {binder.slot: value}) for value in values)
    return None


def _are_shared(earned: Earned, players: tuple[Member, ...]) -> bool:
    """Whether a group of ``earn`` statements surely gives every player the same."""
    parts: dict[Value, Amounts] = dict.fromkeys(players, ())
    for player, amount in earned:
        if not isinstance(player, Const):
            return False
        parts[player.value] += (amount,)
    first, *others = parts.values()
    return all(_total((*map(_negative, first), *other)) == 0 for other in others)


def earnings(model: Model, phases: tuple[Phase, ...]) -> Iterator[tuple[str, Earned]]:
    """The groups of adjacent ``earn`` statements, with the places where they begin."""
    for block in reachable_blocks(model, phases):
        yield from _groups(block)


def _groups(block: Block) -> Iterator[tuple[str, Earned]]:
    place = ""
    group: Earned = ()
    for statement in block:
        earned = _earned(statement)
        if earned:
            place = place or f"line {statement.span.line}"
            group += earned
            continue
        if group:
            yield place, group
            place, group = "", ()
        match statement:
            case If_(_, yes, no):
                yield from _groups(yes)
                yield from _groups(no)
            case For(_, body):
                yield from _groups(body)
            case Do(action, _):
                yield from _groups(action.body)
    if group:
        yield place, group


def _earned(statement: Statement) -> Earned:
    """What an ``earn`` gives, or a loop over known values with nothing but ``earn`` in it; else nothing."""
    match statement:
        case Earn(player, amount):
            return ((player, amount),)
        case For((binder,), body) if all(isinstance(inner, Earn) for inner in body):
            values = listed_values(binder) or []
            return tuple(
                (substitute(inner.player, {binder.slot: value}), substitute(inner.amount, {binder.slot: value}))
                for value in values
                for inner in body
                if isinstance(inner, Earn)
            )
    return ()


def _total(amounts: Amounts | None) -> Fraction | None:
    if amounts is None:
        return None
    total: Expr = _zero()
    for amount in amounts:
        total = _arithmetic("+", total, amount)
    return proved_constant(total)


def _zero() -> Expr:
    return Const(0, type=NUMBER, span=NOWHERE)


def _negative(amount: Expr) -> Expr:
    return _arithmetic("-", _zero(), amount)


def _arithmetic(operator: Literal["+", "-"], left: Expr, right: Expr) -> Expr:
    return Arithmetic(operator, left, right, type=NUMBER, span=left.span)
