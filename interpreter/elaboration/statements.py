"""Elaboration of statements."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label, Span
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.calls import count_matches, counted, wrong_kind
from zermelo.interpreter.elaboration.entries import (
    check_indices,
    help_with_indices,
    report_second_brackets,
    select,
)
from zermelo.interpreter.elaboration.expressions import (
    broken,
    condition,
    declared_type,
    elaborate,
    known,
    player_or_players,
    reveal,
    tell,
    typed_as,
)
from zermelo.interpreter.elaboration.names import kind_with_article, undefined
from zermelo.interpreter.elaboration.operators import (
    bind_generators,
    case_test,
    report_open,
    subject_of,
    type_of_sets,
    typed_binder,
    typed_number,
    uncovered,
)
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.type_expressions import load_layout, written_type
from zermelo.interpreter.model.cardinality import in_words
from zermelo.interpreter.types import UNKNOWN, NumberType, RecordType, SetType, Type, strip_none


def block_of(statements: syntax.Block, scope: Scope) -> model.Block:
    """The statements of a block, in a new scope."""
    return statements_in(statements, scope.inner())


def statements_in(statements: syntax.Block, scope: Scope) -> model.Block:
    """The same in ``scope`` itself, in which their names remain."""
    made: list[model.Statement] = []
    for statement in statements:
        made += _statement(statement, scope)
    return tuple(made)


def _statement(statement: syntax.Statement, scope: Scope) -> model.Block:
    span = statement.span
    match statement:
        case syntax.Let(name=name, value=written):
            value = elaborate(written, scope, None)
            slot = scope.bind(name, value.type, "name", declared=declared_type(value, scope))
            return (model.SetLocal(slot, value, name.text, span=span),)
        case syntax.LocalVariable():
            return _local_variable(statement, scope)
        case syntax.Assignment():
            return _assignment(statement, scope)
        case syntax.LayoutAssignment():
            return load_layout(statement, scope)
        case syntax.If():
            return _if(statement.branches, statement.otherwise, scope)
        case syntax.MatchStatement():
            return _match(statement, scope)
        case syntax.For():
            return _for(statement, scope)
        case syntax.Go():
            return (go_to(statement.phase, statement.arguments, span, scope),)
        case syntax.End(outcome=outcome):
            return (model.End(outcome_of(outcome, scope, span), span=span),)
        case syntax.Earn():
            player = typed_as(statement.player, scope, scope.globals.player_type, "the recipient of 'earn'")
            return (model.Earn(player, typed_number(statement.amount, scope, "the amount of 'earn'"), span=span),)
        case syntax.Tell():
            return (tell(statement, scope),)
        case syntax.Reveal():
            return (reveal(statement, scope),)
        case syntax.Do():
            return _do(statement, scope)
        case _:
            raise TypeError(f"no rule for {type(statement).__name__}")


def _local_variable(statement: syntax.LocalVariable, scope: Scope) -> model.Block:
    name = statement.name
    type = written_type(statement.type, scope)
    if statement.initial is None:
        scope.findings.report(
            "missing-value",
            statement.span,
            f"the local variable '{name}' has no initial value",
            help=f"write: var {name}: {type} = ...",
        )
        scope.bind(name, type.base, "local variable", expendable=True, holds=type)
        return ()
    value = typed_as(statement.initial, scope, type, f"the initial value of '{name}'")
    slot = scope.bind(name, type.base, "local variable", holds=type)
    return (model.SetLocal(slot, value, name.text, type, span=statement.span),)


# ------------------------------------------------------------------------ assignments


def _assignment(statement: syntax.Assignment, scope: Scope) -> model.Block:
    path: list[syntax.Name] = []
    root: syntax.Expression = statement.target
    while isinstance(root, syntax.Field):
        path.insert(0, root.name)
        root = root.target
    name = root.target if isinstance(root, syntax.Index) else root
    if not isinstance(name, syntax.Reference):
        if not isinstance(root, syntax.Index) or not report_second_brackets(root, scope):
            wrong_kind(scope, statement.target.span, "only variables can be assigned")
        return ()
    local = scope.find(name.name)
    if local is not None:
        return _assign_local(statement, name, path, root is not name, scope)
    declaration = scope.globals.declarations.named.get(name.name)
    if not isinstance(declaration, syntax.Variable):
        _report_no_variable(name, declaration, scope)
        return ()
    scope.globals.use(name.name, name.span)
    variable = scope.globals.variable(declaration)
    if variable is None:
        elaborate(statement.value, scope, None)
        return ()
    if isinstance(root, syntax.Index):
        indices = check_indices(variable, root.arguments, scope)
    elif variable.indices:
        return _fill(statement, variable, path, scope)
    else:
        indices = ()
    count = len(variable.indices)
    if len(indices) != count:
        wanted = f"{count} ind{'ex' if count == 1 else 'ices'}" if count else "no index"
        scope.findings.report(
            "wrong-number-of-arguments",
            root.span,
            f"'{variable.name}' has {wanted}, but {counted(len(indices))}",
            labels=[Label(variable.span, "declared here")],
            help=help_with_indices(variable, indices, scope),
        )
        return ()
    entry = model.Read(variable, indices, type=variable.type.base, span=root.span)
    places, target, wanted_type = _path(entry, path, variable.type, scope)
    value = _new_value(statement, target, wanted_type, scope)
    if not known(target):
        return ()
    return (model.Assign(variable, indices, places, value, span=statement.span),)


def _report_no_variable(name: syntax.Reference, declaration: object, scope: Scope) -> None:
    if declaration is None:
        variables = [d.name.text for d in scope.globals.declarations.every(syntax.Variable)]
        undefined(name.name, name.span, "variable", variables, scope.findings)
    elif isinstance(declaration, syntax.Parameter | syntax.TypeDeclaration | syntax.Define | syntax.Action):
        message = f"'{name.name}' is {kind_with_article(declaration)}, and cannot be assigned"
        wrong_kind(scope, name.span, message, declaration.name.span)


def _fill(statement: syntax.Assignment, variable: model.Variable, path: list[syntax.Name], scope: Scope) -> model.Block:
    """``board := none`` sets every entry."""
    if path or statement.operator != ":=":
        message = f"'{variable.name}' has entries; say which one is meant"
        scope.findings.report("wrong-number-of-arguments", statement.target.span, message)
        return ()
    value = typed_as(statement.value, scope, variable.type, f"every entry of '{variable.name}'")
    return (model.Fill(variable, value, span=statement.span),)


def _assign_local(
    statement: syntax.Assignment, name: syntax.Reference, path: list[syntax.Name], indexed: bool, scope: Scope
) -> model.Block:
    local = scope.find(name.name)
    if local is None or local.holds is None or indexed:
        what = "has no entries" if local is not None and indexed else "cannot be assigned"
        kind = local.kind if local is not None else "name"
        wrong_kind(
            scope,
            name.span,
            f"'{name.name}' is a {kind}, and {what}",
            local.span if local is not None else None,
            help="a local variable is declared by: var NAME: TYPE = VALUE",
        )
        return ()
    scope.globals.refer(name.span, local.span)
    read = model.Local(local.slot, local.name, type=local.type, span=name.span)
    places, target, wanted = _path(read, path, local.holds, scope)
    value = _new_value(statement, target, wanted, scope)
    if not known(target):
        return ()
    if places:
        return (model.SetLocalField(local.slot, places, value, local.name, local.holds, span=statement.span),)
    return (model.SetLocal(local.slot, value, local.name, local.holds, span=statement.span),)


def _path(
    target: model.Expr, path: list[syntax.Name], type: Type, scope: Scope
) -> tuple[tuple[int, ...], model.Expr, Type]:
    """The path through nested records to a field, the field as an expression, and its type."""
    places: list[int] = []
    for name in path:
        record = strip_none(type)
        selected = select(target, name, name.span, scope)
        if not isinstance(selected, model.GetField) or not isinstance(record, RecordType):
            if known(selected):
                scope.findings.report("wrong-kind-of-name", name.span, f"'{name}' cannot be assigned")
            return tuple(places), broken(name.span), UNKNOWN
        places.append(selected.index)
        target, type = selected, record.items[selected.index]
    return tuple(places), target, type


def _new_value(statement: syntax.Assignment, target: model.Expr, wanted: Type, scope: Scope) -> model.Expr:
    """The value assigned; ``x += e`` is ``x := x + e``."""
    place = scope.findings.source.excerpt(statement.target.span).strip() or "the variable"
    if statement.operator == ":=":
        return typed_as(statement.value, scope, wanted, f"'{place}'")
    operator: Literal["+", "-"] = "+" if statement.operator == "+=" else "-"
    operand = elaborate(statement.value, scope, wanted)
    if not known(operand) or not known(target):
        return broken(statement.span)
    base, other = strip_none(target.type), strip_none(operand.type)
    if isinstance(base, NumberType) and isinstance(other, NumberType):
        type = intervals.arithmetic(operator, base, other)
        return model.Arithmetic(operator, target, operand, type=type, span=statement.span)
    if isinstance(base, SetType) and isinstance(other, SetType):
        sets = type_of_sets(operator, base, other)
        if sets is not None:
            return model.SetOperation(operator, target, operand, type=sets, span=statement.span)
    message = f"'{place}' is {in_words(target.type)}, but this is {in_words(operand.type)}"
    if not isinstance(base, NumberType | SetType):
        message = f"'{place}' is {in_words(target.type)}, but '{statement.operator}' is for numbers and sets"
    scope.findings.report("type-mismatch", statement.span, message)
    return broken(statement.span)


# ------------------------------------------------------------------------ branches, loops


def _if(
    branches: tuple[tuple[syntax.Expression, syntax.Block], ...], otherwise: syntax.Block | None, scope: Scope
) -> model.Block:
    typed = [(condition(test, scope), block_of(body, scope)) for test, body in branches]
    chain = block_of(otherwise or (), scope)
    for (test, _), (holds, yes) in zip(reversed(branches), reversed(typed), strict=True):
        chain = (model.If_(holds, yes, chain, span=test.span),)
    return chain


def _match(statement: syntax.MatchStatement, scope: Scope) -> model.Block:
    subject = subject_of(statement.subject, statement.cases, scope)
    slot = scope.frame.new_slot()
    local = model.Local(slot, "match", type=subject.type, span=statement.subject.span)
    tests = [case_test(case.patterns, local, scope) for case in statement.cases]
    bodies = [block_of(case.body, scope) for case in statement.cases]
    left = uncovered(statement.cases, tests, subject, scope)
    report_open(left, statement.subject, scope)
    chain: model.Block = (model.Do(model.UNKNOWN_ACTION, (), span=statement.span),)
    if not left and bodies:
        chain, tests, bodies = bodies[-1], tests[:-1], bodies[:-1]
    for test, body in zip(reversed(tests), reversed(bodies), strict=True):
        chain = (model.If_(test, body, chain, span=test.span),)
    return (model.SetLocal(slot, subject, "match", span=statement.subject.span), *chain)


def _for(statement: syntax.For, scope: Scope) -> model.Block:
    inner = scope
    binders: list[model.Binder] = []
    for written in statement.binders:
        inner = inner.inner()
        binders.append(typed_binder(written, inner))
    if statement.guard is not None:
        test = condition(statement.guard, inner)
        binders[-1] = evolve(binders[-1], tests=(test,))
    return (model.For(tuple(binders), block_of(statement.body, inner), span=statement.span),)


# ------------------------------------------------------------------------ leaving a phase


def go_to(phase: syntax.Name, arguments: tuple[syntax.Expression, ...], span: Span, scope: Scope) -> model.Go:
    declaration = scope.globals.declarations.phases.get(phase.text)
    if declaration is None:
        undefined(phase.text, phase.span, "phase", scope.globals.declarations.phases, scope.findings)
        for argument in arguments:
            elaborate(argument, scope, None)
        return model.Go(phase.text, (), span=span)
    scope.globals.refer(phase.span, declaration.name.span)
    parameters = scope.globals.phase_parameters[phase.text]
    if not count_matches(declaration.name, len(parameters), len(arguments), span, scope):
        return model.Go(phase.text, (), span=span)
    typed = tuple(
        typed_as(argument, scope, parameter.type, f"'{parameter.name}' of phase '{phase}'")
        for argument, parameter in zip(arguments, parameters, strict=True)
    )
    return model.Go(phase.text, typed, span=span)


def outcome_of(outcome: syntax.Outcome | None, scope: Scope, span: Span) -> model.Outcome:
    """The outcome of an ``end`` at ``span``."""
    players = scope.globals.player_type
    match outcome:
        case syntax.Win(winners=winners):
            return model.WinOutcome(player_or_players(winners, scope, "the winner"))
        case syntax.PayoffMap(entries=entries):
            return _payoff_map(entries, scope, span)
        case syntax.PayoffComprehension():
            binders, inner = bind_generators(outcome.generators, scope)
            player = typed_as(outcome.player, inner, players, "the recipient of a payoff")
            return model.PayoffForOutcome(player, typed_number(outcome.amount, inner, "a payoff"), binders)
        case syntax.PayoffTuple(amounts=amounts):
            return model.PayoffOutcome(payoff_tuple(amounts, scope, outcome.span))
        case _:
            return model.DrawOutcome()


def _payoff_map(
    entries: tuple[tuple[syntax.Expression, syntax.Expression], ...], scope: Scope, span: Span
) -> model.Outcome:
    players = scope.globals.player_type
    made = tuple(
        (typed_as(player, scope, players, "the recipient of a payoff"), typed_number(amount, scope, "a payoff"))
        for player, amount in entries
    )
    named: dict[model.Expr, Span] = {}
    doubled = False
    for player, _ in made:
        if player in named and known(player):
            doubled = True
            scope.findings.report(
                "doubled-payoff",
                player.span,
                "the same player gets two payoffs",
                labels=[Label(named[player], "the first one")],
            )
        named.setdefault(player, player.span)
    if len(named) < len(players.listed) and not doubled and all(known(player) for player, _ in made):
        given = {player.value for player, _ in made if isinstance(player, model.Const)}
        missing = [member.name for member in players.listed if member not in given]
        message = f"only {len(named)} of the {len(players.listed)} players get a payoff"
        if len(given) == len(made):
            message = f"{' and '.join(missing)} {'gets' if len(missing) == 1 else 'get'} no payoff"
        scope.findings.report("missing-payoff", span, message, help="every player needs one, even if it is 0")
    return model.PayoffOutcome(made)


def payoff_tuple(
    amounts: tuple[syntax.Expression, ...], scope: Scope, span: Span
) -> tuple[tuple[model.Expr, model.Expr], ...]:
    """One amount for each player; with two players one number is short for ``(x, -x)``."""
    players = scope.globals.player_type.listed
    typed = [typed_number(amount, scope, "a payoff") for amount in amounts]
    if len(typed) == 1 and len(players) == 2:
        (first,) = typed
        base = strip_none(first.type)
        opposite = intervals.negated(base) if isinstance(base, NumberType) else UNKNOWN
        if isinstance(first, model.Const) and known(first):
            typed.append(model.Const(-first.value, type=opposite, span=first.span))
        else:
            typed.append(model.Negate(first, type=opposite, span=first.span))
    if len(typed) != len(players):
        scope.findings.report(
            "wrong-payoff-length",
            span,
            f"the game has {len(players)} player{'s' if len(players) > 1 else ''}, but here "
            f"{'is' if len(typed) == 1 else 'are'} {len(typed)} payoff{'s' if len(typed) > 1 else ''}",
            help=f"write one for each of {', '.join(player.name for player in players)}",
        )
        return ()
    return tuple(
        (model.Const(player, type=scope.globals.player_type, span=amount.span), amount)
        for player, amount in zip(players, typed, strict=True)
    )


def _do(statement: syntax.Do, scope: Scope) -> model.Block:
    name, unknown = statement.action, (model.Do(model.UNKNOWN_ACTION, (), span=statement.span),)
    declaration = scope.globals.declarations.named.get(name.text)
    if not isinstance(declaration, syntax.Action):
        if declaration is not None:
            message = f"'{name}' is {kind_with_article(declaration)}, which does nothing by itself"
            wrong_kind(scope, name.span, message, declaration.name.span)
        else:
            actions = [d.name.text for d in scope.globals.declarations.every(syntax.Action)]
            is_phase = name.text in scope.globals.declarations.phases
            help = f"'{name}' is a phase; write: go {name}" if is_phase else ""
            undefined(name.text, name.span, "action", actions, scope.findings, help)
        return unknown
    scope.globals.use(name.text, name.span)
    action = scope.globals.action(declaration)
    if action is None:
        return unknown
    count = len(action.parameters)
    if not count_matches(declaration.name, count, len(statement.arguments), statement.span, scope):
        return unknown
    arguments = tuple(
        typed_as(argument, scope, parameter.type, f"'{parameter.name}' of '{name}'")
        for argument, parameter in zip(statement.arguments, action.parameters, strict=True)
    )
    return (model.Do(action, arguments, span=statement.span),)
