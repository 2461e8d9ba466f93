"""Arithmetic, comparison, logic and conditional expressions."""

from __future__ import annotations

from collections.abc import Container, Iterator

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.atoms import is_ambiguous
from zermelo.interpreter.elaboration.expressions import broken, condition, constant, elaborate, fold, known, typed_as
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.model.compatibility import fits, in_words, is_ordered, join
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    NUMBER,
    UNKNOWN,
    BoardType,
    DirectionType,
    NoneType,
    NumberType,
    OptionalType,
    SetType,
    Type,
    optional,
    strip_none,
)
from zermelo.interpreter.values import MOST_DIGITS, Value, format_value

_MOST_CASES = 100_000
"""A subject with more values needs an ``else:``."""


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
    heading = optional(DIRECTION) if any(isinstance(side.type, OptionalType) for side in (left, right)) else DIRECTION
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
        place = optional(a) if isinstance(right.type, OptionalType) else left.type
        made = model.Apply("ring_step", (left, count), a, type=place, span=span)
    if made is None:
        verb = {"+": "added", "-": "subtracted", "*": "multiplied"}.get(operator, "divided")
        message = f"{in_words(left.type)} and {in_words(right.type)} cannot be {verb}"
        return _no_operation(expression, message, left, scope)
    return fold(made, scope)


def _no_operation(expression: syntax.Expression, message: str, operand: model.Expr, scope: Scope) -> model.Expr:
    if known(operand):
        scope.findings.report("type-mismatch", expression.span, message)
    return broken(expression.span)


def _set_operation(expression: syntax.Arithmetic, left: model.Expr, right: model.Expr, scope: Scope) -> model.Expr:
    type = join(left.type, right.type)
    if type is None:
        return _no_operation(
            expression, f"{in_words(left.type)} and {in_words(right.type)} have nothing in common", left, scope
        )
    operator = expression.operator
    if operator not in ("+", "-", "*"):
        raise ValueError(operator)
    return fold(model.SetOperation(operator, left, right, type=strip_none(type), span=expression.span), scope)


def pair(
    left: syntax.Expression, right: syntax.Expression, scope: Scope, expected: Type | None = None
) -> tuple[model.Expr, model.Expr]:
    """Two expressions of one type, which the unambiguous one determines."""
    if is_ambiguous(left, scope) and not is_ambiguous(right, scope):
        second = elaborate(right, scope, expected)
        return elaborate(left, scope, second.type if known(second) else expected), second
    first = elaborate(left, scope, expected)
    return first, elaborate(right, scope, first.type if known(first) else expected)


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
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"{in_words(item.type)} can never be in {in_words(base)}",
        )
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
    parts = tuple(condition(part, scope, "each side of 'and'") for part in expression.parts)
    return model.And(parts, type=BOOL, span=expression.span)


@elaborate.register
def _or(expression: syntax.Or, scope: Scope, expected: Type | None = None) -> model.Expr:
    parts = tuple(condition(part, scope, "each side of 'or'") for part in expression.parts)
    return model.Or(parts, type=BOOL, span=expression.span)


@elaborate.register
def _conditional(expression: syntax.Conditional, scope: Scope, expected: Type | None = None) -> model.Expr:
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


@elaborate.register
def _where(expression: syntax.Where, scope: Scope, expected: Type | None = None) -> model.Expr:
    inner = scope.inner()
    bound: list[tuple[int, model.Expr]] = []
    for binding in expression.bindings:
        value = elaborate(binding.value, inner, None)
        inner = inner.inner()
        bound.append((inner.bind(binding.name, value.type, "name"), value))
    body = elaborate(expression.body, inner, expected)
    for slot, value in reversed(bound):
        body = model.Let(slot, value, body, type=body.type, span=expression.span)
    return body


@elaborate.register
def _match(expression: syntax.Match, scope: Scope, expected: Type | None = None) -> model.Expr:
    """Lowered to a chain of ``if``; for a subject of none without a case the value is none, as a field of none is."""
    subject = elaborate(expression.subject, scope, None)
    slot = scope.frame.new_slot()
    local = model.Local(slot, "match", type=subject.type, span=expression.subject.span)
    tests = [case_test(case.patterns, local, scope) for case in expression.cases]
    bodies = [elaborate(case.body, scope, expected) for case in expression.cases]
    type: Type = UNKNOWN
    for body in bodies:
        joined = join(type, body.type)
        if joined is None:
            scope.findings.report(
                "type-mismatch",
                body.span,
                f"this case gives {in_words(body.type)}, but another one {in_words(type)}",
            )
        else:
            type = joined
    open_cases = uncovered(expression.cases, tests, subject)
    report_open(open_cases, expression.subject, scope)
    none_left = None in open_cases
    if none_left:
        type = optional(type)
    if none_left or not bodies:
        chain: model.Expr = model.Const(None, type=type, span=expression.span)
    else:
        chain, tests, bodies = bodies[-1], tests[:-1], bodies[:-1]
    for test, body in zip(reversed(tests), reversed(bodies), strict=True):
        chain = model.If(test, body, chain, type=type, span=body.span)
    return model.Let(slot, subject, chain, type=type, span=expression.span)


