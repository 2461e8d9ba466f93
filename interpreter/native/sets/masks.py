"""Sets as masks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import none_code, scale_of, set_element, universe
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported, described, joined
from zermelo.interpreter.native.expressions.arithmetic import coded, table_of_sets, within_limit
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Scalar, Thunk, code_of, growing_set
from zermelo.interpreter.native.expressions.lowering import MASKS, SCALARS, Lowering
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_set, stored_text
from zermelo.interpreter.native.sets import conditions, images, loops
from zermelo.interpreter.native.sets import conditions as selecting
from zermelo.interpreter.native.sets import families as among_sets
from zermelo.interpreter.native.sets.conditions import define_names, is_ascending, let_names
from zermelo.interpreter.types import SetType, Type


def _local(lowering: Lowering, expr: model.Local, env: Env) -> str:
    match env.get(expr.slot):
        case Mask(element=element) as binding:
            return lowering.aligned(
                conditions.set_of_name(lowering, binding, expr.span), element, lowering.element(expr)
            )
        case Row(mask=text, element=element):
            return lowering.aligned(text, element, lowering.element(expr))
        case Thunk(expr=inner, env=inner_env):
            return lowering.mask(inner, inner_env, lowering.element(expr))
        case _:
            raise Unsupported(f"the set '{expr.name}' here")


def _make_set(lowering: Lowering, expr: model.MakeSet, env: Env) -> str:
    low, _ = universe(lowering.element(expr))
    bits = []
    for item in expr.items:
        value = coded(lowering, lowering.scalar(item, env, lowering.element(expr)), lowering.element(expr), item.span)
        if value.has_none:
            bits.append(f"{lowering.code('bit_if_any')}({value.text}, {low}, {none_code(item.type)})")
        else:
            bits.append(f"{lowering.code('bit')}({value.text}, {low})")
    return f"({joined('|', bits)})" if bits else "0"


def _operation(lowering: Lowering, expr: model.SetOperation, env: Env) -> str:
    element = lowering.element(expr)
    left, right = lowering.mask(expr.left, env, element), lowering.mask(expr.right, env, element)
    match expr.operator:
        case "+":
            return f"({left} | {right})"
        case "*":
            return f"({left} & {right})"
        case "-":
            return f"({left} & ({right} ^ {lowering.full}))"


def _read(lowering: Lowering, expr: model.Read, env: Env) -> str:
    place = lowering.layout.places[expr.variable]
    at, may_miss = position_of_entry(lowering, place, expr.indices, env)
    if may_miss or place.storage.marks:
        text = conditions.set_at_entry(lowering, place, at, expr.span)
    else:
        text = stored_text(lowering, place, at)
    return lowering.aligned(text, set_element(expr.variable.type), lowering.element(expr))


def _if(lowering: Lowering, expr: model.If, env: Env) -> str:
    element = lowering.element(expr)
    condition = lowering.condition(expr.condition, env)
    yes, no = lowering.mask(expr.yes, env, element), lowering.mask(expr.no, env, element)
    return f"({yes} if {condition} else {no})"


def _let(lowering: Lowering, expr: model.Let, env: Env) -> str:
    body = Body()
    result = lowering.mask(expr.body, let_names(lowering, body, expr, env), lowering.element(expr))
    return lowering.text.lift("let", body, result, "bits")


def _call(lowering: Lowering, expr: model.Call, env: Env) -> str:
    body = Body()
    result = lowering.mask(expr.define.body, define_names(lowering, expr, env, body), lowering.element(expr))
    return lowering.text.lift(expr.define.name, body, result, "bits")


def _comprehension(lowering: Lowering, expr: model.Comprehension, env: Env) -> str:
    if expr.is_part:
        found = selecting.selected(lowering, expr.binders[0], env)
        if found is not None:
            return lowering.aligned(found, lowering.element(expr.binders[0].domain), lowering.element(expr))
    for whole in (images.values, images.union, _united):
        united = whole(lowering, expr, env)
        if united is not None:
            return united
    element = lowering.element(expr)

    def fill(body: Body, add: Callable[[str], None]) -> None:
        def put(inner: Env) -> None:
            value = coded(lowering, lowering.scalar(expr.element, inner, element), element, expr.span)
            name = lowering.bind(body, value, "e").text
            if value.has_none:
                with body.block(f"if {name} != {none_code(expr.element.type)}"):
                    add(name)
            else:
                add(name)

        loops.bindings(lowering, expr.binders, env, body, put)

    return _gathered(lowering, element, fill)


def _united(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
    """The union of the last binder's sets over the bindings of the others; None if that takes a loop."""
    *others, last = expr.binders
    if not others or not isinstance(expr.element, model.Local) or expr.element.slot != last.slot:
        return None
    body = Body()
    mask = lowering.text.let(body, "m", 0, "bits")
    has_masks = True

    def unite(inner: Env) -> None:
        nonlocal has_masks
        found = selecting.selected(lowering, last, inner)
        has_masks = found is not None
        if found is not None:
            found = lowering.aligned(found, lowering.element(last.domain), lowering.element(expr))
            body.line(f"{mask} = {mask} | {found}")

    loops.bindings(lowering, tuple(others), env, body, unite)
    return lowering.text.lift("set", body, mask, "bits") if has_masks else None


