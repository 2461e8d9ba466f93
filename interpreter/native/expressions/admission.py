"""Admission: conversion of values to the codes of a place's type, with the checks that they belong to it.

Numbers come on any scale (see :mod:`zermelo.interpreter.native.expressions.arithmetic`); a place keeps them on that of
its type. Numbers between the steps of the type do not belong to it.
"""

from __future__ import annotations

from math import lcm

from zermelo.grammar.source import Span
from zermelo.interpreter.native.coding.encoding import OUTSIDE, encode, none_code, same_codes, universe
from zermelo.interpreter.native.coding.number_codes import NO_NUMBER, code_bounds, scale_of, step_of
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions import tuples
from zermelo.interpreter.native.expressions.arithmetic import rescaled
from zermelo.interpreter.native.expressions.bindings import Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, SetType, TupleType, Type, strip_none


def admitted(lowering: Lowering, value: Scalar, given: Type, type: Type, code: str, span: Span) -> Scalar:
    """The code in ``type`` of a value of the type ``given``, with the check that ``type`` admits it; ``code`` is the
    error if it does not."""
    if value.has_none and not isinstance(type, OptionalType):
        value = lowering.needed(value, type, span)
    if isinstance(given, NoneType):
        return Scalar(value.text, value.has_none, scale_of(type))
    test = admission_test(type, given)
    site = lowering.text.site(code, span) if test is not None or value.scale != scale_of(type) else 0
    value = _on_scale(lowering, value, given, type, site, span)
    if test is None:
        return value
    inner = strip_none(type)
    if isinstance(inner, NumberType):
        return _within(lowering, value, inner, site)
    if isinstance(inner, TupleType):
        return _inside(lowering, value, given, type, site)
    if isinstance(inner, SetType):
        raise Unsupported("a set over a part of its type")
    return _in_part(lowering, value, inner, none_code(type), site)


def _on_scale(lowering: Lowering, value: Scalar, given: Type, type: Type, site: int, span: Span) -> Scalar:
    """A number on the scale of its type, with the check that it is on a step; any other value unchanged."""
    scale = scale_of(type)
    if value.scale == scale:
        return value
    value = rescaled(lowering, value, lcm(value.scale, scale), given, span)
    if value.scale == scale:
        return value
    helper = lowering.check("undivided")
    return Scalar(f"{helper}(C, {value.text}, {value.scale // scale}, {site})", value.has_none, scale)


def _within(lowering: Lowering, value: Scalar, type: NumberType, site: int) -> Scalar:
    low, high = code_bounds(type)
    step = step_of(type)
    none = NO_NUMBER if value.has_none else low
    text = f"{lowering.check('within')}(C, {value.text}, {low}, {high}, {none}, {site})"
    if step != 1:
        text = f"{lowering.check('stepped')}(C, {text}, {low}, {step}, {none}, {site})"
    return Scalar(text, value.has_none, value.scale)


def _in_part(lowering: Lowering, value: Scalar, type: Type, none: int, site: int) -> Scalar:
    allowed = encode(type.members, SetType(type.base))
    low, size = universe(type.base)
    if size > lowering.layout.width:
        raise TooNarrow(size)
    none = none if value.has_none else -(1 << 50)
    text = f"{lowering.check('in_part')}(C, {value.text}, {allowed}, {low}, {none}, {site})"
    return Scalar(text, value.has_none, value.scale)


def _inside(lowering: Lowering, value: Scalar, given: Type, type: Type, site: int) -> Scalar:
    """A tuple that may be :data:`~zermelo.interpreter.native.coding.encoding.OUTSIDE`."""
    if same_codes(given, type):
        value = tuples.converted(lowering, value, given, type)
    elif admission_test(type, strip_none(type).base) is not None:
        value = tuples.converted(lowering, value, strip_none(type).base, type)
    return Scalar(f"{lowering.check('other_than')}(C, {value.text}, {OUTSIDE}, {site})", value.has_none)
