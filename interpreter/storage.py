"""How values are stored: what a type admits, the place of an entry in its variable, and the normal form of a value."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter.intervals import is_whole
from zermelo.interpreter.types import (
    UNKNOWN,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    RecordType,
    SetType,
    TupleType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import EvaluationError, OrderedSet, Value, format_value, in_type_order

AdmissionTest = Callable[[Value], bool]
Ordinal = Callable[[Value], int]


def admission_test(type: Type, given: Type) -> AdmissionTest | None:
    """A test whether a value of type ``given``, or none, belongs to ``type``; None if every value but none does."""
    if isinstance(type, OptionalType):
        inner = admission_test(type.inner, given)
        return None if inner is None else lambda value: value is None or inner(value)
    if is_within(strip_none(given), type):
        return None
    contains = type.contains
    return lambda value: value is not None and contains(value)


def is_within(given: Type, type: Type) -> bool:
    """Whether, by the static types alone, each value of ``given`` belongs to ``type``."""
    if isinstance(type, OptionalType):
        return is_within(strip_none(given), type.inner)
    if isinstance(type, NumberType) and isinstance(given, NumberType):
        return (
            (type.low is None or (given.low is not None and given.low >= type.low))
            and (type.high is None or (given.high is not None and given.high <= type.high))
            and (type.step is None or (type.step == 1 and is_whole(type) and is_whole(given)))
        )
    if isinstance(type, SetType) and isinstance(given, SetType):
        return is_within(given.element, type.element)
    if isinstance(type, TupleType) and isinstance(given, TupleType):
        return len(given.items) == len(type.items) and all(map(is_within, given.items, type.items))
    return given == type


def admit(value: Value, test: AdmissionTest | None, type: Type, what: str, span: Span) -> Value:
    """The value, if ``type`` admits it; raises :class:`EvaluationError` else. ``what`` is the target:
    ``score[Ann]``."""
    if value is None:
        if isinstance(type, OptionalType):
            return value
        raise EvaluationError("none-value", f"{what} is given none, but takes only {type}", span)
    if test is not None and not test(value):
        raise EvaluationError(
            "assigned-out-of-range",
            f"{what} is given {format_value(value)}, but takes only {type_with_values(type)}",
            span,
        )
    return value


def type_with_values(type: Type) -> str:
    """The name of a type, with its values if they are few: ``Die (1..6)``."""
    if isinstance(type, PartType) and type.name:
        return f"{type.name} ({format_value(type.chosen)})" if len(type.chosen) <= 12 else type.name
    return str(type)


def normaliser(type: Type) -> Callable[[Value], Value] | None:
    """The function that brings a value to its normal form (sets at any depth in the order of their type); None if the
    type holds no sets."""
    if isinstance(type, OptionalType):
        inner = normaliser(type.inner)
        return None if inner is None else lambda value: None if value is None else inner(value)
    if isinstance(type, SetType):
        element = normaliser(type.element)
        if element is None:
            return in_type_order
        return lambda value: in_type_order(OrderedSet(map(element, value)))
    if isinstance(type, TupleType):
        items = [normaliser(item) for item in type.items]
        if not any(items):
            return None
        return lambda value: tuple(
            part if item is None else item(part) for item, part in zip(items, value, strict=True)
        )
    return None


def replace_at(value: Value, path: tuple[int, ...], new: Value) -> Value:
    """A record with the field at ``path`` replaced."""
    if not path:
        return new
    place, *rest = path
    return (*value[:place], replace_at(value[place], tuple(rest), new), *value[place + 1 :])


def type_at(type: Type, path: tuple[int, ...]) -> Type:
    """The type of the field of a record at ``path``; unknown if there is an error, and no such record."""
    for place in path:
        record = strip_none(type)
        if not isinstance(record, TupleType):
            return UNKNOWN
        type = record.items[place]
    return type


def place_name(type: Type, path: tuple[int, ...]) -> str:
    """The field at ``path`` as the language writes it: ``.rank``."""
    name = ""
    for index in path:
        record = strip_none(type)
        assert isinstance(record, TupleType)
        name += f".{record.fields[index]}" if isinstance(record, RecordType) else f".{index + 1}"
        type = record.items[index]
    return name


def position_in(type: Type, name: str, span: Span) -> Ordinal:
    """The function from values, not none, to their places in the order of an index type, from 0.

    It raises :class:`EvaluationError` (``index-out-of-range``) outside the type; ``name`` is that of the variable.
    """
    if isinstance(type, MemberType):
        return lambda value: value.index
    places = {value: place for place, value in enumerate(type.generate())}

    def position(value: Value) -> int:
        place = places.get(value)
        if place is None:
            raise EvaluationError(
                "index-out-of-range",
                f"{name} has no entry {format_value(value)}; its index is {type_with_values(type)}",
                span,
            )
        return place

    return position
