"""Atoms of expressions, and calls of functions, those of boards among them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label, Span, nearest
from zermelo.interpreter import functions, intervals, model
from zermelo.interpreter.elaboration.expressions import (
    broken_expression,
    const,
    elaborate,
    elaborate_as,
    elaborate_constant,
    fold,
    is_known,
)
from zermelo.interpreter.elaboration.names import kind_with_article, report_undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.intervals import literal
from zermelo.interpreter.model.cardinality import in_words, is_ordered, join, most_members, values_of_type
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    NONE,
    UNKNOWN,
    BoardType,
    DirectionType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, DIAGONAL, ORTHOGONAL, OrderedSet, exact

# Literals, names, entries of variables, and fields.


DIRECTION_SETS = {"orthogonal": OrderedSet(ORTHOGONAL), "diagonal": OrderedSet(DIAGONAL)}


@elaborate.register
def _number(expression: syntax.Number, scope: Scope, expected: Type | None = None) -> model.Expr:
    value = exact(Fraction(expression.value))
    wanted = strip_none(expected.base) if expected is not None else None
    if isinstance(wanted, BoardType) and wanted.shape == "ring" and str(value) in wanted.by_name:
        return const(wanted.by_name[str(value)], wanted, expression.span)
    return model.Const(value, type=literal(value), span=expression.span)


@elaborate.register
def _boolean(expression: syntax.Boolean, scope: Scope, expected: Type | None = None) -> model.Expr:
    return model.Const(expression.value, type=BOOL, span=expression.span)


@elaborate.register
def _none(expression: syntax.NoneLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    return model.Const(None, type=NONE, span=expression.span)


@elaborate.register
def _reference(expression: syntax.Reference, scope: Scope, expected: Type | None = None) -> model.Expr:
    """A local name first, then a name of the file, then a member, then a name of the language."""
    name, span = expression.name, expression.span
    local = scope.find(name)
    if local is not None:
        local.used = True
        scope.globals.refer(span, local.span)
        return model.Local(local.slot, name, type=local.type, span=span)
    if name in scope.globals.declarations.named:
        return _declared_name(expression, scope)
    member = find_member(name, span, scope, expected)
    if member is not None:
        return member
    if name == "Player":
        return _type_as_set(scope.globals.player_type, span, scope)
    if name in scope.globals.types:
        return _type_as_set(scope.globals.types[name], span, scope)
    if name in COMPASS:
        return model.Const(COMPASS[name], type=DIRECTION, span=span)
    if name in DIRECTION_SETS:
        return model.Const(DIRECTION_SETS[name], type=SetType(DIRECTION), span=span)
    if name == "stuck":
        return _stuck(span, scope)
    if name in scope.globals.declarations.phases:
        report_wrong_kind(
            scope, span, f"'{name}' is a phase, which has no value", help=f"to change to it, write: go {name}"
        )
        return broken_expression(span)
    if scope.globals.has_broken_types():
        return broken_expression(span)  # it may be a member of one of them
    candidates = [*scope.visible_names(), *scope.globals.value_names()]
    wants_player = expected is scope.globals.player_type
    if scope.unnamed_chooser is not None and (wants_player or nearest(name, candidates) is None):
        return _unnamed_chooser(expression, scope, scope.unnamed_chooser)
    report_undefined(
        name,
        span,
        "name",
        candidates,
        scope.findings,
        help=_help_with_members(expected) or _help_with_block(name, scope) or _help_with_parameter(name, scope),
    )
    return broken_expression(span)


def _unnamed_chooser(expression: syntax.Reference, scope: Scope, together: Span) -> model.Expr:
    """Report that ``together:`` gives no name to the player who chooses, once for each name used for this player."""
    name, players = expression.name, scope.globals.player_type
    written = f"together {name} in Player"
    scope.findings.report(
        "undefined-name",
        expression.span,
        f"there is no name '{name}'",
        remark="the player who chooses?",
        labels=[Label(together, "this gives the player no name")],
        help=f"write: {written}:",
        fix=Fix(together, written, f"write '{written}:'"),
    )
    where = scope
    while where.outer is not None and where.outer.unnamed_chooser is not None:
        where = where.outer
    slot = where.bind(syntax.Name(name, span=expression.span), players, "name", expendable=True)
    return model.Local(slot, name, type=players, span=expression.span)


def _help_with_members(expected: Type | None) -> str:
    """The help for a place that expects a member of an enumeration."""
    wanted = None if expected is None else strip_none(expected.base)
    if not isinstance(wanted, MemberType) or len(wanted.listed) > _MOST_SHOWN:
        return ""
    return f"the members of {wanted} are {', '.join(wanted.by_name)}"


def _help_with_block(name: str, scope: Scope) -> str:
    """The help for a name that another block of the same phase, action or define has."""
    lines = [local.span.line for local in scope.all_names if local.name == name]
    return f"that of line {lines[-1]} is known in its own block alone" if lines else ""


def _help_with_parameter(name: str, scope: Scope) -> str:
    """The help for a name that only a phase knows."""
    for phase, parameters in scope.globals.phase_parameters.items():
        if any(parameter.name == name for parameter in parameters):
            return f"phase '{phase}' knows it, and so do `terminates by {{{phase}: ...}}` and `in {phase} if ...`"
    return ""


def _declared_name(expression: syntax.Reference, scope: Scope) -> model.Expr:
    name, span = expression.name, expression.span
    declaration = scope.globals.declarations.named[name]
    scope.globals.use(name, span)
    match declaration:
        case syntax.Parameter():
            type, value = scope.globals.parameter(declaration)
            return const(value, type.base, span) if not isinstance(type, UnknownType) else broken_expression(span)
        case syntax.TypeDeclaration():
            return _type_as_set(scope.globals.named_type(declaration), span, scope)
        case syntax.Variable():
            variable = scope.globals.variable(declaration)
            return elaborate_entry(variable, (), span, scope) if variable is not None else broken_expression(span)
        case syntax.Define():
            return apply_define(declaration, (), span, scope)
        case syntax.Action():
            report_wrong_kind(scope, span, f"'{name}' is an action, which has no value", declaration.name.span)
            return broken_expression(span)


_MOST_SHOWN = 10
"""The most members named in a help."""

LARGEST_LISTED_TYPE = 100_000
"""The most values of a type whose name can be used as a set."""


def _type_as_set(type: Type, span: Span, scope: Scope) -> model.Expr:
    """A type's name in an expression: the set of its members, those of T for ``T?``."""
    if isinstance(type, UnknownType):
        return broken_expression(span)
    finite = strip_none(type)
    count = values_of_type(finite)
    if count is None or count > LARGEST_LISTED_TYPE:
        shown = "too many" if count is None or count > 10**12 else count
        message = f"the set of all values of {finite} would have {shown} members; the limit is {LARGEST_LISTED_TYPE}"
        scope.findings.report("out-of-range", span, message)
        return broken_expression(span)
    return model.Const(finite.members, type=SetType(finite.base), span=span)


