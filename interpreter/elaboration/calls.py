"""Calls: defines, types as functions (``Square(5, y)``), and the built-in functions with their types."""

from __future__ import annotations

from collections.abc import Callable

from grammar import syntax
from grammar.diagnostics import Label
from interpreter import geometry, intervals, model
from interpreter.elaboration.atoms import apply_define, wrong_kind
from interpreter.elaboration.compatibility import describe, is_ordered, join
from interpreter.elaboration.expressions import broken, check, const, constant, elaborate, fold, known
from interpreter.elaboration.scope import Scope
from interpreter.names import kind_of, undefined
from interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    UNKNOWN,
    BoardType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    Type,
    optional,
    strip_none,
)

Arguments = tuple[syntax.Expression, ...]
Rule = Callable[[syntax.Call, Scope], model.Expr]

BUILT_IN: dict[str, Rule] = {}


def _rule(*names: str, least: int = 1, most: int | None = 1) -> Callable[[Rule], Rule]:
    """Register the typing rule of built-in functions that take ``least`` to ``most`` arguments (None: any number)."""

    def register(rule: Rule) -> Rule:
        def counted(call: syntax.Call, scope: Scope) -> model.Expr:
            given = len(call.arguments)
            if given < least or (most is not None and given > most):
                wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
                scope.findings.report(
                    "wrong-number-of-arguments",
                    call.span,
                    f"'{call.name}' takes {wanted} argument{'' if wanted == '1' else 's'}, and "
                    f"{given or 'none'} {'is' if given < 2 else 'are'} given",
                )
                return broken(call.span)
            return rule(call, scope)

        for name in names:
            BUILT_IN[name] = counted
        return rule

    return register


@elaborate.register
def _call(expression: syntax.Call, scope: Scope, expected: Type | None = None) -> model.Expr:
    name = expression.name
    declaration = scope.globals.declarations.named.get(name.text)
    match declaration:
        case syntax.Define():
            return apply_define(declaration, expression.arguments, expression.span, scope)
        case syntax.TypeDeclaration():
            scope.globals.used.add(name.text)
            return _member_by_arguments(scope.globals.named_type(declaration), expression, scope)
        case None:
            pass
        case syntax.Parameter() | syntax.Variable() if name.text in BUILT_IN:
            pass  # a value called like a function does not hide it
        case _:
            help = f"write: {name}[...]" if isinstance(declaration, syntax.Variable) else ""
            message = f"'{name}' is a {kind_of(declaration)}, and cannot be applied in an expression"
            wrong_kind(scope, name.span, message, declaration.name.span, help)
            return broken(expression.span)
    if name.text == "Player":
        return _member_by_arguments(scope.globals.player_type, expression, scope)
    if name.text in BUILT_IN:
        return BUILT_IN[name.text](expression, scope)
    functions = [d.name.text for d in scope.globals.declarations.every(syntax.Define)]
    undefined(name.text, name.span, "define or function", [*functions, *BUILT_IN], scope.findings)
    return broken(expression.span)


def _member_by_arguments(owner: Type, call: syntax.Call, scope: Scope) -> model.Expr:
    """``Square(x, y)``, ``Player(k)``, ``Place(k)`` of a ring: none outside."""
    base = strip_none(owner.base)
    if isinstance(base, BoardType) and base.shape in ("grid", "hex", "ring"):
        count = 1 if base.shape == "ring" else 2
        function = "cell"
    elif base is scope.globals.player_type:
        count, function = 1, "player"
    else:
        wrong_kind(scope, call.name.span, f"the type {owner} cannot be applied to numbers; only boards and Player can")
        return broken(call.span)
    if len(call.arguments) != count:
        scope.findings.report(
            "wrong-number-of-arguments", call.span, f"'{call.name}' takes {count} number{'s' if count > 1 else ''} here"
        )
        return broken(call.span)
    numbers = tuple(check(a, scope, INTEGER, f"a coordinate of {owner}") for a in call.arguments)
    type: Type = base if _surely_inside(base, numbers, scope) else optional(base)
    return fold(model.Apply(function, numbers, base, type=type, span=call.span), scope)


