"""Types: sets of values, with their names and their geometry.

Expressions have *base* types. A part of a type (``{queen, rook}``, ``{s in Square if ...}``) has its parent as base and
matters only for what a variable may hold. Types of numbers carry an interval that contains the values.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod

from attrs import field, frozen

from zermelo.foundation.records import ByValue, Displayed, Unchanging
from zermelo.grammar.names import compact, shown
from zermelo.interpreter.values import COMPASS, Cell, Direction, Member, OrderedSet, Value, format_value


@frozen(eq=False, repr=False)
class Type(Displayed, Unchanging):
    """The base of all types. Types are equal if they are the same declaration or have the same structure."""

    @property
    def base(self) -> Type:
        """The type as expressions see it."""
        return self

    def __str__(self) -> str:
        raise NotImplementedError

    @property
    def is_finite(self) -> bool:
        return True

    @property
    def size(self) -> int:
        """How many values the type has."""
        return len(self.members)

    @cached_property
    def members(self) -> OrderedSet:
        """All values, in the type's order. Only for finite types."""
        return OrderedSet(self.generate())

    def generate(self) -> Iterator[Value]:
        raise NotImplementedError

    def contains(self, value: Value) -> bool:
        """Whether a value of the base type belongs to this type."""
        return value in self.members


@frozen(eq=False, repr=False)
class BoolType(Type, ByValue):
    def __str__(self) -> str:
        return "Bool"

    def generate(self) -> Iterator[Value]:
        yield from (False, True)


@frozen(eq=False, repr=False)
class NumberType(Type, ByValue):
    """Numbers from ``low`` to ``high`` (None: unknown) in steps of ``step`` (None: any fraction)."""

    low: Fraction | int | None = None
    high: Fraction | int | None = None
    step: Fraction | int | None = 1

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "number"
        by = "" if self.step == 1 or self.step is None else f" by {self.step}"
        return f"{self.low}..{self.high}{by}"

    @property
    def is_finite(self) -> bool:
        return self.low is not None and self.high is not None and self.step is not None

    @property
    def size(self) -> int:
        if self.low is None or self.high is None or self.step is None:
            raise ValueError("an unbounded number has no size")
        return max(0, int((self.high - self.low) // self.step) + 1)

    def generate(self) -> Iterator[Value]:
        if self.low is None or self.step is None:
            raise ValueError("an unbounded number cannot be listed")
        for k in range(self.size):
            value = Fraction(self.low + k * self.step)
            yield value.numerator if value.denominator == 1 else value

    def contains(self, value: Value) -> bool:
        return (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.step is None or self.low is None or (value - self.low) % self.step == 0)
        )


@frozen(eq=False, repr=False)
class MemberType(Type):
    """An enumeration. Each declaration is a type of its own, even where two share names."""

    name: str
    listed: tuple[Member, ...] = field(repr=False)
    ordered: bool = False

    def __str__(self) -> str:
        return self.name

    def generate(self) -> Iterator[Value]:
        return iter(self.listed)

    @cached_property
    def by_name(self) -> dict[str, Member]:
        return {member.name: member for member in self.listed}

    @cached_property
    def by_text(self) -> dict[str, Member]:
        """The members by all compact texts for them: signs, what is shown in place of names, and the names."""
        shown_as = {compact(shown(member.name)): member for member in self.listed}
        return {**self.by_sign, **shown_as, **self.by_name}

    @cached_property
    def by_sign(self) -> dict[str, Member]:
        return {member.sign: member for member in self.listed if member.sign}


@frozen(eq=False, repr=False)
class BoardType(MemberType):
    """A board: cells and their neighbours.

    ``shape`` is ``grid``, ``hex``, ``ring`` or ``graph``; ``directions`` are the steps to a neighbour (on a grid along
    files, ranks and diagonals); ``links`` are the neighbours of each cell, by index, on a board without directions
    (ring and graph), and ``chains`` a graph's rows of neighbours, as declared.
    """

    shape: str = "grid"
    directions: tuple[Direction, ...] = ()
    links: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    chains: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    @cached_property
    def by_coordinates(self) -> dict[tuple[int, int], Cell]:
        return {(cell.x, cell.y): cell for cell in self.cells}

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.listed  # type: ignore[return-value]  # the builders of boards list cells alone


@frozen(eq=False, repr=False)
class EdgesType(MemberType):
    """The pairs of neighbours of a board."""

    board: BoardType = field(kw_only=True)


@frozen(eq=False, repr=False)
class DirectionType(Type, ByValue):
    """The eight directions of the compass; or all steps, which sums and multiples of directions are (:data:`STEP`)."""

    is_compass: bool = True

    def __str__(self) -> str:
        return "Direction"

    @property
    def is_finite(self) -> bool:
        return self.is_compass

    def generate(self) -> Iterator[Value]:
        return iter(COMPASS.values())


@frozen(eq=False, repr=False)
class TupleType(Type, ByValue):
    items: tuple[Type, ...]

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.items)) + ")"

    @property
    def base(self) -> Type:
        return TupleType(tuple(item.base for item in self.items))

    @property
    def is_finite(self) -> bool:
        return all(item.is_finite for item in self.items)

    @property
    def size(self) -> int:
        return prod(item.size for item in self.items)

    def generate(self) -> Iterator[Value]:
        return product(*(item.generate() for item in self.items))

    def contains(self, value: Value) -> bool:
        return all(item.contains(part) for item, part in zip(self.items, value, strict=True))


