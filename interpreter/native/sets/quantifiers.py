"""Quantifiers: on masks if possible, else as loops."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.encoding import none_code, universe
from zermelo.interpreter.native.coding.number_codes import scale_of
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.arithmetic import coded, within_limit
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering
from zermelo.interpreter.native.sets import lines, loops
from zermelo.interpreter.native.sets import selections as selecting
from zermelo.interpreter.native.sets.set_order import is_ascending


def _quantified(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    if len(expr.binders) > 1 and expr.quantifier in ("some", "all", "no"):
        first, *rest = expr.binders
        quantifier: Literal["all", "some"] = "all" if expr.quantifier == "all" else "some"
        body = evolve(expr, quantifier=quantifier, binders=tuple(rest))
        return _quantified(lowering, evolve(expr, binders=(first,), body=body), env)
    if len(expr.binders) == 1:
        found = _on_masks(lowering, expr, env)
        if found is not None:
            return found
        if expr.quantifier == "count" and isinstance(expr.body, model.Or):
            split = _counted_apart(lowering, expr, expr.body, env)
            if split is not None:
                return split
        expr = _with_leading_parts_as_tests(lowering, expr, env)
    return _LOOPS[expr.quantifier](lowering, expr, env)


def _with_leading_parts_as_tests(lowering: Lowering, expr: model.Quantified, env: Env) -> model.Quantified:
    """The quantifier with those conjuncts of the body that can be tested on masks moved to its tests."""
    (binder,) = expr.binders
    body = expr.body
    if expr.quantifier not in ("some", "no", "count", "first", "last") or not isinstance(body, model.And):
        return expr
    for count in range(len(body.parts) - 1, 0, -1):
        leading = evolve(binder, tests=(*binder.tests, *body.parts[:count]))
        if binder.stop is None and selecting.selected(lowering, leading, env) is not None:
            rest = body.parts[count:]
            left = rest[0] if len(rest) == 1 else evolve(body, parts=rest)
            return evolve(expr, binders=(leading,), body=left)
    return expr


def _counted_apart(lowering: Lowering, expr: model.Quantified, body: model.Or, env: Env) -> Scalar | None:
    """The count for a disjunction: members that meet the leading alternatives, counted on masks, plus others that meet
    the rest."""
    (binder,) = expr.binders
    for count in range(len(body.parts) - 1, 0, -1):
        first, rest = (
            parts[0] if len(parts) == 1 else evolve(body, parts=parts)
            for parts in (body.parts[:count], body.parts[count:])
        )
        neither = model.Not(first, type=first.type, span=first.span)
        others = evolve(binder, tests=(*binder.tests, neither))
        if selecting.selected(lowering, others, env) is None:
            continue
        one = selecting.selected(lowering, binder, env, first)
        two = _quantified(lowering, evolve(expr, binders=(others,), body=rest), env)
        return Scalar(f"(popcount({one}) + {two.text})")
    return None


def _on_masks(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar | None:
    """The quantifier as a query of one mask."""
    (binder,) = expr.binders
    quantifier = expr.quantifier
    if quantifier in ("sum", "min", "max"):
        return None
    if quantifier in ("first", "last") and not is_ascending(binder.domain, env):
        return lines.end_along_line(lowering, expr, env)
    body = expr.body
    condition = model.Not(body, type=body.type, span=body.span) if quantifier == "all" else body
    mask = selecting.selected(lowering, binder, env, condition)
    if mask is None:
        return None
    match quantifier:
        case "some":
            return Scalar(f"({mask} != 0)")
        case "all" | "no":
            return Scalar(f"({mask} == 0)")
        case "count":
            return Scalar(f"popcount({mask})")
        case _:
            low, _ = universe(lowering.element(binder.domain))
            helper = lowering.code("least" if quantifier == "first" else "greatest")
            text = f"{helper}({mask}, {low}, {none_code(expr.type)})"
            return Scalar(text, True, scale_of(lowering.element(binder.domain)))


def _some(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    return _search(lowering, expr, env, "", 1)


def _no(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    return _search(lowering, expr, env, "", 0)


def _all(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    return _search(lowering, expr, env, "not ", 0)


def _search(lowering: Lowering, expr: model.Quantified, env: Env, sign: str, found: int) -> Scalar:
    """A loop with the result ``found`` if the body holds, or fails, for some binding, at which it stops."""
    body = Body()

    def look(now: Env) -> None:
        body.return_if(f"{sign}{lowering.condition(expr.body, now)}", found)

    loops.bindings(lowering, expr.binders, env, body, look)
    return Scalar(lowering.text.lift(expr.quantifier, body, 1 - found))


def _count(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    total = lowering.text.let(body, "count", 0)

    def count(now: Env) -> None:
        with body.block(f"if {lowering.condition(expr.body, now)}"):
            body.line(f"{total} += 1")

    loops.bindings(lowering, expr.binders, env, body, count)
    return Scalar(lowering.text.lift("count", body, total))


def _sum(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    total = lowering.text.let(body, "sum", 0)
    scale = 1

    def add(now: Env) -> None:
        nonlocal scale
        value = lowering.value(expr.body, now)
        scale = value.scale
        body.line(f"{total} = {within_limit(lowering, f'{total} + {value.text}', expr.type, scale, expr.span)}")

    loops.bindings(lowering, expr.binders, env, body, add)
    return Scalar(lowering.text.lift("sum", body, total), False, scale)


def _extreme(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    none = none_code(expr.type)
    best = lowering.text.let(body, "best", none)
    sign = ">" if expr.quantifier == "max" else "<"
    scale = 1

    def compare(now: Env) -> None:
        nonlocal scale
        value = lowering.value(expr.body, now)
        scale = value.scale
        name = lowering.bind(body, value, "v").text
        with body.block(f"if {best} == {none} or {name} {sign} {best}"):
            body.line(f"{best} = {name}")

    loops.bindings(lowering, expr.binders, env, body, compare)
    return Scalar(lowering.text.lift(expr.quantifier, body, best), True, scale)


def _first_or_last(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    (binder,) = expr.binders
    body = Body()
    none = none_code(expr.type)
    last = lowering.text.let(body, "found", none) if expr.quantifier == "last" else None

    def look(now: Env) -> None:
        condition, found = lowering.condition(expr.body, now), now[binder.slot]
        assert isinstance(found, Scalar), "a set is chosen by its mask"
        code = coded(lowering, found, expr.type, expr.span).text
        if last is None:
            body.return_if(condition, code)
        else:
            with body.block(f"if {condition}"):
                body.line(f"{last} = {code}")

    loops.bindings(lowering, expr.binders, env, body, look)
    return Scalar(lowering.text.lift(expr.quantifier, body, none if last is None else last), True, scale_of(expr.type))


_LOOPS = {
    "some": _some,
    "no": _no,
    "all": _all,
    "count": _count,
    "sum": _sum,
    "min": _extreme,
    "max": _extreme,
    "first": _first_or_last,
    "last": _first_or_last,
}

SCALARS[model.Quantified] = _quantified
