"""Variables: the places of their entries, their names, and reading them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import UNSET, Closure, Compiles, Context, Frame
from zermelo.interpreter.model import Expr, Read, Variable
from zermelo.interpreter.storage import position_in
from zermelo.interpreter.types import MemberType
from zermelo.interpreter.values import Value, format_value


def _read(compiler: Compiles, expr: Read) -> Closure:
    variable, span = expr.variable, expr.span
    offset = variable.offset

    def unset(place: int) -> EvaluationError:
        return EvaluationError("unset-variable", f"{entry_name(variable, place)} is read before it has a value", span)

    if not expr.indices:

        def read(context: Context, frame: Frame) -> Value:
            value = context.values[offset]
            if value is UNSET:
                raise unset(offset)
            return value

        return read

    if len(expr.indices) == 1 and isinstance(variable.indices[0], MemberType):
        index = compiler.expression(expr.indices[0])

        def read_member(context: Context, frame: Frame) -> Value:
            member = index(context, frame)
            if member is None:
                return None
            value = context.values[offset + member.index]
            if value is UNSET:
                raise unset(offset + member.index)
            return value

        return read_member

    place_of = place_of_entry(compiler, variable, expr.indices)

    def read_entry(context: Context, frame: Frame) -> Value:
        place = place_of(context, frame)
        if place is None:
            return None
        value = context.values[place]
        if value is UNSET:
            raise unset(place)
        return value

    return read_entry


def place_of_entry(compiler: Compiles, variable: Variable, indices: tuple[Expr, ...]) -> Closure:
    """The closure of an entry's place among all values; none if an index is none."""
    offset = variable.offset
    sized = []
    stride = 1
    for type, expr in reversed(list(zip(variable.indices, indices, strict=True))):
        sized.append((compiler.expression(expr), position_in(type, variable.name, expr.span), stride))
        stride *= type.size
    sized.reverse()

    def place(context: Context, frame: Frame) -> int | None:
        at = offset
        for index, position, stride in sized:
            value = index(context, frame)
            if value is None:
                return None
            at += position(value) * stride
        return at

    return place


def entry_indices(variable: Variable, place: int) -> tuple[Value, ...]:
    """The indices of the entry at ``place``."""
    rest = place - variable.offset
    found = []
    for type in reversed(variable.indices):
        rest, at = divmod(rest, type.size)
        found.append(type.members.items[at])
    return tuple(reversed(found))


def entry_name(variable: Variable, place: int) -> str:
    """The entry at ``place`` as the language writes it: ``hand[Alice]``."""
    indices = entry_indices(variable, place)
    return f"{variable.name}[{', '.join(map(format_value, indices))}]" if indices else variable.name


COMPILERS: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {Read: _read}
