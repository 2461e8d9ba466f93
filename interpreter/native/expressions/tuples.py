"""Construction of tuples and records, and conversion of tuples and of sets of them between types.

The code of a tuple depends on the ranges of its numbers (see :mod:`zermelo.interpreter.native.coding.encoding`), so
equal tuples have different codes in different types. A tuple that does not belong to a type has the code
:data:`~zermelo.interpreter.native.coding.encoding.OUTSIDE`: nothing equals it, no set contains it, and stores check for
it.
"""

from __future__ import annotations

from math import lcm

from zermelo.interpreter.native.coding.encoding import (
    OUTSIDE,
    Storage,
    encode,
    none_code,
    places,
    same_codes,
    storage_of,
    universe,
)
from zermelo.interpreter.native.coding.number_codes import NO_NUMBER, code_bounds, is_below, scale_of, step_of
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Scalar
from zermelo.interpreter.native.expressions.collecting import growing_set
from zermelo.interpreter.native.expressions.writing import Writer
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, NumberType, TupleType, Type, strip_none


def has_codes(type: Type) -> bool:
    """Whether tuples of a type have codes; those of wider types have none."""
    try:
        places(_places_of(type))
    except Unsupported:
        return False
    return True


def converted(writer: Writer, value: Scalar, given: Type, type: Type) -> Scalar:
    """The code in ``type`` of a tuple given by its code in ``given``; parts that may not belong to ``type`` are
    checked."""
    source, target = _places_of(given), strip_none(type)
    assert isinstance(target, TupleType)
    body = Body()
    name = writer.bind(body, value, "tuple").text
    if value.has_none:
        body.return_if(f"{name} == {none_code(given)}", none_code(type))
    body.return_if(f"{name} == {OUTSIDE}", OUTSIDE)
    values = []
    for item, (storage, shift) in zip(source.items, places(source), strict=True):
        held = writer.bind(body, Scalar(f"({name} >> {shift}) & {(1 << storage.width) - 1}"), "held").text
        values.append((Scalar(storage.take_text(held), storage.has_none, scale_of(item)), item))
    return Scalar(assembled(writer, body, values, target).text, value.has_none)


def aligned(writer: Writer, mask: str, own: Type, element: Type) -> str:
    """A set as a mask over another type, without the members that do not belong to it."""
    body = Body()
    low, _ = universe(own)
    wanted, _ = universe(element)
    found = growing_set(writer.text, body, "found", wanted)
    rest = writer.text.let(body, "rest", mask, "bits")
    with writer.each_member(body, rest, low) as name:
        there, tests = _placed(writer, body, Scalar(name, False, scale_of(own)), own, element, storage_of(element))
        with body.block(f"if {' and '.join(tests) or '1'}"):
            found.add(body, there)
    return writer.text.lift("aligned", body, found.mask, "bits")


def _places_of(type: Type) -> TupleType:
    base = strip_none(type).base
    assert isinstance(base, TupleType)
    return base


def assembled(writer: Writer, body: Body, values: list[tuple[Scalar, Type]], target: TupleType) -> Scalar:
    """The tuple of some values, each with its type; ``body`` runs first."""
    texts, tests = [], list[str]()
    for (value, given), type, (storage, shift) in zip(values, target.items, places(_places_of(target)), strict=True):
        text, needed = _placed(writer, body, value, given, type, storage)
        texts.append(f"({storage.put_text(text)} << {shift})" if shift else storage.put_text(text))
        tests += needed
    whole = f"({' | '.join(texts)})" if texts else "0"
    if not body.lines:
        return Scalar(whole)
    if tests:
        body.return_if(f"not ({' and '.join(tests)})", OUTSIDE)
    return Scalar(writer.text.lift("tuple", body, whole))


def _placed(
    writer: Writer, body: Body, value: Scalar, given: Type, type: Type, storage: Storage
) -> tuple[str, list[str]]:
    """The code for a place of this type, and the conditions for it to belong there."""
    scale = scale_of(type)
    is_sure = (
        admission_test(type, given) is None
        and same_codes(given, type)
        and value.scale == scale
        and (storage.has_none or not value.has_none)
    )
    if is_sure and not (storage.has_none and storage.none == NO_NUMBER):
        return value.text, []
    if isinstance(strip_none(type), TupleType) and not is_sure:
        value = converted(writer, value, given, type)
        given = type
    value = on_multiple(writer, value, given, scale)
    name = writer.bind(body, value, "part").text
    if is_sure:
        return name, []
    parts = value.scale // scale
    needed = _is_within(writer, name, parts, type)
    if value.has_none:
        none = none_code(given)
        needed = f"({name} == {none} or {needed})" if storage.has_none else f"({name} != {none} and {needed})"
    if parts == 1:
        return name, [needed]
    if not value.has_none:
        return f"({name} // {parts})", [needed]
    return f"({name} // {parts} if {name} != {NO_NUMBER} else {NO_NUMBER})", [needed]


def on_multiple(writer: Writer, value: Scalar, given: Type, scale: int) -> Scalar:
    """A number on a scale that is a multiple of ``scale``; any other value unchanged."""
    if isinstance(given, NoneType):
        return Scalar(value.text, True, scale)
    common = lcm(value.scale, scale)
    if common == value.scale:
        return value
    if not is_below(given, common, 1 << 60):
        raise Unsupported("a number of more than 60 bits in a tuple")
    if not value.has_none:
        return Scalar(f"({value.text} * {common // value.scale})", False, common)
    return Scalar(f"{writer.code('finer')}({value.text}, {common // value.scale})", True, common)


def _is_within(writer: Writer, name: str, parts: int, type: Type) -> str:
    """Whether a name is a value of a type, given as ``parts`` times its code."""
    inner = strip_none(type)
    if isinstance(inner, TupleType):
        return f"{name} != {OUTSIDE}"
    if isinstance(inner, NumberType):
        low, high = code_bounds(inner)
        step = step_of(inner) * parts
        is_on_step = f" and ({name} - {low * parts}) % {step} == 0" if step > 1 else ""
        return f"({low * parts} <= {name} and {name} <= {high * parts}{is_on_step})"
    low, size = universe(inner.base)
    members = {encode(value, inner) - low for value in inner.members}
    flags = writer.text.table([int(place in members) for place in range(size)])
    test = "x % parts == 0 and x // parts >= low and x // parts - low < size"
    head = "(x: int, parts: int, low: int, size: int) -> int"
    helper = writer.text.apart("is_part", head, Body(), f"{flags}[x // parts - low] if {test} else 0")
    return f"{helper}({name}, {parts}, {low}, {size}) != 0"
