"""Elaboration of type expressions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.interpreter import geometry
from zermelo.interpreter.elaboration.expressions import constant, known
from zermelo.interpreter.elaboration.names import report_doubles, undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.signs import signs_of
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.types import (
    INTEGER,
    NUMBER,
    UNKNOWN,
    BoardType,
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
from zermelo.interpreter.values import Member, exact

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
            made = geometry.grid(label, *numbers, identity=identity)
        case "hex":
            made = geometry.hexagonal(label, *numbers, identity=identity)
        case "ring":
            made = geometry.ring(label, *numbers, identity=identity)
    return _noted(made, scope)


def _graph(written: syntax.GraphType, scope: Scope, name: str) -> Type:
    chains = tuple(tuple(cell.text for cell in chain) for chain in written.chains)
    for chain in written.chains:
        for a, b in pairwise(chain):
            if a.text == b.text:
                scope.findings.report("duplicate-name", b.span, f"'{b}' is its own neighbour")
                return UNKNOWN
    label = name or "graph"
    made = geometry.graph(label, chains, identity=_identity(name, label, scope))
    scope.globals.place_parts(made, [cell for chain in written.chains for cell in chain])
    return _noted(made, scope)


def _edges(written: syntax.EdgesType, scope: Scope, name: str) -> Type:
    board = written_type(written.board, scope)
    if not isinstance(board, BoardType):
        if not isinstance(board, UnknownType):
            scope.findings.report("type-mismatch", written.span, f"'edges' takes a board, but {board} is not one")
        return UNKNOWN
    label = name or f"edges({board})"
    made = geometry.edges(label, board, identity=_identity(name, label, scope))
    scope.globals.add_type(made)
    return made


def _noted(board: BoardType, scope: Scope) -> BoardType:
    scope.globals.add_type(board)
    return board
