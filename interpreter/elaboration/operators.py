"""Arithmetic, comparison, logic and conditional expressions."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.atoms import is_ambiguous
from zermelo.interpreter.elaboration.declared_types import declared_type
from zermelo.interpreter.elaboration.expressions import broken, condition, elaborate, fold, known, typed_as
from zermelo.interpreter.elaboration.names import nodes_in
from zermelo.interpreter.elaboration.places import help_between, help_to_count, help_to_place, help_to_places
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.compatibility import in_words, is_ordered, join
from zermelo.interpreter.types import (
    BOOL,
    NUMBER,
    STEP,
    BoardType,
    DirectionType,
    NumberType,
    OptionalType,
    SetType,
    Type,
    optional,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, MOST_DIGITS


@elaborate.register
def _negation(expression: syntax.Negation, scope: Scope, expected: Type | None = None) -> model.Expr:
    operand = elaborate(expression.operand, scope, expected)
    base = strip_none(operand.type)
    if isinstance(base, DirectionType):
        turned = model.Apply("direction_negate", (operand,), type=operand.type, span=expression.span)
        return fold(turned, scope)
    if not isinstance(base, NumberType):
        return _no_operation(expression, f"'-' cannot be applied to {in_words(operand.type)}", operand, scope)
    return fold(model.Negate(operand, type=intervals.negated(base), span=expression.span), scope)


@elaborate.register
def _arithmetic(expression: syntax.Arithmetic, scope: Scope, expected: Type | None = None) -> model.Expr:
    """On numbers; on sets with ``+``, ``-`` and ``*``; on directions; and for steps from a cell."""
    wanted = expected if expected is not None and isinstance(strip_none(expected.base), SetType) else None
    left = elaborate(expression.left, scope, wanted)
    right = elaborate(expression.right, scope, left.type if isinstance(left.type, SetType) else wanted)
    if not known(left) or not known(right):
        return broken(expression.span)
    a, b = strip_none(left.type), strip_none(right.type)
    operator, span = expression.operator, expression.span
    made: model.Expr | None = None
    heading = optional(STEP) if any(isinstance(side.type, OptionalType) for side in (left, right)) else STEP
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        type = intervals.arithmetic(operator, a, b)
        if intervals.has_too_many_digits(operator, a, b):
            message = f"this number has more than {MOST_DIGITS:,} digits"
            scope.findings.report("number-too-large", span, message)
            return broken(span)
        made = model.Arithmetic(operator, left, right, type=type, span=span)
    elif isinstance(a, SetType) and isinstance(b, SetType) and operator in ("+", "-", "*"):
        return _set_operation(expression, left, right, scope)
    elif isinstance(b, DirectionType) and isinstance(a, NumberType) and operator == "*":
        made = model.Apply("direction_scale", (left, right), type=heading, span=span)
    elif isinstance(a, DirectionType) and isinstance(b, NumberType) and operator == "*":
        made = model.Apply("direction_scale", (right, left), type=heading, span=span)
    elif isinstance(b, DirectionType) and operator in ("+", "-"):
        step = right
        if operator == "-":
            negated = model.Apply("direction_negate", (right,), type=right.type, span=right.span)
            step = fold(negated, scope)
        if isinstance(a, DirectionType):
            made = model.Apply("direction_sum", (left, step), type=heading, span=span)
        elif isinstance(a, BoardType) and a.shape in ("grid", "hex"):
            made = model.Apply("step", (left, step), a, type=optional(a), span=span)
    elif isinstance(a, BoardType) and a.shape == "ring" and isinstance(b, NumberType) and operator in ("+", "-"):
        count = right if operator == "+" else fold(model.Negate(right, type=intervals.negated(b), span=span), scope)
        place = left.type if intervals.is_whole(b) and not isinstance(right.type, OptionalType) else optional(a)
        made = model.Apply("ring_step", (left, count), a, type=place, span=span)
    if made is None:
        verb = {"+": "added", "-": "subtracted", "*": "multiplied"}.get(operator, "divided")
        message = f"{in_words(left.type)} and {in_words(right.type)} cannot be {verb}"
        return _no_operation(expression, message, left, scope, help_to_count(left, right, scope))
    return fold(made, scope)


def _no_operation(
    expression: syntax.Expression, message: str, operand: model.Expr, scope: Scope, help: str = ""
) -> model.Expr:
    if known(operand):
        scope.findings.report("type-mismatch", expression.span, message, help=help)
    return broken(expression.span)


def _set_operation(expression: syntax.Arithmetic, left: model.Expr, right: model.Expr, scope: Scope) -> model.Expr:
    operator = expression.operator
    if operator not in ("+", "-", "*"):
        raise ValueError(operator)
    type = type_of_sets(operator, left.type, right.type)
    if type is None:
        return _no_operation(
            expression, f"{in_words(left.type)} and {in_words(right.type)} have nothing in common", left, scope
        )
    return fold(model.SetOperation(operator, left, right, type=type, span=expression.span), scope)


def type_of_sets(operator: str, left: Type, right: Type) -> Type | None:
    """The type of a union, a difference or an intersection of sets, None if the sets have no values in common.

    A difference has members of the left set only; a union may have any of both, also those that the place it is
    written to does not admit, which is for the write to report."""
    joined = join(left, right)
    if joined is None:
        return None
    return strip_none(left if operator == "-" else joined)


def pair(
    left: syntax.Expression, right: syntax.Expression, scope: Scope, expected: Type | None = None
) -> tuple[model.Expr, model.Expr]:
    """Two expressions of one type, the one that is expected, or else that of the unambiguous one."""
    if is_ambiguous(left, scope) and not is_ambiguous(right, scope):
        second = elaborate(right, scope, expected)
        return elaborate(left, scope, expected or _if_known(second)), second
    first = elaborate(left, scope, expected)
    return first, elaborate(right, scope, expected or _if_known(first))


def _if_known(expr: model.Expr) -> Type | None:
    return expr.type if known(expr) else None


@elaborate.register
def _comparison(expression: syntax.Comparison, scope: Scope, expected: Type | None = None) -> model.Expr:
    left, right = pair(expression.left, expression.right, scope)
    if known(left) and known(right):
        type = join(left.type, right.type)
        if type is None:
            scope.findings.report(
                "type-mismatch",
                expression.span,
                f"{in_words(left.type)} is compared with {in_words(right.type)}",
                remark="these have no values in common",
                labels=[
                    Label(expression.left.span, in_words(left.type)),
                    Label(expression.right.span, in_words(right.type)),
                ],
                help=help_between(left, right, scope),
            )
            return broken(expression.span)
        if expression.operator not in ("==", "!=") and not is_ordered(type):
            scope.findings.report(
                "type-mismatch",
                expression.span,
                f"the values of {strip_none(type)} have no order",
                help=_help_to_order(strip_none(type), scope),
            )
            return broken(expression.span)
    made = model.Compare(expression.operator, left, right, type=BOOL, span=expression.span)
    return fold(made, scope) if known(left) and known(right) else made


def _help_to_order(type: Type, scope: Scope) -> str:
    if type is scope.globals.player_type:
        return "players compare by their place in the list: number(p)"
    if isinstance(type, BoardType):
        return "cells compare by their coordinates, as in: a.x < b.x"
    return "members compare when the type is declared with <, as in: type Card = J < Q < K"


@elaborate.register
def _membership(expression: syntax.Membership, scope: Scope, expected: Type | None = None) -> model.Expr:
    if is_ambiguous(expression.item, scope) and not is_ambiguous(expression.collection, scope):
        collection = elaborate(expression.collection, scope, None)
        element = strip_none(collection.type)
        wanted = element.element if isinstance(element, SetType) else None
        item = elaborate(expression.item, scope, wanted)
    else:
        item = elaborate(expression.item, scope, None)
        collection = elaborate(expression.collection, scope, SetType(strip_none(item.type)) if known(item) else None)
    base = strip_none(collection.type)
    if known(collection) and not isinstance(base, SetType):
        scope.findings.report(
            "type-mismatch", expression.collection.span, f"'in' needs a set, but this is {in_words(base)}"
        )
        return broken(expression.span)
    if isinstance(base, SetType) and known(item) and join(strip_none(item.type), base.element) is None:
        message = f"{in_words(item.type)} can never be in {in_words(base)}"
        help = help_to_place(item, base.element, scope) or help_to_places(collection, item.type, scope)
        scope.findings.report("type-mismatch", expression.span, message, help=help)
    contains = model.Contains(item, collection, type=BOOL, span=expression.span)
    return model.Not(contains, type=BOOL, span=expression.span) if expression.negated else contains


@elaborate.register
def _is_none(expression: syntax.IsNone, scope: Scope, expected: Type | None = None) -> model.Expr:
    operand = elaborate(expression.operand, scope, None)
    test = model.IsNone(operand, type=BOOL, span=expression.span)
    return model.Not(test, type=BOOL, span=expression.span) if expression.negated else test


@elaborate.register
def _not(expression: syntax.Not, scope: Scope, expected: Type | None = None) -> model.Expr:
    operand = condition(expression.operand, scope, "the condition after 'not'")
    return model.Not(operand, type=BOOL, span=expression.span)


@elaborate.register
def _and(expression: syntax.And, scope: Scope, expected: Type | None = None) -> model.Expr:
    if expected is scope.globals.player_type:
        written = f"{{{', '.join(scope.findings.source.excerpt(part.span) for part in expression.parts)}}}"
        message, help = "'and' joins conditions; several players are a set", f"write {written}"
        fix = Fix(expression.span, written, help)
        scope.findings.report("type-mismatch", expression.span, message, help=help, fix=fix)
        return broken(expression.span)
    parts = tuple(condition(part, scope, "each side of 'and'") for part in expression.parts)
    return model.And(parts, type=BOOL, span=expression.span)


@elaborate.register
def _or(expression: syntax.Or, scope: Scope, expected: Type | None = None) -> model.Expr:
    parts = tuple(condition(part, scope, "each side of 'or'") for part in expression.parts)
    return model.Or(parts, type=BOOL, span=expression.span)


@elaborate.register
def _conditional(expression: syntax.Conditional, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _report_where_after_else(expression, scope):
        return broken(expression.span)
    test = condition(expression.condition, scope)
    yes, no = pair(expression.yes, expression.no, scope, expected)
    type = join(yes.type, no.type)
    if type is None:
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'then' gives {in_words(yes.type)}, and 'else' gives {in_words(no.type)}",
            labels=[
                Label(expression.yes.span, in_words(yes.type)),
                Label(expression.no.span, in_words(no.type)),
            ],
        )
        return broken(expression.span)
    if isinstance(test, model.Const) and known(test):
        return yes if test.value else no
    return model.If(test, yes, no, type=type, span=expression.span)


def _report_where_after_else(expression: syntax.Conditional, scope: Scope) -> bool:
    """Report ``if x > 3 then 1 else 0 where x = ...``, whose names are known behind the last ``else`` alone."""
    last: syntax.Expression = expression
    before: list[syntax.Expression] = []
    while isinstance(last, syntax.Conditional):
        before += [last.condition, last.yes]
        last = last.no
    if not isinstance(last, syntax.Where):
        return False
    parts = [part for each in before for part in nodes_in(each)]
    theirs = {part.text for part in parts if isinstance(part, syntax.Name)} | {
        *scope.globals.declarations.named,
        *COMPASS,
    }
    bound = {binding.name.text: binding.name for binding in last.bindings if binding.name.text not in theirs}
    for part in parts:
        name = part.name if isinstance(part, syntax.Reference) else ""
        if name in bound and scope.find(name) is None and not scope.globals.members_named(name):
            choice = expression.span.to(last.body.span)
            text = scope.findings.source.excerpt(choice)
            is_whole = text.count("(") == text.count(")")
            scope.findings.report(
                "undefined-name",
                part.span,
                f"'{name}' is known only behind the last 'else'",
                labels=[Label(bound[name].span, "given a value here")],
                help="put brackets around what stands before 'where': (if ... then ... else ...) where ...",
                fix=Fix(choice, f"({text})", "write the brackets") if is_whole else None,
            )
            return True
    return False


@elaborate.register
def _where(expression: syntax.Where, scope: Scope, expected: Type | None = None) -> model.Expr:
    inner = scope.inner()
    bound: list[tuple[int, model.Expr]] = []
    for binding in expression.bindings:
        value = elaborate(binding.value, inner, None)
        declared = declared_type(value, inner)
        inner = inner.inner()
        bound.append((inner.bind(binding.name, value.type, "name", declared=declared), value))
    body = elaborate(expression.body, inner, expected)
    for slot, value in reversed(bound):
        body = model.Let(slot, value, body, type=body.type, span=expression.span)
    return body


def typed_number(expression: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    """An expression that must be a number."""
    return typed_as(expression, scope, NUMBER, place)
