"""The values of the language, how numbers are written, weighted choices among values, and the errors of rules."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from weakref import WeakValueDictionary

from zermelo.foundation.records import Unchanging
from zermelo.grammar.diagnostics import Span
from zermelo.grammar.names import shown

if TYPE_CHECKING:
    from random import Random

_LARGEST_FLOAT: Final = 10**300


def round_digits(number: Fraction | int, digits: int) -> str:
    """A number, perhaps beyond the range of floats, to so many significant digits: ``-0.0556``, ``5.53e+17``."""
    if -_LARGEST_FLOAT < number < _LARGEST_FLOAT:
        return f"{float(number):.{digits}g}"
    from decimal import Decimal

    return f"{Decimal(number.numerator) / number.denominator:.{digits}g}"


# Exact weighted sampling: the same draws on every machine.


def weighted_choice(weights: Sequence[Value], random: Random) -> int:
    """An index into ``weights``, drawn with a probability exactly proportional to its weight."""
    if len(weights) == 1:
        return 0
    scale = lcm(*(weight.denominator for weight in weights))
    scaled = [int(weight * scale) for weight in weights]
    drawn = random.randrange(sum(scaled))
    return bisect_right(list(accumulate(scaled)), drawn)


# The values of expressions.
#
# =============  ==================================================================
# type           value
# =============  ==================================================================
# number         ``int``, or ``fractions.Fraction`` where it is no whole number
# ``Bool``       ``bool``
# enumeration    :class:`Member`; players are members, too
# board          :class:`Cell`, a member that knows its coordinates
# ``edges(T)``   :class:`Edge`, a member that knows its two ends
# ``Direction``  :class:`Direction`, a step on a board
# record, tuple  ``tuple`` of the values of its fields
# ``set of T``   :class:`OrderedSet`
# ``none``       ``None``
# =============  ==================================================================
#
# There is one object for each member of a type, also if a game is read twice, copied or unpickled: so members are
# compared by identity, and have the same hash. The checker keeps types apart, except in what players perceive, in moves
# and in constants: these compare values by :func:`are_equal`, since Python holds ``True`` and 1 to be equal.


Value = Any
"""Any of the above. The static types are those of :mod:`zermelo.interpreter.types`, not Python's."""

MOST_DIGITS: Final = 1000
"""The most digits of a whole number, and of the numerator and the denominator of a fraction."""

_TOO_LARGE: Final = 10**MOST_DIGITS
_WHOLE: Final = r"[+-]?[\d_]+\s*"


_MEMBERS: Final[WeakValueDictionary[tuple[object, ...], Member]] = WeakValueDictionary()
_MAKING: Final = Lock()


class Member(Unchanging):
    """A member of an enumeration: a label of its type that no other type of the game has, its name, its index in the
    order of declaration, from 0, and the sign that a legend gives it, empty without one."""

    __slots__ = ("__weakref__", "index", "name", "sign", "type")

    def __new__(cls, type: str, name: str, index: int, *rest: object) -> Self:
        """The one object with these parts."""
        key = cls, type, name, shown(name), index, *(rest or ("",))
        with _MAKING:
            made = _MEMBERS.get(key)
            if made is None:
                made = _MEMBERS[key] = super().__new__(cls)
        assert isinstance(made, cls)
        return made

    def __init__(self, type: str, name: str, index: int, sign: str = "") -> None:
        self.type = type
        self.name = name
        self.index = index
        self.sign = sign

    def __reduce__(self) -> tuple[type[Member], tuple[object, ...]]:
        return Member, (self.type, self.name, self.index, self.sign)

    def __repr__(self) -> str:
        return self.name


class Cell(Member):
    """A cell of a board. ``x`` and ``y`` count from 1 on a grid or hex board; elsewhere they are ``index`` and 0."""

    __slots__ = ("x", "y")

    def __init__(self, type: str, name: str, index: int, x: int, y: int) -> None:
        super().__init__(type, name, index)
        self.x = x
        self.y = y

    def __reduce__(self) -> tuple[type[Member], tuple[object, ...]]:
        return Cell, (self.type, self.name, self.index, self.x, self.y)


class Edge(Member):
    """A pair of neighbouring cells."""

    __slots__ = ("ends",)

    def __init__(self, type: str, name: str, index: int, ends: OrderedSet) -> None:
        super().__init__(type, name, index)
        self.ends = ends

    def __reduce__(self) -> tuple[type[Member], tuple[object, ...]]:
        return Edge, (self.type, self.name, self.index, self.ends)


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

_PLACES: Final = {direction: place for place, direction in enumerate(COMPASS.values())}

ORTHOGONAL = tuple(COMPASS[name] for name in ("north", "east", "south", "west"))
DIAGONAL = tuple(COMPASS[name] for name in ("northeast", "southeast", "southwest", "northwest"))


