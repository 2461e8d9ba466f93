"""Whether an expression for a number has the same value in every state.

This is what proves that payoffs sum to a constant. An expression is brought into a linear normal form: a constant and
a sum of multiples of *atoms*, expressions that are left as they are (``tricks[North]``). Where all atoms cancel, the
constant is the value. Where some are left, the expression is taken apart: defines are replaced by their bodies, and
then the proof is split into cases: a name or an entry with few values takes each of them in turn, or an ``if`` has its
condition true and then false. All cases must come to the same constant.

The method is sound and not complete: None means "not proved". Equal atoms have equal values, since all of the
expression is evaluated in one state and slots are unique; a name or an entry has one of the values of its type, or
reading it is an error; and what is looked at in all cases holds in the one that comes up. A budget bounds the cases, so
that it is quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.interpreter.effort import effort
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.model import (
    And,
    Arithmetic,
    Binder,
    Call,
    Chosen,
    Comprehension,
    Const,
    Expr,
    If,
    Let,
    Local,
    Negate,
    Or,
    Quantified,
    Reach,
    Read,
)
from zermelo.interpreter.reference.expressions import evaluate_constant
from zermelo.interpreter.rewriting import is_closed, map_parts, reads_state, subexpressions, substitute, unfold, walk
from zermelo.interpreter.types import BOOL
from zermelo.interpreter.values import OrderedSet

FEW = 8
"""A type with at most so many values is split into cases."""

FOLDED = 10_000
"""Closed parts are worked out where that takes no more evaluations: a set has as many members at most, and one proof
looks at a part again and again."""

STEPS = 200
"""The budget: how many expressions one proof may look at."""

BINDING = (Quantified, Comprehension, Reach, Let)
"""The expressions that bind names."""


def constant_value(expr: Expr) -> Fraction | None:
    """The value that the expression has in every state, or None where none is proved."""
    return _Proof().value(expr)


def linear_form(expr: Expr) -> dict[Expr, Fraction]:
    """The multiples of which a number is the sum, but for a constant; defines are replaced by their bodies, and sums
    are left as they are."""
    linear = _Linear()
    linear.add(_unfolded(expr), Fraction(1))
    return linear.terms


def _unfolded(expr: Expr) -> Expr:
    """The expression with the defines that it calls replaced by their bodies, as deep as they go."""
    while any(isinstance(part, Call) for part in walk(expr)):
        expr = _unfolded_once(expr)
    return expr


def _unfolded_once(expr: Expr) -> Expr:
    return unfold(expr) if isinstance(expr, Call) else map_parts(expr, _unfolded_once)


@define(eq=False)
class _Linear:
    constant: Fraction = Fraction(0)
    terms: dict[Expr, Fraction] = field(factory=dict)

    def add(self, expr: Expr, factor: Fraction) -> None:
        match expr:
            case Const(value) if value is not None:
                self.constant += factor * value
            case Negate(operand):
                self.add(operand, -factor)
            case Arithmetic("+", left, right):
                self.add(left, factor)
                self.add(right, factor)
            case Arithmetic("-", left, right):
                self.add(left, factor)
                self.add(right, -factor)
            case Arithmetic("*", Const(value), other) | Arithmetic("*", other, Const(value)) if value is not None:
                self.add(other, factor * value)
            case Arithmetic("/", left, Const(value)) if value:
                self.add(left, factor / value)
            case _:
                self.terms[expr] = self.terms.get(expr, Fraction(0)) + factor
                if not self.terms[expr]:
                    del self.terms[expr]


@define(eq=False)
class _Proof:
    """One proof. ``varies`` is set when two values of a name or an entry have led to different numbers: then no other
    way to take the expression apart can succeed."""

    steps: int = 0
    varies: bool = False

    def value(self, expr: Expr) -> Fraction | None:
        self.steps += 1
        if self.varies or self.steps > STEPS:
            return None
        expr = simplify(expr)
        linear = _Linear()
        linear.add(expr, Fraction(1))
        if not linear.terms:
            return linear.constant
        if any(isinstance(part, Call) for part in open_parts(expr)):
            return self.value(unfold_calls(expr))
        for part in self.openings(expr):
            value = self.same_in_all(_cases(expr, part), final=not isinstance(part, If))
            if value is not None:
                return value
        return None

    def same_in_all(self, cases: Iterator[Expr], final: bool) -> Fraction | None:
        """The value that all cases come to. Where two differ and ``final`` is set, the proof is over."""
        first = self.value(next(cases))
        if first is None:
            return None
        for case in cases:
            value = self.value(case)
            if value != first:
                self.varies = self.varies or (final and value is not None)
                return None
        return first

    def openings(self, expr: Expr) -> Iterator[Expr]:
        """Parts to split into cases, the most promising first: a name, an entry, an ``if``."""
        parts = list(open_parts(expr))
        for kind in (Local, Read | Chosen, If):
            for part in parts:
                if isinstance(part, kind) and (isinstance(part, If) or has_few_values(part)):
                    yield part
                    break


def _cases(expr: Expr, part: Expr) -> Iterator[Expr]:
    """The expression for every value of a part, or for both truths of the condition of an ``if``."""
    changing, type = (part.condition, BOOL) if isinstance(part, If) else (part, part.type)
    for value in type.generate():
        yield replace(expr, changing, Const(value, type=type, span=part.span))


def has_few_values(expr: Expr) -> bool:
    """Whether the expression can be split into cases: its type is small, and no name is left open inside it."""
    return expr.type.is_finite and 0 < expr.type.size <= FEW and all(map(_is_constant, subexpressions(expr)))


def open_parts(expr: Expr) -> Iterator[Expr]:
    """The expression and its parts, those that stand behind a binder left out."""
    yield expr
    if not isinstance(expr, BINDING):
        for part in subexpressions(expr):
            yield from open_parts(part)


def unfold_calls(expr: Expr) -> Expr:
    """The expression with the defines it calls replaced by their bodies, where no binder stands before them."""
    if isinstance(expr, Call):
        return unfold(expr)
    if isinstance(expr, BINDING):
        return expr
    return map_parts(expr, unfold_calls)


def replace(expr: Expr, old: Expr, new: Expr) -> Expr:
    """The expression with every occurrence of ``old`` replaced."""
    if expr == old:
        return new
    return map_parts(expr, lambda part: replace(part, old, new))


def simplify(expr: Expr) -> Expr:
    """The expression with its closed parts evaluated that are little work, and with what follows from that."""
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
            elements = listed(binder)
            if elements is not None and len(elements) <= FEW:
                return _summed(expr, [substitute(body, {binder.slot: element}) for element in elements])
    closed = is_closed(expr) if isinstance(expr, BINDING) else all(map(_is_constant, subexpressions(expr)))
    if not closed or reads_state(expr) or effort(expr) > FOLDED:
        return expr
    try:
        return Const(evaluate_constant(expr), type=expr.type, span=expr.span)
    except EvaluationError:  # it goes wrong whenever it is asked for, so a play never comes to it
        return expr


def _is_constant(expr: Expr) -> bool:
    return isinstance(expr, Const)


def listed(binder: Binder) -> list[Const] | None:
    """The values of a binder, where they are the same in every state."""
    domain = simplify(binder.domain)
    if binder.tests or binder.stop is not None or not isinstance(domain, Const):
        return None
    values: OrderedSet = domain.value
    return [Const(value, type=binder.domain.type, span=domain.span) for value in values]


def _summed(whole: Expr, parts: list[Expr]) -> Expr:
    total: Expr = Const(0, type=whole.type, span=whole.span)
    for part in parts:
        total = Arithmetic("+", total, simplify(part), type=whole.type, span=whole.span)
    return total
