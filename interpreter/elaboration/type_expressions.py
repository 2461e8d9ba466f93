"""Elaboration of type expressions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.interpreter import functions, model
from zermelo.interpreter.elaboration.expressions import const, constant, known
from zermelo.interpreter.elaboration.names import report_doubles, undefined
from zermelo.interpreter.elaboration.scope import Scope, signs_of
from zermelo.interpreter.model.cardinality import allowed, values_of_type
from zermelo.interpreter.suggestions import did_you_mean
from zermelo.interpreter.types import (
    INTEGER,
    NUMBER,
    UNKNOWN,
    BoardType,
    EdgesType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import Cell, Member, Value, exact, format_value

LARGEST_BOARD = 10_000
"""The most cells of a board, or possible members of a set: a slip like ``grid(1000, 1000)`` must not fill the
memory."""


def written_type(written: syntax.TypeExpression, scope: Scope, name: str = "") -> Type:
    """The type; ``name`` is that of its declaration, if any."""
    match written:
        case syntax.NamedType():
            return _named(written, scope)
        case syntax.Enumeration():
            return _enumeration(written, scope, name)
        case syntax.RangeType():
            return _range(written, scope)
        case syntax.RecordType():
            return _record(written, scope, name)
        case syntax.OptionalType():
            inner = written_type(written.inner, scope, name)
            return inner if isinstance(inner, UnknownType) else optional(inner)
        case syntax.SetType():
            element = written_type(written.element, scope, name)
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


def _named(written: syntax.NamedType, scope: Scope) -> Type:
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
    undefined(name, written.span, "type", [*types, "Player", "Bool", "Direction"], scope.findings)
    return UNKNOWN


def _enumeration(written: syntax.Enumeration, scope: Scope, name: str) -> Type:
    named = ((member.text, member.span) for member in written.members)
    report_doubles(named, scope.findings, "'{}' is listed twice", first="first listed here")
    members: dict[str, syntax.Name] = {}
    for member in written.members:
        members.setdefault(member.text, member)
    signs = signs_of(name, members, scope)
    between = " < " if written.ordered else " | "
    label = name or between.join(members)
    type = _identity(name, label, scope)
    listed = tuple(Member(type, member, index, signs.get(member, "")) for index, member in enumerate(members))
    made = MemberType(label, listed, written.ordered)
    scope.globals.add_type(made)
    scope.globals.place_parts(made, members.values())
    return made


def _identity(name: str, label: str, scope: Scope) -> str:
    """What no other type of the game is called: the label of a type without a name may be that of another one, too."""
    return name or f"{label}, {len(scope.globals.all_types)}"


def _range(written: syntax.RangeType, scope: Scope) -> Type:
    numbers = NUMBER if written.step is not None else INTEGER
    low = constant(written.low, scope, NUMBER, "the beginning of a range")
    high = constant(written.high, scope, NUMBER, "the end of a range")
    step = constant(written.step, scope, numbers, "the step of a range") if written.step is not None else None
    if not known(low) or not known(high) or (step is not None and not known(step)):
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
        scope.findings.report(
            "empty-domain",
            written.span,
            f"the range {low.value}..{high.value} is empty",
            remark="no value belongs to it",
            help=f"the smaller end comes first: {high.value}..{low.value}",
        )
        return UNKNOWN
    return NumberType(low.value, high.value, 1 if step is None else exact(Fraction(step.value)))


def _record(written: syntax.RecordType, scope: Scope, name: str) -> Type:
    named = ((part.name.text, part.name.span) for part in written.fields)
    report_doubles(named, scope.findings, "the record has two fields '{}'")
    fields: dict[str, syntax.RecordField] = {}
    for part in written.fields:
        fields.setdefault(part.name.text, part)
    types = [written_type(part.type, scope) for part in fields.values()]
    if any(isinstance(type, UnknownType) for type in types):
        return UNKNOWN
    made = RecordType(tuple(types), name, tuple(fields))
    scope.globals.place_parts(made, [part.name for part in fields.values()])
    return made


def _part(written: syntax.PartType, scope: Scope, name: str) -> Type:
    members = constant(written.members, scope, None, "the members of a type")
    if not known(members):
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
    sizes = [constant(argument, scope, INTEGER, f"the size of a {written.shape}") for argument in written.arguments]
    if not all(map(known, sizes)):
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
    return _noted(made, scope)


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
    return _noted(made, scope)


def _edges(written: syntax.EdgesType, scope: Scope, name: str) -> Type:
    board = written_type(written.board, scope)
    if not isinstance(board, BoardType):
        if not isinstance(board, UnknownType):
            scope.findings.report("type-mismatch", written.span, f"'edges' takes a board, but {board} is not one")
        return UNKNOWN
    label = name or f"edges({board})"
    made = functions.edges(label, board, identity=_identity(name, label, scope))
    scope.globals.add_type(made)
    return made


def _noted(board: BoardType, scope: Scope) -> BoardType:
    scope.globals.add_type(board)
    return board


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
        value = constant(entry.value, scope, variable.type, f"the value of '{entry.text}'")
        if not known(value):
            continue
        if not variable.type.contains(value.value):
            scope.findings.report(
                "out-of-range",
                entry.value.span,
                f"'{variable.name}' can never be {format_value(value.value)}",
                remark=allowed(variable.type),
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
        undefined(name.text, name.span, "variable", variables, scope.findings)
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
    rows = [_characters(row, values) for row in statement.rows]
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


def _characters(row: syntax.LayoutRow, values: dict[str, Value]) -> str:
    """The row's characters; spaces are separators, unless the legend gives them a value."""
    return row.text if " " in values else row.text.replace(" ", "")


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