def find_member(name: str, span: Span, scope: Scope, expected: Type | None) -> model.Expr | None:
    """The member with a bare name: that of the expected type, or the only one."""
    wanted = strip_none(expected.base) if expected is not None else None
    if isinstance(wanted, MemberType) and name in wanted.by_name:
        scope.globals.use_part(wanted, name, span)
        return model.Const(wanted.by_name[name], type=wanted, span=span)
    if isinstance(wanted, DirectionType) and name in COMPASS:
        return model.Const(COMPASS[name], type=DIRECTION, span=span)
    owners = scope.globals.members_named(name)
    if not owners:
        return None
    if len(owners) > 1:
        names = [str(type) for type, _ in owners]
        scope.findings.report(
            "ambiguous-name",
            span,
            f"'{name}' is a member of {', '.join(names[:-1])} and {names[-1]}",
            help=f"say which: {names[0]}.{name}",
        )
        return broken_expression(span)
    type, member = owners[0]
    scope.globals.use_part(type, name, span)
    return model.Const(member, type=type, span=span)


def _stuck(span: Span, scope: Scope) -> model.Expr:
    if not scope.stuck_allowed:
        report_wrong_kind(scope, span, "'stuck' can be used only in the entry statements of a phase")
        return broken_expression(span)
    return model.Stuck(type=BOOL, span=span)


def report_wrong_kind(scope: Scope, span: Span, message: str, declared: Span | None = None, help: str = "") -> None:
    labels = [] if declared is None else [Label(declared, "declared here")]
    scope.findings.report("wrong-kind-of-name", span, message, labels=labels, help=help)


