"""Sets as masks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import none_code, set_element, universe
from zermelo.interpreter.native.dialect.nesting import joined
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported, described
from zermelo.interpreter.native.expressions.applications import table_of_sets
from zermelo.interpreter.native.expressions.arithmetic import coded
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Thunk, code_of
from zermelo.interpreter.native.expressions.collecting import growing_set
from zermelo.interpreter.native.expressions.lowering import MASKS, Lowering
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_text
from zermelo.interpreter.native.sets import family_questions as among_sets
from zermelo.interpreter.native.sets import images, loops, optional_sets
from zermelo.interpreter.native.sets import selections as selecting
from zermelo.interpreter.native.sets.names import define_names, let_names
from zermelo.interpreter.types import SetType, Type


def _local(lowering: Lowering, expr: model.Local, env: Env) -> str:
    match env.get(expr.slot):
        case Mask(element=element) as binding:
            return lowering.aligned(
                optional_sets.set_of_name(lowering, binding, expr.span), element, lowering.element(expr)
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
        text = optional_sets.set_at_entry(lowering, place, at, expr.span)
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
        model.Const: optional_sets.nothing,
        model.Chosen: optional_sets.chosen_set,
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
