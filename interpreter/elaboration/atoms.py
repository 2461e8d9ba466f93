"""Literals, names, entries of variables, and fields."""

from __future__ import annotations

from fractions import Fraction

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.expressions import broken, const, elaborate, typed_as
from zermelo.interpreter.elaboration.names import undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.intervals import literal
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.suggestions import nearest
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    NONE,
    BoardType,
    MemberType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, DIAGONAL, ORTHOGONAL, OrderedSet, exact

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
        return _declared(expression, scope)
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
        wrong_kind(scope, span, f"'{name}' is a phase, which has no value", help=f"to change to it, write: go {name}")
        return broken(span)
    if scope.globals.has_broken_types():
        return broken(span)  # it may be a member of one of them
    candidates = [*scope.visible_names(), *scope.globals.value_names()]
    wants_player = expected is scope.globals.player_type
    if scope.unnamed_chooser is not None and (wants_player or nearest(name, candidates) is None):
        return _unnamed_chooser(expression, scope, scope.unnamed_chooser)
    undefined(name, span, "name", candidates, scope.findings, help=_members_of(expected) or _parameter_of(name, scope))
    return broken(span)


def _unnamed_chooser(expression: syntax.Reference, scope: Scope, together: Span) -> model.Expr:
    """Report that ``together:`` gives the player who chooses no name, once for each name used for this player."""
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


def _members_of(expected: Type | None) -> str:
    """The help for a place that expects a member of an enumeration."""
    wanted = None if expected is None else strip_none(expected.base)
    if not isinstance(wanted, MemberType) or len(wanted.listed) > _MOST_SHOWN:
        return ""
    return f"the members of {wanted} are {', '.join(wanted.by_name)}"


def _parameter_of(name: str, scope: Scope) -> str:
    """The help for a name that only a phase knows."""
    for phase, parameters in scope.globals.phase_parameters.items():
        if any(parameter.name == name for parameter in parameters):
            return f"phase '{phase}' knows it, and so do `terminates by {{{phase}: ...}}` and `in {phase} if ...`"
    return ""


def _declared(expression: syntax.Reference, scope: Scope) -> model.Expr:
    name, span = expression.name, expression.span
    declaration = scope.globals.declarations.named[name]
    scope.globals.use(name, span)
    match declaration:
        case syntax.Parameter():
            type, value = scope.globals.parameter(declaration)
            return const(value, type.base, span) if not isinstance(type, UnknownType) else broken(span)
        case syntax.TypeDeclaration():
            return _type_as_set(scope.globals.named_type(declaration), span, scope)
        case syntax.Variable():
            variable = scope.globals.variable(declaration)
            return typed_entry(variable, (), span, scope) if variable is not None else broken(span)
        case syntax.Define():
            return apply_define(declaration, (), span, scope)
        case syntax.Action():
            wrong_kind(scope, span, f"'{name}' is an action, which has no value", declaration.name.span)
            return broken(span)


_MOST_SHOWN = 10
"""The most members named in a help."""

LARGEST_LISTED_TYPE = 100_000
"""The most values of a type whose name can be used as a set."""


def _type_as_set(type: Type, span: Span, scope: Scope) -> model.Expr:
    """A type's name in an expression: the set of its members, those of T for ``T?``."""
    if isinstance(type, UnknownType):
        return broken(span)
    finite = strip_none(type)
    count = values_of_type(finite)
    if count is None or count > LARGEST_LISTED_TYPE:
        shown = "too many" if count is None or count > 10**12 else count
        message = f"the set of all values of {finite} would have {shown} members; the limit is {LARGEST_LISTED_TYPE}"
        scope.findings.report("out-of-range", span, message)
        return broken(span)
    return model.Const(finite.members, type=SetType(finite.base), span=span)


def find_member(name: str, span: Span, scope: Scope, expected: Type | None) -> model.Expr | None:
    """The member with a bare name: that of the expected type, or the only one."""
    wanted = strip_none(expected.base) if expected is not None else None
    if isinstance(wanted, MemberType) and name in wanted.by_name:
        scope.globals.use_part(wanted, name, span)
        return model.Const(wanted.by_name[name], type=wanted, span=span)
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
        return broken(span)
    type, member = owners[0]
    scope.globals.use_part(type, name, span)
    return model.Const(member, type=type, span=span)


def _stuck(span: Span, scope: Scope) -> model.Expr:
    if not scope.stuck_allowed:
        wrong_kind(scope, span, "'stuck' can be used only in the entry statements of a phase")
        return broken(span)
    return model.Stuck(type=BOOL, span=span)


def wrong_kind(scope: Scope, span: Span, message: str, declared: Span | None = None, help: str = "") -> None:
    labels = [] if declared is None else [Label(declared, "declared here")]
    scope.findings.report("wrong-kind-of-name", span, message, labels=labels, help=help)


def apply_define(
    declaration: syntax.Define, arguments: tuple[syntax.Expression, ...], span: Span, scope: Scope
) -> model.Expr:
    """A call of a define; without parameters its bare name is enough."""
    if declaration.is_table:
        message = f"'{declaration.name}' is a table, and needs a key"
        scope.findings.report("type-mismatch", span, message, help=f"write the key after it: {declaration.name}[...]")
        return broken(span)
    callee = scope.globals.define(declaration)
    if callee is None:
        return broken(span)
    if not count_matches(declaration.name, len(declaration.parameters), len(arguments), span, scope):
        return broken(span)
    typed = tuple(
        typed_as(argument, scope, parameter.type, f"'{parameter.name}' of '{callee.name}'")
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
        f"'{name}' takes {numbers}, but {counted(given)}",
        labels=[Label(name.span, "declared here")],
    )
    return False


def counted(given: int) -> str:
    """The number given, as the end of a sentence."""
    return f"{given or 'none'} {'is' if given < 2 else 'are'} given"


def find_choice(name: str, scope: Scope) -> model.Rule | None:
    """In ``then:``, the rule of this name in the ``together``."""
    return scope.choices.get(name) if scope.choices is not None and scope.find(name) is None else None


def typed_entry(
    variable: model.Variable, indices: tuple[model.Expr, ...], span: Span, scope: Scope, help: str = ""
) -> model.Expr:
    """One entry of a variable, which may be none if an index may be none; ``help`` is for another number of indices."""
    if len(indices) != len(variable.indices):
        count = len(variable.indices)
        wanted = f"{count} ind{'ex' if count == 1 else 'ices'}" if count else "no index"
        scope.findings.report(
            "wrong-number-of-arguments",
            span,
            f"'{variable.name}' has {wanted}, but {counted(len(indices))}",
            labels=[Label(variable.span, "declared here")],
            help=help,
        )
        return broken(span)
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
            return not declared and len(scope.globals.members_named(name)) > 1
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
