"""Phases and their decisions."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import formal_parameters
from zermelo.interpreter.elaboration.expressions import broken, condition, declared_element, elaborate, known, typed_as
from zermelo.interpreter.elaboration.names import depends_on_parameters, report_doubles
from zermelo.interpreter.elaboration.operators import domain_of, typed_number
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import block_of, statements_in
from zermelo.interpreter.model.cardinality import in_words, is_never_empty, is_ordered
from zermelo.interpreter.model.rewriting import slots, walk
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, SetType
from zermelo.interpreter.values import EMPTY, OrderedSet

LARGEST_DOMAIN = 10_000_000
"""The most members of a constant range as the domain of a move or an outcome: the reference machine tries so many in
some seconds."""


def declare_phase(written: syntax.Phase, scope: Scope) -> tuple[model.FormalParameter, ...]:
    """The parameters of a phase, which must be known before the body of any phase with a ``go`` is elaborated."""
    return formal_parameters(written.parameters, scope, of_phase=True)


def phase_of(written: syntax.Phase, parameters: tuple[model.FormalParameter, ...], scope: Scope) -> model.Phase:
    """The phase; ``scope`` holds its parameters. Entry, decision and ``otherwise`` share one frame."""
    scope.stuck_allowed = written.decision is not None
    entry = statements_in(written.entry, scope)
    scope.stuck_allowed = False
    decision = None if written.decision is None else _decision(written.decision, scope)
    otherwise = None if written.otherwise is None else block_of(written.otherwise, scope)
    scope.report_unused()
    return model.Phase(written.name.text, parameters, entry, decision, otherwise, scope.frame.size, written.name.span)


def _whose_turn(turn: syntax.Turn, scope: Scope) -> model.Expr:
    player = turn.player
    if not (isinstance(player, syntax.Reference) and player.name == "chance"):
        return typed_as(player, scope, scope.globals.player_type, "the expression after 'turn'")
    head = turn.span.to(player.span)
    scope.findings.report(
        "foreign-word",
        head,
        "chance draws, and has no turn",
        help="write 'chance:', and 'outcome' for each 'move'",
        fix=Fix(head, "chance", "write 'chance'"),
    )
    return broken(player.span)


def _decision(written: syntax.Decision, scope: Scope) -> model.Decision:
    match written:
        case syntax.Turn():
            player = _whose_turn(written, scope)
            preferring = tuple(_preference(part, scope) for part in written.values("preferring"))
            moves = tuple(_move(move, scope) for move in written.moves)
            _report_doubles(moves, "move", scope)
            return model.Turn(player, preferring, moves, written.span)
        case syntax.Chance():
            outcomes = tuple(_outcome(outcome, scope) for outcome in written.outcomes)
            _report_doubles(outcomes, "outcome", scope)
            return model.Chance(outcomes, written.span)
        case syntax.Together():
            return _together(written, scope)


def _preference(written: syntax.Expression, scope: Scope) -> model.Expr:
    typed = elaborate(written, scope, None)
    if known(typed) and not is_ordered(typed.type):
        message = f"'preferring' compares, but {in_words(typed.type)} has no order"
        scope.findings.report("type-mismatch", written.span, message)
    return typed


def _report_doubles(rules: tuple[model.Rule, ...], kind: str, scope: Scope) -> None:
    """Report two rules of one name in a decision, whose moves would look the same."""
    named = ((rule.name, rule.span) for rule in rules)
    report_doubles(named, scope.findings, f"this decision has two {kind}s '{{}}'", help="rename one of them")


def _together(written: syntax.Together, scope: Scope) -> model.Together:
    players = scope.globals.player_type
    inner = scope.inner()
    if written.binder is None:
        chosen: model.Expr = model.Const(players.members, type=SetType(players), span=written.span)
        slot = scope.frame.new_slot()
        inner.unnamed_chooser = written.span.beginning(len("together"))
    else:
        chosen, element = domain_of(written.binder.domain, scope, players)
        if known(chosen) and element is not players:
            message = f"'together' is for a set of players, but this is {in_words(chosen.type)}"
            scope.findings.report("type-mismatch", written.binder.domain.span, message)
        slot = inner.bind(written.binder.name, players, "name", expendable=True)
    faults = len(scope.findings.errors)
    moves = tuple(_move(move, inner) for move in written.moves)
    _report_doubles(moves, "move", scope)
    then_scope = scope.inner()
    then_scope.choices = {move.name: move for move in moves}
    then_scope.sure_to_choose = _sure_to_choose(chosen, moves) if faults == len(scope.findings.errors) else None
    then = statements_in(written.then, then_scope)
    return model.Together(chosen, slot, moves, then, written.span)


def _sure_to_choose(players: model.Expr, moves: tuple[model.Rule, ...]) -> OrderedSet:
    """The players who are sure to make the only choice, so that it is never none."""
    domains = [parameter.domain for rule in moves for parameter in rule.parameters]
    is_only = len(moves) == 1 and not any(moves[0].guards)
    if not is_only or not isinstance(players, model.Const) or not known(players):
        return EMPTY
    offered = all(is_never_empty(domain, lambda item: not isinstance(item, model.Const)) for domain in domains)
    return players.value if offered else EMPTY


def _parameters(
    written: tuple[syntax.MoveParameter, ...], scope: Scope
) -> tuple[tuple[model.RuleParameter, ...], Scope]:
    """The parameters of a rule; the domain of each may use the earlier ones."""
    made: list[model.RuleParameter] = []
    for parameter in written:
        domain, element = domain_of(parameter.domain, scope)
        _report_endless(domain, scope)
        scope = scope.inner()
        declared = declared_element(domain, element, scope)
        slot = scope.bind(parameter.name, element, "parameter", expendable=True, declared=declared)
        made.append(
            model.RuleParameter(slot, parameter.name.text, domain, element, parameter.secret, parameter.name.span)
        )
    return tuple(made), scope


def _report_endless(domain: model.Expr, scope: Scope) -> None:
    """Report a constant range that is too large to try all its members, however few of them pass the guard."""
    if not isinstance(domain, model.RangeSet):
        return
    ends = [end.type for end in (domain.low, domain.high)]
    low, high = (end.low if isinstance(end, NumberType) and end.low == end.high else None for end in ends)
    if low is None or high is None:
        return
    members = int(high - low) + 1
    if members > LARGEST_DOMAIN:
        scope.findings.report(
            "out-of-range",
            domain.span,
            f"this range has {members:,} members, each of which the decision tries; the limit is {LARGEST_DOMAIN:,}",
            help="put the bound into the range, as in 1..min(3, left), rather than after 'if'",
        )


def _move(written: syntax.Move, scope: Scope) -> model.Rule:
    parameters, inner = _parameters(written.parameters, scope.inner())
    guards = split_guard(_guard(written.guard, inner), parameters)
    ensuring = None
    if written.ensuring is not None:
        ensuring = condition(written.ensuring, inner, "the condition after 'ensuring'")
    body = () if written.body is None else block_of(written.body, inner)
    return model.Rule(
        written.name.text, parameters, guards, ensuring, written.secret, None, None, body, written.name.span
    )


def report_never_drawn(
    outcome: syntax.Name, what: str, number: model.Expr | None, written: syntax.Expression | None, scope: Scope
) -> None:
    """Report an outcome whose weight or probability is 0 whatever the parameters are. At the end of its range a
    parameter may well rule an outcome out."""
    if number is None or written is None or not isinstance(number, model.Const) or number.value != 0:
        return
    if not depends_on_parameters(written, scope.globals.declarations):
        scope.findings.report(
            "zero-probability",
            number.span,
            f"the outcome '{outcome.text}' can never be drawn",
            remark=f"its {what} is 0",
            help="remove it",
        )


def _outcome(written: syntax.OutcomeClause, scope: Scope) -> model.Rule:
    parameters, inner = _parameters(written.parameters, scope.inner())
    guards = split_guard(_guard(written.guard, inner), parameters)
    weight = None if written.weight is None else typed_number(written.weight, inner, "a weight")
    probability = None if written.probability is None else typed_number(written.probability, inner, "a probability")
    report_never_drawn(written.name, "weight", weight, written.weight, inner)
    report_never_drawn(written.name, "probability", probability, written.probability, inner)
    body = block_of(written.body, inner)
    return model.Rule(written.name.text, parameters, guards, None, False, weight, probability, body, written.name.span)


def _guard(written: syntax.Expression | None, scope: Scope) -> tuple[model.Expr, ...]:
    """The conjuncts of a guard."""
    if written is None:
        return ()
    typed = condition(written, scope, "a guard")
    return _parts(typed)


def _parts(guard: model.Expr) -> tuple[model.Expr, ...]:
    if isinstance(guard, model.And):
        return tuple(part for operand in guard.parts for part in _parts(operand))
    return (guard,)


def split_guard(
    parts: tuple[model.Expr, ...], parameters: tuple[model.RuleParameter, ...]
) -> tuple[tuple[model.Expr, ...], ...]:
    """The conjuncts by the number of parameters that they need, so that each is tested early.

    A conjunct that could fail on none stays after those written before it, since one of them may exclude that.
    """
    level_of = {parameter.slot: level for level, parameter in enumerate(parameters, start=1)}
    levels: list[list[model.Expr]] = [[] for _ in range(len(parameters) + 1)]
    deepest = 0
    for part in parts:
        level = max((level_of.get(slot, 0) for slot in slots(part)), default=0)
        if _can_fail(part):
            level = max(level, deepest)
        deepest = max(deepest, level)
        levels[level].append(part)
    return tuple(map(tuple, levels))


def _can_fail(part: model.Expr) -> bool:
    """Whether evaluating it may be an error: something may be none, unset or a divisor, or is hidden in a define."""
    return any(
        isinstance(inner.type, OptionalType | NoneType)
        or isinstance(inner, model.Call | model.Arithmetic)
        or (isinstance(inner, model.Read) and not inner.variable.has_initial)
        for inner in walk(part)
    )
