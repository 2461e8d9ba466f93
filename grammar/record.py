"""Frozen records: what reading, checking and lowering a game make, such as findings, syntax trees, types and models.

There are two hundred and fifty kinds of them, and every command makes all these classes anew when it starts. attrs
writes the methods of each class as text and compiles them, which for so many classes would take longer than to read,
check and solve a small game. So what records do stands here once for all of them. Making and comparing one takes three
times as long for that: attrs serves for what changes, and for what is made all the time while a game is played. A class
is nothing but its fields::

    class Between(Expr):
        \"""``low <= item <= high``.\"""

        item: Expr
        low: Expr
        high: Expr
        strict: bool = False
        span: Span = field(kw_only=True, eq=False, repr=False)

A record is made from its fields in their order, those of the base before its own, or by their names. Equality and
hash go by kind and fields; a class made with ``eq=False``, and all below it, is equal to nothing but itself.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeVar, dataclass_transform

R = TypeVar("R", bound="Record")

_REQUIRED: Final = object()
"""What stands for the default of a field that has none."""


class Field(NamedTuple):
    """What is special about a field. It is compared unless ``eq`` is false; by what ``eq`` makes of it, if that is a
    function."""

    default: Any
    kw_only: bool
    eq: bool | Callable[[Any], object]
    repr: bool


def field(
    *, default: Any = _REQUIRED, kw_only: bool = False, eq: bool | Callable[[Any], object] = True, repr: bool = True
) -> Any:
    """Stands in a class where the default of a field would, and says what is special about it."""
    return Field(default, kw_only, eq, repr)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """The base of all records."""

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _fields: ClassVar[dict[str, Field]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    _key: ClassVar[Callable[[Any], object]]

    def __init_subclass__(cls, eq: bool = True) -> None:
        own = {name: _taken(cls, name) for name in cls.__annotations__}
        cls._fields = {**cls._fields, **own}
        cls._defaults = {name: field.default for name, field in cls._fields.items() if field.default is not _REQUIRED}
        cls.__match_args__ = tuple(  # type: ignore[misc]  # mypy takes it for fixed; every class has its own
            name for name, field in cls._fields.items() if not field.kw_only
        )
        cls._key = staticmethod(_key(cls._fields))
        if not eq:
            cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__  # type: ignore[method-assign]  # by identity

    def __init__(self, /, *values: Any, **named: Any) -> None:
        kind, held = type(self), self.__dict__
        placed = kind.__match_args__[: len(values)]
        held.update(kind._defaults)
        held.update(zip(placed, values, strict=False))
        held.update(named)
        if held.keys() != kind._fields.keys() or len(placed) < len(values) or not named.keys().isdisjoint(placed):
            raise TypeError(f"{kind.__name__} is made from {', '.join(kind._fields)}, each given once")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a record never changes: {type(self).__name__}.{name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a record never changes: {type(self).__name__}.{name}")

    def __eq__(self, other: object) -> bool:
        kind = type(self)
        return kind is type(other) and (self is other or bool(kind._key(self) == kind._key(other)))

    def __hash__(self) -> int:
        kind = type(self)
        return hash((kind, kind._key(self)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, field in self._fields.items() if field.repr)
        return f"{type(self).__name__}({shown})"


def fields(kind: type[Record]) -> tuple[str, ...]:
    """The names of a record's fields, in order."""
    return tuple(kind._fields)


def evolve(record: R, /, **changes: Any) -> R:
    """The same record with other values of some fields."""
    return type(record)(**{name: getattr(record, name) for name in record._fields} | changes)


def _taken(kind: type[Record], name: str) -> Field:
    """A field of a class, from what stands in its place."""
    default = kind.__dict__.get(name, _REQUIRED)
    if default is not _REQUIRED:
        delattr(kind, name)
    return default if isinstance(default, Field) else Field(default, kw_only=False, eq=True, repr=True)


def _key(fields: dict[str, Field]) -> Callable[[Any], object]:
    """What gives that by which records are compared."""
    compared = {name: field.eq for name, field in fields.items() if field.eq}
    if not compared:
        return lambda record: None
    if all(eq is True for eq in compared.values()):
        return attrgetter(*compared)
    return lambda record: tuple(
        eq(getattr(record, name)) if callable(eq) else getattr(record, name) for name, eq in compared.items()
    )
