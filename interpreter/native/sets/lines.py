"""Straight lines as masks.

The cells of a ray, or between two cells, come in ascending or descending order of numbers. So the nearest one that
meets a condition is the lowest or highest bit of a mask, and the cells before it are a mask, too:
``{t in ray(s, d) until board[t] is not none}`` takes a few operations and no loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.native.coding.encoding import none_code, universe
from zermelo.interpreter.native.coding.number_codes import scale_of
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.applications import with_names
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import conditions


def stopped_mask(lowering: Lowering, binder: Binder, env: Env, more: Sequence[Expr]) -> str | None:
    """The mask of the values of a binder with ``while`` or ``until`` that meet its tests and more conditions; None if
    that takes a loop."""
    assert binder.stop_condition is not None
    stop = _which(lowering, binder, env, (binder.stop_condition,))
    tests = _which(lowering, binder, env, (*binder.tests, *more))
    found = _line(lowering, binder.domain, env)
    if stop is None or tests is None or found is None:
        return None
    body, whole, way = found
    text = lowering.text
    functions = instantiate(text, "lines", FULL=lowering.full)
    if binder.stop == "until":
        line = f"{functions['until']}({whole}, {way}, {stop})"
    else:
        line = f"{functions['while_outside']}({whole}, {way}, {stop} ^ {lowering.full})"
    return text.lift("line", body, f"{line} & {tests}", "bits")


def end_along_line(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar | None:
    """``first`` or ``last`` along a line; None if that takes a loop."""
    (binder,) = expr.binders
    line = None if binder.stop is not None else _line(lowering, binder.domain, env)
    found = _which(lowering, binder, env, (*binder.tests, expr.body))
    if line is None or found is None:
        return None
    body, whole, way = line
    low, _ = universe(lowering.element(binder.domain))
    function = instantiate(lowering.text, "lines", FULL=lowering.full)[
        "nearest" if expr.quantifier == "first" else "farthest"
    ]
    result = f"{function}({whole} & {found}, {way}, {none_code(expr.type)}, {low})"
    return Scalar(lowering.text.lift(expr.quantifier, body, result), True, scale_of(lowering.element(binder.domain)))


def _which(lowering: Lowering, binder: Binder, env: Env, tests: Sequence[Expr]) -> str | None:
    """The mask of all values that meet the conditions."""
    element = lowering.element(binder.domain)
    parts = [conditions.which(lowering, condition, binder.slot, element, env) for condition in tests]
    if any(part is None for part in parts):
        return None
    return f"({' & '.join(map(str, parts))})" if parts else str(lowering.full)


def _line(lowering: Lowering, domain: Expr, env: Env) -> tuple[Body, str, str] | None:
    """A body that assigns the mask of the line to a name, and whether it is ascending to another."""
    if not isinstance(domain, model.Apply):
        return None
    body = Body()
    named = with_names(lowering, domain, env, body)
    if named is None:
        return None
    plain, names = named
    runs = lowering.tabulated_runs(plain, names)
    if runs is None:
        return None
    table, ways, index = runs
    text = lowering.text
    row = text.let(body, "row", index)
    return body, text.let(body, "line", f"{table}[{row}]", "bits"), text.let(body, "way", f"{ways}[{row}]")