def apply_define(
    declaration: syntax.Define, arguments: tuple[syntax.Expression, ...], span: Span, scope: Scope
) -> model.Expr:
    """A call of a define; without parameters its bare name is enough."""
    if declaration.is_table:
        message = f"'{declaration.name}' is a table, and needs a key"
        scope.findings.report("type-mismatch", span, message, help=f"write the key after it: {declaration.name}[...]")
        return broken_expression(span)
    callee = scope.globals.define(declaration)
    if callee is None:
        return broken_expression(span)
    if not count_matches(declaration.name, len(declaration.parameters), len(arguments), span, scope):
        return broken_expression(span)
    typed = tuple(
        elaborate_as(argument, scope, parameter.type, f"'{parameter.name}' of '{callee.name}'")
        for argument, parameter in zip(arguments, callee.parameters, strict=True)
    )
    return model.Call(callee, typed, type=callee.body.type, span=span)


def count_matches(name: syntax.Name, wanted: int, given: int, span: Span, scope: Scope) -> bool:
    """Whether the number of arguments is that of the parameters of ``name``, declared at its span; reported if not."""
    if wanted == given:
        return True
    numbers = f"{wanted or 'no'} argument{'' if wanted == 1 else 's'}"
    scope.findings.report(
        "wrong-number-of-arguments",
        span,
        f"'{name}' takes {numbers}, but {count_text(given)}",
        labels=[Label(name.span, "declared here")],
    )
    return False


def count_text(given: int) -> str:
    """The number given, as the end of a sentence."""
    return f"{given or 'none'} {'is' if given < 2 else 'are'} given"


def find_choice(name: str, scope: Scope) -> model.Rule | None:
    """In ``then:``, the rule of this name in the ``together``."""
    return scope.choices.get(name) if scope.choices is not None and scope.find(name) is None else None


def elaborate_entry(
    variable: model.Variable, indices: tuple[model.Expr, ...], span: Span, scope: Scope, help: str = ""
) -> model.Expr:
    """One entry of a variable, which may be none if an index may; ``help`` is shown for a wrong number of indices."""
    if variable.indices and not indices:
        help = help or f"an entry is written {variable.name}[...]"
    if len(indices) != len(variable.indices):
        count = len(variable.indices)
        wanted = f"{count} ind{'ex' if count == 1 else 'ices'}" if count else "no index"
        scope.findings.report(
            "wrong-number-of-arguments",
            span,
            f"'{variable.name}' has {wanted}, but {count_text(len(indices))}",
            labels=[Label(variable.span, "declared here")],
            help=help,
        )
        return broken_expression(span)
    type = variable.type.base
    if any(isinstance(index.type, OptionalType) for index in indices):
        type = optional(type)
    return model.Read(variable, indices, type=type, span=span)


def is_ambiguous(expression: syntax.Expression, scope: Scope) -> bool:
    """Whether the expression needs an expected type: a member's name that several types have, ``none``, or a literal
    that contains one of these."""
    match expression:
        case syntax.Reference(name=name):
            declared = scope.find(name) is not None or name in scope.globals.declarations.named
            return not declared and len(scope.globals.members_named(name)) + (name in COMPASS) > 1
        case syntax.NoneLiteral() | syntax.SetLiteral(items=()):
            return True
        case syntax.TupleLiteral(items=items) | syntax.SetLiteral(items=items):
            return any(is_ambiguous(item, scope) for item in items)
        case syntax.Conditional(yes=yes, no=no):
            return is_ambiguous(yes, scope) and is_ambiguous(no, scope)
        case syntax.Number():
            return True
        case _:
            return False


# Calls of defines, types (``Square(5, y)``), and built-in functions of players, numbers, sets and history.


TypingRule = Callable[[syntax.Call, Scope], model.Expr]

BUILT_IN: dict[str, TypingRule] = {}


def built_in(*names: str, least: int = 1, most: int | None = 1, help: str = "") -> Callable[[TypingRule], TypingRule]:
    """Register the typing rule of built-in functions that take ``least`` to ``most`` arguments (None: any number);
    ``help`` is shown for another number of them."""

    def register(rule: TypingRule) -> TypingRule:
        def check_and_apply(call: syntax.Call, scope: Scope) -> model.Expr:
            given = len(call.arguments)
            if given < least or (most is not None and given > most):
                wanted = f"at least {least}" if most is None else f"{least} to {most}" if least < most else str(least)
                scope.findings.report(
                    "wrong-number-of-arguments",
                    call.span,
                    f"'{call.name}' takes {wanted} argument{'' if wanted.endswith('1') else 's'}, "
                    f"but {count_text(given)}",
                    help=help,
                )
                return broken_expression(call.span)
            return rule(call, scope)

        for name in names:
            BUILT_IN[name] = check_and_apply
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
            report_wrong_kind(scope, name.span, message, declaration.name.span, help)
            return broken_expression(expression.span)
    if name.text == "Player":
        return _member_by_arguments(scope.globals.player_type, expression, scope)
    if name.text in BUILT_IN:
        return BUILT_IN[name.text](expression, scope)
    functions = [d.name.text for d in scope.globals.declarations.every(syntax.Define)]
    report_undefined(name.text, name.span, "define or function", [*functions, *BUILT_IN], scope.findings)
    return broken_expression(expression.span)