class OrderedSet(Unchanging):
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

    def __reduce__(self) -> tuple[type[OrderedSet], tuple[tuple[Value, ...]]]:
        return OrderedSet, (self.items,)  # hashes differ between processes

    def __repr__(self) -> str:
        return format_value(self)


EMPTY = OrderedSet()


def has_few_digits(number: int | Fraction) -> bool:
    """Whether a number, or each part of a fraction, has at most :data:`MOST_DIGITS` digits. Rules admit no others, so
    that every operation is quick and every number can be printed."""
    if isinstance(number, int):
        return -_TOO_LARGE < number < _TOO_LARGE
    return -_TOO_LARGE < number.numerator < _TOO_LARGE and number.denominator < _TOO_LARGE


class NumberTooLong(ValueError):
    """A number is too long to be read."""


def read_number(text: str) -> int | Fraction:
    """The number of a text (``4``, ``-1/3``, ``0.25``, ``1e-3``); raises ``ValueError`` for other texts, and
    :class:`NumberTooLong`."""
    _, _, exponent = text.lower().partition("e")
    if len(text) > 2 * MOST_DIGITS + 2 or (re.fullmatch(_WHOLE, exponent) and abs(int(exponent)) > MOST_DIGITS):
        raise NumberTooLong("too many digits")
    try:
        number = Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError("it divides by 0") from error
    if not has_few_digits(number):
        raise NumberTooLong("too many digits")
    return exact(number)


def exact(number: int | Fraction) -> int | Fraction:
    """The same number, as an ``int`` where it is whole."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def sort_key(value: Value) -> Any:
    """The sort key within a type: numbers by size, members by index, directions clockwise from north, and after them
    other steps; tuples lexicographically; sets by their number of members, those of one size by their sorted members,
    lexicographically; ``none`` first."""
    if value is None:
        return ()
    if isinstance(value, Member):
        return (value.index,)
    if isinstance(value, OrderedSet):
        return (len(value), *sorted(map(sort_key, value.items)))
    if isinstance(value, Direction):
        return _PLACES.get(value, len(_PLACES)), value.dx, value.dy
    if isinstance(value, tuple):
        return tuple(map(sort_key, value))
    return (value,)


def are_equal(ones: tuple[Value, ...], others: tuple[Value, ...]) -> bool:
    """Whether values of any types are equal in the language, place by place. Python's equality is tested first; it does
    not tell 1 from ``True``, nor a direction from a pair of numbers."""
    if ones != others:
        return False
    for one, other in zip(ones, others, strict=True):
        if one is other:
            continue
        if type(one) is tuple and type(other) is tuple:
            if not are_equal(one, other):
                return False
        elif typed_key(one) != typed_key(other):
            return False
    return True


def typed_key(value: Value) -> Value:
    """A key that is equal only for values that are equal in the language. Records and sets are equal if their parts
    are."""
    kind = type(value)
    if kind is bool or kind is Direction:
        return kind, value
    if kind is tuple:
        return tuple(map(typed_key, value))
    return frozenset(map(typed_key, value.items)) if kind is OrderedSet else value


def ordered_key(value: Value) -> Value:
    """A key that is equal only for values that the language cannot tell apart. The order of a set counts: a ray, for
    example, is not in the order of its type."""
    if isinstance(value, OrderedSet):
        return OrderedSet, *map(ordered_key, value.items)
    return tuple(map(ordered_key, value)) if type(value) is tuple else value


def in_type_order(items: OrderedSet) -> OrderedSet:
    """The same set in the order of its type, as variables store it."""
    return OrderedSet(sorted(items.items, key=sort_key))


_DIRECTION_NAMES = {direction: name for name, direction in COMPASS.items()}


def format_value(value: Value) -> str:
    """A value, or a name, as the language writes it: ``b2``, ``3/4``, ``true``, ``(White, king)``, ``{a1, a2}``."""
    return _write_value(value, format_value)


def display_value(value: Value) -> str:
    """A value, or a name, as its file shows it to people: by the signs of legends, ``6♥`` for ``(six, hearts)``, and by
    texts behind names. All else is as in :func:`format_value`."""
    if isinstance(value, Member):
        return value.sign or shown(value.name)
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, tuple) and value and all(isinstance(part, Member) and part.sign for part in value):
        return "".join(part.sign for part in value)
    return _write_value(value, display_value)


def _write_value(value: Value, part: Callable[[Value], str]) -> str:
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


# The error of an expression that has no value.


class EvaluationError(Exception):
    """An expression or a statement cannot be evaluated.

    ``code`` is a code of :mod:`zermelo.grammar.diagnostics`; ``message`` is a sentence in the user's words without a
    full stop, ``span`` the place in the rules, ``help`` what to do. A caller that knows the play turns it into a
    finding.
    """

    def __init__(self, code: str, message: str, span: Span, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.help = help
