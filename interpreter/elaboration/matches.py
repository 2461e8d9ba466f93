"""``match``: its subject, the tests of its cases, and whether they leave values open."""

from __future__ import annotations

from collections.abc import Container, Iterator

from zermelo.grammar import syntax
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declared_types import declared_type
from zermelo.interpreter.elaboration.expressions import broken, constant, elaborate, known
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.model.compatibility import fits, in_words, join
from zermelo.interpreter.types import (
    BOOL,
    INTEGER,
    UNKNOWN,
    NoneType,
    OptionalType,
    SetType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import Value, format_value

_MOST_CASES = 100_000
"""A subject with more values needs an ``else:``."""


@elaborate.register
def _match(expression: syntax.Match, scope: Scope, expected: Type | None = None) -> model.Expr:
    """Lowered to a chain of ``if``."""
    subject = subject_of(expression.subject, expression.cases, scope)
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
    report_open(uncovered(expression.cases, tests, subject, scope), expression.subject, scope)
    chain = bodies[-1] if bodies else broken(expression.span)
    for test, body in zip(reversed(tests[:-1]), reversed(bodies[:-1]), strict=True):
        chain = model.If(test, body, chain, type=type, span=body.span)
    return model.Let(slot, subject, chain, type=type, span=expression.span)


def subject_of(
    written: syntax.Expression, cases: tuple[syntax.Case, ...] | tuple[syntax.MatchCase, ...], scope: Scope
) -> model.Expr:
    """The subject of a match, which must not be none if there is no case for it."""
    subject = elaborate(written, scope, None)
    if not isinstance(subject.type, OptionalType) or any(map(_takes_none, cases)):
        return subject
    return model.Present(subject, type=strip_none(subject.type), span=subject.span)


def _takes_none(case: syntax.Case | syntax.MatchCase) -> bool:
    return not case.patterns or any(isinstance(pattern, syntax.NoneLiteral) for pattern in case.patterns)


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
        tests.append(model.Compare("==", subject, value, type=BOOL, span=pattern.span))
    if not tests:
        return model.Const(True, type=BOOL, span=subject.span)
    return tests[0] if len(tests) == 1 else model.Or(tuple(tests), type=BOOL, span=tests[0].span.to(tests[-1].span))


def _whole(end: syntax.Expression, scope: Scope) -> model.Const:
    typed = constant(end, scope, INTEGER, "the end of a range")
    if known(typed) and not isinstance(typed.value, int):
        scope.findings.report("out-of-range", end.span, f"the end of a range is a whole number, not {typed.value}")
        return broken(end.span)
    return typed


def uncovered(
    cases: tuple[syntax.Case, ...] | tuple[syntax.MatchCase, ...],
    tests: list[model.Expr],
    subject: model.Expr,
    scope: Scope,
) -> tuple[Value, ...]:
    """The values of the subject, but none, without a case; ``...`` if they cannot be listed."""
    if any(not case.patterns for case in cases) or not all(map(known, (subject, *_compared(tests)))):
        return ()
    covered = [values for test in tests for values in _covered_by(test)]
    type = strip_none(declared_type(subject, scope))
    if isinstance(type, NoneType):
        return ()
    if (values_of_type(type) or _MOST_CASES + 1) > _MOST_CASES:
        return (...,)
    return tuple(value for value in type.generate() if not any(value in values for values in covered))


def report_open(left: tuple[Value, ...], subject: syntax.Expression, scope: Scope) -> None:
    """Report the values without a case."""
    missing = ["most values" if value is ... else format_value(value) for value in left]
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
