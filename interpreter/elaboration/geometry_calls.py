"""Calls of the built-in functions of boards."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.interpreter import geometry, model
from zermelo.interpreter.elaboration.atoms import is_ambiguous
from zermelo.interpreter.elaboration.calls import built_in, mismatch, set_argument
from zermelo.interpreter.elaboration.expressions import broken, const, constant, elaborate, fold, known, typed_as
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    BoardType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    Type,
    UnknownType,
    optional,
    strip_none,
)


def _place(
    call: syntax.Call, k: int, scope: Scope, board: BoardType | None = None
) -> tuple[model.Expr, BoardType | None]:
    """An argument that is a cell, and its board."""
    cell = elaborate(call.arguments[k], scope, board)
    base = strip_none(cell.type)
    if isinstance(base, BoardType) and (board is None or base is board):
        return cell, base
    wanted = "a cell of a board" if board is None else f"a cell of {board}"
    mismatch(call, scope, cell, f"'{call.name}' takes {wanted}")
    return cell, None


@built_in("neighbours", most=2)
def _neighbours(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    if board is None:
        return broken(call.span)
    if len(call.arguments) == 1:
        return fold(model.Apply("neighbours", (cell,), board, type=SetType(board), span=call.span), scope)
    steps = typed_as(call.arguments[1], scope, SetType(DIRECTION), "the directions of the neighbours")
    return fold(model.Apply("neighbours_in", (cell, steps), board, type=SetType(board), span=call.span), scope)


@built_in("ray", least=2, most=2)
def _ray(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    step = typed_as(call.arguments[1], scope, DIRECTION, "the direction of a ray")
    if board is None:
        return broken(call.span)
    return fold(model.Apply("ray", (cell, step), board, type=SetType(board), span=call.span), scope)


@built_in("between", "direction", "distance", "steps", least=2, most=2)
def _of_two_cells(call: syntax.Call, scope: Scope) -> model.Expr:
    leading = 1 if is_ambiguous(call.arguments[0], scope) else 0  # in steps(0, c) the other place tells the board
    one, board = _place(call, leading, scope)
    if board is None:
        return broken(call.span)
    two, same = _place(call, 1 - leading, scope, board)
    if same is None:
        return broken(call.span)
    first, second = (two, one) if leading else (one, two)
    name = call.name.text
    if name == "steps" and board.shape != "ring":
        return mismatch(call, scope, first, "'steps' is for rings; on other boards use 'distance'")
    most = len(board.listed)
    types: dict[str, Type] = {
        "between": SetType(board),
        "direction": optional(DIRECTION),
        "distance": NumberType(0, most, 1) if board.shape != "graph" else optional(NumberType(0, most, 1)),
        "steps": NumberType(0, most - 1, 1),
    }
    type = types[name]
    if not isinstance(type, SetType) and any(isinstance(cell.type, OptionalType) for cell in (first, second)):
        type = optional(type)
    return fold(model.Apply(name, (first, second), board, type=type, span=call.span), scope)


@built_in("leaps", least=3, most=3)
def _leaps(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    numbers = tuple(typed_as(a, scope, INTEGER, "the width of a leap") for a in call.arguments[1:])
    if board is None:
        return broken(call.span)
    return fold(model.Apply("leaps", (cell, *numbers), board, type=SetType(board), span=call.span), scope)


@built_in("connected", most=3)
def _connected(call: syntax.Call, scope: Scope) -> model.Expr:
    cells = set_argument(call, 0, scope)
    if cells is None:
        return broken(call.span)
    base = strip_none(cells.type)
    board = base.element if isinstance(base, SetType) else None
    if not isinstance(board, BoardType):
        return mismatch(call, scope, cells, "'connected' takes a set of cells")
    if len(call.arguments) == 1:
        return fold(model.Apply("connected", (cells,), board, type=BOOL, span=call.span), scope)
    if len(call.arguments) == 2:
        scope.findings.report("wrong-number-of-arguments", call.span, "'connected' takes a set, or a set and two sides")
        return broken(call.span)
    sides = tuple(typed_as(a, scope, SetType(board), "a side") for a in call.arguments[1:])
    return fold(model.Apply("connected_to", (cells, *sides), board, type=BOOL, span=call.span), scope)


@built_in("lines", "rows", "columns", "diagonals", "directions", most=2)
def _of_a_board(call: syntax.Call, scope: Scope) -> model.Expr:
    """Sets that depend only on the board are constants."""
    name, written = call.name.text, call.arguments[0]
    board = _board_called(written, scope)
    if isinstance(board, UnknownType):
        return broken(call.span)
    if board is None:
        scope.findings.report(
            "type-mismatch", written.span, f"'{name}' takes the name of a board type", help="as in: rows(Square)"
        )
        return broken(call.span)
    if (name == "lines") != (len(call.arguments) == 2):
        scope.findings.report(
            "wrong-number-of-arguments",
            call.span,
            "'lines' takes a board and a length" if name == "lines" else f"'{name}' takes a board alone",
        )
        return broken(call.span)
    if name == "directions":
        return const(geometry.directions(board), SetType(DIRECTION), call.span)
    if name == "lines":
        length = constant(call.arguments[1], scope, INTEGER, "the length of a line")
        if not known(length):
            return broken(call.span)
        if not isinstance(length.value, int):
            message = f"the length of a line is a whole number, not {length.value}"
            scope.findings.report("out-of-range", length.span, message)
            return broken(call.span)
        found = geometry.lines(board, length.value)
    else:
        found = {"rows": geometry.rows, "columns": geometry.columns, "diagonals": geometry.diagonals}[name](board)
    return const(found, SetType(SetType(board)), call.span)


def _board_called(expression: syntax.Expression, scope: Scope) -> BoardType | UnknownType | None:
    """The board of this name; the unknown type for one with errors."""
    if not isinstance(expression, syntax.Reference) or scope.find(expression.name) is not None:
        return None
    declaration = scope.globals.declarations.named.get(expression.name)
    if not isinstance(declaration, syntax.TypeDeclaration):
        return None
    scope.globals.use(expression.name, expression.span)
    type = scope.globals.named_type(declaration)
    base = type.base
    return base if isinstance(base, BoardType | UnknownType) and not isinstance(type, PartType) else None
