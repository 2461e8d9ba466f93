"""Long chains of ``if``, ``else if`` and ``match`` in expressions: a function tests the cases in sequence, so that the
text is not nested as deep as the chain is long."""

from __future__ import annotations

from math import lcm

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.dialect.nesting import LONG_CHOICE
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.arithmetic import rescaled
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering


def _cases(expr: Expr) -> tuple[list[model.If], Expr]:
    """The cases of a chain, and its default."""
    cases = []
    while isinstance(expr, model.If):
        cases.append(expr)
        expr = expr.no
    return cases, expr


def is_long(expr: model.If) -> bool:
    """Whether a chain has too many cases for a single expression."""
    return len(_cases(expr)[0]) > LONG_CHOICE


def one_of(lowering: Lowering, expr: model.If, env: Env) -> Scalar:
    """The chain as a function that returns the value of the first case whose condition holds."""
    cases, otherwise = _cases(expr)
    results = [*(case.yes for case in cases), otherwise]
    conditions = [lowering.condition(case.condition, env) for case in cases]
    values = [lowering.scalar(result, env, expr.type) for result in results]
    scale = lcm(*(value.scale for value in values))
    *texts, last = (
        rescaled(lowering, value, scale, result.type, result.span).text
        for value, result in zip(values, results, strict=True)
    )
    body = Body()
    for condition, text in zip(conditions, texts, strict=True):
        body.return_if(condition, text)
    return Scalar(lowering.text.lift("choice", body, last), any(value.has_none for value in values), scale)
