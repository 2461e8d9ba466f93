"""Elaboration of statements, and of the entries of variables that they read and write."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label, Span, did_you_mean
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.calls import (
    count_matches,
    elaborate_entry,
    find_choice,
    report_wrong_kind,
)
from zermelo.interpreter.elaboration.expressions import (
    broken_expression,
    declared_type,
    elaborate,
    elaborate_as,
    elaborate_condition,
    elaborate_constant,
    elaborate_type,
    fold,
    is_known,
    load_layout,
    player_or_players,
    require_constant,
    reveal,
    tell,
)
from zermelo.interpreter.elaboration.names import NamedTable, kind_with_article, report_undefined
from zermelo.interpreter.elaboration.operators import (
    bind_generators,
    cases_of,
    combine,
    elaborate_binder,
    elaborate_number,
)
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import covers, in_words, join
from zermelo.interpreter.types import (
    BOOL,
    UNKNOWN,
    BoardType,
    BoolType,
    DirectionType,
    EdgesType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    RecordType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import Value, format_value


@elaborate.register
def _index(expression: syntax.Index, scope: Scope, expected: Type | None = None) -> model.Expr:
    target = expression.target
    if isinstance(target, syntax.TableLiteral):
        return _look_up(target, expression, scope, expected)
    if isinstance(target, syntax.Reference):
        rule = find_choice(target.name, scope)
        if rule is not None:
            return _choice_test(rule, expression, scope)
        declaration = scope.globals.declarations.named.get(target.name)
        if scope.find(target.name) is None and isinstance(declaration, syntax.Define) and declaration.is_table:
            return _look_up_by_name(declaration, expression, scope)
        if scope.find(target.name) is None and isinstance(declaration, syntax.Variable):
            scope.globals.use(target.name, target.span)
            variable = scope.globals.variable(declaration)
            if variable is None:
                return broken_expression(expression.span)
            indices = check_indices(variable, expression.arguments, scope)
            return elaborate_entry(
                variable, indices, expression.span, scope, help_with_indices(variable, indices, scope)
            )
        if scope.find(target.name) is None and declaration is None:
            variables = [d.name.text for d in scope.globals.declarations.every(syntax.Variable)]
            help = _help_with_choice(target.name, scope)
            report_undefined(target.name, target.span, "variable", () if help else variables, scope.findings, help=help)
            return broken_expression(expression.span)
        what = "a local name" if declaration is None else kind_with_article(declaration)
        report_wrong_kind(
            scope,
            target.span,
            f"'{target.name}' is {what}, and has no entries",
            declaration.name.span if declaration is not None else None,
            help=f"to apply it, write: {target.name}(...)" if isinstance(declaration, syntax.Define) else "",
        )
        return broken_expression(expression.span)
    if not report_second_brackets(expression, scope):
        report_wrong_kind(scope, target.span, "only a variable or a table {key: value, ...} has entries")
    return broken_expression(expression.span)


def report_second_brackets(expression: syntax.Index, scope: Scope) -> bool:
    """Report ``board[x][y]``; False if it is something else."""
    inner = expression.target
    if not isinstance(inner, syntax.Index) or not isinstance(inner.target, syntax.Reference):
        return False
    name, shown = inner.target.name, scope.findings.source.excerpt
    arguments = [shown(argument.span) for argument in (*inner.arguments, *expression.arguments)]
    declaration = None if scope.find(name) is not None else scope.globals.declarations.named.get(name)
    if isinstance(declaration, syntax.Variable):
        scope.globals.use(name, inner.target.span)
        variable = scope.globals.variable(declaration)
        written = f"{name}[{', '.join(arguments) if variable is None else _as_indices(variable, arguments)}]"
    elif isinstance(declaration, syntax.Define) and declaration.is_table:
        scope.globals.use(name, inner.target.span)
        if scope.globals.table(declaration) is None:
            return True  # what is wrong with the table has been reported
        written = f"{name}[{', '.join(arguments)}]"
    else:
        return False
    help = f"write {written}"
    message = f"'{name}' has all its indices in one pair of brackets"
    fix = Fix(expression.span, written, help)
    scope.findings.report("wrong-kind-of-name", expression.span, message, help=help, fix=fix)
    return True


def _as_indices(variable: model.Variable, arguments: list[str]) -> str:
    """The text of the indices; two numbers for one cell are its coordinates."""
    listed = ", ".join(arguments)
    cells = strip_none(variable.indices[0].base) if len(variable.indices) == 1 else None
    has_coordinates = isinstance(cells, BoardType) and cells.shape in ("grid", "hex")
    return f"{cells}({listed})" if has_coordinates and len(arguments) == 2 else listed


def help_with_indices(variable: model.Variable, indices: tuple[model.Expr, ...], scope: Scope) -> str:
    """How these indices, too many or too few, may be meant; empty if that is not known."""
    written = [scope.findings.source.excerpt(index.span) for index in indices]
    meant = _as_indices(variable, written)
    if meant == ", ".join(written) or not all(isinstance(strip_none(index.type), NumberType) for index in indices):
        return ""
    return f"the cell with these coordinates: {variable.name}[{meant}]"


def _help_with_choice(name: str, scope: Scope) -> str:
    """The help for a move of a ``together`` whose choices are not known here; empty for another name."""
    decisions = [phase.decision for phase in scope.globals.declarations.phases.values()]
    together = [decision for decision in decisions if isinstance(decision, syntax.Together)]
    if not any(move.name.text == name for decision in together for move in decision.moves):
        return ""
    return f"what is chosen by '{name}' is known under 'then:' alone; a define gets it as an argument"


def check_indices(
    variable: model.Variable, arguments: tuple[syntax.Expression, ...], scope: Scope
) -> tuple[model.Expr, ...]:
    """The indices, which must fit those of the variable, if they are as many."""
    if len(arguments) != len(variable.indices):
        return tuple(elaborate(argument, scope, None) for argument in arguments)
    return tuple(
        elaborate_as(argument, scope, type, f"index {k + 1} of '{variable.name}'")
        for k, (argument, type) in enumerate(zip(arguments, variable.indices, strict=True))
    )


def _look_up(table: syntax.TableLiteral, expression: syntax.Index, scope: Scope, expected: Type | None) -> model.Expr:
    key = elaborate(_written_key(expression), scope, None)
    keys = UNKNOWN if isinstance(key.type, NoneType) else strip_none(key.type)
    entries, type = table_entries(table, scope, keys, expected)
    return _entry_for(key, entries, type, expression.span, scope)


def _look_up_by_name(declaration: syntax.Define, expression: syntax.Index, scope: Scope) -> model.Expr:
    scope.globals.use(declaration.name.text, expression.target.span)
    table = scope.globals.table(declaration)
    if table is None:
        return broken_expression(expression.span)
    key = elaborate_as(_written_key(expression), scope, table.keys, f"the key of '{declaration.name}'")
    if not is_known(key):
        return broken_expression(expression.span)
    return _entry_for(key, table.entries, table.values, expression.span, scope)


def _written_key(expression: syntax.Index) -> syntax.Expression:
    """The key of a table; several values are a tuple."""
    first, last = expression.arguments[0], expression.arguments[-1]
    return first if first is last else syntax.TupleLiteral(expression.arguments, span=first.span.to(last.span))


def _entry_for(key: model.Expr, entries: dict[Value, Value], values: Type, span: Span, scope: Scope) -> model.Expr:
    """The entry for a key, which is none if a part of the key may be none, or for a value that is no key."""
    parts = key.items if isinstance(key, model.MakeTuple) else (key,)
    kinds = tuple(strip_none(declared_type(part, scope)) for part in parts)
    keys = TupleType(kinds) if isinstance(key, model.MakeTuple) else kinds[0]
    is_whole = isinstance(keys, UnknownType) or covers(entries, keys)
    is_sure = is_whole and not any(isinstance(part.type, OptionalType) for part in parts)
    type = values if is_sure else optional(values)
    return fold(model.Lookup(entries, key, is_whole, type=type, span=span), scope)


def elaborate_table(declaration: syntax.Define, scope: Scope) -> NamedTable | None:
    """The table ``define jumps = {3: 5, 7: 2}``, whose keys are of one type; None, reported, if it has errors."""
    written = declaration.body
    assert isinstance(written, syntax.TableLiteral)
    if declaration.type is not None:
        message = f"'{declaration.name}' is a table; its types are those of its keys and values"
        scope.findings.report("type-mismatch", declaration.type.span, message, help="leave the type out")
        return None
    keys: Type = UNKNOWN
    for key, _ in written.entries:
        typed = elaborate_constant(key, scope, None, "a key of this table")
        if not is_known(typed):
            return None
        joined = join(keys, typed.type)
        if joined is None:
            message = f"a key is {in_words(typed.type)} here, but {in_words(keys)} before"
            scope.findings.report("type-mismatch", key.span, message)
            return None
        keys = joined
    entries, values = table_entries(written, scope, keys, None)
    return None if isinstance(values, UnknownType) else NamedTable(entries, keys, values)


def _choice_test(rule: model.Rule, expression: syntax.Index, scope: Scope) -> model.Expr:
    player = _choosing_player(expression, scope)
    scope.globals.refer(expression.target.span, rule.span)
    if rule.parameters:
        names = ", ".join(f"{rule.name}[...].{p.name}" for p in rule.parameters)
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'{rule.name}' was chosen with arguments; say which you mean",
            help=f"write {names}; it is none if {rule.name} was not chosen",
        )
        return broken_expression(expression.span)
    return model.Chosen(rule, player, None, type=BOOL, span=expression.span)


def table_entries(
    table: syntax.TableLiteral, scope: Scope, keys: Type, expected: Type | None
) -> tuple[dict[Value, Value], Type]:
    """The entries of ``{boat: 1, cruiser: 3}`` and the type of its values."""
    entries: dict[Value, Value] = {}
    type: Type = UNKNOWN
    is_whole = True
    for written_key, written_value in table.entries:
        if isinstance(written_value, syntax.TableLiteral) and written_value.entries:
            shown = scope.findings.source.excerpt
            first = f"{shown(written_key.span)}, {shown(written_value.entries[0][0].span)}"
            help = f"write one table with keys such as ({first}), which is looked up by [{first}]"
            scope.findings.report("type-mismatch", written_value.span, "the values of a table are no tables", help=help)
            return {}, UNKNOWN
        key = elaborate_constant(written_key, scope, keys, "a key of this table")
        value = require_constant(elaborate(written_value, scope, expected), scope, "a value of this table")
        if not is_known(key) or not is_known(value):
            is_whole = False
            continue
        if key.value in entries:
            scope.findings.report("duplicate-name", written_key.span, f"the table has {format_value(key.value)} twice")
        joined = join(type, value.type)
        if joined is None:
            scope.findings.report(
                "type-mismatch",
                written_value.span,
                f"the table holds {in_words(type)} elsewhere, but {in_words(value.type)} here",
            )
            is_whole = False
            continue
        entries[key.value], type = value.value, joined
    return entries, type if is_whole else UNKNOWN


def _type_named(reference: syntax.Reference, scope: Scope) -> Type | None:
    """The type of a bare name before a member, as in ``Suit.clubs``."""
    name = reference.name
    if scope.find(name) is not None:
        return None
    declaration = scope.globals.declarations.named.get(name)
    if isinstance(declaration, syntax.TypeDeclaration):
        scope.globals.use(name, reference.span)
        return scope.globals.named_type(declaration)
    return scope.globals.player_type if name == "Player" else scope.globals.types.get(name)


def _choosing_player(expression: syntax.Index, scope: Scope) -> model.Expr:
    if len(expression.arguments) != 1:
        scope.findings.report(
            "wrong-number-of-arguments", expression.span, "a choice is that of one player, as in show[p].t"
        )
        return broken_expression(expression.span)
    return elaborate_as(expression.arguments[0], scope, scope.globals.player_type, "the index of a choice")


@elaborate.register
def _field(expression: syntax.Field, scope: Scope, expected: Type | None = None) -> model.Expr:
    target, name = expression.target, expression.name
    if isinstance(target, syntax.Reference):
        owner = _type_named(target, scope)
        if owner is not None:
            return _member_of(owner, expression, scope)
    if isinstance(target, syntax.Index) and isinstance(target.target, syntax.Reference):
        rule = find_choice(target.target.name, scope)
        if rule is not None:
            return _chosen_argument(rule, target, name, scope, expression.span)
    record = elaborate(target, scope, None)
    return fold(select(record, name, expression.span, scope), scope)


def _member_of(owner: Type, expression: syntax.Field, scope: Scope) -> model.Expr:
    """``Suit.clubs``"""
    base = strip_none(owner.base)
    name = expression.name
    members: Mapping[str, Value] = {}
    if isinstance(base, MemberType):
        members = base.by_name
    elif isinstance(base, DirectionType | BoolType):
        members = {format_value(value): value for value in base.generate()}
    if name.text in members and (not isinstance(owner, PartType) or owner.contains(members[name.text])):
        scope.globals.use_part(base, name.text, name.span)
        return model.Const(members[name.text], type=base, span=expression.span)
    report_undefined(name.text, name.span, f"member of {owner} called", members, scope.findings)
    return broken_expression(expression.span)


def _chosen_argument(rule: model.Rule, target: syntax.Index, name: syntax.Name, scope: Scope, span: Span) -> model.Expr:
    """``show[q].t``"""
    player = _choosing_player(target, scope)
    scope.globals.refer(target.target.span, rule.span)
    for k, parameter in enumerate(rule.parameters):
        if parameter.name == name.text:
            scope.globals.refer(name.span, parameter.span)
            type = parameter.type if _has_chosen(player, scope) else optional(parameter.type)
            return model.Chosen(rule, player, k, type=type, span=span)
    report_undefined(
        name.text, name.span, f"argument of {rule.name} called", [p.name for p in rule.parameters], scope.findings
    )
    return broken_expression(span)


def _has_chosen(player: model.Expr, scope: Scope) -> bool:
    """Whether this player is sure to have made the only choice of the ``together``."""
    sure = scope.sure_to_choose
    if sure is None or sure == scope.globals.player_type.members:
        return True
    if isinstance(player, model.Const):
        return player.value in sure
    type = declared_type(player, scope)
    return isinstance(type, PartType) and all(member in sure for member in type.chosen)


def select(record: model.Expr, name: syntax.Name, span: Span, scope: Scope) -> model.Expr:
    """A field of a record, a coordinate of a cell, or the ends of an edge; none of none."""
    if not is_known(record):
        return broken_expression(span)
    wrap = optional if isinstance(record.type, OptionalType) else lambda type: type
    base = strip_none(record.type)
    if isinstance(base, RecordType) and name.text in base.fields:
        index = base.fields.index(name.text)
        scope.globals.use_part(base, name.text, name.span)
        return model.GetField(record, index, name.text, type=wrap(base.items[index]), span=span)
    if isinstance(base, BoardType) and base.shape in ("grid", "hex") and name.text in ("x", "y"):
        high = max((getattr(cell, name.text) for cell in base.cells), default=1)
        return model.Apply(name.text, (record,), base, type=wrap(NumberType(1, high, 1)), span=span)
    if isinstance(base, EdgesType) and name.text == "ends":
        return model.Apply("ends", (record,), base, type=wrap(SetType(base.board)), span=span)
    fields: tuple[str, ...] = ()
    without = "only records, cells and edges have fields"
    if name.text in scope.globals.variables:
        without = f"'{name}' is a variable; its entries are written {name}[...]"
    if isinstance(base, RecordType):
        fields = base.fields
    elif isinstance(base, TupleType):
        without = "a record names them: type Step = (from: ..., to: ...), and define steps: set of Step = {(1, 2)}"
    elif isinstance(base, BoardType) and base.shape in ("grid", "hex"):
        fields = ("x", "y")
    elif isinstance(base, EdgesType):
        fields = ("ends",)
    remark, fix = did_you_mean(name.text, fields, name.span)
    scope.findings.report(
        "undefined-name",
        name.span,
        f"{in_words(base)} has no field '{name}'",
        remark=remark,
        fix=fix,
        help=f"its fields are {', '.join(fields)}" if fields else without,
    )
    return broken_expression(span)


# Elaboration of statements.


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
            player = elaborate_as(statement.player, scope, scope.globals.player_type, "the recipient of 'earn'")
            return (model.Earn(player, elaborate_number(statement.amount, scope, "the amount of 'earn'"), span=span),)
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
    type = elaborate_type(statement.type, scope)
    if statement.initial is None:
        scope.findings.report(
            "missing-value",
            statement.span,
            f"the local variable '{name}' has no initial value",
            help=f"write: var {name}: {type} = ...",
        )
        scope.bind(name, type.base, "local variable", expendable=True, holds=type)
        return ()
    value = elaborate_as(statement.initial, scope, type, f"the initial value of '{name}'")
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
            report_wrong_kind(scope, statement.target.span, "only variables can be assigned")
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
    read = elaborate_entry(variable, indices, root.span, scope, help_with_indices(variable, indices, scope))
    if not is_known(read):
        return ()
    entry = evolve(read, type=variable.type.base)  # an index that may be none is checked elsewhere
    places, target, wanted_type = _path(entry, path, variable.type, scope)
    value = _new_value(statement, target, wanted_type, scope)
    if not is_known(target):
        return ()
    return (model.Assign(variable, indices, places, value, span=statement.span),)


def _report_no_variable(name: syntax.Reference, declaration: object, scope: Scope) -> None:
    if declaration is None:
        variables = [d.name.text for d in scope.globals.declarations.every(syntax.Variable)]
        report_undefined(name.name, name.span, "variable", variables, scope.findings)
    elif isinstance(declaration, syntax.Parameter | syntax.TypeDeclaration | syntax.Define | syntax.Action):
        message = f"'{name.name}' is {kind_with_article(declaration)}, and cannot be assigned"
        report_wrong_kind(scope, name.span, message, declaration.name.span)


def _fill(statement: syntax.Assignment, variable: model.Variable, path: list[syntax.Name], scope: Scope) -> model.Block:
    """``board := none`` sets every entry."""
    if path or statement.operator != ":=":
        message, help = f"'{variable.name}' has entries; say which one is meant", f"write {variable.name}[...]"
        scope.findings.report("wrong-number-of-arguments", statement.target.span, message, help=help)
        return ()
    value = elaborate_as(statement.value, scope, variable.type, f"every entry of '{variable.name}'")
    return (model.Fill(variable, value, span=statement.span),)


def _assign_local(
    statement: syntax.Assignment, name: syntax.Reference, path: list[syntax.Name], indexed: bool, scope: Scope
) -> model.Block:
    local = scope.find(name.name)
    if local is None or local.holds is None or indexed:
        what = "has no entries" if local is not None and indexed else "cannot be assigned"
        kind = local.kind if local is not None else "name"
        report_wrong_kind(
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
    if not is_known(target):
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
            if is_known(selected):
                scope.findings.report("wrong-kind-of-name", name.span, f"'{name}' cannot be assigned")
            return tuple(places), broken_expression(name.span), UNKNOWN
        places.append(selected.index)
        target, type = selected, record.items[selected.index]
    return tuple(places), target, type


def _new_value(statement: syntax.Assignment, target: model.Expr, wanted: Type, scope: Scope) -> model.Expr:
    """The value assigned; ``x += e`` is ``x := x + e``."""
    if statement.operator == ":=":
        place = scope.findings.source.excerpt(statement.target.span).strip() or "the variable"
        return elaborate_as(statement.value, scope, wanted, f"'{place}'")
    return combine("+" if statement.operator == "+=" else "-", target, statement.value, statement.span, scope)


# ------------------------------------------------------------------------ branches, loops


def _if(
    branches: tuple[tuple[syntax.Expression, syntax.Block], ...], otherwise: syntax.Block | None, scope: Scope
) -> model.Block:
    typed = [(elaborate_condition(test, scope), block_of(body, scope)) for test, body in branches]
    chain = block_of(otherwise or (), scope)
    for (test, _), (holds, yes) in zip(reversed(branches), reversed(typed), strict=True):
        chain = (model.If_(holds, yes, chain, span=test.span),)
    return chain


def _match(statement: syntax.MatchStatement, scope: Scope) -> model.Block:
    slot, subject, tests, is_exhaustive = cases_of(statement, scope)
    bodies = [block_of(case.body, scope) for case in statement.cases]
    chain: model.Block = (model.Do(model.UNKNOWN_ACTION, (), span=statement.span),)
    if is_exhaustive and bodies:
        chain, tests, bodies = bodies[-1], tests[:-1], bodies[:-1]
    for test, body in zip(reversed(tests), reversed(bodies), strict=True):
        chain = (model.If_(test, body, chain, span=test.span),)
    return (model.SetLocal(slot, subject, "match", span=statement.subject.span), *chain)


def _for(statement: syntax.For, scope: Scope) -> model.Block:
    inner = scope
    binders: list[model.Binder] = []
    for written in statement.binders:
        inner = inner.inner()
        binders.append(elaborate_binder(written, inner))
    if statement.guard is not None:
        test = elaborate_condition(statement.guard, inner)
        binders[-1] = evolve(binders[-1], tests=(test,))
    return (model.For(tuple(binders), block_of(statement.body, inner), span=statement.span),)


# ------------------------------------------------------------------------ leaving a phase


def go_to(phase: syntax.Name, arguments: tuple[syntax.Expression, ...], span: Span, scope: Scope) -> model.Go:
    declaration = scope.globals.declarations.phases.get(phase.text)
    if declaration is None:
        report_undefined(phase.text, phase.span, "phase", scope.globals.declarations.phases, scope.findings)
        for argument in arguments:
            elaborate(argument, scope, None)
        return model.Go(phase.text, (), span=span)
    scope.globals.refer(phase.span, declaration.name.span)
    parameters = scope.globals.phase_parameters[phase.text]
    if not count_matches(declaration.name, len(parameters), len(arguments), span, scope):
        return model.Go(phase.text, (), span=span)
    typed = tuple(
        elaborate_as(argument, scope, parameter.type, f"'{parameter.name}' of phase '{phase}'")
        for argument, parameter in zip(arguments, parameters, strict=True)
    )
    if isinstance(declaration.decision, syntax.Chance) and declaration.decision.binders:
        typed += (model.Const(1, type=intervals.literal(1), span=span),)  # the number of the draw
    return model.Go(phase.text, typed, span=span)


def outcome_of(outcome: syntax.Outcome | None, scope: Scope, span: Span) -> model.Outcome:
    """The outcome of an ``end`` at ``span``."""
    players = scope.globals.player_type
    match outcome:
        case syntax.Win(winners=winners):
            return model.WinOutcome(player_or_players(winners, scope, "the winner"))
        case syntax.PayoffMap():
            return _payoff_map(outcome, scope, span)
        case syntax.PayoffComprehension(largest_wins=largest_wins):
            what = "number" if largest_wins else "payoff"
            binders, inner = bind_generators(outcome.generators, scope)
            player = elaborate_as(outcome.player, inner, players, f"the recipient of a {what}")
            amount = elaborate_number(outcome.amount, inner, f"the {what} of a player")
            return model.PayoffForOutcome(player, amount, binders, largest_wins)
        case syntax.PayoffTuple(amounts=amounts):
            return model.PayoffOutcome(payoff_tuple(amounts, scope, outcome.span))
        case syntax.PayoffTo():
            return _payoff_to(outcome, scope)
        case _:
            return model.DrawOutcome()


def _payoff_map(outcome: syntax.PayoffMap, scope: Scope, span: Span) -> model.Outcome:
    players, what = scope.globals.player_type, "number" if outcome.largest_wins else "payoff"
    made = tuple(
        (
            elaborate_as(player, scope, players, f"the recipient of a {what}"),
            elaborate_number(amount, scope, f"the {what} of a player"),
        )
        for player, amount in outcome.entries
    )
    named: dict[model.Expr, Span] = {}
    doubled = False
    for player, _ in made:
        if player in named and is_known(player):
            doubled = True
            scope.findings.report(
                "doubled-payoff",
                player.span,
                f"the same player gets two {what}s",
                labels=[Label(named[player], "the first one")],
            )
        named.setdefault(player, player.span)
    if len(named) < len(players.listed) and not doubled and all(is_known(player) for player, _ in made):
        given = {player.value for player, _ in made if isinstance(player, model.Const)}
        missing = [member.name for member in players.listed if member not in given]
        message = f"only {len(named)} of the {len(players.listed)} players get a {what}"
        if len(given) == len(made):
            message = f"{' and '.join(missing)} {'gets' if len(missing) == 1 else 'get'} no {what}"
        scope.findings.report("missing-payoff", span, message, help="every player needs one, even if it is 0")
    return model.PayoffOutcome(made, outcome.largest_wins)


def _payoff_to(outcome: syntax.PayoffTo, scope: Scope) -> model.Outcome:
    players = scope.globals.player_type
    player = elaborate_as(outcome.player, scope, players, "the recipient of a payoff")
    amount = elaborate_number(outcome.amount, scope, "a payoff")
    if len(players.listed) > 2:
        paid, worth = (scope.findings.source.excerpt(part.span) for part in (outcome.player, outcome.amount))
        scope.findings.report(
            "missing-payoff",
            outcome.span,
            f"a payoff for one player is enough for two, but the game has {len(players.listed)}",
            remark="of two players the other one gets the opposite",
            help=f"say what each of them gets: payoff {{q: if q == {paid} then {worth} else ... for q in Player}}",
        )
        return model.DrawOutcome()
    if len(players.listed) == 1:
        return model.PayoffOutcome(((player, amount),))
    other = fold(model.Apply("other", (player,), players, type=player.type, span=player.span), scope)
    return model.PayoffOutcome(((player, amount), (other, _opposite(amount))))


def _opposite(amount: model.Expr) -> model.Expr:
    base = strip_none(amount.type)
    type = intervals.negate(base) if isinstance(base, NumberType) else UNKNOWN
    if isinstance(amount, model.Const) and is_known(amount):
        return model.Const(-amount.value, type=type, span=amount.span)
    return model.Negate(amount, type=type, span=amount.span)


def payoff_tuple(
    amounts: tuple[syntax.Expression, ...], scope: Scope, span: Span
) -> tuple[tuple[model.Expr, model.Expr], ...]:
    """One amount for each player; with two players one number is short for ``(x, -x)``."""
    players = scope.globals.player_type.listed
    typed = [elaborate_number(amount, scope, "a payoff") for amount in amounts]
    if len(typed) == 1 and len(players) == 2:
        typed.append(_opposite(typed[0]))
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
            report_wrong_kind(scope, name.span, message, declaration.name.span)
        else:
            actions = [d.name.text for d in scope.globals.declarations.every(syntax.Action)]
            is_phase = name.text in scope.globals.declarations.phases
            help = f"'{name}' is a phase; write: go {name}" if is_phase else ""
            report_undefined(name.text, name.span, "action", actions, scope.findings, help)
        return unknown
    scope.globals.use(name.text, name.span)
    action = scope.globals.action(declaration)
    if action is None:
        return unknown
    count = len(action.parameters)
    if not count_matches(declaration.name, count, len(statement.arguments), statement.span, scope):
        return unknown
    arguments = tuple(
        elaborate_as(argument, scope, parameter.type, f"'{parameter.name}' of '{name}'")
        for argument, parameter in zip(statement.arguments, action.parameters, strict=True)
    )
    return (model.Do(action, arguments, span=statement.span),)
