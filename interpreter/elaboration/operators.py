"""Arithmetic, comparison, logic and conditional expressions."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label, Span
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.calls import is_ambiguous
from zermelo.interpreter.elaboration.expressions import (
    bare_range,
    broken_expression,
    const,
    declared_element,
    declared_type,
    elaborate,
    elaborate_as,
    elaborate_condition,
    elaborate_constant,
    fold,
    is_always_empty,
    is_known,
)
from zermelo.interpreter.elaboration.names import depends_on_parameters
from zermelo.interpreter.elaboration.scope import Scope, help_between, help_to_combine, help_to_place, help_to_places
from zermelo.interpreter.model.cardinality import (
    fits,
    in_words,
    is_ordered,
    is_ring,
    join,
    known_product,
    most_members,
    values_of_type,
)
from zermelo.interpreter.model.rewriting import walk
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    NUMBER,
    STEP,
    UNKNOWN,
    BoardType,
    DirectionType,
    NoneType,
    NumberType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, MOST_DIGITS, OrderedSet, Value, format_value


@elaborate.register
def _negation(expression: syntax.Negation, scope: Scope, expected: Type | None = None) -> model.Expr:
    operand = elaborate(expression.operand, scope, expected or DIRECTION)
    base = strip_none(operand.type)
    if isinstance(base, DirectionType):
        turned = model.Apply("direction_negate", (operand,), type=operand.type, span=expression.span)
        return fold(turned, scope)
    if not isinstance(base, NumberType):
        message = f"'-' cannot be applied to {in_words(operand.type)}"
        return _report_no_operation(expression.span, message, operand, scope)
    return fold(model.Negate(operand, type=intervals.negate(base), span=expression.span), scope)


@elaborate.register
def _arithmetic(expression: syntax.Arithmetic, scope: Scope, expected: Type | None = None) -> model.Expr:
    wanted = expected if expected is not None and isinstance(strip_none(expected.base), SetType) else DIRECTION
    left = elaborate(expression.left, scope, wanted)
    return combine(expression.operator, left, expression.right, expression.span, scope, wanted)


def combine(
    operator: Literal["+", "-", "*", "/", "//", "%"],
    left: model.Expr,
    written: syntax.Expression,
    span: Span,
    scope: Scope,
    wanted: Type = DIRECTION,
) -> model.Expr:
    """A value with the one ``written`` behind the operator: on numbers; on sets with ``+``, ``-`` and ``*``; on
    directions; and for steps from a cell. ``wanted`` is the type of the sets, if sets are expected; otherwise a name
    that may be one of a direction is that."""
    right = elaborate(written, scope, left.type if isinstance(strip_none(left.type), SetType) else wanted)
    if not is_known(left) or not is_known(right):
        return broken_expression(span)
    a, b = strip_none(left.type), strip_none(right.type)
    made: model.Expr | None = None
    heading = optional(STEP) if any(isinstance(side.type, OptionalType) for side in (left, right)) else STEP
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        type = intervals.arithmetic(operator, a, b)
        if intervals.has_too_many_digits(operator, a, b):
            message = f"this number has more than {MOST_DIGITS:,} digits"
            scope.findings.report("number-too-large", span, message)
            return broken_expression(span)
        made = model.Arithmetic(operator, left, right, type=type, span=span)
    elif isinstance(a, SetType) and isinstance(b, SetType) and operator in ("+", "-", "*"):
        sets = _type_of_sets(operator, left.type, right.type)
        if sets is None:
            message = f"{in_words(left.type)} and {in_words(right.type)} have nothing in common"
            return _report_no_operation(span, message, left, scope)
        made = model.SetOperation(operator, left, right, type=sets, span=span)
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
        count = right if operator == "+" else fold(model.Negate(right, type=intervals.negate(b), span=span), scope)
        place = left.type if intervals.is_whole(b) and not isinstance(right.type, OptionalType) else optional(a)
        made = model.Apply("ring_step", (left, count), a, type=place, span=span)
    if made is None:
        verb = {"+": "added", "-": "subtracted", "*": "multiplied"}.get(operator, "divided")
        message = f"{in_words(left.type)} and {in_words(right.type)} cannot be {verb}"
        return _report_no_operation(span, message, left, scope, help_to_combine(left, right, scope))
    return fold(made, scope)


def _report_no_operation(span: Span, message: str, operand: model.Expr, scope: Scope, help: str = "") -> model.Expr:
    if is_known(operand):
        scope.findings.report("type-mismatch", span, message, help=help)
    return broken_expression(span)


def _type_of_sets(operator: str, left: Type, right: Type) -> Type | None:
    """The type of a union, a difference or an intersection of sets, None if the sets have no values in common.

    A difference has members of the left set only. A union may have members of both, even some that the variable to
    which it is assigned does not admit: the assignment reports these."""
    joined = join(left, right)
    if joined is None:
        return None
    return strip_none(left if operator == "-" else joined)


def elaborate_pair(
    left: syntax.Expression, right: syntax.Expression, scope: Scope, expected: Type | None = None
) -> tuple[model.Expr, model.Expr]:
    """Two expressions of one type: the expected type or, if there is none, that of an unambiguous one of the two."""
    if is_ambiguous(left, scope) and not is_ambiguous(right, scope):
        second = elaborate(right, scope, expected)
        return elaborate(left, scope, expected or _if_known(second)), second
    first = elaborate(left, scope, expected)
    return first, elaborate(right, scope, expected or _if_known(first))


def _if_known(expr: model.Expr) -> Type | None:
    return expr.type if is_known(expr) else None


@elaborate.register
def _comparison(expression: syntax.Comparison, scope: Scope, expected: Type | None = None) -> model.Expr:
    left, right = elaborate_pair(expression.left, expression.right, scope)
    if is_known(left) and is_known(right):
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
            return broken_expression(expression.span)
        if expression.operator not in ("==", "!=") and not is_ordered(type):
            scope.findings.report(
                "type-mismatch",
                expression.span,
                f"the values of {strip_none(type)} have no order",
                help=_help_to_order(strip_none(type), scope),
            )
            return broken_expression(expression.span)
    made = model.Compare(expression.operator, left, right, type=BOOL, span=expression.span)
    return fold(made, scope) if is_known(left) and is_known(right) else made


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
        collection = elaborate(expression.collection, scope, SetType(strip_none(item.type)) if is_known(item) else None)
    base = strip_none(collection.type)
    if is_known(collection) and not isinstance(base, SetType):
        _report_no_set(expression.collection.span, base, scope)
        return broken_expression(expression.span)
    if isinstance(base, SetType) and is_known(item) and join(strip_none(item.type), base.element) is None:
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
    operand = elaborate_condition(expression.operand, scope, "the condition after 'not'")
    return model.Not(operand, type=BOOL, span=expression.span)


@elaborate.register
def _and(expression: syntax.And, scope: Scope, expected: Type | None = None) -> model.Expr:
    if expected is scope.globals.player_type:
        written = f"{{{', '.join(scope.findings.source.excerpt(part.span) for part in expression.parts)}}}"
        message, help = "'and' joins conditions; several players are a set", f"write {written}"
        fix = Fix(expression.span, written, help)
        scope.findings.report("type-mismatch", expression.span, message, help=help, fix=fix)
        return broken_expression(expression.span)
    parts = tuple(elaborate_condition(part, scope, "each side of 'and'") for part in expression.parts)
    return model.And(parts, type=BOOL, span=expression.span)


@elaborate.register
def _or(expression: syntax.Or, scope: Scope, expected: Type | None = None) -> model.Expr:
    parts = tuple(elaborate_condition(part, scope, "each side of 'or'") for part in expression.parts)
    return model.Or(parts, type=BOOL, span=expression.span)


@elaborate.register
def _conditional(expression: syntax.Conditional, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _report_where_after_else(expression, scope):
        return broken_expression(expression.span)
    test = elaborate_condition(expression.condition, scope)
    yes, no = elaborate_pair(expression.yes, expression.no, scope, expected)
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
        return broken_expression(expression.span)
    if isinstance(test, model.Const) and is_known(test):
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
    parts = [part for each in before for part in syntax.nodes_in(each)]
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


def elaborate_number(expression: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    return elaborate_as(expression, scope, NUMBER, place)


# ``match``: its subject, the tests of its cases, and whether they leave values open.


_MOST_CASES = 100_000
"""A subject with more values needs an ``else:``."""


@elaborate.register
def _match(expression: syntax.Match, scope: Scope, expected: Type | None = None) -> model.Expr:
    """Lowered to a chain of ``if``."""
    slot, subject, tests, _ = cases_of(expression, scope)
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
    chain = bodies[-1] if bodies else broken_expression(expression.span)
    for test, body in zip(reversed(tests[:-1]), reversed(bodies[:-1]), strict=True):
        chain = model.If(test, body, chain, type=type, span=body.span)
    return model.Let(slot, subject, chain, type=type, span=expression.span)


def cases_of(
    written: syntax.Match | syntax.MatchStatement, scope: Scope
) -> tuple[int, model.Expr, list[model.Expr], bool]:
    """The slot and the value of the subject of a match, which must not be none if there is no case for it; the tests of
    the cases; and whether they cover all values, which is reported if not."""
    subject = elaborate(written.subject, scope, None)
    if isinstance(subject.type, OptionalType) and not any(map(_takes_none, written.cases)):
        subject = model.Present(subject, type=strip_none(subject.type), span=subject.span)
    slot = scope.frame.new_slot()
    local = model.Local(slot, "match", type=subject.type, span=written.subject.span)
    tests = [_case_test(case.patterns, local, scope) for case in written.cases]
    left = _uncovered_values(written.cases, tests, subject, scope)
    missing = ["most values" if value is ... else format_value(value) for value in left]
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        message, help = f"the match has no case for {shown}", "add cases, or 'else:' for the rest"
        scope.findings.report("not-exhaustive", written.subject.span, message, help=help)
    return slot, subject, tests, not left


def _takes_none(case: syntax.Case | syntax.MatchCase) -> bool:
    return not case.patterns or any(isinstance(pattern, syntax.NoneLiteral) for pattern in case.patterns)


def _case_test(patterns: tuple[syntax.Expression, ...], subject: model.Local, scope: Scope) -> model.Expr:
    """The test whether the subject matches one of the patterns: members, numbers, ranges, ``none``; without patterns it
    is ``else``."""
    tests: list[model.Expr] = []
    for pattern in patterns:
        if isinstance(pattern, syntax.Range):
            ends = [_whole_number(end, scope) for end in (pattern.low, pattern.high)]
            is_always_empty(ends[0], ends[1], pattern, scope)
            values = model.RangeSet(ends[0], ends[1], type=SetType(INTEGER), span=pattern.span)
            tests.append(model.Contains(subject, values, type=BOOL, span=pattern.span))
            if not fits(subject.type, INTEGER):
                message = f"the subject is {in_words(subject.type)}, but this case is a range of numbers"
                scope.findings.report("type-mismatch", pattern.span, message)
            continue
        if isinstance(pattern, syntax.NoneLiteral):
            tests.append(model.IsNone(subject, type=BOOL, span=pattern.span))
            continue
        value = elaborate_constant(pattern, scope, strip_none(subject.type), "a case")
        tests.append(model.Compare("==", subject, value, type=BOOL, span=pattern.span))
    if not tests:
        return model.Const(True, type=BOOL, span=subject.span)
    return tests[0] if len(tests) == 1 else model.Or(tuple(tests), type=BOOL, span=tests[0].span.to(tests[-1].span))


def _whole_number(end: syntax.Expression, scope: Scope) -> model.Const:
    typed = elaborate_constant(end, scope, INTEGER, "the end of a range")
    if is_known(typed) and not isinstance(typed.value, int):
        scope.findings.report("out-of-range", end.span, f"the end of a range is a whole number, not {typed.value}")
        return broken_expression(end.span)
    return typed


def _uncovered_values(
    cases: tuple[syntax.Case, ...] | tuple[syntax.MatchCase, ...],
    tests: list[model.Expr],
    subject: model.Expr,
    scope: Scope,
) -> tuple[Value, ...]:
    """The values of the subject, other than none, that have no case; ``...`` if they cannot be listed."""
    if any(not case.patterns for case in cases) or not all(map(is_known, (subject, *_compared_constants(tests)))):
        return ()
    covered = [values for test in tests for values in _covered_values(test)]
    type = strip_none(declared_type(subject, scope))
    if isinstance(type, NoneType):
        return ()
    if (values_of_type(type) or _MOST_CASES + 1) > _MOST_CASES:
        return (...,)
    return tuple(value for value in type.generate() if not any(value in values for values in covered))


def _compared_constants(tests: list[model.Expr]) -> Iterator[model.Expr]:
    """The constants with which the subject is compared."""
    for test in tests:
        match test:
            case model.Compare(right=value):
                yield value
            case model.Contains(collection=model.RangeSet(low=low, high=high)):
                yield from (low, high)
            case model.Or(parts=parts):
                yield from _compared_constants(list(parts))


def _covered_values(test: model.Expr) -> Iterator[Container[Value]]:
    match test:
        case model.Compare(right=model.Const(value=value)):
            yield (value,)
        case model.Contains(collection=model.RangeSet(low=model.Const(value=low), high=model.Const(value=high))):
            yield range(low, high + 1)
        case model.Or(parts=parts):
            for part in parts:
                yield from _covered_values(part)


# Sets, tuples and ranges, with the quantifiers, comprehensions and closures over them.


def domain_of(expression: syntax.Expression, scope: Scope, expected: Type | None = None) -> tuple[model.Expr, Type]:
    """The domain of a binder, and the type of its members."""
    wanted = None if expected is None else SetType(expected)
    domain = elaborate(bare_range(expression, scope), scope, wanted)
    base = strip_none(domain.type)
    if isinstance(base, SetType):
        always_empty = isinstance(domain, model.Const) and is_known(domain) and not domain.value
        if always_empty and not depends_on_parameters(expression, scope.globals.declarations):
            scope.findings.report("empty-domain", expression.span, "this set is always empty")
        return domain, base.element
    if is_known(domain):
        _report_no_set(expression.span, base, scope)
    return broken_expression(expression.span), UNKNOWN


def _report_no_set(span: Span, found: Type, scope: Scope) -> None:
    scope.findings.report(
        "type-mismatch",
        span,
        f"'in' needs a set, but this is {in_words(found)}",
        help="a range is written 1..6, a set {a, b}; a type's name is the set of its members",
    )


def elaborate_binder(binder: syntax.Binder, scope: Scope) -> model.Binder:
    """``x in S``; binds x in ``scope``, which the caller has made for it."""
    domain, element = domain_of(binder.domain, scope)
    slot = scope.bind(binder.name, element, "name", declared=declared_element(domain, element, scope))
    return model.Binder(slot, binder.name.text, domain)


def bind_generators(generators: tuple[syntax.Generator, ...], scope: Scope) -> tuple[tuple[model.Binder, ...], Scope]:
    """The binders of a comprehension, and the scope of its element."""
    binders: list[model.Binder] = []
    for generator in generators:
        scope = scope.inner()
        binder = elaborate_binder(generator.binder, scope)
        stop = None
        if generator.stop_condition is not None:
            stop = elaborate_condition(generator.stop_condition, scope, f"the condition after '{generator.stop}'")
        tests = tuple(elaborate_condition(test, scope) for test in generator.tests)
        binders.append(evolve(binder, stop=generator.stop, stop_condition=stop, tests=tests))
    return tuple(binders), scope


@elaborate.register
def _quantifier(expression: syntax.Quantified, scope: Scope, expected: Type | None = None) -> model.Expr:
    inner = scope
    binders: list[model.Binder] = []
    for written in expression.binders:
        inner = inner.inner()
        binders.append(elaborate_binder(written, inner))
    kind, span = expression.quantifier, expression.span
    if kind in ("first", "last") and len(binders) > 1:
        scope.findings.report("type-mismatch", span, f"'{kind}' runs over one set")
    if kind in ("sum", "count"):
        for binder in binders:
            _report_equal_members(binder.domain, scope)
    body = _body(expression, inner)
    type = _quantified_type(expression, binders, body)
    return model.Quantified(kind, tuple(binders), body, type=type, span=span)


def _report_equal_members(domain: model.Expr, scope: Scope) -> None:
    """Warn of a set whose members may be equal: a sum or a count takes equal members only once."""
    match domain:
        case model.MakeSet(items=members) if len(members) > 1:
            of = [{part for part in walk(each) if isinstance(part, model.Local | model.Read)} for each in members]
            is_clear = all(_is_linear(each, model.Read) for each in members) and all(part == of[0] for part in of)
        case model.Comprehension(element=element) if not domain.is_part:
            members, is_clear = (element,), _is_linear(element, model.Local)
        case _:
            return
    held = [each for each in members if isinstance(each, model.Read) or isinstance(strip_none(each.type), NumberType)]
    if held and not is_clear:
        scope.findings.report(
            "equal-members",
            domain.span,
            "a set has equal members only once, so that they count once here",
            remark="members may be equal",
            help="run over what tells them apart, as in: sum i in 1..2: die[i]; or add them up with '+'",
        )


def _is_linear(value: model.Expr, known: type[model.Expr]) -> bool:
    """Whether only sums, differences and products of names, constants and ``known`` parts make up a value."""
    return all(
        isinstance(part, (model.Local, model.Const, model.Negate, known))
        or (isinstance(part, model.Arithmetic) and part.operator in ("+", "-", "*"))
        for part in walk(value)
    )


def _body(expression: syntax.Quantified, scope: Scope) -> model.Expr:
    match expression.quantifier:
        case "sum":
            return elaborate_number(expression.body, scope, "each term of 'sum'")
        case "min" | "max" as kind:
            body = elaborate(expression.body, scope, None)
            if not is_ordered(body.type):
                scope.findings.report(
                    "type-mismatch",
                    expression.body.span,
                    f"'{kind}' compares, but {in_words(strip_none(body.type))} has no order",
                )
            return body
        case kind:
            return elaborate_condition(expression.body, scope, f"the condition after '{kind}'")


def _quantified_type(expression: syntax.Quantified, binders: list[model.Binder], body: model.Expr) -> Type:
    most = known_product(most_members(binder.domain) for binder in binders)
    match expression.quantifier:
        case "some" | "all" | "no":
            return BOOL
        case "count":
            return NumberType(0, most, 1)
        case "sum":
            base = strip_none(body.type)
            return intervals.total(base, most) if isinstance(base, NumberType) else UNKNOWN
        case "min" | "max":
            return optional(body.type)
        case _:
            element = strip_none(binders[0].domain.type)
            return optional(element.element) if isinstance(element, SetType) else UNKNOWN


@elaborate.register
def _comprehension(expression: syntax.Comprehension, scope: Scope, expected: Type | None = None) -> model.Expr:
    binders, inner = bind_generators(expression.generators, scope)
    if expression.element is None:
        binder = expression.generators[0].binder
        element: model.Expr = elaborate(syntax.Reference(binder.name.text, span=binder.name.span), inner, None)
    else:
        base = strip_none(expected.base) if expected is not None else None
        element = elaborate(expression.element, inner, base.element if isinstance(base, SetType) else None)
    if _report_none(element, scope):
        return broken_expression(expression.span)
    type = SetType(strip_none(element.type)) if is_known(element) else UNKNOWN
    return model.Comprehension(element, binders, type=type, span=expression.span)


@elaborate.register
def _set_literal(expression: syntax.SetLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _is_unbound_membership(expression, scope):
        scope.findings.report(
            "undefined-name",
            expression.span,
            "this set has no condition on its members",
            help="for all members write the set after 'in' alone; for some: {n in 1..9 if ...}",
        )
        return broken_expression(expression.span)
    base = strip_none(expected.base) if expected is not None else None
    wanted = base.element if isinstance(base, SetType) else None
    if wanted is None or isinstance(wanted, UnknownType):
        wanted = _type_of_clear_item(expression.items, scope)
    items = tuple(elaborate(item, scope, wanted) for item in expression.items)
    type: Type = UNKNOWN
    for item in items:
        if _report_none(item, scope):
            return broken_expression(expression.span)
        joined = join(type, strip_none(item.type))
        if joined is None:
            scope.findings.report(
                "type-mismatch",
                item.span,
                f"the set holds {in_words(type)} elsewhere, but {in_words(item.type)} here",
                help=help_to_place(item, type, scope),
            )
            return broken_expression(expression.span)
        type = joined
    if items and not all(map(is_known, items)):
        return broken_expression(expression.span)
    if not items and wanted is not None:
        type = wanted
    return fold(model.MakeSet(items, type=SetType(type), span=expression.span), scope)


def _report_none(member: model.Expr, scope: Scope) -> bool:
    """Report a member of a set that is none, and not only may be."""
    if isinstance(member.type, NoneType):
        help = "where x may be none: x is none or x in {...}; an argument that may be missing: x in {...}?"
        scope.findings.report("type-mismatch", member.span, "a set never contains none", help=help)
    return isinstance(member.type, NoneType)


def _is_unbound_membership(expression: syntax.SetLiteral, scope: Scope) -> bool:
    """Whether the set is written ``{n in S}``, with an undeclared n."""
    match expression.items:
        case (syntax.Membership(item=syntax.Reference(name=name), negated=False),):
            declared = scope.find(name) is not None or name in scope.globals.declarations.named
            return not declared and not scope.globals.members_named(name)
        case _:
            return False


def _type_of_clear_item(items: tuple[syntax.Expression, ...], scope: Scope) -> Type | None:
    """The type of the first item that needs no expected type, if others do."""
    if any(is_ambiguous(item, scope) for item in items):
        for item in items:
            if not is_ambiguous(item, scope):
                return elaborate(item, scope, None).type
    return None


@elaborate.register
def _tuple(expression: syntax.TupleLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    """A record if one is expected, else a tuple."""
    base = strip_none(expected.base) if expected is not None else None
    if isinstance(base, TupleType) and len(base.items) == len(expression.items):
        fields = base.fields if isinstance(base, RecordType) else ()
        items = tuple(
            elaborate_as(item, scope, type, f"'{fields[k]}' of this {base}" if fields else f"part {k + 1}")
            for k, (item, type) in enumerate(zip(expression.items, base.items, strict=True))
        )
    else:
        items = tuple(elaborate(item, scope, None) for item in expression.items)
    if not all(map(is_known, items)):
        return broken_expression(expression.span)
    types = tuple(item.type for item in items)
    type: Type = TupleType(types)
    if isinstance(base, RecordType) and len(base.items) == len(types):
        type = RecordType(types, base.name, base.fields)
    return fold(model.MakeTuple(items, type=type, span=expression.span), scope)


@elaborate.register
def _range(expression: syntax.Range, scope: Scope, expected: Type | None = None) -> model.Expr:
    low = elaborate_number(expression.low, scope, "the beginning of a range")
    high = elaborate_number(expression.high, scope, "the end of a range")
    a, b = strip_none(low.type), strip_none(high.type)
    if not isinstance(a, NumberType) or not isinstance(b, NumberType):
        return broken_expression(expression.span)
    if is_always_empty(low, high, expression, scope):
        return broken_expression(expression.span)
    wanted = strip_none(expected.base) if expected is not None else None
    if isinstance(wanted, SetType) and isinstance(wanted.element, BoardType) and is_ring(wanted.element):
        places = [wanted.element.by_name.get(str(end.value)) for end in (low, high) if isinstance(end, model.Const)]
        if len(places) == 2 and places[0] is not None and places[1] is not None:
            among = wanted.element.listed[places[0].index : places[1].index + 1]
            return const(OrderedSet(among), wanted, expression.span)
    element = intervals.count_range(a, b)
    return fold(model.RangeSet(low, high, type=SetType(element), span=expression.span), scope)


@elaborate.register
def _reach(expression: syntax.Reach, scope: Scope, expected: Type | None = None) -> model.Expr:
    start, element = domain_of(expression.start, scope)
    inner = scope.inner()
    slot = inner.bind(expression.name, element, "name")
    step = elaborate_as(expression.step, inner, SetType(element), "the step of 'reach'")
    type = SetType(element) if is_known(start) else UNKNOWN
    return model.Reach(slot, start, step, type=type, span=expression.span)


@elaborate.register
def _table(expression: syntax.TableLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _report_record(expression, scope, expected):
        return broken_expression(expression.span)
    scope.findings.report(
        "type-mismatch",
        expression.span,
        "a table needs a key",
        help="write the key after it, as in {boat: 1, cruiser: 3}[s]",
    )
    return broken_expression(expression.span)


def _report_record(expression: syntax.TableLiteral, scope: Scope, expected: Type | None) -> bool:
    """Report ``{rank: 1, suit: red}``; False if the keys are not the fields of the expected record, or of any."""
    values = {str(key.name): value for key, value in expression.entries if isinstance(key, syntax.Reference)}
    wanted = [] if expected is None else [strip_none(expected.base)]
    for type in (*wanted, *map(strip_none, scope.globals.types.values())):
        if isinstance(type, RecordType) and len(values) == len(expression.entries) and values.keys() <= {*type.fields}:
            written = [
                scope.findings.source.excerpt(values[name].span) if name in values else name for name in type.fields
            ]
            text = f"({', '.join(written)})"
            fix = Fix(expression.span, text, f"write {text}") if len(values) == len(type.fields) else None
            message = f"{in_words(type)} is written by its values in parentheses, in the order of its fields"
            scope.findings.report("type-mismatch", expression.span, message, help=f"write {text}", fix=fix)
            return True
    return False
