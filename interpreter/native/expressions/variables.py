"""Reads and writes of variables, checks of the values written, and which expressions may be errors of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from typing import Final

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.rewriting import subexpressions, walk_with_defines
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported
from zermelo.interpreter.native.expressions import bindings
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering, TooNarrow, rescale
from zermelo.interpreter.native.state_encoding.encoding import (
    NO_NUMBER,
    OUTSIDE,
    code_bounds,
    encode,
    is_set,
    none_code,
    same_codes,
    scale_of,
    set_element,
    step_of,
    universe,
)
from zermelo.interpreter.native.state_encoding.state_layout import Place
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, PartType, SetType, TupleType, Type, strip_none

# Admission: conversion of values to the codes of a place's type, with the checks that they belong to it.
#
# Numbers come on any scale (see :mod:`zermelo.interpreter.native.expressions.lowering`); a place keeps them on that
# of its type. Numbers between the steps of the type do not belong to it.


def check_admitted(lowering: Lowering, value: Scalar, given: Type, type: Type, code: str, span: Span) -> Scalar:
    """The code in ``type`` of a value of the type ``given``, with the check that ``type`` admits it; ``code`` is the
    error if it does not."""
    if value.has_none and not isinstance(type, OptionalType):
        value = lowering.needed(value, type, span)
    if isinstance(given, NoneType):
        return Scalar(value.text, value.has_none, scale_of(type))
    test = admission_test(type, given)
    site = lowering.text.site(code, span) if test is not None or value.scale != scale_of(type) else 0
    value = _bring_to_scale(lowering, value, given, type, site, span)
    if test is None:
        return value
    inner = strip_none(type)
    if isinstance(inner, NumberType):
        return _check_within(lowering, value, inner, site)
    if isinstance(inner, TupleType):
        return _check_tuple(lowering, value, given, type, site)
    if isinstance(inner, SetType):
        raise Unsupported("a set over a part of its type")
    return _check_in_part(lowering, value, inner, none_code(type), site)


def admitted(lowering: Lowering, expr: Expr, env: Env, type: Type) -> Scalar:
    """The value of an expression for a place of this type, with the check that the type admits it."""
    value = lowering.scalar(expr, env, type)
    return check_admitted(lowering, value, expr.type, type, "assigned-out-of-range", expr.span)


def _bring_to_scale(lowering: Lowering, value: Scalar, given: Type, type: Type, site: int, span: Span) -> Scalar:
    """A number on the scale of its type, with the check that it is on a step; any other value unchanged."""
    scale = scale_of(type)
    if value.scale == scale:
        return value
    value = rescale(lowering, value, lcm(value.scale, scale), given, span)
    if value.scale == scale:
        return value
    helper = lowering.helper("undivided")
    return Scalar(f"{helper}(C, {value.text}, {value.scale // scale}, {site})", value.has_none, scale)


def _check_within(lowering: Lowering, value: Scalar, type: NumberType, site: int) -> Scalar:
    low, high = code_bounds(type)
    step = step_of(type)
    none = NO_NUMBER if value.has_none else low
    text = f"{lowering.helper('within')}(C, {value.text}, {low}, {high}, {none}, {site})"
    if step != 1:
        text = f"{lowering.helper('stepped')}(C, {text}, {low}, {step}, {none}, {site})"
    return Scalar(text, value.has_none, value.scale)


def _check_in_part(lowering: Lowering, value: Scalar, type: Type, none: int, site: int) -> Scalar:
    allowed = encode(type.members, SetType(type.base))
    low, size = universe(type.base)
    if size > lowering.layout.width:
        raise TooNarrow(size)
    none = none if value.has_none else -(1 << 50)
    text = f"{lowering.helper('in_part')}(C, {value.text}, {allowed}, {low}, {none}, {site})"
    return Scalar(text, value.has_none, value.scale)


def _check_tuple(lowering: Lowering, value: Scalar, given: Type, type: Type, site: int) -> Scalar:
    """A tuple that may be :data:`~zermelo.interpreter.native.state_encoding.encoding.OUTSIDE`."""
    if same_codes(given, type):
        value = bindings.convert_tuple(lowering, value, given, type)
    elif admission_test(type, strip_none(type).base) is not None:
        value = bindings.convert_tuple(lowering, value, strip_none(type).base, type)
    return Scalar(f"{lowering.helper('other_than')}(C, {value.text}, {OUTSIDE}, {site})", value.has_none)


# Reads of variables.


def position_of_entry(lowering: Lowering, place: Place, indices: tuple[Expr, ...], env: Env) -> tuple[str, bool]:
    """The position of an entry among the entries of its variable, negative if an index is none; and whether that is
    possible."""
    texts = []
    has_none = False
    for index, expr in zip(place.indices, indices, strict=True):
        value = lowering.scalar(expr, env, index.type)
        has_none = has_none or value.has_none
        text = value.text
        if needs_check(index.type, expr.type) or value.scale != scale_of(index.type):
            open_type = OptionalType(index.type) if value.has_none else index.type
            text = check_admitted(lowering, value, expr.type, open_type, "index-out-of-range", expr.span).text
        if index.bias:
            text = f"({text} - {index.bias})" if index.bias > 0 else f"({text} + {-index.bias})"
        texts.append((text, index.extent))
    if not texts:
        return "0", False
    if not has_none:
        place_text = texts[0][0]
        for text, extent in texts[1:]:
            place_text = f"({place_text} * {extent} + {text})"
        return place_text, False
    if len(texts) == 1:
        return texts[0][0], True
    names = [f"x{k}" for k in range(len(texts))]
    combined = names[0]
    for name, (_, extent) in zip(names[1:], texts[1:], strict=True):
        combined = f"({combined} * {extent} + {name})"
    body = Body()
    body.return_if(" or ".join(f"{name} < 0" for name in names), -1)
    helper = lowering.text.extract("entry", f"({', '.join(f'{name}: int' for name in names)}) -> int", body, combined)
    return f"{helper}({', '.join(text for text, _ in texts)})", True


def needs_check(index: Type, given: Type) -> bool:
    """Whether an index of the type ``given`` may lie outside its type."""
    if isinstance(index, PartType | NumberType | TupleType):
        return admission_test(index, given) is not None
    return False


def stored_text(lowering: Lowering, place: Place, at: str, state: str = "S") -> str:
    """The stored value of the entry ``at`` of a variable in a state."""
    if not place.indices:
        return f"{state}[{place.first}]"
    if place.per_slot > 1:
        get = packed_entries(lowering, place)["get_set" if is_set(place.variable.type) else "get"]
        return f"{get}({state}, {at})"
    if not place.is_planes:
        return f"{state}[{place.first} + {at}]"
    bits = [f"((S[{place.first + b}] >> at) & 1)" + (f" << {b}" if b else "") for b in range(place.storage.width)]
    bits = [f"({bit})" if " << " in bit else bit for bit in bits]
    helper = lowering.text.extract("get", "(S: state, at: int) -> int", Body(), " | ".join(bits) or 0)
    return f"{helper}({state}, {at})"


def packed_entries(lowering: Lowering, place: Place) -> Mapping[str, str]:
    """The functions that read and write the entries of a variable that packs several of them into a slot."""
    return instantiate(
        lowering.text, "entries",
        FIRST=place.first, DOUBLINGS=place.per_slot.bit_length() - 1, LAST=place.per_slot - 1,
        WIDTH=place.storage.width, ENTRY=(1 << place.storage.width) - 1, FULL=lowering.full,
    )  # fmt: skip


def _lower_read(lowering: Lowering, expr: model.Read, env: Env) -> Scalar:
    place = lowering.layout.places[expr.variable]
    at, may_miss = position_of_entry(lowering, place, expr.indices, env)
    storage = place.storage
    if not storage.has_unset and not may_miss and not (storage.has_none and storage.none == NO_NUMBER):
        return Scalar(storage.take_text(stored_text(lowering, place, at)), storage.has_none, scale_of(expr.type))
    site = lowering.text.site("unset-variable", expr.span)
    body = Body()
    if may_miss:
        body.return_if("at < 0", none_code(expr.type))
    body.line(f"x: int = {stored_text(lowering, place, 'at')}")
    if storage.has_unset:
        body.fail_if("x == 0", "site", storage.take(1))
    head = "(C: ints[CONTEXT], S: state, at: int, site: int) -> int"
    helper = lowering.text.extract("read", head, body, storage.take_text("x"))
    return Scalar(f"{helper}(C, S, {at}, {site})", storage.has_none or may_miss, scale_of(expr.type))


SCALARS[model.Read] = _lower_read


# Writes to variables, for each layout (see :mod:`zermelo.interpreter.native.state_encoding.state_layout`).


def stored_set(lowering: Lowering, expr: Expr, env: Env, type: Type) -> str:
    """The stored form of a set in a place of this type."""
    element = set_element(type)
    if admission_test(type, expr.type) is None or (isinstance(expr, model.Const) and type.contains(expr.value)):
        return lowering.mask(expr, env, element)
    own, inner = lowering.element(expr), strip_none(type)
    assert isinstance(inner, SetType)
    universe(own)
    allowed = encode([value for value in own.members if inner.element.contains(value)], SetType(own))
    site = lowering.text.site("assigned-out-of-range", expr.span)
    helper = lowering.helper("subset")
    return lowering.aligned(f"{helper}(C, {lowering.mask(expr, env)}, {allowed}, {site})", own, element)


def store_entry(lowering: Lowering, place: Place, at: str, stored_value: str, body: Body) -> None:
    """Write a value, given in its stored form, to the entry ``at``."""
    if not place.indices:
        body.line(f"S[{place.first}] = {stored_value}")
    elif place.per_slot > 1:
        body.line(f"{packed_entries(lowering, place)['put']}(S, {at}, {stored_value})")
    elif not place.is_planes:
        body.line(f"S[{place.first} + {at}] = {stored_value}")
    else:
        put = Body()
        put.line("one: bits = 1")
        put.line("one = one << at")
        put.line(f"off: bits = one ^ {lowering.full}")
        for k in range(place.storage.width):
            plane = f"S[{place.first + k}]"
            put.line(f"{plane} = ({plane} | one) if (x >> {k}) & 1 != 0 else ({plane} & off)")
        helper = lowering.text.extract("put", "(S: state, at: int, x: int) -> int", put)
        body.line(f"{helper}(S, {at}, {stored_value})")


def positions(place: Place) -> list[int]:
    """The positions of a variable's entries."""
    found = [0]
    for index in place.indices:
        codes = [encode(value, index.type) - index.bias for value in strip_none(index.type).members]
        found = [at * index.extent + code for at in found for code in codes]
    return found


