"""Loops whose bindings are all collected before the body runs, since it may change what they depend on."""

from __future__ import annotations

from math import prod
from typing import Final

from grammar.record import evolve
from interpreter import model
from interpreter.model import Binder
from interpreter.native import loops, selecting
from interpreter.native.arithmetic import coded
from interpreter.native.bindings import Binding, Env, Row, Scalar, code_of
from interpreter.native.lowering import Lowering
from interpreter.native.ranking import most_values
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.rewriting import reads_state

_BUFFER_LIMIT: Final = 1 << 14


def is_unchanged(lowering: Lowering, binders: tuple[Binder, ...], env: Env) -> bool:
    """Whether a plain loop makes all bindings before the body can change anything they depend on."""
    if len(binders) == 1 and not binders[0].stop and not binders[0].tests:
        domain = binders[0].domain
        if isinstance(domain, model.RangeSet | model.Const):
            return True
        if loops.is_ascending(domain, env):
            return True
    if len(binders) == 1 and not binders[0].stop and loops.is_ascending(binders[0].domain, env):
        return selecting.selected(lowering, binders[0], env) is not None and not isinstance(
            binders[0].domain, model.RangeSet
        )
    return not any(
        reads_state(expr)
        for binder in binders
        for expr in (binder.domain, *binder.tests, *([] if binder.stop_condition is None else [binder.stop_condition]))
    )


def collected(lowering: Lowering, binders: tuple[Binder, ...], env: Env, body: Body, inner: loops.Inner) -> None:
    """Loops over all bindings, which have been put into arrays before; constant sets by their numbers."""
    text = lowering.text
    size = prod(most_values(binder.domain) for binder in binders)
    if size > _BUFFER_LIMIT:
        raise Unsupported("a loop over so many bindings")
    lists = [text.local(body, "list", "ints") for _ in binders]
    rows: dict[int, Row] = {}
    count = text.local(body, "n")
    for name in lists:
        body.line(f"{name} = array({size})")
    body.line(f"{count}: int = 0")

    def put(now: Env) -> None:
        for binder, name in zip(binders, lists, strict=True):
            binding = now[binder.slot]
            if isinstance(binding, Row):
                rows[binder.slot] = binding
                body.line(f"{name}[{count}] = {binding.at}")
            elif isinstance(binding, Scalar):
                code = coded(lowering, binding, lowering.element(binder.domain), binder.domain.span)
                body.line(f"{name}[{count}] = {code.text}")
            else:
                raise Unsupported("a loop over sets of sets that change")
        body.line(f"{count} += 1")

    loops.bindings(lowering, binders, env, body, put)
    index = text.local(body, "i")
    with body.block(f"for {index} in range({count})"):
        now: dict[int, Binding] = dict(env)
        for binder, name in zip(binders, lists, strict=True):
            row = rows.get(binder.slot)
            code = lowering.bind(body, Scalar(f"{name}[{index}]"), "x").text
            if row is None:
                now[binder.slot] = code_of(lowering.element(binder.domain), code)
            else:
                now[binder.slot] = evolve(row, mask=f"{row.masks}[{code}]", at=code)
        inner(now)
