"""Writes to variables, for each layout (see :mod:`zermelo.interpreter.native.coding.layout`)."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import encode, set_element, universe
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.bindings import Env
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.variables import packed_entries
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import SetType, Type, strip_none


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
    helper = lowering.check("subset")
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
        helper = lowering.text.apart("put", "(S: state, at: int, x: int) -> int", put)
        body.line(f"{helper}(S, {at}, {stored_value})")


def positions(place: Place) -> list[int]:
    """The positions of a variable's entries."""
    found = [0]
    for index in place.indices:
        codes = [encode(value, index.type) - index.bias for value in strip_none(index.type).members]
        found = [at * index.extent + code for at in found for code in codes]
    return found
