"""The values of expressions.

=============  ==================================================================
type           value
=============  ==================================================================
number         ``int``, or ``fractions.Fraction`` where it is no whole number
``Bool``       ``bool``
enumeration    :class:`Member`; players are members, too
board          :class:`Cell`, a member that knows its coordinates
``edges(T)``   :class:`Edge`, a member that knows its two ends
``Direction``  :class:`Direction`, a step on a board
record, tuple  ``tuple`` of the values of its fields
``set of T``   :class:`OrderedSet`
``none``       ``None``
=============  ==================================================================

Members are compared by identity: a model makes each of its members once. The checker keeps types apart, so that
Python's ``True == 1`` never shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, NamedTuple

Value = Any
"""Any of the above. The static types are those of :mod:`zermelo.interpreter.types`, not Python's."""

MOST_DIGITS: Final = 1000
"""The most digits of a whole number, and of the numerator and the denominator of a fraction."""

_TOO_LARGE: Final = 10**MOST_DIGITS
_WHOLE: Final = re.compile(r"[+-]?[\d_]+\s*")


class Member:
    """A member of an enumeration: its name, its index in the order of declaration, from 0, and the sign that a legend
    gives it, empty without one."""

    __slots__ = ("index", "name", "sign")

    def __init__(self, name: str, index: int, sign: str = "") -> None:
        self.name = name
        self.index = index
        self.sign = sign

    def __repr__(self) -> str:
        return self.name


class Cell(Member):
    """A cell of a board. ``x`` and ``y`` count from 1 on a grid or hex board; elsewhere they are ``index`` and 0."""

    __slots__ = ("x", "y")

    def __init__(self, name: str, index: int, x: int, y: int) -> None:
        super().__init__(name, index)
        self.x = x
        self.y = y


class Edge(Member):
    """A pair of neighbouring cells."""

    __slots__ = ("ends",)

    def __init__(self, name: str, index: int, ends: OrderedSet) -> None:
        super().__init__(name, index)
        self.ends = ends


class Direction(NamedTuple):
    """A step by ``dx`` files and ``dy`` ranks. Sums and multiples of steps are steps, too."""

    dx: int
    dy: int


COMPASS: dict[str, Direction] = {
    "north": Direction(0, 1),
    "northeast": Direction(1, 1),
    "east": Direction(1, 0),
    "southeast": Direction(1, -1),
    "south": Direction(0, -1),
    "southwest": Direction(-1, -1),
    "west": Direction(-1, 0),
    "northwest": Direction(-1, 1),
}
"""The named directions, clockwise from north."""

ORTHOGONAL = tuple(COMPASS[name] for name in ("north", "east", "south", "west"))
DIAGONAL = tuple(COMPASS[name] for name in ("northeast", "southeast", "southwest", "northwest"))


class OrderedSet:
    """An immutable set that keeps the order in which it was built; order does not count for equality.

    It never holds ``None``: building one drops it, as the language says.
    """

    __slots__ = ("_hash", "items", "members")

    items: tuple[Value, ...]
    members: frozenset[Value]

    def __init__(self, items: Iterable[Value] = ()) -> None:
        self.items = tuple(item for item in dict.fromkeys(items) if item is not None)
        self.members = frozenset(self.items)
        self._hash = hash(self.members)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, item: object) -> bool:
        return item in self.members

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OrderedSet) and self.members == other.members

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return format_value(self)


EMPTY = OrderedSet()


def has_few_digits(number: int | Fraction) -> bool:
    """Whether a number, or each part of a fraction, has at most :data:`MOST_DIGITS` digits. Rules admit no others, so
    that every operation is quick and every number can be printed."""
    if isinstance(number, int):
        return -_TOO_LARGE < number < _TOO_LARGE
    return -_TOO_LARGE < number.numerator < _TOO_LARGE and number.denominator < _TOO_LARGE


def read_number(text: str) -> int | Fraction:
    """The number of a text (``4``, ``-1/3``, ``0.25``, ``1e-3``); raises ``ValueError`` for other texts and too many
    digits."""
    _, _, exponent = text.lower().partition("e")
    if len(text) > 2 * MOST_DIGITS + 2 or (_WHOLE.fullmatch(exponent) and abs(int(exponent)) > MOST_DIGITS):
        raise ValueError("too many digits")
    try:
        number = Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError("it divides by 0") from error
    if not has_few_digits(number):
        raise ValueError("too many digits")
    return exact(number)


def exact(number: int | Fraction) -> int | Fraction:
    """The same number, as an ``int`` where it is whole."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def sort_key(value: Value) -> Any:
    """The sort key within a type: numbers by size, members by index, tuples lexicographically; sets by their number of
    members, those of one size by their sorted members, lexicographically; ``none`` first."""
    if value is None:
        return ()
    if isinstance(value, Member):
        return (value.index,)
    if isinstance(value, OrderedSet):
        return (len(value), *sorted(map(sort_key, value.items)))
    if isinstance(value, tuple):
        return tuple(map(sort_key, value))
    return (value,)


def in_order(value: Value) -> Value:
    """A key that is equal only for values that the language cannot tell apart. The order of a set counts: a ray, for
    one, is not in the order of its type."""
    if isinstance(value, OrderedSet):
        return OrderedSet, *map(in_order, value.items)
    return tuple(map(in_order, value)) if type(value) is tuple else value


def canonical(items: OrderedSet) -> OrderedSet:
    """The same set in the order of its type, as variables store it."""
    return OrderedSet(sorted(items.items, key=sort_key))


_DIRECTION_NAMES = {direction: name for name, direction in COMPASS.items()}


def format_value(value: Value) -> str:
    """A value as the language writes it: ``b2``, ``3/4``, ``true``, ``(White, king)``, ``{a1, a2}``, ``none``."""
    return _written(value, format_value)


def shown_value(value: Value) -> str:
    """A value as the legends of its file show it, to people: ``6♥`` for ``(six, hearts)``. Members without a sign, and
    records with a part without one, are as in :func:`format_value`."""
    if isinstance(value, Member) and value.sign:
        return value.sign
    if isinstance(value, tuple) and value and all(isinstance(part, Member) and part.sign for part in value):
        return "".join(part.sign for part in value)
    return _written(value, shown_value)


def _written(value: Value, part: Callable[[Value], str]) -> str:
    """A value, with its parts as ``part`` writes them."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Member):
        return value.name
    if isinstance(value, Direction):
        return _DIRECTION_NAMES.get(value, f"<{value.dx}, {value.dy}>")
    if isinstance(value, tuple):
        return "(" + ", ".join(map(part, value)) + ")"
    if isinstance(value, OrderedSet):
        return "{" + ", ".join(map(part, value.items)) + "}"
    return str(value)
