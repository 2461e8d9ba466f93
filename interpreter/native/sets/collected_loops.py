"""Loops that collect all bindings before the body runs, since it may change variables that they depend on."""

from __future__ import annotations

from math import prod
from typing import Final

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder
from zermelo.interpreter.model.rewriting import reads_state
from zermelo.interpreter.native.coding.encoding import is_set
from zermelo.interpreter.native.coding.subset_ranks import most_values
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.arithmetic import coded
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Mask, Row, Scalar, code_of
from zermelo.interpreter.native.expressions.collecting import growing_list
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import loops
from zermelo.interpreter.native.sets import selections as selecting
from zermelo.interpreter.native.sets.set_order import is_ascending

_ROOM: Final = 1 << 17
"""The most bytes of an array of bindings; plays with more bindings fall back to the reference machine."""

_MOST_STACK: Final = 1 << 21
"""The most bytes of the arrays of nested loops: the stack of a thread usually has 8 MiB."""


def is_unchanged(lowering: Lowering, binders: tuple[Binder, ...], env: Env) -> bool:
    """Whether the body of a plain loop cannot change its bindings."""
    if len(binders) == 1 and not binders[0].stop and not binders[0].tests:
        domain = binders[0].domain
        if isinstance(domain, model.RangeSet | model.Const):
            return True
        if is_ascending(domain, env):
            return True
    if len(binders) == 1 and not binders[0].stop and is_ascending(binders[0].domain, env):
        return selecting.selected(lowering, binders[0], env) is not None and not isinstance(
            binders[0].domain, model.RangeSet
        )
    return not any(
        reads_state(expr)
        for binder in binders
        for expr in (binder.domain, *binder.tests, *([] if binder.stop_condition is None else [binder.stop_condition]))
    )


def collected(lowering: Lowering, binders: tuple[Binder, ...], env: Env, body: Body, inner: loops.Inner) -> None:
    """Loops over all bindings, collected in arrays before; constant sets by their indices."""
    text = lowering.text
    bound = prod(most_values(binder.domain) for binder in binders)
    has_sets = any(is_set(lowering.element(binder.domain)) for binder in binders)
    each = lowering.layout.width // 8 if has_sets else 8
    size = min(bound, _ROOM // each)
    lowering.stack += len(binders) * size * each
    if lowering.stack > _MOST_STACK:
        raise Unsupported("nested loops over so many values that may change")
    lists = [text.local(body, "list", "ints") for _ in binders]
    sets: dict[int, Mask | Row] = {}
    rows = growing_list(text, body, *lists)
    found = body.beside()

    def put(now: Env) -> None:
        if bound > size:
            with found.block(f"if {rows.count} == {size}"):
                lowering.fault(found, "overflow", binders[0].domain.span)
                found.line(f"{rows.count} = 0")
        codes = []
        for binder in binders:
            binding = now[binder.slot]
            if isinstance(binding, Scalar):
                codes.append(coded(lowering, binding, lowering.element(binder.domain), binder.domain.span).text)
            else:
                assert isinstance(binding, Mask | Row), "a loop over sets"
                sets[binder.slot] = binding
                codes.append(binding.at if isinstance(binding, Row) else binding.text)
        rows.append(found, *codes)

    loops.bindings(lowering, binders, env, found, put)
    for binder, name in zip(binders, lists, strict=True):
        body.line(f"{name} = {'masks' if isinstance(sets.get(binder.slot), Mask) else 'array'}({size})")
    body.insert(found)
    index = text.local(body, "i")
    with body.block(f"for {index} in range({rows.count})"), lowering.asking.inside(size, body):
        now: dict[int, Binding] = dict(env)
        for binder, name in zip(binders, lists, strict=True):
            now[binder.slot] = _taken(lowering, binder, sets.get(binder.slot), f"{name}[{index}]", body)
        inner(now)
    lowering.stack -= len(binders) * size * each


def _taken(lowering: Lowering, binder: Binder, held: Mask | Row | None, text: str, body: Body) -> Binding:
    """A name for an element of an array: a value, a set bound like ``held``, or the index of a constant set."""
    if isinstance(held, Mask):
        return evolve(held, text=lowering.text.let(body, "x", text, "bits"))
    code = lowering.bind(body, Scalar(text), "x").text
    if held is None:
        return code_of(lowering.element(binder.domain), code)
    return evolve(held, mask=f"{held.masks}[{code}]", at=code)
