"""Entries of variables, table look-ups, choices of a ``together``, and fields."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.calls import find_choice, typed_entry, wrong_kind
from zermelo.interpreter.elaboration.expressions import (
    broken,
    constant,
    declared_type,
    elaborate,
    fold,
    known,
    settled,
    typed_as,
)
from zermelo.interpreter.elaboration.globals import NamedTable
from zermelo.interpreter.elaboration.names import kind_with_article, undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import covers, in_words, join
from zermelo.interpreter.suggestions import did_you_mean
from zermelo.interpreter.types import (
    BOOL,
    UNKNOWN,
    BoardType,
    EdgesType,
    MemberType,
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
            return _whether_chosen(rule, expression, scope)
        declaration = scope.globals.declarations.named.get(target.name)
        if scope.find(target.name) is None and isinstance(declaration, syntax.Define) and declaration.is_table:
            return _look_up_by_name(declaration, expression, scope)
        if scope.find(target.name) is None and isinstance(declaration, syntax.Variable):
            scope.globals.use(target.name, target.span)
            variable = scope.globals.variable(declaration)
            if variable is None:
                return broken(expression.span)
            indices = check_indices(variable, expression.arguments, scope)
            return typed_entry(variable, indices, expression.span, scope, help_with_indices(variable, indices, scope))
        if scope.find(target.name) is None and declaration is None:
            variables = [d.name.text for d in scope.globals.declarations.every(syntax.Variable)]
            help = _help_with_choice(target.name, scope)
            undefined(target.name, target.span, "variable", () if help else variables, scope.findings, help=help)
            return broken(expression.span)
        what = "a local name" if declaration is None else kind_with_article(declaration)
        wrong_kind(
            scope,
            target.span,
            f"'{target.name}' is {what}, and has no entries",
            declaration.name.span if declaration is not None else None,
            help=f"to apply it, write: {target.name}(...)" if isinstance(declaration, syntax.Define) else "",
        )
        return broken(expression.span)
    if not report_second_brackets(expression, scope):
        wrong_kind(scope, target.span, "only a variable or a table {key: value, ...} has entries")
    return broken(expression.span)


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
        written = f"{name}[({', '.join(arguments)})]"
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
        typed_as(argument, scope, type, f"index {k + 1} of '{variable.name}'")
        for k, (argument, type) in enumerate(zip(arguments, variable.indices, strict=True))
    )


def _look_up(table: syntax.TableLiteral, expression: syntax.Index, scope: Scope, expected: Type | None) -> model.Expr:
    if not _has_one_key(expression, scope):
        return broken(expression.span)
    key = elaborate(expression.arguments[0], scope, None)
    entries, type = table_entries(table, scope, strip_none(key.type), expected)
    return _entry_for(key, entries, type, expression.span, scope)


def _look_up_by_name(declaration: syntax.Define, expression: syntax.Index, scope: Scope) -> model.Expr:
    scope.globals.use(declaration.name.text, expression.target.span)
    table = scope.globals.table(declaration)
    if table is None or not _has_one_key(expression, scope):
        return broken(expression.span)
    key = typed_as(expression.arguments[0], scope, table.keys, f"the key of '{declaration.name}'")
    if not known(key):
        return broken(expression.span)
    return _entry_for(key, table.entries, table.values, expression.span, scope)


def _has_one_key(expression: syntax.Index, scope: Scope) -> bool:
    if len(expression.arguments) == 1:
        return True
    listed = ", ".join(scope.findings.source.excerpt(argument.span) for argument in expression.arguments)
    help = f"a key of several values is a tuple: [({listed})]"
    scope.findings.report("wrong-number-of-arguments", expression.span, "a table is indexed by one key", help=help)
    return False


def _entry_for(key: model.Expr, entries: dict[Value, Value], values: Type, span: Span, scope: Scope) -> model.Expr:
    """The entry for a key, which is none if the key may be none, or a value that is no key."""
    keys = strip_none(key.type)
    is_total = isinstance(keys, UnknownType) or covers(entries, keys)
    type = values if is_total and not isinstance(key.type, OptionalType) else optional(values)
    return fold(model.Lookup(entries, key, type=type, span=span), scope)


def named_table(declaration: syntax.Define, scope: Scope) -> NamedTable | None:
    """The table ``define jumps = {3: 5, 7: 2}``, whose keys are of one type; None, reported, if it has errors."""
    written = declaration.body
    assert isinstance(written, syntax.TableLiteral)
    if declaration.type is not None:
        message = f"'{declaration.name}' is a table; its types are those of its keys and values"
        scope.findings.report("type-mismatch", declaration.type.span, message, help="leave the type out")
        return None
    keys: Type = UNKNOWN
    for key, value in written.entries:
        if isinstance(value, syntax.TableLiteral) and value.entries:
            shown = scope.findings.source.excerpt
            first = f"({shown(key.span)}, {shown(value.entries[0][0].span)})"
            help = f"write one table with keys such as {first}, which is looked up by {declaration.name}[{first}]"
            scope.findings.report("type-mismatch", value.span, "the values of a table are no tables", help=help)
            return None
        typed = constant(key, scope, None, "a key of this table")
        if not known(typed):
            return None
        joined = join(keys, typed.type)
        if joined is None:
            message = f"a key is {in_words(typed.type)} here, but {in_words(keys)} before"
            scope.findings.report("type-mismatch", key.span, message)
            return None
        keys = joined
    entries, values = table_entries(written, scope, keys, None)
    return None if isinstance(values, UnknownType) else NamedTable(entries, keys, values)


def _whether_chosen(rule: model.Rule, expression: syntax.Index, scope: Scope) -> model.Expr:
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
        return broken(expression.span)
    return model.Chosen(rule, player, None, type=BOOL, span=expression.span)


def table_entries(
    table: syntax.TableLiteral, scope: Scope, keys: Type, expected: Type | None
) -> tuple[dict[Value, Value], Type]:
    """The entries of ``{boat: 1, cruiser: 3}`` and the type of its values."""
    entries: dict[Value, Value] = {}
    type: Type = UNKNOWN
    is_whole = True
    for written_key, written_value in table.entries:
        key = constant(written_key, scope, keys, "a key of this table")
        value = settled(elaborate(written_value, scope, expected), scope, "a value of this table")
        if not known(key) or not known(value):
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


def _type_called(reference: syntax.Reference, scope: Scope) -> Type | None:
    """The type of a bare name before a member, as in ``Suit.clubs``."""
    name = reference.name
    if scope.find(name) is not None:
        return None
    declaration = scope.globals.declarations.named.get(name)
    if isinstance(declaration, syntax.TypeDeclaration):
        scope.globals.use(name, reference.span)
        return scope.globals.named_type(declaration)
    return scope.globals.player_type if name == "Player" else None


def _choosing_player(expression: syntax.Index, scope: Scope) -> model.Expr:
    if len(expression.arguments) != 1:
        scope.findings.report(
            "wrong-number-of-arguments", expression.span, "a choice is that of one player, as in show[p].t"
        )
        return broken(expression.span)
    return typed_as(expression.arguments[0], scope, scope.globals.player_type, "the index of a choice")


@elaborate.register
def _field(expression: syntax.Field, scope: Scope, expected: Type | None = None) -> model.Expr:
    target, name = expression.target, expression.name
    if isinstance(target, syntax.Reference):
        owner = _type_called(target, scope)
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
    if isinstance(base, MemberType) and name.text in base.by_name:
        member = base.by_name[name.text]
        if not isinstance(owner, PartType) or owner.contains(member):
            scope.globals.use_part(base, name.text, name.span)
            return model.Const(member, type=base, span=expression.span)
    candidates = base.by_name if isinstance(base, MemberType) else ()
    undefined(name.text, name.span, f"member of {owner} called", candidates, scope.findings)
    return broken(expression.span)


def _chosen_argument(rule: model.Rule, target: syntax.Index, name: syntax.Name, scope: Scope, span: Span) -> model.Expr:
    """``show[q].t``"""
    player = _choosing_player(target, scope)
    scope.globals.refer(target.target.span, rule.span)
    for k, parameter in enumerate(rule.parameters):
        if parameter.name == name.text:
            scope.globals.refer(name.span, parameter.span)
            type = parameter.type if _has_chosen(player, scope) else optional(parameter.type)
            return model.Chosen(rule, player, k, type=type, span=span)
    undefined(
        name.text, name.span, f"argument of {rule.name} called", [p.name for p in rule.parameters], scope.findings
    )
    return broken(span)


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
    if not known(record):
        return broken(span)
    wrap = optional if isinstance(record.type, OptionalType) else _unchanged
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
    return broken(span)


def _unchanged(type: Type) -> Type:
    return type
