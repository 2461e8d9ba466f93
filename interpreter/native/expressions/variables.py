"""Reads of variables."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import is_set, none_code
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.coding.number_codes import NO_NUMBER, scale_of
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NumberType, OptionalType, PartType, TupleType, Type


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
            text = admitted(lowering, value, expr.type, open_type, "index-out-of-range", expr.span).text
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
    helper = lowering.text.apart("entry", f"({', '.join(f'{name}: int' for name in names)}) -> int", body, combined)
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
    helper = lowering.text.apart("get", "(S: state, at: int) -> int", Body(), " | ".join(bits) or 0)
    return f"{helper}({state}, {at})"


def packed_entries(lowering: Lowering, place: Place) -> Mapping[str, str]:
    """The functions that read and write the entries of a variable of which several share a slot."""
    return instantiate(
        lowering.text, "packed_entries",
        FIRST=place.first, DOUBLINGS=place.per_slot.bit_length() - 1, LAST=place.per_slot - 1,
        WIDTH=place.storage.width, ENTRY=(1 << place.storage.width) - 1, FULL=lowering.full,
    )  # fmt: skip


def _read(lowering: Lowering, expr: model.Read, env: Env) -> Scalar:
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
    helper = lowering.text.apart("read", head, body, storage.take_text("x"))
    return Scalar(f"{helper}(C, S, {at}, {site})", storage.has_none or may_miss, scale_of(expr.type))


SCALARS[model.Read] = _read