def _member_by_arguments(owner: Type, call: syntax.Call, scope: Scope) -> model.Expr:
    """``Square(x, y)``, ``Rank(k)``, ``Player(k)``, ``Place(k)`` of a ring: none if there is no such member."""
    base = strip_none(owner.base)
    if not isinstance(base, MemberType):
        message = f"the type {owner} cannot be applied to numbers; only boards, enumerations and Player can"
        report_wrong_kind(scope, call.name.span, message)
        return broken_expression(call.span)
    function, limits = "member", [(1, len(base.listed))]
    if isinstance(base, BoardType) and base.shape == "ring":
        function, limits = "cell", [(0, len(base.listed) - 1)]
    elif isinstance(base, BoardType) and base.shape in ("grid", "hex"):
        function, limits = "cell", [(1, max(c.x for c in base.cells)), (1, max(c.y for c in base.cells))]
    if len(call.arguments) != len(limits):
        numbers = "2 numbers" if len(limits) == 2 else "1 number"
        scope.findings.report("wrong-number-of-arguments", call.span, f"'{call.name}' takes {numbers} here")
        return broken_expression(call.span)
    place = "a coordinate of" if len(limits) == 2 else "the number in"
    given = tuple(elaborate_as(argument, scope, INTEGER, f"{place} {owner}") for argument in call.arguments)
    is_surely_inside = all(_is_between(low, each.type, high) for each, (low, high) in zip(given, limits, strict=True))
    type: Type = base if is_surely_inside else optional(base)
    return fold(model.Apply(function, given, base, type=type, span=call.span), scope)


def _is_between(low: int, type: Type, high: int) -> bool:
    """Whether all values of a type are whole numbers from low to high."""
    if not isinstance(type, NumberType) or type.low is None or type.high is None:
        return False
    return intervals.is_whole(type) and low <= type.low and type.high <= high


# ---------------------------------------------------------------------------- players


@elaborate.register
def _other(expression: syntax.Other, scope: Scope, expected: Type | None = None) -> model.Expr:
    players = scope.globals.player_type
    player = elaborate_as(expression.player, scope, players, "the expression after 'other'")
    if len(players.listed) != 2:
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'other' is for two players, but the game has {len(players.listed)}",
            help="for the next player around the table use 'next'; for all others: Player - {p}",
        )
        return broken_expression(expression.span)
    return fold(model.Apply("other", (player,), players, type=player.type, span=expression.span), scope)


@elaborate.register
def _next(expression: syntax.Next, scope: Scope, expected: Type | None = None) -> model.Expr:
    players = scope.globals.player_type
    player = elaborate_as(expression.player, scope, players, "the expression after 'next'")
    if expression.among is None:
        return fold(model.Apply("next", (player,), players, type=player.type, span=expression.span), scope)
    among = elaborate_as(expression.among, scope, SetType(players), "the set after 'in'")
    return model.Apply("next_in", (player, among), players, type=optional(players), span=expression.span)


@built_in("number")
def _number_call(call: syntax.Call, scope: Scope) -> model.Expr:
    member = elaborate(call.arguments[0], scope, scope.globals.player_type)
    base = strip_none(member.type)
    if not isinstance(base, MemberType):
        return report_mismatch(call, scope, member, "'number' takes a player or another member of an enumeration")
    type: Type = NumberType(1, len(base.listed), 1)
    if isinstance(member.type, OptionalType):
        type = optional(type)
    return fold(model.Apply("number", (member,), base, type=type, span=call.span), scope)


# ------------------------------------------------------------------ numbers and sets


