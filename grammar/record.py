"""Records: classes that are nothing but their fields, made without compiling.

There are three hundred kinds of them, and every command makes all these classes anew when it starts. attrs writes the
methods of each class as text and compiles them, which takes longer than to read, check and solve a small game. So in
what most commands load, what records do stands here once for all of them; attrs serves in the algorithms for hidden
information, which load larger libraries anyway, and where a person is at the keyboard. Making and comparing a record
takes two to three times as long for that. A class is written as for attrs::

    class Between(Expr):
        \"""``low <= item <= high``.\"""

        item: Expr
        low: Expr
        high: Expr
        strict: bool = False
        span: Span = field(kw_only=True, eq=False, repr=False)

A record is made from its fields in their order, those of the base before its own, or by their names; those of a class
made with ``kw_only=True`` by name alone. A :class:`Record` never changes, and its equality and hash go by kind and
fields; a class made with ``eq=False``, and all below it, is equal to nothing but itself. So is what is
:class:`Mutable`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeVar, dataclass_transform

R = TypeVar("R", bound="Fields")

_REQUIRED: Final = object()
"""What stands for the default of a field that has none."""


class Field(NamedTuple):
    """What is special about a field. It is compared unless ``eq`` is false; by what ``eq`` makes of it, if that is a
    function. A ``factory`` makes a default of its own for each record."""

    default: Any
    factory: Callable[[], Any] | None
    kw_only: bool
    eq: bool | Callable[[Any], object]
    repr: bool


def field(
    *,
    default: Any = _REQUIRED,
    factory: Callable[[], Any] | None = None,
    kw_only: bool = False,
    eq: bool | Callable[[Any], object] = True,
    repr: bool = True,
) -> Any:
    """Stands in a class where the default of a field would, and says what is special about it."""
    return Field(default, factory, kw_only, eq, repr)


def _taken(kind: type, name: str, kw_only: bool) -> Field:
    """A field of a class, from what stands in its place."""
    default = kind.__dict__.get(name, _REQUIRED)
    if default is not _REQUIRED:
        delattr(kind, name)
    found = default if isinstance(default, Field) else Field(default, None, False, eq=True, repr=True)
    return found._replace(kw_only=found.kw_only or kw_only)


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


class Fields:
    """What all records have: fields, which they are made from and shown by."""

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _fields: ClassVar[dict[str, Field]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    _factories: ClassVar[dict[str, Callable[[], Any]]] = {}
    _key: ClassVar[Callable[[Any], object]]

    def __init_subclass__(cls, kw_only: bool = False) -> None:
        super().__init_subclass__()
        own = {name: _taken(cls, name, kw_only) for name in cls.__annotations__}
        cls._fields = {**cls._fields, **own}
        cls._defaults = {name: field.default for name, field in cls._fields.items() if field.default is not _REQUIRED}
        cls._factories = {name: field.factory for name, field in cls._fields.items() if field.factory is not None}
        cls.__match_args__ = tuple(  # type: ignore[misc]  # mypy takes it for fixed; every class has its own
            name for name, field in cls._fields.items() if not field.kw_only
        )

    def __init__(self, /, *values: Any, **named: Any) -> None:
        kind, held = type(self), self.__dict__
        if not named and len(values) == len(kind._fields) == len(kind.__match_args__):
            held.update(zip(kind.__match_args__, values, strict=True))
            return
        placed = kind.__match_args__[: len(values)]
        held.update(kind._defaults)
        held.update(zip(placed, values, strict=False))
        held.update(named)
        for name, factory in kind._factories.items():
            if name not in held:
                held[name] = factory()
        if held.keys() != kind._fields.keys() or len(placed) < len(values) or not named.keys().isdisjoint(placed):
            raise TypeError(f"{kind.__name__} is made from {', '.join(kind._fields)}, each given once")

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, field in self._fields.items() if field.repr)
        return f"{type(self).__name__}({shown})"


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Fields):
    """The base of what never changes."""

    def __init_subclass__(cls, eq: bool = True, kw_only: bool = False) -> None:
        super().__init_subclass__(kw_only)
        cls._key = staticmethod(_key(cls._fields))
        if not eq:
            cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__  # type: ignore[method-assign]  # by identity

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


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Mutable(Fields):
    """The base of what changes, and is equal to nothing but itself."""


def fields(kind: type[Fields]) -> tuple[str, ...]:
    """The names of a record's fields, in order."""
    return tuple(kind._fields)


def evolve(record: R, /, **changes: Any) -> R:
    """The same record with other values of some fields."""
    return type(record)(**{name: getattr(record, name) for name in record._fields} | changes)