def _surely_inside(base: Type, numbers: tuple[model.Expr, ...], scope: Scope) -> bool:
    """Whether the bounds of the numbers keep them on the board."""
    if isinstance(base, BoardType) and base.shape != "ring":
        limits = [(1, max((c.x for c in base.cells), default=0)), (1, max((c.y for c in base.cells), default=0))]
    elif isinstance(base, BoardType):
        limits = [(0, len(base.listed) - 1)]
    else:
        limits = [(1, len(scope.globals.player_type.listed))]
    return all(
        isinstance(n.type, NumberType)
        and n.type.low is not None
        and n.type.high is not None
        and low <= n.type.low
        and n.type.high <= high
        for n, (low, high) in zip(numbers, limits, strict=True)
    )


# ---------------------------------------------------------------------------- players


@elaborate.register
def _other(expression: syntax.Other, scope: Scope, expected: Type | None = None) -> model.Expr:
    players = scope.globals.player_type
    player = check(expression.player, scope, players, "what stands behind 'other'")
    if len(players.listed) != 2:
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'other' is for two players, and the game has {len(players.listed)}",
            help="for the one who is next around the table there is 'next'; for all others: Player - {p}",
        )
        return broken(expression.span)
    return fold(model.Apply("other", (player,), players, type=player.type, span=expression.span), scope)


@elaborate.register
def _next(expression: syntax.Next, scope: Scope, expected: Type | None = None) -> model.Expr:
    players = scope.globals.player_type
    player = check(expression.player, scope, players, "what stands behind 'next'")
    if expression.among is None:
        return fold(model.Apply("next", (player,), players, type=player.type, span=expression.span), scope)
    among = check(expression.among, scope, SetType(players), "what 'next' chooses from")
    return model.Apply("next_in", (player, among), players, type=optional(players), span=expression.span)


@_rule("number")
def _number(call: syntax.Call, scope: Scope) -> model.Expr:
    member = elaborate(call.arguments[0], scope, scope.globals.player_type)
    base = strip_none(member.type)
    if not isinstance(base, MemberType):
        return _mismatch(call, scope, member, "'number' takes a player or another member of an enumeration")
    type: Type = NumberType(1, len(base.listed), 1)
    if isinstance(member.type, OptionalType):
        type = optional(type)
    return fold(model.Apply("number", (member,), base, type=type, span=call.span), scope)


# ------------------------------------------------------------------ numbers and sets


