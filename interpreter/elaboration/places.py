"""What to write where a place on a ring meets a number: the places are written as their numbers, but are none."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.compatibility import is_ring
from zermelo.interpreter.types import NumberType, SetType, Type, strip_none


def help_to_place(number: model.Expr, wanted: Type, scope: Scope) -> str:
    """The help where a number stands for a place of the ring ``wanted``."""
    if not is_ring(strip_none(wanted)) or not isinstance(strip_none(number.type), NumberType):
        return ""
    return f"{strip_none(wanted)}({scope.findings.source.excerpt(number.span)}) is the place with this number"


def help_to_places(numbers: model.Expr, wanted: Type, scope: Scope) -> str:
    """The help where a set of numbers stands for a set of places of the ring ``wanted``."""
    found = strip_none(numbers.type)
    if not is_ring(strip_none(wanted)) or not isinstance(found, SetType) or not isinstance(found.element, NumberType):
        return ""
    return f"{strip_none(wanted)}(k) is the place with the number k"


def help_between(left: model.Expr, right: model.Expr, scope: Scope) -> str:
    """The help where one of the two is a place on a ring and the other a number."""
    return help_to_place(right, left.type, scope) or help_to_place(left, right.type, scope)


def help_to_count(left: model.Expr, right: model.Expr, scope: Scope) -> str:
    """The help where a place on a ring is used as a number."""
    for side in (right, left):
        if is_ring(strip_none(side.type)):
            ring, place = strip_none(side.type), scope.findings.source.excerpt(side.span)
            return f"the number of a place is that of the steps to it, steps(0, {place}); {ring}(k) is the place k"
    return ""
