"""The conditions that hold when a move is made: consequences of its guard and of the domains of its parameters.

``legal(c, p)`` implies the body of the define, ``a and b`` each of the two, ``c in {x in S if e}`` that ``e`` holds of
c, as does ``c in {x for d in D for x in ray(s, d) while e}`` if ``e`` is not about d, and ``y is not none`` for ``y =
first x in S: e`` that ``e`` holds of y.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter.model import (
    And,
    Binder,
    Call,
    Comprehension,
    Contains,
    Expr,
    IsNone,
    Let,
    Local,
    Not,
    Or,
    Quantified,
    Rule,
    RuleParameter,
)
from zermelo.interpreter.model.rewriting import slots, substitute, unfold
from zermelo.interpreter.types import BOOL

DEPTH = 8
"""The most steps of inference."""


def known_conditions(rule: Rule) -> tuple[Expr, ...]:
    """The conditions that hold whenever the rule is chosen, with their consequences."""
    given = [part for parts in rule.guards for part in parts] + [_in_domain(p) for p in rule.parameters]
    return tuple(condition for part in given for condition in consequences(part))


def _in_domain(parameter: RuleParameter) -> Expr:
    local = Local(parameter.slot, parameter.name, type=parameter.type, span=parameter.span)
    return Contains(local, parameter.domain, type=BOOL, span=parameter.span)


def consequences(condition: Expr, depth: int = DEPTH) -> Iterator[Expr]:
    """The condition and its consequences."""
    yield condition
    if depth > 0:
        for following in _follows(condition):
            yield from consequences(following, depth - 1)


def _follows(condition: Expr) -> Iterator[Expr]:
    match condition:
        case And(parts):
            yield from parts
        case Call():
            yield unfold(condition)
        case Let(slot, value, body):
            yield substitute(body, {slot: value})
        case Not(And() | Or() | Not() | Call() as inner):
            yield from _follows_from_not(inner)
        case Not(IsNone(operand)):
            yield from _follows_from_something(operand, operand)
        case Contains(item, collection):
            yield from _follows_from_membership(item, collection)


def _follows_from_not(inner: Expr) -> Iterator[Expr]:
    match inner:
        case Not(operand):
            yield operand
        case Or(parts):
            yield from (negation(part) for part in parts)
        case Call():
            yield negation(unfold(inner))


def _follows_from_something(operand: Expr, body: Expr) -> Iterator[Expr]:
    """The consequences of ``operand``, which equals ``body``, not being none."""
    match body:
        case Call():
            yield from _follows_from_something(operand, unfold(body))
        case Quantified("first" | "last", (binder,), test):
            for part in (*binder.tests, test):
                yield substitute(part, {binder.slot: operand})


def _follows_from_membership(item: Expr, collection: Expr) -> Iterator[Expr]:
    match collection:
        case Call():
            yield from _follows_from_membership(item, unfold(collection))
        case Comprehension(Local(slot), binders) if any(binder.slot == slot for binder in binders):
            others = {binder.slot for binder in binders} - {
                slot
            }  # of their values it is only known that there are some
            for binder in binders:
                if binder.slot == slot and others.isdisjoint(slots(binder.domain)):
                    yield Contains(item, binder.domain, type=BOOL, span=item.span)
                for test in _tests(binder):
                    if others.isdisjoint(slots(test)):
                        yield substitute(test, {slot: item})


def _tests(binder: Binder) -> tuple[Expr, ...]:
    """What holds of every value that a binder takes."""
    if binder.stop == "while" and binder.stop_condition is not None:
        return (binder.stop_condition, *binder.tests)
    return binder.tests


def negation(expr: Expr) -> Expr:
    """``not expr``."""
    return Not(expr, type=BOOL, span=expr.span)