@_rule("size", "any")
def _size_or_any(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = _set_argument(call, 0, scope)
    if collection is None:
        return broken(call.span)
    base = strip_none(collection.type)
    element = base.element if isinstance(base, SetType) else UNKNOWN
    most = element.size if element.is_finite else None
    type = BOOL if call.name.text == "any" else NumberType(0, most, 1)
    return fold(model.Apply(call.name.text, (collection,), type=type, span=call.span), scope)


def _set_argument(call: syntax.Call, k: int, scope: Scope, element: Type | None = None) -> model.Expr | None:
    collection = elaborate(call.arguments[k], scope, None if element is None else SetType(element))
    if known(collection) and not isinstance(strip_none(collection.type), SetType):
        _mismatch(call, scope, collection, f"'{call.name}' takes a set")
        return None
    return collection if known(collection) else None


def _mismatch(call: syntax.Call, scope: Scope, argument: model.Expr, message: str) -> model.Expr:
    if known(argument):
        scope.findings.report("type-mismatch", argument.span, message, remark=f"this is {describe(argument.type)}")
    return broken(call.span)


@_rule("abs")
def _abs(call: syntax.Call, scope: Scope) -> model.Expr:
    operand = elaborate(call.arguments[0], scope, None)
    base = strip_none(operand.type)
    if not isinstance(base, NumberType):
        return _mismatch(call, scope, operand, "'abs' takes a number")
    return fold(model.Apply("abs", (operand,), type=intervals.absolute(base), span=call.span), scope)


@_rule("max", "min", most=None)
def _extreme(call: syntax.Call, scope: Scope) -> model.Expr:
    """Of a set (none of the empty one), or of two and more values."""
    name = call.name.text
    if len(call.arguments) == 1:
        collection = _set_argument(call, 0, scope)
        if collection is None:
            return broken(call.span)
        base = strip_none(collection.type)
        element = base.element if isinstance(base, SetType) else UNKNOWN
        function = "greatest" if name == "max" else "least"
        made = model.Apply(function, (collection,), type=optional(element), span=call.span)
        return fold(made, scope) if is_ordered(element) else _unordered(call, element, scope)
    items = tuple(elaborate(argument, scope, None) for argument in call.arguments)
    type: Type = strip_none(items[0].type)
    for item in items[1:]:
        other = strip_none(item.type)
        if isinstance(type, NumberType) and isinstance(other, NumberType):
            type = intervals.extreme(name, type, other)
            continue
        joined = join(type, other)
        if joined is None:
            return _mismatch(call, scope, item, f"'{name}' compares {describe(type)} with {describe(other)}")
        type = joined
    if not all(map(known, items)):
        return broken(call.span)
    return (
        fold(model.Apply(name, items, type=type, span=call.span), scope)
        if is_ordered(type)
        else (_unordered(call, type, scope))
    )


def _unordered(call: syntax.Call, type: Type, scope: Scope) -> model.Expr:
    scope.findings.report("type-mismatch", call.span, f"'{call.name}' compares, and {describe(type)} has no order")
    return broken(call.span)


@_rule("subsets", least=2, most=2)
def _subsets(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = _set_argument(call, 0, scope)
    count = check(call.arguments[1], scope, INTEGER, "the size of the subsets")
    if collection is None:
        return broken(call.span)
    return model.Subsets(collection, count, type=SetType(strip_none(collection.type)), span=call.span)


# -------------------------------------------------------------------------- geometry


def _place(
    call: syntax.Call, k: int, scope: Scope, board: BoardType | None = None
) -> tuple[model.Expr, BoardType | None]:
    """An argument that is a cell, and the board it lies on."""
    cell = elaborate(call.arguments[k], scope, board)
    base = strip_none(cell.type)
    if isinstance(base, BoardType) and (board is None or base is board):
        return cell, base
    wanted = "a cell of a board" if board is None else f"a cell of {board}"
    _mismatch(call, scope, cell, f"'{call.name}' takes {wanted}")
    return cell, None


@_rule("neighbours", most=2)
def _neighbours(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    if board is None:
        return broken(call.span)
    if len(call.arguments) == 1:
        return fold(model.Apply("neighbours", (cell,), board, type=SetType(board), span=call.span), scope)
    steps = check(call.arguments[1], scope, SetType(DIRECTION), "the directions of the neighbours")
    return fold(model.Apply("neighbours_in", (cell, steps), board, type=SetType(board), span=call.span), scope)


@_rule("ray", least=2, most=2)
def _ray(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    step = check(call.arguments[1], scope, DIRECTION, "the direction of a ray")
    if board is None:
        return broken(call.span)
    return fold(model.Apply("ray", (cell, step), board, type=SetType(board), span=call.span), scope)


@_rule("between", "direction", "distance", "steps", least=2, most=2)
def _of_two_cells(call: syntax.Call, scope: Scope) -> model.Expr:
    first, board = _place(call, 0, scope)
    if board is None:
        return broken(call.span)
    second, same = _place(call, 1, scope, board)
    if same is None:
        return broken(call.span)
    name = call.name.text
    if name == "steps" and board.shape != "ring":
        return _mismatch(call, scope, first, "'steps' counts around a ring; elsewhere there is 'distance'")
    most = len(board.listed)
    types: dict[str, Type] = {
        "between": SetType(board),
        "direction": optional(DIRECTION),
        "distance": NumberType(0, most, 1) if board.shape != "graph" else optional(NumberType(0, most, 1)),
        "steps": NumberType(0, most - 1, 1),
    }
    return fold(model.Apply(name, (first, second), board, type=types[name], span=call.span), scope)


@_rule("leaps", least=3, most=3)
def _leaps(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _place(call, 0, scope)
    numbers = tuple(check(a, scope, INTEGER, "the width of a leap") for a in call.arguments[1:])
    if board is None:
        return broken(call.span)
    return fold(model.Apply("leaps", (cell, *numbers), board, type=SetType(board), span=call.span), scope)


@_rule("connected", most=3)
def _connected(call: syntax.Call, scope: Scope) -> model.Expr:
    cells = _set_argument(call, 0, scope)
    if cells is None:
        return broken(call.span)
    base = strip_none(cells.type)
    board = base.element if isinstance(base, SetType) else None
    if not isinstance(board, BoardType):
        return _mismatch(call, scope, cells, "'connected' takes a set of cells")
    if len(call.arguments) == 1:
        return fold(model.Apply("connected", (cells,), board, type=BOOL, span=call.span), scope)
    if len(call.arguments) == 2:
        scope.findings.report(
            "wrong-number-of-arguments", call.span, "'connected' takes a set, or a set and the two sides it is to join"
        )
        return broken(call.span)
    sides = tuple(check(a, scope, SetType(board), "a side") for a in call.arguments[1:])
    return fold(model.Apply("connected_to", (cells, *sides), board, type=BOOL, span=call.span), scope)


@_rule("lines", "rows", "columns", "diagonals", "directions", most=2)
def _of_a_board(call: syntax.Call, scope: Scope) -> model.Expr:
    """Sets that depend on the board alone: they are listed now."""
    name, written = call.name.text, call.arguments[0]
    board = _board_called(written, scope)
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
        found = geometry.lines(board, int(length.value))
    else:
        found = {"rows": geometry.rows, "columns": geometry.columns, "diagonals": geometry.diagonals}[name](board)
    return const(found, SetType(SetType(board)), call.span)


def _board_called(expression: syntax.Expression, scope: Scope) -> BoardType | None:
    if not isinstance(expression, syntax.Reference) or scope.find(expression.name) is not None:
        return None
    declaration = scope.globals.declarations.named.get(expression.name)
    if not isinstance(declaration, syntax.TypeDeclaration):
        return None
    scope.globals.used.add(expression.name)
    type = scope.globals.named_type(declaration)
    base = type.base
    return base if isinstance(base, BoardType) and not isinstance(type, PartType) else None


# --------------------------------------------------------------------------- history


@_rule("repeated", "repetitions", most=None)
def _history(call: syntax.Call, scope: Scope) -> model.Expr:
    """The arguments name variables, whole ones."""
    variables: list[model.Variable] = []
    for argument in call.arguments:
        declaration = None
        if isinstance(argument, syntax.Reference) and scope.find(argument.name) is None:
            declaration = scope.globals.declarations.named.get(argument.name)
        if not isinstance(declaration, syntax.Variable):
            scope.findings.report(
                "wrong-kind-of-name",
                argument.span,
                f"'{call.name}' takes the names of variables",
                labels=[] if declaration is None else [Label(declaration.name.span, "declared here")],
                help=f"as in: {call.name}(board)",
            )
            return broken(call.span)
        scope.globals.used.add(declaration.name.text)
        variable = scope.globals.variable(declaration)
        if variable is None:
            return broken(call.span)
        variables.append(variable)
    site: model.Repeated | model.Repetitions
    if call.name.text == "repeated":
        site = model.Repeated(tuple(variables), type=BOOL, span=call.span)
    else:
        site = model.Repetitions(tuple(variables), type=NumberType(1, None, 1), span=call.span)
    scope.globals.history.append(site)
    return site
