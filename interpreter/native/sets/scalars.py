"""Expressions that are one number: conditions, members, records, applied functions, tables."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.cardinality import common_type
from zermelo.interpreter.native.dialect.lowered_text import Beyond, Body, Unsupported
from zermelo.interpreter.native.expressions import bindings
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import (
    LARGE_TABLE_LIMIT,
    SCALARS,
    SIMPLE,
    Lowering,
    constant_scalar,
    is_long_chain,
    lower_absolute,
    lower_extreme,
    lower_long_if,
    name_arguments,
    on_common_scale,
    rescale,
)
from zermelo.interpreter.native.sets import conditions, masks
from zermelo.interpreter.native.sets.conditions import open_names, stem_of
from zermelo.interpreter.native.sets.loops import has_members, lower_connected
from zermelo.interpreter.native.state_encoding.encoding import (
    NO_NUMBER,
    encode,
    is_set,
    none_code,
    number_type,
    places,
    scale_of,
    universe,
)
from zermelo.interpreter.types import BOOL, NoneType, OptionalType, TupleType, strip_none

# ------------------------------------------------------------------ names


def _lower_const(lowering: Lowering, expr: model.Const, env: Env) -> Scalar:
    if number_type(expr.type) is not None:
        return constant_scalar(Fraction(expr.value))
    code = encode(expr.value, expr.type)
    return Scalar(str(code) if code >= 0 else f"({code})")


def _lower_local(lowering: Lowering, expr: model.Local, env: Env) -> Scalar:
    binding = env.get(expr.slot)
    if not isinstance(binding, Scalar):
        raise Unsupported(f"the name '{expr.name}' here")
    return binding


def _lower_named(lowering: Lowering, expr: model.Call | model.Let, env: Env) -> Scalar:
    body = Body()
    inner, now = open_names(lowering, expr, env, body)
    value = lowering.scalar(inner, now, expr.type)
    return Scalar(lowering.text.lift(stem_of(expr), body, value.text), value.has_none, value.scale)


# ---------------------------------------------------------------- records


def _lower_tuple(lowering: Lowering, expr: model.MakeTuple, env: Env) -> Scalar:
    target = strip_none(expr.type)
    assert isinstance(target, TupleType)
    values = [
        (lowering.scalar(item, env, type), item.type) for item, type in zip(expr.items, target.items, strict=True)
    ]
    return bindings.assemble_tuple(lowering, Body(), values, target)


def _lower_field(lowering: Lowering, expr: model.GetField, env: Env) -> Scalar:
    record = lowering.scalar(expr.record, env)
    base = strip_none(expr.record.type).base
    assert isinstance(base, TupleType)
    storage, shift = places(base)[expr.index]
    mask = (1 << storage.width) - 1
    taken = storage.take_text(f"((x >> {shift}) & {mask})")
    if not record.has_none and not (storage.has_none and storage.none == NO_NUMBER):
        return Scalar(
            storage.take_text(f"(({record.text} >> {shift}) & {mask})"), storage.has_none, scale_of(expr.type)
        )
    field = f"{none_code(expr.type)} if x < 0 else {taken}"
    helper = lowering.text.extract("field", "(x: int) -> int", Body(), field)
    return Scalar(f"{helper}({record.text})", record.has_none or storage.has_none, scale_of(expr.type))


def _lower_chosen(lowering: Lowering, expr: model.Chosen, env: Env) -> Scalar:
    if expr.parameter is None:
        return Scalar(conditions.has_chosen(lowering, expr, env))
    body, argument, is_another = conditions.read_chosen_argument(lowering, expr)
    body.return_if(is_another, none_code(expr.type))
    helper = lowering.text.extract("choice", "(S: state, p: int) -> int", body, argument)
    return Scalar(f"{helper}(S, {lowering.whole(expr.player, env)})", True, scale_of(expr.type))


# ------------------------------------------------------------- conditions


def _lower_compare(lowering: Lowering, expr: model.Compare, env: Env) -> Scalar:
    if is_set(expr.left.type) or is_set(expr.right.type):
        return _compare_sets(lowering, expr, env)
    type = common_type(expr.left.type, expr.right.type)
    match expr.left, expr.right:
        case model.MakeTuple(items=one), model.MakeTuple(items=two) if not bindings.has_codes(type):
            return _compare_by_places(lowering, expr, one, two, env)
    if expr.operator in ("==", "!="):
        first, second = lowering.scalar(expr.left, env, type), lowering.scalar(expr.right, env, type)
    else:
        first = lowering.needed(lowering.scalar(expr.left, env, type), type, expr.left.span)
        second = lowering.needed(lowering.scalar(expr.right, env, type), type, expr.right.span)
    left, right, _ = on_common_scale(lowering, first, second, expr.left, expr.right)
    return Scalar(f"({left} {expr.operator} {right})")


def _compare_by_places(
    lowering: Lowering, expr: model.Compare, one: tuple[Expr, ...], two: tuple[Expr, ...], env: Env
) -> Scalar:
    """Compare tuples that are too long for codes: the first place where they differ decides."""
    body = Body()
    names: Env = {}
    places = []
    for slot, item in enumerate((*one, *two)):
        names[slot] = lowering.bind(body, lowering.scalar(item, env), "place")
        places.append(model.Local(slot, "place", type=item.type, span=item.span))
    for left, right in zip(places[: len(one)], places[len(one) :], strict=True):
        differs = model.Compare("!=", left, right, type=BOOL, span=expr.span)
        decides = model.Compare(expr.operator, left, right, type=BOOL, span=expr.span)
        body.return_if(_lower_compare(lowering, differs, names).text, _lower_compare(lowering, decides, names).text)
    return Scalar(lowering.text.lift("compared", body, int(expr.operator in ("==", "<=", ">="))))


def _compare_sets(lowering: Lowering, expr: model.Compare, env: Env) -> Scalar:
    if masks.is_set_of_sets(expr.left.type):
        return masks.compare_families(lowering, expr, env)
    for side, nothing in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(nothing.type, NoneType):
            none = conditions.is_none(lowering, side, env)
            return Scalar(none if expr.operator == "==" else f"(not {none})")
    can_be_none = isinstance(expr.left.type, OptionalType) or isinstance(expr.right.type, OptionalType)
    for side, empty in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(empty, model.Const) and not empty.value and not can_be_none:
            members = has_members(lowering, side, env) or lowering.mask(side, env)
            return Scalar(f"({members} {expr.operator} 0)")
    element = common_type(lowering.element(expr.left), lowering.element(expr.right))
    left, right = lowering.mask(expr.left, env, element), lowering.mask(expr.right, env, element)
    if not can_be_none:
        return Scalar(f"({left} {expr.operator} {right})")
    one, two = conditions.is_none(lowering, expr.left, env), conditions.is_none(lowering, expr.right, env)
    equal = f"({one} == {two} and ({one} or {left} == {right}))"
    return Scalar(equal if expr.operator == "==" else f"(not {equal})")


def _lower_contains(lowering: Lowering, expr: model.Contains, env: Env) -> Scalar:
    if masks.is_set_of_sets(expr.collection.type):
        return masks.lower_family_contains(lowering, expr, env)
    item = lowering.scalar(expr.item, env, lowering.element(expr.collection))
    if not item.has_none:
        return Scalar(_membership_test(lowering, item, expr.collection, env))
    body = Body()  # for none, the set is not evaluated
    item = lowering.bind(body, item, "item")
    body.return_if(f"{item.text} == {none_code(lowering.element(expr.collection))}", 0)
    return Scalar(lowering.text.lift("contains", body, _membership_test(lowering, item, expr.collection, env)))


def _membership_test(lowering: Lowering, item: Scalar, collection: Expr, env: Env) -> str:
    """Whether a value other than none is in a set."""
    element = lowering.element(collection)
    item = rescale(lowering, item, lcm(item.scale, scale_of(element)), element, collection.span)
    parts = item.scale // scale_of(element)
    if parts > 1:
        item = Scalar(f"{lowering.helper('on_step')}({item.text}, {parts})")
    if isinstance(collection, model.RangeSet):
        ends = f"{lowering.whole(collection.low, env)}, {lowering.whole(collection.high, env)}"
        return f"{lowering.helper('between')}({item.text}, {ends})"
    mask = lowering.mask(collection, env)
    low, size = universe(element)
    return f"{lowering.helper('has')}({mask}, {item.text}, {low}, {size})"


def _lower_is_none(lowering: Lowering, expr: model.IsNone, env: Env) -> Scalar:
    if is_set(expr.operand.type):
        return Scalar(conditions.is_none(lowering, expr.operand, env))
    value = lowering.scalar(expr.operand, env)
    return Scalar(f"({value.text} == {none_code(expr.operand.type)})")


def _lower_present(lowering: Lowering, expr: model.Present, env: Env) -> Scalar:
    return lowering.value(expr.operand, env)


def _lower_not(lowering: Lowering, expr: model.Not, env: Env) -> Scalar:
    return Scalar(f"(not {lowering.condition(expr.operand, env)})")


def _lower_and(lowering: Lowering, expr: model.And, env: Env) -> Scalar:
    return Scalar("(" + " and ".join(lowering.condition(part, env) for part in expr.parts) + ")")


def _lower_or(lowering: Lowering, expr: model.Or, env: Env) -> Scalar:
    return Scalar("(" + " or ".join(lowering.condition(part, env) for part in expr.parts) + ")")


def _lower_if(lowering: Lowering, expr: model.If, env: Env) -> Scalar:
    if is_long_chain(expr):
        return lower_long_if(lowering, expr, env)
    condition = lowering.condition(expr.condition, env)
    yes, no = _lower_branch(lowering, expr, expr.yes, env), _lower_branch(lowering, expr, expr.no, env)
    left, right, scale = on_common_scale(lowering, yes, no, expr.yes, expr.no)
    return Scalar(f"({left} if {condition} else {right})", yes.has_none or no.has_none, scale)


def _lower_branch(lowering: Lowering, expr: model.If, branch: Expr, env: Env) -> Scalar:
    """The value of one branch; a fault if it is beyond the limit, so that the other branch can still be used."""
    try:
        return lowering.scalar(branch, env, expr.type)
    except Beyond:
        return lowering.overflow(expr.type, branch.span)


def _lower_stuck(lowering: Lowering, expr: model.Stuck, env: Env) -> Scalar:
    return Scalar(f"(offers_{lowering.phase}(C, S) == 0)")


# ------------------------------------------------------ functions applied


def _lower_apply(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    match expr.function:
        case "other":
            value = lowering.scalar(expr.arguments[0], env)
            if value.has_none:
                return Scalar(f"{lowering.helper('other')}({value.text})", True)
            return Scalar(f"(1 - {value.text})")
        case "abs":
            return lower_absolute(lowering, expr, env)
        case "max" | "min":
            return lower_extreme(lowering, expr, env)
        case "size" | "any" if masks.is_set_of_sets(expr.arguments[0].type):
            return masks.lower_size_or_any(lowering, expr, env)
        case "size":
            return Scalar(f"popcount({lowering.mask(expr.arguments[0], env)})")
        case "any":
            members = has_members(lowering, expr.arguments[0], env) or lowering.mask(expr.arguments[0], env)
            return Scalar(f"({members} != 0)")
        case "greatest" | "least":
            element = lowering.element(expr.arguments[0])
            low, _ = universe(element)
            helper, mask = lowering.helper(expr.function), lowering.mask(expr.arguments[0], env)
            return Scalar(f"{helper}({mask}, {low}, {none_code(expr.type)})", True, scale_of(element))
        case "connected" | "connected_to":
            return lower_connected(lowering, expr, env)
        case "next_in":
            player, among = expr.arguments
            helper = lowering.helper("next_in")
            return Scalar(f"{helper}({lowering.scalar(player, env).text}, {lowering.mask(among, env)})", True)
        case _:
            return _lower_by_table(lowering, expr, env)


def _lower_by_table(lowering: Lowering, expr: model.Apply | model.Lookup, env: Env) -> Scalar:
    """A function of arguments that depend on the state, or a table in braces, as a table over all their values."""
    body = Body()
    named = name_arguments(lowering, expr, env, body)
    found = None if named is None else lowering.tabulated(*named, LARGE_TABLE_LIMIT)
    if found is None:
        is_table = isinstance(expr, model.Lookup)
        raise Unsupported("a table with such keys" if is_table else "a built-in function with such arguments")
    if not body.lines:
        return found
    return Scalar(lowering.text.lift("at", body, found.text), found.has_none, found.scale)


SCALARS.update(
    {
        model.Const: _lower_const,
        model.Local: _lower_local,
        model.Let: _lower_named,
        model.Call: _lower_named,
        model.GetField: _lower_field,
        model.MakeTuple: _lower_tuple,
        model.Chosen: _lower_chosen,
        model.Compare: _lower_compare,
        model.Contains: _lower_contains,
        model.IsNone: _lower_is_none,
        model.Present: _lower_present,
        model.Not: _lower_not,
        model.And: _lower_and,
        model.Or: _lower_or,
        model.If: _lower_if,
        model.Stuck: _lower_stuck,
        model.Apply: _lower_apply,
        model.Lookup: _lower_by_table,
    }
)
SIMPLE.update(
    {
        model.Const,
        model.Local,
        model.GetField,
        model.Compare,
        model.IsNone,
        model.Present,
        model.Not,
        model.And,
        model.Or,
    }
)
