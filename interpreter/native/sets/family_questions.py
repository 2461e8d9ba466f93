"""Queries of sets of sets, which have no masks: loops over the sets."""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.compatibility import common_type
from zermelo.interpreter.model.rewriting import bound_slots, slots
from zermelo.interpreter.native.coding.encoding import is_set, set_element
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Scalar, member
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import loops, optional_sets
from zermelo.interpreter.types import BOOL, NoneType, OptionalType, Type


def is_set_of_sets(type: Type) -> bool:
    return is_set(type) and is_set(set_element(type))


def members(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``size`` and ``any``: the number of sets, or whether there are any."""
    (sets,) = expr.arguments
    if isinstance(sets, model.Comprehension) and sets.is_part:
        binders = sets.binders
    else:
        binders = (Binder(_fresh_slot(expr, env), "member", sets),)
    quantifier: Literal["count", "some"] = "count" if expr.function == "size" else "some"
    always = model.Const(True, type=BOOL, span=sets.span)
    return lowering.scalar(model.Quantified(quantifier, binders, always, type=expr.type, span=expr.span), env)


def contains(lowering: Lowering, expr: model.Contains, env: Env) -> Scalar:
    """Whether a set, which may be none, is in a set of sets."""
    if isinstance(expr.item.type, NoneType):
        return Scalar("0")
    body, sets = Body(), expr.collection
    element = common_type(set_element(expr.item.type), set_element(lowering.element(sets)))
    if isinstance(expr.item.type, OptionalType):
        body.return_if(optional_sets.is_none(lowering, expr.item, env), 0)
    mask = lowering.text.let(body, "item", lowering.mask(expr.item, env, element), "bits")
    if isinstance(sets, model.Subsets):
        whole, count = lowering.mask(sets.collection, env, element), lowering.whole(sets.count, env)
        is_there = f"({mask} & {whole}) == {mask} and popcount({mask}) == {count}"
        return Scalar(lowering.text.lift("contains", body, is_there))

    def compare(binding: Binding) -> None:
        found, own, _ = member(binding)
        body.return_if(f"{lowering.aligned(found, own, element)} == {mask}", 1)

    loops.loop_over_set(lowering, sets, env, body, compare)
    return Scalar(lowering.text.lift("contains", body, 0))


def compared_families(lowering: Lowering, expr: model.Compare, env: Env) -> Scalar:
    """Whether two sets of sets are equal: each contains every set of the other."""
    if isinstance(expr.left.type, OptionalType) or isinstance(expr.right.type, OptionalType):
        raise Unsupported("a comparison of sets of sets that may be none")
    slot, parts = _fresh_slot(expr, env), []
    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
        member = model.Local(slot, "member", type=set_element(side.type), span=side.span)
        is_there = model.Contains(member, other, type=BOOL, span=expr.span)
        binders = (Binder(slot, "member", side),)
        parts.append(model.Quantified("all", binders, is_there, type=BOOL, span=expr.span))
    equal = lowering.condition(model.And(tuple(parts), type=BOOL, span=expr.span), env)
    return Scalar(equal if expr.operator == "==" else f"(not {equal})")


def chosen_of_family(lowering: Lowering, expr: model.Quantified, env: Env) -> str:
    """``first`` and ``last``: the mask of the chosen set; an error if there is none."""
    body, element = Body(), lowering.element(expr)
    (binder,) = expr.binders
    found, mask = lowering.text.let(body, "found", 0), lowering.text.let(body, "m", 0, "bits")

    def look(now: Env) -> None:
        with body.block(f"if {lowering.condition(expr.body, now)}"):
            one, own, _ = member(now[binder.slot])
            body.line(f"{mask} = {lowering.aligned(one, own, element)}")
            if expr.quantifier == "first":
                body.line(f"return {mask}")
            else:
                body.line(f"{found} = 1")

    loops.bindings(lowering, expr.binders, env, body, look)
    lowering.fault_if(body, f"{found} == 0", "none-value", expr.span)
    return lowering.text.lift(expr.quantifier, body, mask, "bits")


def _fresh_slot(expr: Expr, env: Env) -> int:
    """A slot unused in an expression and its environment."""
    return 1 + max({*slots(expr), *bound_slots(expr), *env}, default=-1)
