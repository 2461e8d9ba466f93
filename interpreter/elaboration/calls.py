"""Calls of defines, types (``Square(5, y)``), and built-in functions of players, numbers, sets and history."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.atoms import apply_define, counted, wrong_kind
from zermelo.interpreter.elaboration.expressions import broken, elaborate, fold, known, typed_as
from zermelo.interpreter.elaboration.names import kind_with_article, undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.compatibility import in_words, is_ordered, join
from zermelo.interpreter.types import (
    BOOL,
    INTEGER,
    UNKNOWN,
    BoardType,
    MemberType,
    NumberType,
    OptionalType,
    SetType,
    Type,
    optional,
    strip_none,
)

TypingRule = Callable[[syntax.Call, Scope], model.Expr]

BUILT_IN: dict[str, TypingRule] = {}


def built_in(*names: str, least: int = 1, most: int | None = 1) -> Callable[[TypingRule], TypingRule]:
    """Register the typing rule of built-in functions that take ``least`` to ``most`` arguments (None: any number)."""

    def register(rule: TypingRule) -> TypingRule:
        def checked(call: syntax.Call, scope: Scope) -> model.Expr:
            given = len(call.arguments)
            if given < least or (most is not None and given > most):
                wanted = f"at least {least}" if most is None else f"{least} to {most}" if least < most else str(least)
                scope.findings.report(
                    "wrong-number-of-arguments",
                    call.span,
                    f"'{call.name}' takes {wanted} argument{'' if wanted.endswith('1') else 's'}, but {counted(given)}",
                )
                return broken(call.span)
            return rule(call, scope)

        for name in names:
            BUILT_IN[name] = checked
        return rule

    return register


@elaborate.register
def _call(expression: syntax.Call, scope: Scope, expected: Type | None = None) -> model.Expr:
    name = expression.name
    declaration = scope.globals.declarations.named.get(name.text)
    match declaration:
        case syntax.Define():
            scope.globals.use(name.text, name.span)
            return apply_define(declaration, expression.arguments, expression.span, scope)
        case syntax.TypeDeclaration():
            scope.globals.use(name.text, name.span)
            return _member_by_arguments(scope.globals.named_type(declaration), expression, scope)
        case None:
            pass
        case syntax.Parameter() | syntax.Variable() if name.text in BUILT_IN:
            pass  # a value with the name of a function does not hide it
        case _:
            help = f"write: {name}[...]" if isinstance(declaration, syntax.Variable) else ""
            message = f"'{name}' is {kind_with_article(declaration)}, not a function"
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
    """``Square(x, y)``, ``Player(k)``, ``Place(k)`` of a ring: none if there is no such member."""
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
    numbers = tuple(typed_as(a, scope, INTEGER, f"a coordinate of {owner}") for a in call.arguments)
    type: Type = base if _surely_inside(base, numbers, scope) else optional(base)
    return fold(model.Apply(function, numbers, base, type=type, span=call.span), scope)


def _surely_inside(base: Type, numbers: tuple[model.Expr, ...], scope: Scope) -> bool:
    """Whether, by the types of the numbers, there always is such a member."""
    if isinstance(base, BoardType) and base.shape != "ring":
        limits = [(1, max((c.x for c in base.cells), default=0)), (1, max((c.y for c in base.cells), default=0))]
    elif isinstance(base, BoardType):
        limits = [(0, len(base.listed) - 1)]
    else:
        limits = [(1, len(scope.globals.player_type.listed))]
    return all(
        isinstance(n.type, NumberType)
        and intervals.is_whole(n.type)
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
    player = typed_as(expression.player, scope, players, "the expression after 'other'")
    if len(players.listed) != 2:
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'other' is for two players, but the game has {len(players.listed)}",
            help="for the next player around the table use 'next'; for all others: Player - {p}",
        )
        return broken(expression.span)
    return fold(model.Apply("other", (player,), players, type=player.type, span=expression.span), scope)


@elaborate.register
def _next(expression: syntax.Next, scope: Scope, expected: Type | None = None) -> model.Expr:
    players = scope.globals.player_type
    player = typed_as(expression.player, scope, players, "the expression after 'next'")
    if expression.among is None:
        return fold(model.Apply("next", (player,), players, type=player.type, span=expression.span), scope)
    among = typed_as(expression.among, scope, SetType(players), "the set after 'in'")
    return model.Apply("next_in", (player, among), players, type=optional(players), span=expression.span)


@built_in("number")
def _number(call: syntax.Call, scope: Scope) -> model.Expr:
    member = elaborate(call.arguments[0], scope, scope.globals.player_type)
    base = strip_none(member.type)
    if not isinstance(base, MemberType):
        return mismatch(call, scope, member, "'number' takes a player or another member of an enumeration")
    type: Type = NumberType(1, len(base.listed), 1)
    if isinstance(member.type, OptionalType):
        type = optional(type)
    return fold(model.Apply("number", (member,), base, type=type, span=call.span), scope)


# ------------------------------------------------------------------ numbers and sets


@built_in("size", "any")
def _size_or_any(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = set_argument(call, 0, scope)
    if collection is None:
        return broken(call.span)
    most = most_members(collection)
    type = BOOL if call.name.text == "any" else NumberType(0, most, 1)
    return fold(model.Apply(call.name.text, (collection,), type=type, span=call.span), scope)


def set_argument(call: syntax.Call, k: int, scope: Scope) -> model.Expr | None:
    collection = elaborate(call.arguments[k], scope, None)
    if known(collection) and not isinstance(strip_none(collection.type), SetType):
        mismatch(call, scope, collection, f"'{call.name}' takes a set")
        return None
    return collection if known(collection) else None


def mismatch(call: syntax.Call, scope: Scope, argument: model.Expr, message: str) -> model.Expr:
    if known(argument):
        scope.findings.report("type-mismatch", argument.span, message, remark=f"this is {in_words(argument.type)}")
    return broken(call.span)


@built_in("abs")
def _abs(call: syntax.Call, scope: Scope) -> model.Expr:
    operand = elaborate(call.arguments[0], scope, None)
    base = strip_none(operand.type)
    if not isinstance(base, NumberType):
        return mismatch(call, scope, operand, "'abs' takes a number")
    return fold(model.Apply("abs", (operand,), type=intervals.absolute(base), span=call.span), scope)


@built_in("max", "min", most=None)
def _extreme(call: syntax.Call, scope: Scope) -> model.Expr:
    """Of a set (none of the empty one), or of two and more values."""
    name = call.name.text
    if len(call.arguments) == 1:
        collection = set_argument(call, 0, scope)
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
            return mismatch(call, scope, item, f"'{name}' compares {in_words(type)} with {in_words(other)}")
        type = joined
    if not all(map(known, items)):
        return broken(call.span)
    return (
        fold(model.Apply(name, items, type=type, span=call.span), scope)
        if is_ordered(type)
        else (_unordered(call, type, scope))
    )


def _unordered(call: syntax.Call, type: Type, scope: Scope) -> model.Expr:
    scope.findings.report("type-mismatch", call.span, f"'{call.name}' compares, but {in_words(type)} has no order")
    return broken(call.span)


@built_in("subsets", least=2, most=2)
def _subsets(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = set_argument(call, 0, scope)
    count = typed_as(call.arguments[1], scope, INTEGER, "the size of the subsets")
    if collection is None:
        return broken(call.span)
    return model.Subsets(collection, count, type=SetType(strip_none(collection.type)), span=call.span)


# --------------------------------------------------------------------------- history


@built_in("repeated", "repetitions", most=None)
def _history(call: syntax.Call, scope: Scope) -> model.Expr:
    """The arguments are names of whole variables. ``repetitions`` may be 0: after an assignment the values differ from
    those at the entry of the phase."""
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
        scope.globals.use(declaration.name.text, argument.span)
        variable = scope.globals.variable(declaration)
        if variable is None:
            return broken(call.span)
        variables.append(variable)
    site: model.Repeated | model.Repetitions
    if call.name.text == "repeated":
        site = model.Repeated(tuple(variables), type=BOOL, span=call.span)
    else:
        site = model.Repetitions(tuple(variables), type=NumberType(0, None, 1), span=call.span)
    scope.globals.history.append(site)
    return site
