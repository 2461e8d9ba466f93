"""Common supertypes."""

from __future__ import annotations

from zermelo.interpreter import intervals
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, TupleType, Type, optional, strip_none


def common_type(one: Type, two: Type) -> Type:
    """A type to which the values of both belong."""
    if isinstance(one, NoneType) or isinstance(two, NoneType):
        return optional(two if isinstance(one, NoneType) else one)
    a, b = strip_none(one).base, strip_none(two).base
    joined: Type = a
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        joined = intervals.hull(a, b)
    elif isinstance(a, TupleType) and isinstance(b, TupleType):
        joined = TupleType(tuple(map(common_type, a.items, b.items)))
    has_none = isinstance(one, OptionalType) or isinstance(two, OptionalType)
    return optional(joined) if has_none else joined
