"""Leaks of hidden information: suspicions, with their reasons.

Two slips are sought. A *guard that reads hidden data*: a player's moves would reveal what they do not see, and one
information set would offer different moves. A *public variable that betrays a hidden one*: a value that only some
perceive (an outcome of chance, an argument of a secret move) is written into a variable with a limited audience, and
also into a public one.

Who sees an entry is decided by enumeration: all players as the player to move, and all values of the names in the
indices, except those that the surrounding conditions exclude (``q == p and hand[q] == 2``). If the audience depends on
the state, nothing is suspected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.effort import TOO_MUCH, effort
from zermelo.interpreter.model.rewriting import free_slots, is_closed, slots, subexpressions, substitute, unfold
from zermelo.interpreter.model.walks import rules_of, statements
from zermelo.interpreter.types import BOOL, MemberType, NumberType, SetType, Type, strip_none
from zermelo.interpreter.values import Member, OrderedSet

_MOST_CASES = 5_000


def check_leaks(game: model.Model, findings: Findings) -> None:
    for phase in game.phases.values():
        _check_guards(phase, game, findings)
        for rule in rules_of(phase.decision):
            _check_rule_body(rule, phase, findings)


# ----------------------------------------------------------------- guards and their reads


def _check_guards(phase: model.Phase, game: model.Model, findings: Findings) -> None:
    match phase.decision:
        case model.Turn(player=player, moves=rules):
            pass
        case model.Together(slot=slot, moves=rules, span=span):
            player = model.Local(slot, "player", type=game.player_type, span=span)
        case _:
            return
    secret = {slot for slot, parameter in enumerate(phase.parameters) if parameter.secret}
    types: dict[int, Type] = {slot: parameter.type for slot, parameter in enumerate(phase.parameters)}
    if isinstance(player, model.Local):
        types[player.slot] = game.player_type
    for rule in rules:
        case = _Case(player, types)
        for parameter, guards in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                _check_test("domain", parameter.domain, rule, case, secret, phase, game, findings)
                case = case.with_member(parameter.slot, parameter.type, parameter.domain)
            for guard in guards:
                _check_test("guard", guard, rule, case, secret, phase, game, findings)
                case = case.where(guard, True)
        if rule.ensuring is not None:
            _check_test("'ensuring'", rule.ensuring, rule, case, secret, phase, game, findings)


@frozen(repr=False)
class _Case(Displayed):
    """The context of a read: the player to move, the types of the slots in scope, and the conditions that hold."""

    player: model.Expr
    types: Mapping[int, Type]
    conditions: tuple[tuple[model.Expr, bool], ...] = ()

    def where(self, condition: model.Expr, holds: bool) -> _Case:
        return evolve(self, conditions=(*self.conditions, (condition, holds)))

    def with_name(self, slot: int, type: Type) -> _Case:
        return evolve(self, types={**self.types, slot: type})

    def with_member(self, slot: int, type: Type, domain: model.Expr) -> _Case:
        member = model.Local(slot, "", type=type, span=domain.span)
        return self.with_name(slot, type).where(model.Contains(member, domain, type=BOOL, span=domain.span), True)


def _check_test(
    what: str,
    test: model.Expr,
    rule: model.Rule,
    case: _Case,
    secret: set[int],
    phase: model.Phase,
    game: model.Model,
    findings: Findings,
) -> None:
    for slot in sorted(slots(test) & secret):
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' uses '{phase.parameters[slot].name}', which its player does not see",
            labels=[Label(phase.parameters[slot].span, "secret")],
            help="positions that a player cannot tell apart must offer the same moves",
        )
    for read, when in _reads(test, case):
        unseen = _who_does_not_see(read, when, game)
        if unseen is None:
            continue
        name = read.variable.name
        who = findings.source.excerpt(case.player.span) or unseen.name
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' reads '{name}', but {who} does not always see it",
            remark=f"for example, {unseen.name} does not see this entry of '{name}'"
            if read.indices
            else f"{unseen.name} does not see '{name}'",
            labels=[Label(read.variable.span, "declared here")],
            help="offer the move whatever is hidden, and let its effects decide what happens; or let the player see it",
        )


def _reads(expr: model.Expr, case: _Case) -> Iterator[tuple[model.Read, _Case]]:
    """The reads of variables in an expression, with defines unfolded, each with its context."""
    match expr:
        case model.Call(arguments=arguments):
            for argument in arguments:
                yield from _reads(argument, case)
            yield from _reads(unfold(expr), case)
        case model.And(parts=parts) | model.Or(parts=parts):
            for part in parts:
                yield from _reads(part, case)
                case = case.where(part, isinstance(expr, model.And))
        case model.If(condition=test, yes=yes, no=no):
            yield from _reads(test, case)
            yield from _reads(yes, case.where(test, True))
            yield from _reads(no, case.where(test, False))
        case model.Quantified(binders=binders, body=last) | model.Comprehension(binders=binders, element=last):
            for binder in binders:
                yield from _reads(binder.domain, case)
                domain = strip_none(binder.domain.type)
                if isinstance(domain, SetType):
                    case = case.with_member(binder.slot, domain.element, binder.domain)
                if binder.stop_condition is not None:
                    yield from _reads(binder.stop_condition, case)
                for condition in binder.tests:
                    yield from _reads(condition, case)
                    case = case.where(condition, True)
            yield from _reads(last, case)
        case model.Reach(slot=slot, start=start, step=step, type=SetType(element=element)):
            yield from _reads(start, case)
            yield from _reads(step, case.with_name(slot, element))
        case model.Let(slot=slot, value=value, body=body):
            yield from _reads(value, case)
            yield from _reads(body, case.with_name(slot, value.type))
        case _:
            if isinstance(expr, model.Read):
                yield expr, case
            for part in subexpressions(expr):
                yield from _reads(part, case)


def _who_does_not_see(read: model.Read, case: _Case, game: model.Model) -> Member | None:
    """A possible player to move who does not see the entry; None if there is none, or none is known."""
    visibility = read.variable.visibility
    if visibility is model.Audience.EVERYBODY or read.variable.is_constant:
        return None
    if not isinstance(visibility, model.SeenBy):
        audience: model.Expr = model.Const(OrderedSet(), type=SetType(game.player_type), span=read.span)
    else:
        audience = substitute(visibility.audience, dict(enumerate(read.indices)))
    needed = sorted(free_slots(audience) | free_slots(case.player))
    if not all(slot in case.types and _can_list(case.types[slot]) for slot in needed):
        return None
    domains = [list(strip_none(case.types[slot]).generate()) for slot in needed]
    if prod(map(len, domains)) > _MOST_CASES:
        return None
    for values in product(*domains):
        bound = {
            slot: model.Const(value, type=case.types[slot], span=read.span)
            for slot, value in zip(needed, values, strict=True)
        }
        if any(_value(substitute(condition, bound)) is (not holds) for condition, holds in case.conditions):
            continue
        who, seen_by = _value(substitute(case.player, bound)), _value(substitute(audience, bound))
        if who is _UNKNOWN or seen_by is _UNKNOWN:
            return None
        if isinstance(who, Member) and not _sees(who, seen_by):
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


# --------------------------------------------------------------- writes of bodies


def _check_rule_body(rule: model.Rule, phase: model.Phase, findings: Findings) -> None:
    """Report public variables written from a hidden binding that also goes to a variable with a limited audience."""
    all_secret = rule.secret or isinstance(phase.decision, model.Chance)
    for parameter in rule.parameters:
        if not (all_secret or parameter.secret):
            continue
        tainted = {parameter.slot}
        limited: list[model.Assign] = []
        public: list[model.Assign] = []
        for statement in statements(rule.body):
            if isinstance(statement, model.SetLocal) and slots(statement.value) & tainted:
                tainted.add(statement.slot)
            if not isinstance(statement, model.Assign):
                continue
            if not any(slots(expr) & tainted for expr in subexpressions(statement)):
                continue
            seen = statement.variable.visibility
            (public if seen is model.Audience.EVERYBODY else limited).append(statement)
        if limited and public:
            findings.report(
                "betrays-hidden",
                public[0].span,
                f"'{public[0].variable.name}' is public, and is written from '{parameter.name}', which also decides "
                f"'{limited[0].variable.name}'",
                remark="everybody sees this",
                labels=[
                    Label(limited[0].span, "not everybody sees this"),
                    Label(public[0].variable.span, "a variable is public unless declared otherwise"),
                ],
                help="declare the variable 'private', 'hidden' or 'seen by ...', unless this is meant",
            )
