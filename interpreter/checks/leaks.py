"""Who could learn what he should not: suspicions, with their reasons.

Two slips are looked for. A *guard that reads hidden data*: what moves a player has would tell him what he does not see,
so that one information set would offer different moves. And a *public variable that betrays a hidden one*: a value that
only some perceive (an outcome of chance, an argument of a secret move) is written into a variable with a limited
audience, and into one that everybody sees.

Who sees an entry of a variable is decided by trying: all players as the one to move, all values of the names that its
indices mention. Where the audience depends on the state of the play, nothing is suspected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from grammar.diagnostics import Findings, Label
from interpreter import model
from interpreter.checks.flow import statements
from interpreter.checks.parts import rules_of, statement_expressions
from interpreter.errors import EvaluationError
from interpreter.reference.expressions import evaluate_constant
from interpreter.rewriting import free_slots, is_closed, slots, subexpressions, substitute, unfold
from interpreter.types import MemberType, NumberType, SetType, Type, strip_none
from interpreter.values import Member, OrderedSet

_MOST_CASES = 5_000


def check_leaks(game: model.Model, findings: Findings) -> None:
    for phase in game.phases.values():
        _check_guards(phase, game, findings)
        for rule in rules_of(phase.decision):
            _check_rule_body(rule, phase, findings)


# ----------------------------------------------------------------- guards and what they read


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
        for parameter in rule.parameters:
            types[parameter.slot] = parameter.type
        tests = [("guard", expr) for level in rule.guards for expr in level]
        tests += [("domain", parameter.domain) for parameter in rule.parameters]
        if rule.ensuring is not None:
            tests.append(("'ensuring'", rule.ensuring))
        for what, test in tests:
            _check_test(what, test, rule, player, types, secret, phase, game, findings)


def _check_test(
    what: str,
    test: model.Expr,
    rule: model.Rule,
    player: model.Expr,
    types: Mapping[int, Type],
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
            help="all positions that a player cannot tell apart must offer him the same moves",
        )
    for read, known_types in _reads(test, types):
        unseen = _who_does_not_see(read, player, known_types, game)
        if unseen is None:
            continue
        name = read.variable.name
        who = findings.source.excerpt(player.span) or unseen.name
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' reads '{name}', and {who} does not always see it",
            remark=f"for example, {unseen.name} does not see this entry of '{name}'"
            if read.indices
            else f"'{name}' is hidden",
            labels=[Label(read.variable.span, "declared here")],
            help="offer the move whatever is hidden, and let its effects decide what happens; or let the player see it",
        )


def _reads(expr: model.Expr, types: Mapping[int, Type]) -> Iterator[tuple[model.Read, Mapping[int, Type]]]:
    """The variables that an expression reads, defines unfolded, with the types of the names in scope."""
    if isinstance(expr, model.Call):
        for argument in expr.arguments:
            yield from _reads(argument, types)
        yield from _reads(unfold(expr), types)
        return
    if isinstance(expr, model.Read):
        yield expr, types
    types = {**types, **_bound_types(expr)}
    for part in subexpressions(expr):
        yield from _reads(part, types)


def _bound_types(expr: model.Expr) -> dict[int, Type]:
    match expr:
        case model.Quantified(binders=binders) | model.Comprehension(binders=binders):
            found = {}
            for binder in binders:
                domain = strip_none(binder.domain.type)
                if isinstance(domain, SetType):
                    found[binder.slot] = domain.element
            return found
        case model.Reach(slot=slot, type=SetType(element=element)):
            return {slot: element}
        case model.Let(slot=slot, value=value):
            return {slot: value.type}
        case _:
            return {}


def _who_does_not_see(
    read: model.Read, player: model.Expr, types: Mapping[int, Type], game: model.Model
) -> Member | None:
    """A player who may be the one to move and does not see the entry; None where none is, or nobody can tell."""
    visibility = read.variable.visibility
    if visibility is model.Audience.EVERYBODY or read.variable.is_constant:
        return None
    if not isinstance(visibility, model.SeenBy):
        return game.players[0]
    audience = substitute(visibility.audience, dict(enumerate(read.indices)))
    needed = sorted(free_slots(audience) | free_slots(player))
    if not all(slot in types and _can_list(types[slot]) for slot in needed):
        return None
    domains = [list(strip_none(types[slot]).generate()) for slot in needed]
    cases = 1
    for domain in domains:
        cases *= len(domain)
    if cases > _MOST_CASES:
        return None
    for values in product(*domains):
        bound = {
            slot: model.Const(value, type=types[slot], span=read.span)
            for slot, value in zip(needed, values, strict=True)
        }
        mover, seers = substitute(player, bound), substitute(audience, bound)
        if not is_closed(mover) or not is_closed(seers):
            return None
        try:
            who, seen_by = evaluate_constant(mover), evaluate_constant(seers)
        except EvaluationError:
            return None
        if isinstance(who, Member) and not _sees(who, seen_by):
            return who
    return None


def _can_list(type: Type) -> bool:
    return isinstance(strip_none(type), MemberType | NumberType) and strip_none(type).is_finite


def _sees(who: Member, audience: object) -> bool:
    return who in audience if isinstance(audience, OrderedSet) else who is audience


# --------------------------------------------------------------- what a body writes where


def _check_rule_body(rule: model.Rule, phase: model.Phase, findings: Findings) -> None:
    """Report public variables written from a binding that others do not perceive and that a limited audience gets."""
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
            if not any(slots(expr) & tainted for expr in statement_expressions(statement)):
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
                    Label(public[0].variable.span, "without a word of visibility a variable is public"),
                ],
                help="declare the variable 'private', 'hidden' or 'seen by ...', unless this is meant",
            )