@built_in("size", "any")
def _size_or_any(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = set_argument(call, 0, scope)
    if collection is None:
        return broken_expression(call.span)
    most = most_members(collection)
    type = BOOL if call.name.text == "any" else NumberType(0, most, 1)
    return fold(model.Apply(call.name.text, (collection,), type=type, span=call.span), scope)


def set_argument(call: syntax.Call, k: int, scope: Scope) -> model.Expr | None:
    collection = elaborate(call.arguments[k], scope, None)
    if is_known(collection) and not isinstance(strip_none(collection.type), SetType):
        report_mismatch(call, scope, collection, f"'{call.name}' takes a set")
        return None
    return collection if is_known(collection) else None


def report_mismatch(call: syntax.Call, scope: Scope, argument: model.Expr, message: str) -> model.Expr:
    if is_known(argument):
        scope.findings.report("type-mismatch", argument.span, message, remark=f"this is {in_words(argument.type)}")
    return broken_expression(call.span)


@built_in("abs")
def _abs(call: syntax.Call, scope: Scope) -> model.Expr:
    operand = elaborate(call.arguments[0], scope, None)
    base = strip_none(operand.type)
    if not isinstance(base, NumberType):
        return report_mismatch(call, scope, operand, "'abs' takes a number")
    return fold(model.Apply("abs", (operand,), type=intervals.absolute(base), span=call.span), scope)


@built_in("max", "min", most=None)
def _extreme(call: syntax.Call, scope: Scope) -> model.Expr:
    """The extreme of a set (none for the empty one), or of two or more values."""
    name = call.name.text
    if len(call.arguments) == 1:
        collection = set_argument(call, 0, scope)
        if collection is None:
            return broken_expression(call.span)
        base = strip_none(collection.type)
        element = base.element if isinstance(base, SetType) else UNKNOWN
        function = "greatest" if name == "max" else "least"
        made = model.Apply(function, (collection,), type=optional(element), span=call.span)
        return fold(made, scope) if is_ordered(element) else _report_unordered(call, element, scope)
    items = tuple(elaborate(argument, scope, None) for argument in call.arguments)
    type: Type = strip_none(items[0].type)
    for item in items[1:]:
        other = strip_none(item.type)
        if isinstance(type, NumberType) and isinstance(other, NumberType):
            type = intervals.extreme(name, type, other)
            continue
        joined = join(type, other)
        if joined is None:
            return report_mismatch(call, scope, item, f"'{name}' compares {in_words(type)} with {in_words(other)}")
        type = joined
    if not all(map(is_known, items)):
        return broken_expression(call.span)
    return (
        fold(model.Apply(name, items, type=type, span=call.span), scope)
        if is_ordered(type)
        else (_report_unordered(call, type, scope))
    )


def _report_unordered(call: syntax.Call, type: Type, scope: Scope) -> model.Expr:
    scope.findings.report("type-mismatch", call.span, f"'{call.name}' compares, but {in_words(type)} has no order")
    return broken_expression(call.span)


@built_in(
    "subsets",
    least=2,
    most=2,
    help="as in subsets(S, 2); for those of several sizes choose the size before: k in 0..3, T in subsets(S, k)",
)
def _subsets(call: syntax.Call, scope: Scope) -> model.Expr:
    collection = set_argument(call, 0, scope)
    count = elaborate_as(call.arguments[1], scope, INTEGER, "the size of the subsets")
    if collection is None:
        return broken_expression(call.span)
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
            return broken_expression(call.span)
        scope.globals.use(declaration.name.text, argument.span)
        variable = scope.globals.variable(declaration)
        if variable is None:
            return broken_expression(call.span)
        variables.append(variable)
    site: model.Repeated | model.Repetitions
    if call.name.text == "repeated":
        site = model.Repeated(tuple(variables), type=BOOL, span=call.span)
    else:
        site = model.Repetitions(tuple(variables), type=NumberType(0, None, 1), span=call.span)
    scope.globals.history.append(site)
    return site


# Calls of the built-in functions of boards.


def _cell_argument(
    call: syntax.Call, k: int, scope: Scope, board: BoardType | None = None
) -> tuple[model.Expr, BoardType | None]:
    """An argument that is a cell, and its board."""
    cell = elaborate(call.arguments[k], scope, board)
    base = strip_none(cell.type)
    if isinstance(base, BoardType) and (board is None or base is board):
        return cell, base
    wanted = "a cell of a board" if board is None else f"a cell of {board}"
    report_mismatch(call, scope, cell, f"'{call.name}' takes {wanted}")
    return cell, None


@built_in("neighbours", most=2)
def _neighbours(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _cell_argument(call, 0, scope)
    if board is None:
        return broken_expression(call.span)
    if len(call.arguments) == 1:
        return fold(model.Apply("neighbours", (cell,), board, type=SetType(board), span=call.span), scope)
    steps = elaborate_as(call.arguments[1], scope, SetType(DIRECTION), "the directions of the neighbours")
    return fold(model.Apply("neighbours_in", (cell, steps), board, type=SetType(board), span=call.span), scope)


@built_in("ray", least=2, most=2)
def _ray(call: syntax.Call, scope: Scope) -> model.Expr:
    cell, board = _cell_argument(call, 0, scope)
    step = elaborate_as(call.arguments[1], scope, DIRECTION, "the direction of a ray")
    if board is None:
        return broken_expression(call.span)
    return fold(model.Apply("ray", (cell, step), board, type=SetType(board), span=call.span), scope)


@built_in("between", "direction", "distance", "steps", least=2, most=2)
def _of_two_cells(call: syntax.Call, scope: Scope) -> model.Expr:
    leading = 1 if is_ambiguous(call.arguments[0], scope) else 0  # in steps(0, c) the other place tells the board
    one, board = _cell_argument(call, leading, scope)
    if board is None:
        return broken_expression(call.span)
    two, same = _cell_argument(call, 1 - leading, scope, board)
    if same is None:
        return broken_expression(call.span)
    first, second = (two, one) if leading else (one, two)
    name = call.name.text
    if name == "steps" and board.shape != "ring":
        return report_mismatch(call, scope, first, "'steps' is for rings; on other boards use 'distance'")
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
    cell, board = _cell_argument(call, 0, scope)
    numbers = tuple(elaborate_as(a, scope, INTEGER, "the width of a leap") for a in call.arguments[1:])
    if board is None:
        return broken_expression(call.span)
    return fold(model.Apply("leaps", (cell, *numbers), board, type=SetType(board), span=call.span), scope)


@built_in("connected", most=3)
def _connected_call(call: syntax.Call, scope: Scope) -> model.Expr:
    cells = set_argument(call, 0, scope)
    if cells is None:
        return broken_expression(call.span)
    base = strip_none(cells.type)
    board = base.element if isinstance(base, SetType) else None
    if not isinstance(board, BoardType):
        return report_mismatch(call, scope, cells, "'connected' takes a set of cells")
    if len(call.arguments) == 1:
        return fold(model.Apply("connected", (cells,), board, type=BOOL, span=call.span), scope)
    if len(call.arguments) == 2:
        scope.findings.report("wrong-number-of-arguments", call.span, "'connected' takes a set, or a set and two sides")
        return broken_expression(call.span)
    sides = tuple(elaborate_as(a, scope, SetType(board), "a side") for a in call.arguments[1:])
    return fold(model.Apply("connected_to", (cells, *sides), board, type=BOOL, span=call.span), scope)


@built_in("lines", "rows", "columns", "diagonals", "directions", most=2)
def _of_a_board(call: syntax.Call, scope: Scope) -> model.Expr:
    """Sets that depend only on the board are constants."""
    name, written = call.name.text, call.arguments[0]
    board = _board_named(written, scope)
    if isinstance(board, UnknownType):
        return broken_expression(call.span)
    if board is None:
        scope.findings.report(
            "type-mismatch", written.span, f"'{name}' takes the name of a board type", help="as in: rows(Square)"
        )
        return broken_expression(call.span)
    if (name == "lines") != (len(call.arguments) == 2):
        scope.findings.report(
            "wrong-number-of-arguments",
            call.span,
            "'lines' takes a board and a length" if name == "lines" else f"'{name}' takes a board alone",
        )
        return broken_expression(call.span)
    if name == "directions":
        return const(functions.directions(board), SetType(DIRECTION), call.span)
    if name == "lines":
        length = elaborate_constant(call.arguments[1], scope, INTEGER, "the length of a line")
        if not is_known(length):
            return broken_expression(call.span)
        if not isinstance(length.value, int):
            message = f"the length of a line is a whole number, not {length.value}"
            scope.findings.report("out-of-range", length.span, message)
            return broken_expression(call.span)
        found = functions.lines(board, length.value)
    else:
        found = {"rows": functions.rows, "columns": functions.columns, "diagonals": functions.diagonals}[name](board)
    return const(found, SetType(SetType(board)), call.span)


def _board_named(expression: syntax.Expression, scope: Scope) -> BoardType | UnknownType | None:
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
