"""Constant folding: expressions with their closed parts evaluated, as far as that is cheap."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.grammar.deadline import look
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model import (
    And,
    Arithmetic,
    Binder,
    Comprehension,
    Const,
    Expr,
    If,
    Let,
    Local,
    Or,
    Quantified,
    Reach,
)
from zermelo.interpreter.model.effort import effort
from zermelo.interpreter.model.rewriting import is_closed, map_parts, reads_state, subexpressions, substitute
from zermelo.interpreter.types import SetType, strip_none
from zermelo.interpreter.values import OrderedSet

FEW = 8
"""The most values of a type that is split into cases."""

FOLDED = 10_000
"""The most evaluations for folding a closed part, and so the most members of a folded set, which a proof reads many
times."""

BINDING = (Quantified, Comprehension, Reach, Let)
"""The expressions that bind names."""


def open_parts(expr: Expr) -> Iterator[Expr]:
    """The expression and its parts, without those inside a binding expression."""
    yield expr
    if not isinstance(expr, BINDING):
        for part in subexpressions(expr):
            yield from open_parts(part)


def simplify(expr: Expr) -> Expr:
    """The expression with its cheap closed parts folded, and simplified accordingly."""
    look()
    if isinstance(expr, Const | Local):
        return expr
    if isinstance(expr, Let):
        return simplify(substitute(expr.body, {expr.slot: expr.value}))
    expr = map_parts(expr, simplify)
    match expr:
        case If(Const(value), yes, no):
            return yes if value else no
        case And(parts) | Or(parts):
            decisive = isinstance(expr, Or)
            if any(isinstance(part, Const) and part.value is decisive for part in parts):
                return Const(decisive, type=expr.type, span=expr.span)
        case Quantified("sum", (binder,), body):
            elements = listed_values(binder)
            if elements is not None and len(elements) <= FEW:
                return _summed(expr, [substitute(body, {binder.slot: element}) for element in elements])
    closed = is_closed(expr) if isinstance(expr, BINDING) else all(map(_is_constant, subexpressions(expr)))
    if not closed or reads_state(expr) or effort(expr) > FOLDED:
        return expr
    try:
        return Const(evaluate_constant(expr), type=expr.type, span=expr.span)
    except EvaluationError:  # an error whenever it is evaluated: no play gets beyond it
        return expr


def _is_constant(expr: Expr) -> bool:
    return isinstance(expr, Const)


def listed_values(binder: Binder) -> list[Const] | None:
    """The values of a binder, if they are the same in every state."""
    domain = simplify(binder.domain)
    if binder.tests or binder.stop is not None or not isinstance(domain, Const):
        return None
    collection = strip_none(domain.type)
    assert isinstance(collection, SetType), "the checker keeps sets apart from other values"
    values: OrderedSet = domain.value
    return [Const(value, type=collection.element, span=domain.span) for value in values]


def _summed(whole: Expr, parts: list[Expr]) -> Expr:
    total: Expr = Const(0, type=whole.type, span=whole.span)
    for part in parts:
        total = Arithmetic("+", total, simplify(part), type=whole.type, span=whole.span)
    return total
