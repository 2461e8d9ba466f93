"""Writing the entries of variables, in each of the ways in which they are kept (see :mod:`.layout`)."""

from __future__ import annotations

from interpreter import model
from interpreter.model import Expr
from interpreter.native.admission import admitted
from interpreter.native.bindings import Env
from interpreter.native.encoding import encode, is_set, universe
from interpreter.native.layout import Place
from interpreter.native.lowering import Lowering
from interpreter.native.text import Body
from interpreter.native.variables import shift_text, slot_text
from interpreter.reference.storage import fits
from interpreter.types import SetType, Type, strip_none


def stored_set(lowering: Lowering, expr: Expr, env: Env, type: Type) -> str:
    """A set that a place of this type takes."""
    element = set_element(type)
    if fits(type, expr.type) is None or (isinstance(expr, model.Const) and type.contains(expr.value)):
        return lowering.mask(expr, env, element)
    own, inner = lowering.element(expr), strip_none(type)
    assert isinstance(inner, SetType)
    universe(own)
    allowed = encode([value for value in own.members if inner.element.contains(value)], SetType(own))
    site = lowering.text.site("assigned-out-of-range", expr.span)
    helper = lowering.helper(
        "subset",
        "C: ints[CONTEXT], m: bits, allowed: bits, site: int",
        ["if m & allowed != m and C[0] == 0:", "    C[0] = site", "return m & allowed"],
        "bits",
    )
    return lowering.aligned(f"{helper}(C, {lowering.mask(expr, env)}, {allowed}, {site})", own, element)


def set_element(type: Type) -> Type:
    """The type of the members of sets of a type."""
    base = strip_none(type).base
    assert isinstance(base, SetType)
    return base.element


def store(lowering: Lowering, place: Place, at: str, stored_value: str, body: Body) -> None:
    """Put a value, given as it is stored, into the entry ``at``."""
    if not place.indices:
        body.line(f"S[{place.first}] = {stored_value}")
    elif place.per_slot > 1:
        kind = "bits" if is_set(place.variable.type) else "int"
        lines = [
            f"slot: int = {place.first} + {slot_text(place, 'at')}",
            f"shift: int = {shift_text(place, 'at')}",
            f"all: bits = {(1 << place.storage.width) - 1}",
            "one: bits = x",
            f"S[slot] = (S[slot] & ((all << shift) ^ {lowering.full})) | (one << shift)",
            "return 0",
        ]
        helper = lowering.helper("put", f"S: state, at: int, x: {kind}", lines)
        body.line(f"{helper}(S, {at}, {stored_value})")
    elif not place.is_planes:
        body.line(f"S[{place.first} + {at}] = {stored_value}")
    else:
        lines = ["one: bits = 1", "one = one << at", f"off: bits = one ^ {lowering.full}"]
        for k in range(place.storage.width):
            plane = f"S[{place.first + k}]"
            lines.append(f"{plane} = ({plane} | one) if (x >> {k}) & 1 != 0 else ({plane} & off)")
        lines.append("return 0")
        helper = lowering.helper("put", "S: state, at: int, x: int", lines)
        body.line(f"{helper}(S, {at}, {stored_value})")


def fill(lowering: Lowering, statement: model.Fill, env: Env, body: Body) -> None:
    """Put a value into all entries."""
    variable = statement.variable
    place = lowering.layout.places[variable]
    if is_set(variable.type):
        kind, text = "bits", stored_set(lowering, statement.value, env, variable.type)
    else:
        value = lowering.scalar(statement.value, env, variable.type)
        value = admitted(lowering, value, statement.value.type, variable.type, "assigned-out-of-range", statement.span)
        kind, text = "int", place.storage.put_text(lowering.bind(body, value, "value").text)
    name = lowering.text.local(body, "fill", kind)
    body.line(f"{name}: {kind} = {text}")
    valid = positions(place)
    if place.is_planes:
        entries = sum(1 << at for at in valid)
        for k in range(place.storage.width):
            body.line(f"S[{place.first + k}] = {entries} if ({name} >> {k}) & 1 != 0 else 0")
        return
    if place.per_slot > 1:
        _fill_packed(lowering, place, name, valid, body)
        return
    index = lowering.text.local(body, "i")
    with body.block(f"for {index} in range({len(valid)})"):
        body.line(f"S[{place.first} + {lowering.text.table(valid)}[{index}]] = {name}")


def _fill_packed(lowering: Lowering, place: Place, value: str, valid: list[int], body: Body) -> None:
    """The value side by side, put at once wherever an entry of the state holds entries of the variable."""
    width, text = place.storage.width, lowering.text
    pattern, index = text.local(body, "pattern", "bits"), text.local(body, "i")
    masks = [0] * place.slots
    for at in valid:
        masks[at // place.per_slot] |= ((1 << width) - 1) << at % place.per_slot * width
    body.line(f"{pattern}: bits = {value}")
    for k in range(place.per_slot.bit_length() - 1):
        body.line(f"{pattern} = {pattern} | ({pattern} << {width << k})")
    with body.block(f"for {index} in range({place.slots})"):
        body.line(f"S[{place.first} + {index}] = {pattern} & {text.table(masks, 'bits')}[{index}]")


def positions(place: Place) -> list[int]:
    """The entries of a variable, by where they stand."""
    found = [0]
    for index in place.indices:
        codes = [encode(value, index.type) - index.bias for value in strip_none(index.type).members]
        found = [at * index.extent + code for at in found for code in codes]
    return found