@frozen(eq=False, repr=False)
class RecordType(TupleType):
    """A tuple with named fields."""

    name: str = ""
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name or "(" + ", ".join(f"{f}: {t}" for f, t in zip(self.fields, self.items, strict=True)) + ")"

    @property
    def base(self) -> Type:
        return RecordType(tuple(item.base for item in self.items), self.name, self.fields)


@frozen(eq=False, repr=False)
class SetType(Type, ByValue):
    element: Type

    def __str__(self) -> str:
        return f"set of {self.element}"

    @property
    def base(self) -> Type:
        return SetType(self.element.base)

    @property
    def is_finite(self) -> bool:
        return self.element.is_finite

    @property
    def size(self) -> int:
        return 1 << self.element.size

    def generate(self) -> Iterator[Value]:
        """All subsets, the small ones first."""
        items = self.element.members.items
        return (OrderedSet(chosen) for k in range(len(items) + 1) for chosen in combinations(items, k))

    def contains(self, value: Value) -> bool:
        return all(self.element.contains(item) for item in value)


@frozen(eq=False, repr=False)
class OptionalType(Type, ByValue):
    """``T?``; its inner type is never itself optional (:func:`optional` sees to that)."""

    inner: Type

    def __str__(self) -> str:
        return f"{self.inner}?"

    @property
    def base(self) -> Type:
        return OptionalType(self.inner.base)

    @property
    def is_finite(self) -> bool:
        return self.inner.is_finite

    @property
    def size(self) -> int:
        return self.inner.size + 1

    def generate(self) -> Iterator[Value]:
        yield None
        yield from self.inner.members

    @cached_property
    def members(self) -> OrderedSet:
        raise TypeError("a set never holds none; use generate() to list an optional type")

    def contains(self, value: Value) -> bool:
        return value is None or self.inner.contains(value)


@frozen(eq=False, repr=False)
class NoneType(Type, ByValue):
    """The type of the literal ``none`` alone."""

    def __str__(self) -> str:
        return "none"

    def generate(self) -> Iterator[Value]:
        yield None

    def contains(self, value: Value) -> bool:
        return value is None


@frozen(eq=False, repr=False)
class UnknownType(Type, ByValue):
    """The type of an expression already reported as wrong; it fits every type, so that one mistake is reported once."""

    def __str__(self) -> str:
        return "?"

    @property
    def is_finite(self) -> bool:
        return True

    def generate(self) -> Iterator[Value]:
        return iter(())

    def contains(self, value: Value) -> bool:
        return True


@frozen(eq=False, repr=False)
class PartType(Type, ByValue):
    """Some of the values of ``parent``, with its names and functions."""

    parent: Type
    chosen: OrderedSet
    name: str = ""

    def __str__(self) -> str:
        return self.name or format_value(self.chosen)

    @property
    def base(self) -> Type:
        return self.parent.base

    def generate(self) -> Iterator[Value]:
        return iter(self.chosen)


BOOL = BoolType()
NUMBER = NumberType(None, None, None)
INTEGER = NumberType(None, None, 1)
DIRECTION = DirectionType()
STEP = DirectionType(is_compass=False)
NONE = NoneType()
UNKNOWN = UnknownType()


def optional(inner: Type) -> Type:
    """``inner?``, which is ``inner`` if that contains none already."""
    return inner if isinstance(inner, OptionalType | NoneType | UnknownType) else OptionalType(inner)


def strip_none(type: Type) -> Type:
    return type.inner if isinstance(type, OptionalType) else type


def neighbour(board: BoardType, cell: Cell, direction: Direction) -> Cell | None:
    """The neighbour of ``cell`` in a direction, None off the board."""
    return board.by_coordinates.get((cell.x + direction.dx, cell.y + direction.dy))
