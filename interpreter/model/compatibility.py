"""Relations between types: compatibility, common types, order, and their words in messages."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.interpreter.intervals import hull
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.types import (
    BoardType,
    BoolType,
    DirectionType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    RecordType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import Value, format_value


def fits(actual: Type, wanted: Type) -> bool:
    """Whether a value of type ``actual`` is compatible with ``wanted``.

    Bounds of numbers, and values that may be none, are left to other checks; only the literal ``none`` is refused here.
    """
    actual, wanted = actual.base, wanted.base
    if isinstance(actual, UnknownType) or isinstance(wanted, UnknownType):
        return True
    if isinstance(actual, NoneType):
        return isinstance(wanted, OptionalType | NoneType)
    actual, wanted = strip_none(actual), strip_none(wanted)
    if isinstance(actual, SetType) and isinstance(wanted, SetType):
        return fits(actual.element, wanted.element)
    if isinstance(actual, TupleType) and isinstance(wanted, TupleType):
        if isinstance(actual, RecordType) and isinstance(wanted, RecordType) and actual.name != wanted.name:
            return False
        return len(actual.items) == len(wanted.items) and all(map(fits, actual.items, wanted.items))
    if isinstance(actual, MemberType) or isinstance(wanted, MemberType):
        return actual is wanted
    return type(actual) is type(wanted)


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type with the values of both, or None if there is no such type."""
    a, b = a.base, b.base
    if isinstance(a, UnknownType):
        return b
    if isinstance(b, UnknownType):
        return a
    if isinstance(a, NoneType):
        return optional(b)
    if isinstance(b, NoneType):
        return optional(a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        inner = join(strip_none(a), strip_none(b))
        return None if inner is None else optional(inner)
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return hull(a, b)
    if isinstance(a, DirectionType) and isinstance(b, DirectionType):
        return a if b.is_compass else b
    if isinstance(a, SetType) and isinstance(b, SetType):
        element = join(a.element, b.element)
        return None if element is None else SetType(element)
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return _join_tuples(a, b)
    return a if fits(a, b) else None


def common_type(a: Type, b: Type) -> Type:
    """:func:`join` of types that are compatible."""
    joined = join(a, b)
    assert joined is not None, "compatible types"
    return joined


def _join_tuples(a: TupleType, b: TupleType) -> Type | None:
    if len(a.items) != len(b.items):
        return None
    if isinstance(a, RecordType) and isinstance(b, RecordType) and a.name != b.name:
        return None
    items = [join(x, y) for x, y in zip(a.items, b.items, strict=True)]  # one may be none, and the other not
    known = tuple(item for item in items if item is not None)
    if len(known) < len(items):
        return None
    named = next((t for t in (a, b) if isinstance(t, RecordType)), None)
    return TupleType(known) if named is None else RecordType(known, named.name, named.fields)


def is_ordered(type: Type) -> bool:
    """Whether ``<`` compares values of the type."""
    type = strip_none(type.base)
    if isinstance(type, TupleType):
        return all(map(is_ordered, type.items))
    if isinstance(type, MemberType):
        return type.ordered or is_ring(type)
    return isinstance(type, NumberType | UnknownType)


def is_ring(type: Type) -> bool:
    """Whether the values of a type are the numbers around a ring."""
    return isinstance(type, BoardType) and type.shape == "ring"


def covers(table: Mapping[Value, Value], keys: Type) -> bool:
    """Whether a constant table has an entry for every value of a type but none."""
    inner = strip_none(keys)
    size = values_of_type(inner)
    return size is not None and size <= len(table) and all(value in table for value in inner.generate())


def in_words(type: Type) -> str:
    """A type in words, for messages."""
    type = type.base
    if isinstance(type, OptionalType):
        return f"{in_words(type.inner)} or none"
    if isinstance(type, NumberType):
        return "a number"
    if isinstance(type, BoolType):
        return "true or false"
    if isinstance(type, NoneType):
        return "none"
    if isinstance(type, UnknownType):
        return "unknown"
    if isinstance(type, SetType):
        return f"a set of {_PLURALS.get(_noun(type.element.base)) or type.element}"
    if isinstance(type, RecordType):
        return _with_article(str(type)) if type.name else f"a record {type}"
    if isinstance(type, TupleType):
        return f"a tuple ({', '.join(map(_noun, type.items))})"
    return _with_article(_noun(type))


def allowed(type: Type) -> str:
    """The values of a type in words, for messages about other values."""
    inner = strip_none(type)
    if isinstance(inner, SetType):
        return f"each member {allowed(inner.element).removeprefix('it ')}"
    if isinstance(inner, BoolType):
        return "it is true or false"
    if isinstance(inner, PartType | MemberType) and inner.size <= 10:
        return f"it is one of {', '.join(map(format_value, inner.members))}"
    return f"it is one of {inner}"


_PLURALS = {"number": "numbers", "player": "players", "direction": "directions"}


def _noun(type: Type) -> str:
    """The noun for one value of a type."""
    if isinstance(type, NumberType):
        return "number"
    name = str(type)
    return name.lower() if name in ("Player", "Direction") else name


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"
