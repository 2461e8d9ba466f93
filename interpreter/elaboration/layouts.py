"""Legends of variables, which give characters to values, and layouts, which set a whole variable by them."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.expressions import const, constant, known
from zermelo.interpreter.elaboration.names import undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.compatibility import allowed
from zermelo.interpreter.suggestions import did_you_mean
from zermelo.interpreter.types import BoardType, EdgesType, MemberType, RecordType, Type, UnknownType
from zermelo.interpreter.values import Cell, Value, format_value


def legend_of(written: syntax.Legend, scope: Scope) -> model.Legend | None:
    """The characters of a variable's values, one for each; None for a legend of a type (:mod:`.signs`)."""
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
