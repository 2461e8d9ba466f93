"""How many values a type has, and how many members a set: what can be told before play, without listing them."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.types import DirectionType, OptionalType, SetType, TupleType, Type, UnknownType, strip_none


def values_of_type(type: Type) -> int | None:
    """How many values a type has; None where nobody could count so far."""
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
    """How many members a set has at most; None where nobody can tell. Of directions there are more than the eight that
    the type lists, since they can be added and stretched."""
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
