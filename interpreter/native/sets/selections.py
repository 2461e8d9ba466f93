"""Masks of the values of a binder that meet its tests, from which loops, comprehensions and quantifiers start."""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.rewriting import unfold
from zermelo.interpreter.native.coding.encoding import is_set, universe
from zermelo.interpreter.native.coding.number_codes import number_type
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Env
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import conditions, lines
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import PartType, Type


def selected(lowering: Lowering, binder: Binder, env: Env, *more: Expr) -> str | None:
    """The mask of all values of a binder that meet its tests and ``more`` conditions; None if it takes a loop."""
    if not _is_word(lowering, lowering.element(binder.domain)):
        return None
    if binder.stop is not None:
        return lines.stopped_mask(lowering, binder, env, more)
    parts = []
    element = lowering.element(binder.domain)
    if isinstance(binder.domain, model.Const) and number_type(element) is None:
        element = PartType(element, binder.domain.value)
    for condition in (*binder.tests, *more):
        part = conditions.which(lowering, condition, binder.slot, element, env)
        if part is None:
            return None
        parts.append(part)
    if not parts and isinstance(binder.domain, model.Apply):
        table = lowering.tabulated_mask(binder.domain, env, 4096)
        if table is None:
            return None
    try:
        return "(" + " & ".join([lowering.mask(binder.domain, env), *parts]) + ")"
    except Unsupported:
        return None


def _is_word(lowering: Lowering, element: Type) -> bool:
    """Whether a set of such elements fits into a word of the module."""
    try:
        return universe(element)[1] <= lowering.layout.width
    except Unsupported:
        return False


def masked(lowering: Lowering, binder: Binder, env: Env) -> tuple[str, tuple[Expr, ...]] | None:
    """The mask of the values of a binder that meet its first tests, as many as possible on masks, and the remaining
    tests; None if there is no such mask."""
    element = lowering.element(binder.domain)
    if is_set(element) or not _is_word(lowering, element):
        return None
    tests = _conjuncts_of(binder)
    for count in range(len(tests), -1, -1):
        mask = selected(lowering, evolve(binder, tests=tests[:count]), env)
        if mask is not None:
            return mask, tests[count:]
    return None


def _conjuncts_of(binder: Binder) -> tuple[Expr, ...]:
    return tuple(part for test in binder.tests for part in _conjuncts(test))


def _conjuncts(test: Expr) -> tuple[Expr, ...]:
    """The conjuncts of a test, including those of a define called with plain names."""
    match test:
        case model.And(parts=parts):
            return tuple(found for part in parts for found in _conjuncts(part))
        case model.Call(define=define, arguments=arguments) if isinstance(define.body, model.And) and all(
            isinstance(argument, model.Local | model.Const) and admission_test(parameter.type, argument.type) is None
            for argument, parameter in zip(arguments, define.parameters, strict=True)
        ):
            return _conjuncts(unfold(test))
        case _:
            return (test,)


def is_listed(binder: Binder, left: tuple[Expr, ...]) -> bool:
    """Whether the loop should run along a table: the domain is constant, and no test reduces its mask."""
    return isinstance(binder.domain, model.Const | model.RangeSet) and len(left) == len(_conjuncts_of(binder))
