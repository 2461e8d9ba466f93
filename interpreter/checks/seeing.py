"""Who sees a value, by enumeration: all players as the player who looks, and all values of the names in the indices,
except those that the surrounding conditions exclude (``q == p and hand[q] == 2``). If an audience depends on the state,
nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from attrs import evolve, frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.source import NOWHERE
from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.effort import TOO_MUCH, effort
from zermelo.interpreter.model.rewriting import free_slots, is_closed, subexpressions, substitute, unfold
from zermelo.interpreter.types import BOOL, MemberType, NumberType, SetType, Type, UnknownType, strip_none
from zermelo.interpreter.values import Member, OrderedSet

_MOST_CASES = 5_000


@frozen(eq=False, repr=False)
class Case(ByValue):
    """The context of a read: the player to move, the types of the slots in scope, the conditions that hold, and
    the expressions whose value everybody has been told.
    """

    player: model.Expr
    types: Mapping[int, Type]
    conditions: tuple[tuple[model.Expr, bool], ...] = ()
    revealed: tuple[model.Expr, ...] = ()

    def where(self, condition: model.Expr, holds: bool) -> Case:
        return evolve(self, conditions=(*self.conditions, (condition, holds)))

    def with_name(self, slot: int, type: Type) -> Case:
        return evolve(self, types={**self.types, slot: type})

    def with_member(self, slot: int, type: Type, domain: model.Expr) -> Case:
        member = model.Local(slot, "", type=type, span=domain.span)
        return self.with_name(slot, type).where(model.Contains(member, domain, type=BOOL, span=domain.span), True)


def reads(expr: model.Expr, case: Case) -> Iterator[tuple[model.Read, Case]]:
    """The reads of variables in an expression, with defines unfolded, each with its context, without those in what
    has been revealed."""
    if expr in case.revealed:
        return
    match expr:
        case model.Call(arguments=arguments):
            for argument in arguments:
                yield from reads(argument, case)
            yield from reads(unfold(expr), case)
        case model.And(parts=parts) | model.Or(parts=parts):
            for part in parts:
                yield from reads(part, case)
                case = case.where(part, isinstance(expr, model.And))
        case model.If(condition=test, yes=yes, no=no):
            yield from reads(test, case)
            yield from reads(yes, case.where(test, True))
            yield from reads(no, case.where(test, False))
        case model.Quantified(binders=binders, body=last) | model.Comprehension(binders=binders, element=last):
            for binder in binders:
                yield from reads(binder.domain, case)
                domain = strip_none(binder.domain.type)
                if isinstance(domain, SetType):
                    case = case.with_member(binder.slot, domain.element, binder.domain)
                if binder.stop_condition is not None:
                    yield from reads(binder.stop_condition, case)
                for condition in binder.tests:
                    yield from reads(condition, case)
                    case = case.where(condition, True)
            yield from reads(last, case)
        case model.Reach(slot=slot, start=start, step=step, type=SetType(element=element)):
            yield from reads(start, case)
            yield from reads(step, case.with_name(slot, element))
        case model.Let(slot=slot, value=value, body=body):
            yield from reads(value, case)
            yield from reads(body, case.with_name(slot, value.type))
        case _:
            if isinstance(expr, model.Read):
                yield expr, case
            for part in subexpressions(expr):
                yield from reads(part, case)


def players_of(game: model.Model, whether: bool) -> model.Const:
    """The set of all players, or the empty one."""
    players = OrderedSet(game.players if whether else ())
    return model.Const(players, type=SetType(game.player_type), span=NOWHERE)


def audience_of(read: model.Read, game: model.Model) -> model.Expr:
    """Who sees the entry: a player, a set of players or none. Of an entry with an index in error it is everybody."""
    visibility = read.variable.visibility
    if any(isinstance(index.type, UnknownType) for index in read.indices):
        return players_of(game, True)
    if isinstance(visibility, model.SeenBy):
        return substitute(visibility.audience, dict(enumerate(read.indices)))
    return players_of(game, is_public(read.variable))


def is_public(variable: model.Variable) -> bool:
    """Whether everybody sees all its entries."""
    seen = variable.visibility
    return seen is model.Audience.EVERYBODY or (variable.is_constant and not isinstance(seen, model.SeenBy))


def who_misses(audiences: Iterable[model.Expr], case: Case) -> Member | None:
    """A possible player of the case who belongs to none of the audiences; None if there is none, or none is known."""
    audiences = tuple(audiences)
    needed = sorted(free_slots(case.player).union(*map(free_slots, audiences)))
    if not all(slot in case.types and _can_list(case.types[slot]) for slot in needed):
        return None
    domains = [list(strip_none(case.types[slot]).generate()) for slot in needed]
    if prod(map(len, domains)) > _MOST_CASES:
        return None
    for values in product(*domains):
        bound = {
            slot: model.Const(value, type=case.types[slot], span=case.player.span)
            for slot, value in zip(needed, values, strict=True)
        }
        if any(_value(substitute(condition, bound)) is (not holds) for condition, holds in case.conditions):
            continue
        who = _value(substitute(case.player, bound))
        seeing = [_value(substitute(audience, bound)) for audience in audiences]
        if who is _UNKNOWN or _UNKNOWN in seeing:
            return None
        if isinstance(who, Member) and not any(_sees(who, audience) for audience in seeing):
            return who
    return None


_UNKNOWN = object()


def _value(expr: model.Expr) -> object:
    """The value of an expression, if it does not depend on the position."""
    if not is_closed(expr) or effort(expr) >= TOO_MUCH:
        return _UNKNOWN
    try:
        value: object = evaluate_constant(expr)
    except EvaluationError:
        return _UNKNOWN
    return value


def _can_list(type: Type) -> bool:
    return isinstance(strip_none(type), MemberType | NumberType) and strip_none(type).is_finite


def _sees(who: Member, audience: object) -> bool:
    return who in audience if isinstance(audience, OrderedSet) else who is audience
