"""Typing of expressions: from syntax to :class:`zermelo.interpreter.model.Expr`.

Typing is bidirectional (Pierce and Turner, Local type inference, 2000): an expression is elaborated under the type that
its place expects, if any, which decides between members of the same name, and the result carries its own type. Each
kind of expression has its rule in one of the sibling modules, registered with :func:`elaborate`.

A wrong expression is reported once and becomes a value of the unknown type, which fits everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import singledispatch
from itertools import pairwise

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label, Span, did_you_mean
from zermelo.grammar.names import LETTERS, normal
from zermelo.interpreter import functions, model
from zermelo.interpreter.elaboration.names import depends_on_parameters, report_doubles, report_undefined
from zermelo.interpreter.elaboration.scope import Scope, help_to_place, signs_of
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.intervals import literal
from zermelo.interpreter.model.cardinality import (
    TOO_MUCH,
    evaluation_cost,
    fits,
    in_words,
    type_in_words,
    values_of_type,
)
from zermelo.interpreter.model.rewriting import bound_slots, is_closed, slots, subexpressions, walk, walk_with_defines
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    NUMBER,
    UNKNOWN,
    BoardType,
    DirectionType,
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
from zermelo.interpreter.values import Cell, EvaluationError, Member, OrderedSet, Value, exact, format_value


@singledispatch
def elaborate(expression: syntax.Expression, scope: Scope, expected: Type | None = None) -> model.Expr:
    """The typed expression. ``expected`` is the type that its place expects, if any; it decides between members of the
    same name and is not enforced here (see :func:`elaborate_as`)."""
    raise TypeError(f"no rule for {type(expression).__name__}")


def elaborate_as(
    expression: syntax.Expression,
    scope: Scope,
    wanted: Type,
    place: str,
    help: Callable[[model.Expr, Scope], str] = lambda typed, scope: "",
) -> model.Expr:
    """The typed expression, which must fit ``wanted``; ``place`` names its role in messages, and ``help`` knows more
    about what was meant there."""
    check_deadline()
    typed = elaborate(expression, scope, wanted)
    if not fits(typed.type, wanted):
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"{place} must be {in_words(wanted)}, but this is {in_words(typed.type)}",
            remark=f"this is {in_words(typed.type)}",
            help=_help_to_none(expression, wanted) or help(typed, scope) or help_to_place(typed, wanted, scope),
        )
        return broken_expression(expression.span)
    return typed


def _help_to_none(expression: syntax.Expression, wanted: Type) -> str:
    """The help where none stands for a value of a type that may be written down in the file."""
    if not isinstance(expression, syntax.NoneLiteral) or wanted == NUMBER:
        return ""
    written = f"({wanted})" if isinstance(strip_none(wanted), NumberType) else str(wanted)
    return f"a type with '?' admits none: {written}?"


def _help_to_condition(typed: model.Expr, scope: Scope) -> str:
    """The help where a value stands for a condition about it, as in other languages."""
    if not is_known(typed):
        return ""
    if isinstance(typed.type, OptionalType):
        return f"whether it has a value is asked by: {scope.findings.source.excerpt(typed.span)} is not none"
    return "write out what is asked, as in: n == 1 or n == 2"


def elaborate_condition(expression: syntax.Expression, scope: Scope, place: str = "a condition") -> model.Expr:
    return elaborate_as(expression, scope, BOOL, place, _help_to_condition)


def elaborate_constant(expression: syntax.Expression, scope: Scope, wanted: Type | None, place: str) -> model.Const:
    """The value of an expression that must not depend on the state or on local names."""
    typed = elaborate(expression, scope, wanted) if wanted is None else elaborate_as(expression, scope, wanted, place)
    return require_constant(typed, scope, place)


def require_constant(typed: model.Expr, scope: Scope, place: str, help: str = "") -> model.Const:
    """The same for a typed expression; ``help`` says what else to do."""
    if isinstance(typed, model.Const):
        return typed
    if not _is_free_of_errors(typed):
        return broken_expression(typed.span)
    if not is_closed(typed):
        scope.findings.report(
            "not-constant",
            typed.span,
            f"{place} must be the same in every position",
            remark="this depends on the position",
            help=help,
        )
        return broken_expression(typed.span)
    return fold_constant(typed, scope)


def broken_expression(span: Span) -> model.Const:
    """The placeholder for a wrong expression."""
    return model.Const(None, type=UNKNOWN, span=span)


def is_known(typed: model.Expr) -> bool:
    """Whether the expression is not the placeholder for a wrong one."""
    return not isinstance(typed.type, UnknownType)


_WHEN_CHECKING = {
    "zero-divisor": "division-by-zero",
    "none-value": "possible-none",
    "number-too-large": "number-too-large",
}
"""The codes of evaluation errors that occur before a play."""


def fold_constant(typed: model.Expr, scope: Scope) -> model.Const:
    """The value of a closed expression; errors are reported."""
    if not _is_free_of_errors(typed):
        return broken_expression(typed.span)
    if evaluation_cost(typed) >= TOO_MUCH:
        message = "this would take too long to evaluate before the game begins"
        scope.findings.report("not-constant", typed.span, message, help="use smaller sets")
        return broken_expression(typed.span)
    try:
        value = evaluate_constant(typed)
    except EvaluationError as error:
        code = _WHEN_CHECKING.get(error.code, "out-of-range")
        scope.findings.report(code, error.span, error.message, help=error.help)
        return broken_expression(typed.span)
    return const(value, typed.type, typed.span)


def _is_free_of_errors(typed: model.Expr) -> bool:
    """Whether the expression, with the defines that it calls, is free of errors."""
    return all(map(is_known, walk_with_defines(typed)))


def const(value: Value, type: Type, span: Span) -> model.Const:
    """A constant, with the narrowest type if it is a number or a direction."""
    if isinstance(strip_none(type), NumberType) and value is not None:
        return model.Const(value, type=literal(value), span=span)
    if isinstance(strip_none(type), DirectionType) and DIRECTION.contains(value):
        return model.Const(value, type=DIRECTION, span=span)
    if value is not None:
        type = strip_none(type)
    return model.Const(value, type=type, span=span)


_FOLDED = (
    model.Apply,
    model.Arithmetic,
    model.Negate,
    model.Compare,
    model.SetOperation,
    model.MakeSet,
    model.MakeTuple,
    model.GetField,
    model.Lookup,
    model.RangeSet,
)

_LONGEST_LISTED_RANGE = 10_000


def fold(typed: model.Expr, scope: Scope) -> model.Expr:
    """The expression, evaluated now if all its parts are constants."""
    if not isinstance(typed, _FOLDED):
        return typed
    parts = subexpressions(typed)
    if not all(isinstance(part, model.Const) and is_known(part) for part in parts):
        return typed
    if isinstance(typed, model.RangeSet):
        element = typed.type.element if isinstance(typed.type, SetType) else typed.type
        if not isinstance(element, NumberType) or not element.is_finite or element.size > _LONGEST_LISTED_RANGE:
            return typed
    return fold_constant(typed, scope)


# The types with which variables, fields and names are declared.
#
# Expressions have base types: a part of a type, ``{jack, queen, king}``, is known only for the variables, fields and
# names that hold its values.


def declared_type(expr: model.Expr, scope: Scope) -> Type:
    """A type that holds all values of the expression: its own type, or a part of that."""
    match expr:
        case model.Present(operand=operand):
            return declared_type(operand, scope)
        case model.Read(variable=variable):
            return variable.type
        case model.GetField(record=record, index=index):
            type = strip_none(declared_type(record, scope))
            return type.items[index] if isinstance(type, TupleType) else expr.type
        case model.Local(slot=slot, name=name):
            local = scope.find(name)
            return local.declared if local is not None and local.slot == slot else expr.type
        case _:
            return expr.type


def declared_element(domain: model.Expr, element: Type, scope: Scope) -> Type:
    """The same for the members of a set, whose base type is ``element``."""
    if isinstance(domain, model.Const):
        return PartType(element, domain.value) if is_known(domain) and domain.value else element
    type = strip_none(declared_type(domain, scope))
    return type.element if isinstance(type, SetType) else element


# Elaboration of the statements that inform players: ``tell``, and ``reveal``, which is a ``tell`` of the rules' own.
#
# To reveal is to tell, so that it is no promise that somebody has to keep: those who hear of a value know it, whatever
# the rules do with it afterwards, and the machines and the proofs about who knows what need to know nothing new.


def tell(statement: syntax.Tell, scope: Scope) -> model.Tell:
    """``tell S that label(arguments)``"""
    audience = player_or_players(statement.audience, scope, "the audience of 'tell'")
    arguments = tuple(elaborate(argument, scope, None) for argument in statement.arguments)
    return model.Tell(audience, statement.label.text, arguments, span=statement.span)


def reveal(statement: syntax.Reveal, scope: Scope) -> model.Tell:
    """``reveal e``, or ``reveal e to S``: tells the words of e, the indices that they leave open, and the value."""
    if statement.audience is None:
        players = scope.globals.player_type
        everybody = OrderedSet(players.generate())
        audience: model.Expr = model.Const(everybody, type=SetType(players), span=statement.span)
    else:
        audience = player_or_players(statement.audience, scope, "the audience of 'reveal'")
    value = elaborate(statement.value, scope, None)
    bound = bound_slots(value)
    read = [index for part in walk(value) if isinstance(part, model.Read) for index in part.indices]
    indices = [index for index in read if not isinstance(index, model.Const) and bound.isdisjoint(slots(index))]
    written = normal(scope.findings.source.excerpt(statement.value.span))
    label = "_".join(re.findall(LETTERS, written))
    return model.Tell(audience, label, (*dict.fromkeys(indices), value), span=statement.span)


def player_or_players(written: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    """A player or a set of players; ``place`` names its role in messages."""
    players = scope.globals.player_type
    typed = elaborate(written, scope, players)
    if not fits(typed.type, players) and not fits(typed.type, SetType(players)):
        message = f"{place} must be a player or a set of players, but this is {in_words(typed.type)}"
        scope.findings.report("type-mismatch", written.span, message)
        return broken_expression(written.span)
    return typed


# Elaboration of type expressions.


LARGEST_BOARD = 10_000
"""The most cells of a board, or possible members of a set: a slip like ``grid(1000, 1000)`` must not fill the
memory."""


def elaborate_type(written: syntax.TypeExpression, scope: Scope, name: str = "") -> Type:
    """The type; ``name`` is that of its declaration, if any."""
    match written:
        case syntax.NamedType():
            return _named_type(written, scope)
        case syntax.Enumeration():
            return _enumeration(written, scope, name)
        case syntax.RangeType():
            return _range(written, scope)
        case syntax.RecordType():
            return _record(written, scope, name)
        case syntax.OptionalType():
            inner = elaborate_type(written.inner, scope, name)
            return inner if isinstance(inner, UnknownType) else optional(inner)
        case syntax.SetType():
            element = elaborate_type(written.element, scope, name)
            if isinstance(element, OptionalType):
                scope.findings.report("type-mismatch", written.span, "a set never contains none")
                element = strip_none(element)
            return _set_of(element, written, scope)
        case syntax.PartType():
            return _part(written, scope, name)
        case syntax.BoardType():
            return _board(written, scope, name)
        case syntax.GraphType():
            return _graph(written, scope, name)
        case syntax.EdgesType():
            return _edges(written, scope, name)
        case _:
            raise TypeError(f"no rule for {written!r}")


def _set_of(element: Type, written: syntax.SetType, scope: Scope) -> Type:
    if isinstance(element, UnknownType):
        return UNKNOWN
    count = values_of_type(element)
    if count is None or count > LARGEST_BOARD:
        message = f"a set of {element} could have too many members; the limit is {LARGEST_BOARD}"
        scope.findings.report("out-of-range", written.span, message)
        return UNKNOWN
    return SetType(element)


def _named_type(written: syntax.NamedType, scope: Scope) -> Type:
    name = written.name
    if name == "Player":
        return scope.globals.player_type
    if name in ("Bool", "Direction"):
        return scope.globals.types[name]
    declaration = scope.globals.declarations.named.get(name)
    if isinstance(declaration, syntax.TypeDeclaration):
        scope.globals.use(name, written.span)
        return scope.globals.named_type(declaration)
    if declaration is not None:
        scope.findings.report(
            "wrong-kind-of-name",
            written.span,
            f"'{name}' is not a type",
            labels=[Label(declaration.name.span, "declared here")],
        )
        return UNKNOWN
    types = [d.name.text for d in scope.globals.declarations.every(syntax.TypeDeclaration)]
    report_undefined(name, written.span, "type", [*types, "Player", "Bool", "Direction"], scope.findings)
    return UNKNOWN


def _enumeration(written: syntax.Enumeration, scope: Scope, name: str) -> Type:
    named = ((member.text, member.span) for member in written.members)
    report_doubles(named, scope.findings, "'{}' is listed twice", first="first listed here")
    members: dict[str, syntax.Name] = {}
    for member in written.members:
        members.setdefault(member.text, member)
    signs = signs_of(name, members, scope)
    titled = next((member for member in members.values() if member.shown), None)
    if signs and titled is not None:
        message = f"'{titled}' has a display name, and a legend has signs for the members of {name}"
        scope.findings.report("duplicate-name", titled.span, message, help="keep one of the two")
    between = " < " if written.ordered else " | "
    label = name or between.join(members)
    type = _identity(name, label, scope)
    listed = tuple(Member(type, member, index, signs.get(member, "")) for index, member in enumerate(members))
    made = MemberType(label, listed, written.ordered)
    scope.globals.add_type(made)
    scope.globals.place_parts(made, members.values())
    return made


def _identity(name: str, label: str, scope: Scope) -> str:
    """A label that no other type of the game has: several types without a name may have the same ``label``."""
    return name or f"{label}, {len(scope.globals.all_types)}"


def _range(written: syntax.RangeType, scope: Scope) -> Type:
    numbers = NUMBER if written.step is not None else INTEGER
    low = elaborate_constant(written.low, scope, NUMBER, "the beginning of a range")
    high = elaborate_constant(written.high, scope, NUMBER, "the end of a range")
    step = elaborate_constant(written.step, scope, numbers, "the step of a range") if written.step is not None else None
    if not is_known(low) or not is_known(high) or (step is not None and not is_known(step)):
        return UNKNOWN
    if step is None and not (isinstance(low.value, int) and isinstance(high.value, int)):
        scope.findings.report(
            "unbounded-type",
            written.span,
            "a range of fractions needs a step",
            help=f"as in: {low.value}..{high.value} by 1/10",
        )
        return UNKNOWN
    if step is not None and step.value <= 0:
        scope.findings.report("out-of-range", step.span, "the step of a range is more than 0")
        return UNKNOWN
    if low.value > high.value:
        _report_empty_range(low, high, written.span, scope)
        return UNKNOWN
    return NumberType(low.value, high.value, 1 if step is None else exact(Fraction(step.value)))


def _report_empty_range(low: model.Const, high: model.Const, span: Span, scope: Scope) -> None:
    scope.findings.report(
        "empty-domain",
        span,
        f"the range {low.value}..{high.value} is empty",
        remark="no value belongs to it",
        help=f"the smaller end comes first: {high.value}..{low.value}",
    )


def is_always_empty(low: model.Expr, high: model.Expr, written: syntax.Range, scope: Scope) -> bool:
    """Whether a range is empty whatever the parameters are; reported if so."""
    if not isinstance(low, model.Const) or not isinstance(high, model.Const) or None in (low.value, high.value):
        return False
    if low.value <= high.value or depends_on_parameters(written, scope.globals.declarations):
        return False
    _report_empty_range(low, high, written.span, scope)
    return True


def _record(written: syntax.RecordType, scope: Scope, name: str) -> Type:
    named = ((part.name.text, part.name.span) for part in written.fields)
    report_doubles(named, scope.findings, "the record has two fields '{}'")
    fields: dict[str, syntax.RecordField] = {}
    for part in written.fields:
        fields.setdefault(part.name.text, part)
    types = [elaborate_type(part.type, scope) for part in fields.values()]
    if any(isinstance(type, UnknownType) for type in types):
        return UNKNOWN
    made = RecordType(tuple(types), name, tuple(fields))
    scope.globals.place_parts(made, [part.name for part in fields.values()])
    return made


def bare_range(expression: syntax.Expression, scope: Scope) -> syntax.Expression:
    """Where a set of values is expected: the range for ``{1..6}``, which is reported, since its only member would be a
    set."""
    match expression:
        case syntax.SetLiteral(items=(syntax.Range() as range,), span=span):
            written = scope.findings.source.excerpt(range.span)
            fix = Fix(span, written, f"write {written}", safe=True)
            message = "a range has no braces: it is a set already"
            scope.findings.report("foreign-word", span, message, help=f"write {written}", fix=fix)
            return range
    return expression


def _part(written: syntax.PartType, scope: Scope, name: str) -> Type:
    members = elaborate_constant(bare_range(written.members, scope), scope, None, "the members of a type")
    if not is_known(members):
        return UNKNOWN
    base = strip_none(members.type)
    if not isinstance(base, SetType) or isinstance(base.element, UnknownType):
        scope.findings.report("empty-domain", written.span, "a type needs a member, and this set is empty")
        return UNKNOWN
    return PartType(base.element, members.value, name)


def _board(written: syntax.BoardType, scope: Scope, name: str) -> Type:
    wanted = 1 if written.shape == "ring" else 2
    if len(written.arguments) != wanted:
        scope.findings.report(
            "wrong-number-of-arguments",
            written.span,
            f"'{written.shape}' takes {wanted} number{'s' if wanted > 1 else ''}",
            help="grid(width, height), hex(width, height), ring(number of places)",
        )
        return UNKNOWN
    sizes = [
        elaborate_constant(argument, scope, INTEGER, f"the size of a {written.shape}") for argument in written.arguments
    ]
    if not all(map(is_known, sizes)):
        return UNKNOWN
    cells = 1
    for size in sizes:
        if not isinstance(size.value, int) or size.value < 1:
            scope.findings.report(
                "out-of-range", size.span, f"the size of a {written.shape} is a whole number from 1, not {size.value}"
            )
            return UNKNOWN
        cells *= size.value
    if cells > LARGEST_BOARD:
        scope.findings.report(
            "out-of-range", written.span, f"a board of {cells} cells is too large; the limit is {LARGEST_BOARD}"
        )
        return UNKNOWN
    numbers = [int(size.value) for size in sizes]
    label = name or f"{written.shape}({', '.join(map(str, numbers))})"
    identity = _identity(name, label, scope)
    match written.shape:
        case "grid":
            made = functions.grid(label, *numbers, identity=identity)
        case "hex":
            made = functions.hexagonal(label, *numbers, identity=identity)
        case "ring":
            made = functions.ring(label, *numbers, identity=identity)
    scope.globals.add_type(made)
    return made


def _graph(written: syntax.GraphType, scope: Scope, name: str) -> Type:
    chains = tuple(tuple(cell.text for cell in chain) for chain in written.chains)
    for chain in written.chains:
        for a, b in pairwise(chain):
            if a.text == b.text:
                scope.findings.report("duplicate-name", b.span, f"'{b}' is its own neighbour")
                return UNKNOWN
    label = name or "graph"
    made = functions.graph(label, chains, identity=_identity(name, label, scope))
    scope.globals.place_parts(made, [cell for chain in written.chains for cell in chain])
    scope.globals.add_type(made)
    return made


def _edges(written: syntax.EdgesType, scope: Scope, name: str) -> Type:
    board = elaborate_type(written.board, scope)
    if not isinstance(board, BoardType):
        if not isinstance(board, UnknownType):
            scope.findings.report("type-mismatch", written.span, f"'edges' takes a board, but {board} is not one")
        return UNKNOWN
    label = name or f"edges({board})"
    made = functions.edges(label, board, identity=_identity(name, label, scope))
    scope.globals.add_type(made)
    return made


# Legends of variables, which give characters to values, and layouts, which set a whole variable by them.


def legend_of(written: syntax.Legend, scope: Scope) -> model.Legend | None:
    """The characters of a variable's values, one for each; None for a legend of a type
    (:mod:`zermelo.interpreter.elaboration.scope`)."""
    if isinstance(declaration := scope.globals.declarations.named.get(written.target.text), syntax.TypeDeclaration):
        _require_enumeration(declaration, written, scope)
        return None
    variable = _variable(written.target, scope)
    if variable is None:
        return None
    characters: dict[Value, str] = {}
    values: dict[str, Value] = {}
    for entry in written.entries:
        if len(entry.text) != 1:
            message = f'"{entry.text}" is not one character'
            scope.findings.report("layout-shape", entry.span, message, help="a legend names characters")
            continue
        value = elaborate_constant(entry.value, scope, variable.type, f"the value of '{entry.text}'")
        if not is_known(value):
            continue
        if not variable.type.contains(value.value):
            scope.findings.report(
                "out-of-range",
                entry.value.span,
                f"'{variable.name}' can never be {format_value(value.value)}",
                remark=type_in_words(variable.type),
                labels=[Label(variable.span, f"declared as {variable.type}")],
            )
            continue
        if entry.text in values or value.value in characters:
            doubled = entry.text in values
            what = f'"{entry.text}"' if doubled else f"a character for {format_value(value.value)}"
            scope.findings.report("duplicate-name", entry.span, f"the legend has {what} already")
            continue
        characters[value.value], values[entry.text] = entry.text, value.value
    return model.Legend(variable, characters)


def _require_enumeration(declaration: syntax.TypeDeclaration, legend: syntax.Legend, scope: Scope) -> None:
    type, name = scope.globals.named_type(declaration), legend.target
    scope.globals.refer(name.span, declaration.name.span)
    for entry in legend.entries:
        member = entry.value.name if isinstance(entry.value, syntax.Reference) else ""
        if (place := scope.globals.place_of(type, member)) is not None:
            scope.globals.refer(entry.value.span, place)
    if isinstance(type, UnknownType) or (isinstance(type, MemberType) and not isinstance(type, BoardType | EdgesType)):
        return
    help = "a legend names an enumeration or a variable"
    if isinstance(type, RecordType):
        help = "a record is shown by the legends of its fields' types"
    scope.findings.report("wrong-kind-of-name", name.span, f"'{name}' is no enumeration", help=help)


def _variable(name: syntax.Name, scope: Scope) -> model.Variable | None:
    declaration = scope.globals.declarations.named.get(name.text)
    if not isinstance(declaration, syntax.Variable):
        variables = [d.name.text for d in scope.globals.declarations.every(syntax.Variable)]
        report_undefined(name.text, name.span, "variable", variables, scope.findings)
        return None
    scope.globals.use(name.text, name.span)
    return scope.globals.variable(declaration)


def load_layout(statement: syntax.LayoutAssignment, scope: Scope) -> model.Block:
    """One assignment for each entry."""
    variable = _variable(statement.target, scope)
    if variable is None:
        return ()
    legend = scope.globals.legends.get(variable.name)
    if legend is None:
        scope.findings.report(
            "missing-declaration",
            statement.span,
            f"there is no legend for '{variable.name}', so the layout cannot be read",
            help=f'add: legend {variable.name}:, with lines such as "X" = ...',
        )
        return ()
    values = {character: value for value, character in legend.characters.items()}
    # Spaces are separators, unless the legend gives them a value.
    rows = [row.text if " " in values else row.text.replace(" ", "") for row in statement.rows]
    places = board_rows(variable)
    if places is None or [len(row) for row in rows] != [len(row) for row in places]:
        _report_shape(statement, variable, places, rows, scope)
        return ()
    block: list[model.Statement] = []
    for written, row, cells in zip(statement.rows, rows, places, strict=True):
        for character, indices in zip(row, cells, strict=True):
            if character not in values:
                remark, _ = did_you_mean(character, values, written.span)
                scope.findings.report(
                    "undefined-name",
                    written.span,
                    f"the legend of '{variable.name}' has no \"{character}\"",
                    remark=remark,
                    help=f"it has {' '.join(values)}",
                )
                break
            typed = tuple(
                const(index, type.base, written.span) for index, type in zip(indices, variable.indices, strict=True)
            )
            value = model.Const(values[character], type=variable.type.base, span=written.span)
            block.append(model.Assign(variable, typed, (), value, span=written.span))
    return tuple(block)


def _report_shape(
    statement: syntax.LayoutAssignment,
    variable: model.Variable,
    places: list[list[tuple[Value, ...]]] | None,
    rows: list[str],
    scope: Scope,
) -> None:
    if places is None:
        message = f"a layout is for a variable with one or two indices, unlike '{variable.name}'"
        scope.findings.report("layout-shape", statement.span, message)
        return
    if len(rows) != len(places):
        counted = f"{len(rows)} row{'s' if len(rows) > 1 else ''}"
        message = f"the layout of '{variable.name}' has {counted}, but it needs {len(places)}"
        scope.findings.report("layout-shape", statement.span, message)
        return
    for written, row, cells in zip(statement.rows, rows, places, strict=True):
        if len(row) != len(cells):
            message = f"this row has {len(row)} characters, but it needs {len(cells)}"
            scope.findings.report("layout-shape", written.span, message)


def board_rows(variable: model.Variable) -> list[list[tuple[Value, ...]]] | None:
    """The index tuples of a variable's entries, row by row as drawn: the last rank of a grid comes first; of two
    indices the first one goes down, the second one across. None if a variable cannot be drawn."""
    match variable.indices:
        case (type,):
            return [[(value,) for value in row] for row in _rows(type)]
        case (down, across):
            return [[(a, b) for b in across.generate()] for a in down.generate()]
        case _:
            return None


def _rows(type: Type) -> list[list[Value]]:
    base = type.base
    if not isinstance(base, BoardType) or base.shape not in ("grid", "hex"):
        return [list(type.generate())]
    rows: dict[int, list[Cell]] = {}
    for cell in type.generate():
        rows.setdefault(cell.y, []).append(cell)
    return [list(rows[y]) for y in sorted(rows, reverse=True)]