def _looped(lowering: Lowering, expr: Expr, env: Env) -> str:
    """The set by a loop over its members."""
    element = lowering.element(expr)
    return _gathered(lowering, element, lambda body, add: loops.each(lowering, expr, env, element, body, add))


def _gathered(lowering: Lowering, element: Type, fill: Callable[[Body, Callable[[str], None]], None]) -> str:
    """The set of the codes that ``fill`` adds in a body."""
    body = Body()
    low, _ = universe(element)
    found = growing_set(lowering.text, body, "m", low)
    fill(body, partial(found.add, body))
    return lowering.text.lift("set", body, found.mask, "bits")


def _apply(lowering: Lowering, expr: model.Apply, env: Env) -> str:
    return _looped(lowering, expr, env) if expr.function == "neighbours_in" else _looked_up(lowering, expr, env)


def _looked_up(lowering: Lowering, expr: model.Apply | model.Lookup, env: Env) -> str:
    table = table_of_sets(lowering, expr, env)
    if table is None:
        raise Unsupported(f"{described(expr)} with such arguments")
    return table


def _reach(lowering: Lowering, expr: model.Reach, env: Env) -> str:
    element = lowering.element(expr)
    low, _ = universe(element)
    may_leave = images.may_leave(lowering, expr)
    by_rounds = images.closure(lowering, expr, env)
    if by_rounds is not None:
        return by_rounds
    body = Body()
    found = lowering.text.let(body, "found", lowering.mask(expr.start, env, element), "bits")
    todo = lowering.text.let(body, "todo", found, "bits")
    with lowering.each_member(body, todo, low) as name:
        inner: Env = {**env, expr.slot: code_of(element, name)}
        step = (
            stored_set(lowering, expr.step, inner, SetType(element))
            if may_leave
            else lowering.mask(expr.step, inner, element)
        )
        new = lowering.text.let(body, "new", f"{step} & ({found} ^ {lowering.full})", "bits")
        body.line(f"{found} = {found} | {new}")
        body.line(f"{todo} = {todo} | {new}")
    return lowering.text.lift("reach", body, found, "bits")


MASKS.update(
    {
        model.Local: _local,
        model.MakeSet: _make_set,
        model.SetOperation: _operation,
        model.Read: _read,
        model.Const: conditions.nothing,
        model.Chosen: conditions.chosen_set,
        model.If: _if,
        model.Let: _let,
        model.Call: _call,
        model.Comprehension: _comprehension,
        model.RangeSet: _looped,
        model.Apply: _apply,
        model.Lookup: _looked_up,
        model.Reach: _reach,
        model.Quantified: among_sets.chosen_of_family,
    }
)


# Quantifiers: on masks if possible, else as loops.


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
        return conditions.end_along_line(lowering, expr, env)
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