# Whether an expression may be an error of the rules.
#
# The answer follows from the form of the expression and the types of its parts, which are sound. So it may say that an
# expression can fail although guards in it exclude that, but never the other way round. Numbers with too many digits do
# not count.


_TAKE_NONE: Final = (model.IsNone, model.GetField, model.Lookup, model.Let, model.MakeSet, model.MakeTuple)
"""Expressions all of whose parts may be none."""


def can_fail(expr: Expr) -> bool:
    """Whether its evaluation may be an error of the rules, in itself or in a define that it calls."""
    return any(map(_may_fail_itself, walk_with_defines(expr)))


def may_refuse(type: Type, given: Type) -> bool:
    """Whether a parameter of this type may refuse a value of the type ``given``."""
    is_missing = _may_be_none(given) and not isinstance(type, OptionalType)
    return is_missing or (not isinstance(given, NoneType) and admission_test(type, given) is not None)


def _may_fail_itself(expr: Expr) -> bool:
    """The same for the expression without its parts."""
    match expr:
        case model.Read(variable=variable, indices=indices):
            checked = zip(variable.indices, indices, strict=True)
            return not variable.has_initial or any(needs_check(type, index.type) for type, index in checked)
        case model.Arithmetic(operator="/" | "//" | "%", right=right) if _may_be_zero(right.type):
            return True
        case model.Call(define=define, arguments=arguments):
            pairs = zip(define.parameters, arguments, strict=True)
            return any(may_refuse(parameter.type, argument.type) for parameter, argument in pairs)
        case model.Stuck():  # as the guards of its decision may
            return True
        case model.Reach(step=step) if admission_test(set_element(expr.type), set_element(step.type)) is not None:
            return True
        case model.Apply(function=function, arguments=arguments):
            needed = [argument for k, argument in enumerate(arguments) if FUNCTIONS[function].needs_value(k)]
        case model.Compare(operator="==" | "!="):
            needed = []
        case model.Contains(collection=collection):
            needed = [collection]
        case model.If(condition=condition):
            needed = [condition]
        case _:
            needed = [] if isinstance(expr, _TAKE_NONE) else list(subexpressions(expr))
    return any(_may_be_none(part.type) for part in needed)


def _may_be_none(type: Type) -> bool:
    return isinstance(type, OptionalType | NoneType)


def _may_be_zero(type: Type) -> bool:
    return not isinstance(type, NumberType) or type.low is None or type.high is None or type.low <= 0 <= type.high
