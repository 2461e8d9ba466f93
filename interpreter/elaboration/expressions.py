"""Typing of expressions: from syntax to :class:`zermelo.interpreter.model.Expr`.

Typing is bidirectional (Pierce and Turner, Local type inference, 2000): an expression is elaborated under the type that
its place expects, if any, which decides between members of the same name, and the result carries its own type. Each
kind of expression has its rule in one of the sibling modules, registered with :func:`elaborate`.

A wrong expression is reported once and becomes a value of the unknown type, which fits everything.
"""

from __future__ import annotations

import re
from functools import singledispatch

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.scope import Scope, help_to_place
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.cardinality import TOO_MUCH, effort, fits, in_words
from zermelo.interpreter.model.rewriting import bound_slots, is_closed, slots, subexpressions, walk, walk_with_defines
from zermelo.interpreter.storage import literal
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    UNKNOWN,
    DirectionType,
    NumberType,
    PartType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    strip_none,
)
from zermelo.interpreter.values import EvaluationError, OrderedSet, Value


@singledispatch
def elaborate(expression: syntax.Expression, scope: Scope, expected: Type | None = None) -> model.Expr:
    """The typed expression. ``expected`` is the type that its place expects, if any; it decides between members of the
    same name and is not enforced here (see :func:`typed_as`)."""
    raise TypeError(f"no rule for {type(expression).__name__}")


def typed_as(expression: syntax.Expression, scope: Scope, wanted: Type, place: str) -> model.Expr:
    """The typed expression, which must fit ``wanted``; ``place`` names its role in messages."""
    check_deadline()
    typed = elaborate(expression, scope, wanted)
    if not fits(typed.type, wanted):
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"{place} must be {in_words(wanted)}, but this is {in_words(typed.type)}",
            remark=f"this is {in_words(typed.type)}",
            help=_help_to_none(expression, wanted) or help_to_place(typed, wanted, scope),
        )
        return broken(expression.span)
    return typed


def _help_to_none(expression: syntax.Expression, wanted: Type) -> str:
    """The help where none stands for a value."""
    written = f"({wanted})" if isinstance(strip_none(wanted), NumberType) else str(wanted)
    return f"a type with '?' admits none: {written}?" if isinstance(expression, syntax.NoneLiteral) else ""


def condition(expression: syntax.Expression, scope: Scope, place: str = "a condition") -> model.Expr:
    return typed_as(expression, scope, BOOL, place)


def constant(expression: syntax.Expression, scope: Scope, wanted: Type | None, place: str) -> model.Const:
    """The value of an expression that must not depend on the state or on local names."""
    typed = elaborate(expression, scope, wanted) if wanted is None else typed_as(expression, scope, wanted, place)
    return settled(typed, scope, place)


def settled(typed: model.Expr, scope: Scope, place: str) -> model.Const:
    """The same for a typed expression."""
    if isinstance(typed, model.Const):
        return typed
    if not _is_whole(typed):
        return broken(typed.span)
    if not is_closed(typed):
        scope.findings.report(
            "not-constant",
            typed.span,
            f"{place} must be the same in every position",
            remark="this depends on the position",
        )
        return broken(typed.span)
    return folded(typed, scope)


def broken(span: Span) -> model.Const:
    """The placeholder for a wrong expression."""
    return model.Const(None, type=UNKNOWN, span=span)


def known(typed: model.Expr) -> bool:
    """Whether the expression is not the placeholder for a wrong one."""
    return not isinstance(typed.type, UnknownType)


_WHEN_CHECKING = {
    "zero-divisor": "division-by-zero",
    "none-value": "possible-none",
    "number-too-large": "number-too-large",
}
"""The codes of evaluation errors that occur before a play."""


def folded(typed: model.Expr, scope: Scope) -> model.Const:
    """The value of a closed expression; errors are reported."""
    if not _is_whole(typed):
        return broken(typed.span)
    if effort(typed) >= TOO_MUCH:
        message = "this would take too long to evaluate before the game begins"
        scope.findings.report("not-constant", typed.span, message, help="use smaller sets")
        return broken(typed.span)
    try:
        value = evaluate_constant(typed)
    except EvaluationError as error:
        code = _WHEN_CHECKING.get(error.code, "out-of-range")
        scope.findings.report(code, error.span, error.message, help=error.help)
        return broken(typed.span)
    return const(value, typed.type, typed.span)


def _is_whole(typed: model.Expr) -> bool:
    """Whether the expression, with the defines that it calls, is free of errors."""
    return all(map(known, walk_with_defines(typed)))


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
    if not all(isinstance(part, model.Const) and known(part) for part in parts):
        return typed
    if isinstance(typed, model.RangeSet):
        element = typed.type.element if isinstance(typed.type, SetType) else typed.type
        if not isinstance(element, NumberType) or not element.is_finite or element.size > _LONGEST_LISTED_RANGE:
            return typed
    return folded(typed, scope)


# The types with which variables, fields and names are declared.
#
# Expressions have base types: a part of a type, ``{jack, queen, king}``, is known only of the places that hold its
# values.


def declared_type(expr: model.Expr, scope: Scope) -> Type:
    """A type, perhaps a part of that of the expression, with all its values."""
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
        return PartType(element, domain.value) if known(domain) and domain.value else element
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
    label = "_".join(re.findall(r"\w+", scope.findings.source.excerpt(statement.value.span)))
    return model.Tell(audience, label, (*dict.fromkeys(indices), value), span=statement.span)


def player_or_players(written: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    """A player or a set of players; ``place`` names its role in messages."""
    players = scope.globals.player_type
    typed = elaborate(written, scope, players)
    if not fits(typed.type, players) and not fits(typed.type, SetType(players)):
        message = f"{place} must be a player or a set of players, but this is {in_words(typed.type)}"
        scope.findings.report("type-mismatch", written.span, message)
        return broken(written.span)
    return typed
