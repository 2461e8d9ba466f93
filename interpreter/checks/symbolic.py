"""Whether an expression for a number has the same value in every state.

This is what proves that payoffs sum to a constant. An expression is brought into a linear normal form: a constant and
a sum of multiples of *atoms*, expressions that are left as they are (``tricks[North]``). Where all atoms cancel, the
constant is the value. Where some are left, the expression is taken apart: defines are replaced by their bodies, and
then the proof is split into cases: a local name or an entry with few values takes each of them in turn, or an ``if``
has its condition true and then false. All cases must come to the same constant.

The method is sound and not complete: None means "not proved". A budget bounds the cases, so that it is quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import Factory, define

from interpreter.errors import EvaluationError
from interpreter.model import (
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
    Lookup,
    Negate,
    Not,
    Or,
    Quantified,
    Reach,
    Read,
    Subsets,
)
from interpreter.reference.expressions import evaluate_constant
from interpreter.rewriting import is_closed, map_parts, subexpressions, substitute, unfold, walk
from interpreter.types import BOOL, OptionalType
from interpreter.values import OrderedSet, Value

FEW = 8
"""A type with at most so many values is split into cases."""

STEPS = 500
"""The budget: how many expressions one proof may look at."""

Key = tuple[Expr, tuple[frozenset[tuple[Value, Value]], ...]]


def constant_value(expr: Expr) -> Fraction | None:
    """The value that the expression has in every state, or None where none is proved."""
    return _Proof().value(expr)


@define
class _Linear:
    constant: Fraction = Fraction(0)
    terms: dict[Key, Fraction] = Factory(dict)

    def add(self, expr: Expr, factor: Fraction) -> None:
        match expr:
            case Const(value):
                self.constant += factor * value
            case Negate(operand):
                self.add(operand, -factor)
            case Arithmetic("+", left, right):
                self.add(left, factor)
                self.add(right, factor)
            case Arithmetic("-", left, right):
                self.add(left, factor)
                self.add(right, -factor)
            case Arithmetic("*", Const(value), other) | Arithmetic("*", other, Const(value)):
                self.add(other, factor * value)
            case Arithmetic("/", left, Const(value)) if value:
                self.add(left, factor / value)
            case _:
                key = _key(expr)
                self.terms[key] = self.terms.get(key, Fraction(0)) + factor
                if not self.terms[key]:
                    del self.terms[key]


@define
class _Proof:
    steps: int = 0

    def value(self, expr: Expr) -> Fraction | None:
        self.steps += 1
        if self.steps > STEPS:
            return None
        expr = simplify(expr)
        linear = _Linear()
        linear.add(expr, Fraction(1))
        if not linear.terms:
            return linear.constant
        opened = unfold_calls(expr)
        if opened is not expr:
            return self.value(opened)
        for cases in _splits(expr):
            values = {self.value(case) for case in cases}
            if len(values) == 1:
                return values.pop()
        return None


def _splits(expr: Expr) -> Iterator[list[Expr]]:
    """Ways to take an expression apart into cases, the most promising first."""
    parts = list(open_parts(expr))
    for kind in (Local, Read | Chosen):
        for part in parts:
            if isinstance(part, kind) and not (isinstance(part, Read) and not is_settled(part)):
                values = few_values(part)
                if values is not None:
                    yield [replace(expr, part, Const(value, type=part.type, span=part.span)) for value in values]
                    break
    for part in parts:
        if isinstance(part, If):
            truths = (Const(truth, type=BOOL, span=part.span) for truth in (True, False))
            yield [replace(expr, part.condition, truth) for truth in truths]
            return


def few_values(expr: Expr) -> list[Value] | None:
    """All values that the type of the expression has, none included; None where they are not few."""
    inner = expr.type.inner if isinstance(expr.type, OptionalType) else expr.type
    if not inner.is_finite or not 0 < inner.size <= FEW:
        return None
    return [*([None] if inner is not expr.type else []), *inner.generate()]


def is_settled(read: Read) -> bool:
    """Whether the indices are values, so that no case of a name is left open in them."""
    return all(isinstance(index, Const) for index in read.indices)


def open_parts(expr: Expr) -> Iterator[Expr]:
    """The expression and its parts, those that stand behind a binder left out."""
    yield expr
    if not isinstance(expr, Quantified | Comprehension | Reach | Let):
        for part in subexpressions(expr):
            yield from open_parts(part)


def unfold_calls(expr: Expr) -> Expr:
    """The expression with the defines it calls replaced by their bodies, where no binder stands before them."""
    if isinstance(expr, Call):
        return unfold(expr)
    if isinstance(expr, Quantified | Comprehension | Reach | Let):
        return expr
    return map_parts(expr, unfold_calls)


def replace(expr: Expr, old: Expr, new: Expr) -> Expr:
    """The expression with every occurrence of ``old`` replaced."""
    if same(expr, old):
        return new
    return map_parts(expr, lambda part: replace(part, old, new))


def simplify(expr: Expr) -> Expr:
    """The expression with its closed parts evaluated, and with what follows from that."""
    if isinstance(expr, Const | Local):
        return expr
    if is_closed(expr) and not any(isinstance(part, Subsets) for part in walk(expr)):
        try:
            return Const(evaluate_constant(expr), type=expr.type, span=expr.span)
        except EvaluationError:  # it goes wrong whenever it is asked for, so it pays nothing
            return expr
    if isinstance(expr, Let):
        return simplify(substitute(expr.body, {expr.slot: expr.value}))
    expr = map_parts(expr, simplify)
    match expr:
        case If(Const(value), yes, no):
            return yes if value else no
        case Not(Const(value)):
            return Const(not value, type=expr.type, span=expr.span)
        case And(parts) | Or(parts):
            decisive = isinstance(expr, Or)
            if any(isinstance(part, Const) and part.value is decisive for part in parts):
                return Const(decisive, type=expr.type, span=expr.span)
        case Quantified("sum", (binder,), body):
            elements = listed(binder)
            if elements is not None and len(elements) <= FEW:
                return _summed(expr, [substitute(body, {binder.slot: element}) for element in elements])
    return expr


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


def same(a: Expr, b: Expr) -> bool:
    """Whether the two are one expression."""
    return type(a) is type(b) and _key(a) == _key(b)


def _key(expr: Expr) -> Key:
    """What tells expressions apart: constant tables, which take no part in their equality, are told apart as well."""
    return expr, tuple(frozenset(part.table.items()) for part in walk(expr) if isinstance(part, Lookup))
