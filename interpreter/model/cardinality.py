"""The number of values of a type and of members of a set, before play and without listing them."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.types import DirectionType, OptionalType, SetType, TupleType, Type, UnknownType, strip_none


def values_of_type(type: Type) -> int | None:
    """The number of values of a type; None if it is infinite, unknown or astronomical."""
    if isinstance(type, UnknownType) or not type.is_finite:
        return None
    if isinstance(type, SetType):
        members = values_of_type(type.element)
        return None if members is None or members > 10_000 else 1 << members
    if isinstance(type, OptionalType):
        inner = values_of_type(type.inner)
        return None if inner is None else inner + 1
    if isinstance(type, TupleType):
        size = 1
        for item in type.items:
            part = values_of_type(item)
            if part is None:
                return None
            size *= part
        return size
    return type.size


def most_members(collection: model.Expr) -> int | None:
    """The most members that a set can have; None if unknown. Directions can be added and scaled, so that there are more
    than the eight values of their type."""
    if isinstance(collection, model.Const):
        return None if collection.value is None else len(collection.value)
    if isinstance(collection, model.MakeSet):
        return len(collection.items)
    base = strip_none(collection.type)
    return values_of_type(base.element) if isinstance(base, SetType) and not _has_directions(base.element) else None


def _has_directions(type: Type) -> bool:
    inner = strip_none(type)
    if isinstance(inner, TupleType):
        return any(map(_has_directions, inner.items))
    return isinstance(inner, DirectionType) or (isinstance(inner, SetType) and _has_directions(inner.element))