def case_test(patterns: tuple[syntax.Expression, ...], subject: model.Local, scope: Scope) -> model.Expr:
    """The test whether the subject matches one of the patterns: members, numbers, ranges, ``none``; without patterns it
    is ``else``."""
    tests: list[model.Expr] = []
    for pattern in patterns:
        if isinstance(pattern, syntax.Range):
            ends = [_whole(end, scope) for end in (pattern.low, pattern.high)]
            values = model.RangeSet(ends[0], ends[1], type=SetType(INTEGER), span=pattern.span)
            tests.append(model.Contains(subject, values, type=BOOL, span=pattern.span))
            if not fits(subject.type, INTEGER):
                message = f"the subject is {in_words(subject.type)}, but this case is a range of numbers"
                scope.findings.report("type-mismatch", pattern.span, message)
            continue
        if isinstance(pattern, syntax.NoneLiteral):
            tests.append(model.IsNone(subject, type=BOOL, span=pattern.span))
            continue
        value = constant(pattern, scope, strip_none(subject.type), "a case")
        if known(value) and not fits(value.type, subject.type):
            scope.findings.report(
                "type-mismatch",
                pattern.span,
                f"the subject is {in_words(subject.type)}, but this case is {in_words(value.type)}",
            )
        tests.append(model.Compare("==", subject, value, type=BOOL, span=pattern.span))
    if not tests:
        return model.Const(True, type=BOOL, span=subject.span)
    return tests[0] if len(tests) == 1 else model.Or(tuple(tests), type=BOOL, span=subject.span)


def _whole(end: syntax.Expression, scope: Scope) -> model.Const:
    typed = constant(end, scope, INTEGER, "the end of a range")
    if known(typed) and not isinstance(typed.value, int):
        scope.findings.report("out-of-range", end.span, f"the end of a range is a whole number, not {typed.value}")
        return broken(end.span)
    return typed


def uncovered(
    cases: tuple[syntax.Case, ...] | tuple[syntax.MatchCase, ...], tests: list[model.Expr], subject: model.Expr
) -> tuple[Value, ...]:
    """The values of the subject without a case, none last; ``...`` if they cannot be listed."""
    if any(not case.patterns for case in cases) or not all(map(known, (subject, *_compared(tests)))):
        return ()
    covered = [values for test in tests for values in _covered_by(test)]
    base = strip_none(subject.type)
    if isinstance(base, NoneType):
        return ()
    left: list[Value] = [...]
    if (values_of_type(base) or _MOST_CASES + 1) <= _MOST_CASES:
        left = [value for value in base.generate() if not any(value in values for values in covered)]
    patterns: list[tuple[syntax.Expression, ...]] = [case.patterns for case in cases]
    covers_none = any(isinstance(pattern, syntax.NoneLiteral) for alternatives in patterns for pattern in alternatives)
    return (*left, None) if isinstance(subject.type, OptionalType) and not covers_none else tuple(left)


def report_open(left: tuple[Value, ...], subject: syntax.Expression, scope: Scope) -> None:
    """Report the values without a case, apart from none."""
    missing = ["all other values" if value is ... else format_value(value) for value in left if value is not None]
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        scope.findings.report(
            "not-exhaustive",
            subject.span,
            f"the match has no case for {shown}",
            help="add cases, or 'else:' for the rest",
        )


def _compared(tests: list[model.Expr]) -> Iterator[model.Expr]:
    """The constants with which the subject is compared."""
    for test in tests:
        match test:
            case model.Compare(right=value):
                yield value
            case model.Contains(collection=model.RangeSet(low=low, high=high)):
                yield from (low, high)
            case model.Or(parts=parts):
                yield from _compared(list(parts))
            case _:
                pass


def _covered_by(test: model.Expr) -> Iterator[Container[Value]]:
    """The values of a case."""
    match test:
        case model.Compare(right=model.Const(value=value)):
            yield (value,)
        case model.Contains(collection=model.RangeSet(low=model.Const(value=low), high=model.Const(value=high))):
            yield range(low, high + 1)
        case model.Or(parts=parts):
            for part in parts:
                yield from _covered_by(part)
        case _:
            pass


def typed_number(expression: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    """An expression that must be a number."""
    return typed_as(expression, scope, NUMBER, place)
