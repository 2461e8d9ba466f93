"""Exact arithmetic: ``int``, and ``Fraction`` for numbers that are not whole."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add, floordiv, mod, mul, sub
from typing import Any, Final

from zermelo.grammar.source import Span
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Closure, Compiles, Context, Frame
from zermelo.interpreter.model import Arithmetic, Expr, Negate
from zermelo.interpreter.values import MOST_DIGITS, Value, exact, has_few_digits

_OPERATORS: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": Fraction,
    "//": floordiv,
    "%": mod,
}


def _negate(compiler: Compiles, expr: Negate) -> Closure:
    operand = compiler.value(expr.operand, "a number")
    return lambda context, frame: -operand(context, frame)


def _arithmetic(compiler: Compiles, expr: Arithmetic) -> Closure:
    left, right = compiler.value(expr.left, "a number"), compiler.value(expr.right, "a number")
    if expr.operator in ("/", "//", "%"):
        right = _divisor(right, expr.right.span)
    compute = _OPERATORS[expr.operator]

    span = expr.span

    def arithmetic(context: Context, frame: Frame) -> Value:
        return writable(exact(compute(left(context, frame), right(context, frame))), span)

    return arithmetic


def writable(number: int | Fraction, span: Span) -> int | Fraction:
    """The number; raises :class:`EvaluationError` (``number-too-large``) for one with too many digits."""
    if not has_few_digits(number):
        raise EvaluationError(
            "number-too-large",
            f"this number has more than {MOST_DIGITS:,} digits",
            span,
            "numbers that grow so fast are seldom meant",
        )
    return number


def _divisor(closure: Closure, span: Span) -> Closure:
    def divisor(context: Context, frame: Frame) -> Value:
        value = closure(context, frame)
        if value == 0:
            raise EvaluationError("zero-divisor", "this divides by 0", span)
        return value

    return divisor


COMPILERS: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {Negate: _negate, Arithmetic: _arithmetic}
