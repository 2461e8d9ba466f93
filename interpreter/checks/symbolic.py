"""Proofs that a numeric expression has the same value in every state.

They show that payoffs have a constant sum. An expression is brought into a linear normal form: a constant and a linear
combination of *atoms*, expressions that are left as they are (``tricks[North]``). If all atoms cancel, the constant is
the value. Otherwise defines are inlined, and then the proof splits into cases: a name or an entry with few values takes
each of them in turn, or the condition of an ``if`` is true and then false. All cases must give the same constant.

The method is sound but incomplete: None means "not proved". Equal atoms have equal values, since the whole expression
is evaluated in one state and slots are unique; a name or an entry has one of the values of its type, or reading it is
an error; and one of the cases holds. A budget bounds their number and size.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from attrs import define, field

from zermelo.interpreter.analysis.simplifying import BINDING, FEW, open_parts, simplify
from zermelo.interpreter.model import (
    Arithmetic,
    Call,
    Chosen,
    Const,
    Expr,
    If,
    Local,
    Negate,
    Read,
)
from zermelo.interpreter.model.rewriting import (
    map_parts,
    subexpressions,
    unfold,
    walk,
)
from zermelo.interpreter.types import BOOL, NumberType

STEPS = 200
"""The most expressions that one proof examines."""

PARTS = 16_000
"""The most parts of these together: what an expression costs grows with them. That the payoffs of bridge sum to 0 takes
12,000 in 10 steps."""


def proved_constant(expr: Expr) -> Fraction | None:
    """The value of the expression in every state, or None if not proved."""
    return _Proof().value(expr)


def linear_form(expr: Expr) -> dict[Expr, Fraction]:
    """The coefficients of a number's linear normal form, without its constant; defines are inlined, sums over sets are
    atoms."""
    linear = _Linear()
    linear.add(unfolded(expr), Fraction(1))
    return linear.terms


def bounds_of_difference(one: Expr, other: Expr) -> tuple[Fraction | int | float, Fraction | int | float]:
    """Bounds of ``one - other``, two numbers in one state: what does not cancel is bounded by its type."""
    linear = _Linear()
    linear.add(unfolded(one), Fraction(1))
    linear.add(unfolded(other), Fraction(-1))
    low: Fraction | int | float = linear.constant
    high: Fraction | int | float = linear.constant
    for term, factor in linear.terms.items():
        base = term.type.base
        if not isinstance(base, NumberType) or base.low is None or base.high is None:
            return -inf, inf
        ends = (factor * base.low, factor * base.high)
        low, high = low + min(ends), high + max(ends)
    return low, high


def unfolded(expr: Expr) -> Expr:
    """The expression with all called defines inlined, at any depth."""
    while any(isinstance(part, Call) for part in walk(expr)):
        expr = _unfolded_once(expr)
    return expr


def _unfolded_once(expr: Expr) -> Expr:
    return unfold(expr) if isinstance(expr, Call) else map_parts(expr, _unfolded_once)


@define(eq=False, repr=False)
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


@define(eq=False, repr=False)
class _Proof:
    """One proof. ``varies`` is set when two values of a name or an entry give different numbers: then no other split
    can succeed."""

    steps: int = 0
    parts: int = 0
    varies: bool = False

    def value(self, expr: Expr) -> Fraction | None:
        self.steps += 1
        self.parts += sum(1 for _ in walk(expr))
        if self.varies or self.steps > STEPS or self.parts > PARTS:
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
        """The common value of all cases. If two differ and ``final`` is set, the proof has failed."""
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
        """The parts to split into cases, most promising first: a name, an entry, an ``if``."""
        parts = list(open_parts(expr))
        for kind in (Local, Read | Chosen, If):
            for part in parts:
                if isinstance(part, kind) and (isinstance(part, If) or has_few_values(part)):
                    yield part
                    break


def _cases(expr: Expr, part: Expr) -> Iterator[Expr]:
    """The expression for every value of a part, or of the condition of an ``if``."""
    changing, type = (part.condition, BOOL) if isinstance(part, If) else (part, part.type)
    for value in type.generate():
        yield replace(expr, changing, Const(value, type=type, span=part.span))


def has_few_values(expr: Expr) -> bool:
    """Whether the expression can be split into cases: its type is small, and its parts are constant."""
    has_few = expr.type.is_finite and 0 < expr.type.size <= FEW
    return has_few and all(isinstance(part, Const) for part in subexpressions(expr))


def unfold_calls(expr: Expr) -> Expr:
    """The expression with called defines inlined, except inside binding expressions."""
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
