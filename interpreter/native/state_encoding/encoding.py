"""How values become numbers.

Every value of a finite type has a *code*. It depends on the base type alone, so codes of subtypes can be compared:

==============  ========================================================================================
number          itself, times the *scale* of the type: 2 for ``0..3 by 1/2``, 1 where all are whole
``Bool``        0 and 1
enumeration     the index of the member; likewise for players, cells and edges
``Direction``   its place in the order of the language, clockwise from north; 8 for the step that stays
tuple           the stored values of its places side by side, the first one in the highest bits
set             a mask; the bit of a member is its code (of a number: its distance from the least one)
``none``        -1; for tuples: minus the first unused code; for numbers: :data:`NO_NUMBER`
==============  ========================================================================================

A *stored* value (in a state, a place of a tuple, a move) is an unsigned number in as few bits as its type needs: the
code minus the least code. If the type has ``none`` or *unset*, these come first, unset before none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from math import ceil, comb, floor, lcm
from typing import TYPE_CHECKING, Final

from attrs import frozen

from zermelo.foundation.records import ByValue, Displayed
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.cardinality import member_counts, most_members
from zermelo.interpreter.native.dialect.lowered_text import Beyond, Unsupported
from zermelo.interpreter.types import (
    BoolType,
    DirectionType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, Direction, OrderedSet, Value, exact

if TYPE_CHECKING:
    from zermelo.interpreter.native.dialect.lowered_text import Text

# Numbers as whole numbers: the scale of a type, and the bounds on it.


LIMIT: Final = 1 << 61
"""The bound on absolute values of numbers; plays with larger ones fall back to the reference machine."""

NO_NUMBER: Final = -(1 << 62)
"""The code of none among numbers."""

MOST_PARTS: Final = 1 << 24
"""The largest denominator of numbers and of payoffs."""


def number_type(type: Type) -> NumberType | None:
    """The type of numbers behind a type, or None."""
    base = strip_none(type).base
    return base if isinstance(base, NumberType) else None


@cache
def scale_of(type: Type) -> int:
    """The scale of a type of numbers in steps: a code is the number times the scale. 1 for all other types."""
    number = number_type(type)
    if number is None or number.low is None or number.step is None:
        return 1
    return lcm(Fraction(number.low).denominator, Fraction(number.step).denominator)


def greatest_magnitude(type: Type) -> Fraction | None:
    """The greatest absolute value of a type of numbers, None if it has no bounds."""
    number = number_type(type)
    if number is None or number.low is None or number.high is None:
        return None
    return max(abs(Fraction(number.low)), abs(Fraction(number.high)))


def is_below(type: Type, scale: int, limit: int) -> bool:
    """Whether the bounds of the type keep its numbers, on this scale, below a limit."""
    size = greatest_magnitude(type)
    return size is not None and size * scale < limit


def step_of(type: NumberType) -> int:
    """The distance between neighbouring codes of a type of numbers in steps."""
    assert type.step is not None
    return int(type.step * scale_of(type))


@cache
def code_bounds(type: NumberType) -> tuple[int, int]:
    """The least and the greatest code of a bounded type of numbers in steps, cut at :data:`LIMIT`."""
    if type.low is None or type.high is None:
        raise Unsupported("a number without known bounds")
    if type.step is None:
        raise Unsupported("storing a number that may be any fraction")
    scale = scale_of(type)
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    low, high = max(int(type.low * scale), -LIMIT), min(int(type.high * scale // 1), LIMIT)
    if low > LIMIT or high < -LIMIT:
        raise Unsupported("a type whose numbers all have more than 62 bits")
    return low, high


OUTSIDE: Final = -(1 << 62) - 1
"""The code of a tuple that does not belong to the type at hand."""

_STEPS: Final = (*COMPASS.values(), Direction(0, 0))
"""The steps of at most one cell, by their codes."""

_TUPLE_BITS: Final = 60

_FEW: Final = 1 << 10
_MANY: Final = 1 << 12
_most_members: Final = ContextVar("most_members", default=_FEW)
"""The most members that the type of a set may have while a model is lowered."""


@contextmanager
def larger_sets() -> Iterator[None]:
    """A context in which set types may have more members than usual. Wide masks slow down a whole module, whose words
    are as wide as its widest mask, so this is for rules that cannot be lowered otherwise."""
    before = _most_members.set(_MANY)
    try:
        yield
    finally:
        _most_members.reset(before)


def is_set(type: Type) -> bool:
    return isinstance(strip_none(type).base, SetType)


def set_element(type: Type) -> Type:
    """The type of the members of sets of a type."""
    base = strip_none(type).base
    assert isinstance(base, SetType)
    return base.element


def none_code(type: Type) -> int:
    """The code of none among the values of a type."""
    base = strip_none(type).base
    if isinstance(base, NumberType):
        return NO_NUMBER
    if isinstance(base, TupleType):
        return -(1 << tuple_width(base))
    return -1


def stand_in(type: Type, scale: int = 1, is_divisor: bool = False) -> int:
    """A valid code of a type (of numbers: on this scale), used in place of a missing value after a fault; nonzero for a
    divisor, if the type has a nonzero value. Raises
    :class:`~zermelo.interpreter.native.dialect.lowered_text.Beyond`."""
    inner = strip_none(type)
    number = number_type(inner)
    if isinstance(inner, PartType) and inner.members.items:
        listed = inner.members.items
        value = next((item for item in listed if item != 0), listed[0]) if is_divisor else listed[0]
        return encode(value, inner) if number is None else int(value * scale)
    if number is None:
        return 0
    low, high = number.low, number.high
    if (low is not None and low * scale > LIMIT) or (high is not None and high * scale < -LIMIT):
        raise Beyond("a number of more than 61 bits")
    nearest = Fraction(0)
    if low is not None and low > 0:
        nearest = Fraction(low)
    elif high is not None and high < 0:
        nearest = Fraction(high)
    if low is not None and number.step is not None and (high is None or low <= high):
        nearest = Fraction(low) + (nearest - low) // number.step * number.step
    if is_divisor and nearest == 0:
        step = Fraction(1, scale) if number.step is None else Fraction(number.step)
        nearest = step if high is None or step <= high else -step
    code = nearest * scale
    return max(-LIMIT, min(LIMIT, ceil(code) if code > 0 else floor(code)))


@cache
def places(type: TupleType) -> tuple[tuple[Storage, int], ...]:
    """For each place of a tuple, its storage and its first bit."""
    found = []
    shift = 0
    for item in reversed(type.items):
        storage = storage_of(item)
        found.append((storage, shift))
        shift += storage.width
    if shift > _TUPLE_BITS:
        raise Unsupported("a tuple of more than 60 bits")
    return tuple(reversed(found))


def same_codes(one: Type, two: Type) -> bool:
    """Whether equal values of both types have equal codes: tuples store numbers relative to the range of their type."""
    a, b = strip_none(one).base, strip_none(two).base
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return scale_of(a) == scale_of(b)
    if isinstance(a, SetType) and isinstance(b, SetType):
        return same_codes(a.element, b.element)
    if not isinstance(a, TupleType) or not isinstance(b, TupleType):
        return True
    return places(a) == places(b) and all(map(same_codes, a.items, b.items))


def tuple_width(type: TupleType) -> int:
    return sum(storage.width for storage, _ in places(type))


@cache
def extent(type: Type) -> tuple[int, int]:
    """The least code of a type, and the size of the range from it to the greatest."""
    base = strip_none(type).base
    if isinstance(base, NumberType):
        low, high = code_bounds(base)
        low, size = low, max(1, high - low + 1)
    elif isinstance(base, TupleType):
        low, size = 0, 1 << tuple_width(base)
    elif isinstance(base, BoolType):
        low, size = 0, 2
    elif isinstance(base, DirectionType):
        low, size = 0, len(_STEPS)
    elif isinstance(base, MemberType):
        low, size = 0, max(1, len(base.listed))
    else:
        raise Unsupported("a set of sets" if isinstance(base, SetType) else f"a set of {base}")
    return low, size


def universe(element: Type) -> tuple[int, int]:
    """The code that bit 0 of a mask stands for, and the number of bits."""
    low, size = extent(element)
    if size > _most_members.get():
        raise Unsupported(f"a set whose type has {size} members")
    return low, size


def encode(value: Value, type: Type) -> int:
    """The code of a value of this type; :data:`OUTSIDE` for a tuple that does not belong to it."""
    if value is None:
        return none_code(type)
    base = strip_none(type).base
    if isinstance(base, NumberType):
        code = value * scale_of(base)
        if int(code) != code:
            raise Unsupported("a number between the steps of its type")
        if abs(code) > LIMIT:
            raise Unsupported("a number of more than 62 bits")
        return int(code)
    if isinstance(base, BoolType):
        return int(value)
    if isinstance(base, MemberType):
        return int(value.index)
    if isinstance(base, DirectionType):
        if value not in _STEPS:
            raise Unsupported("a step of more than one cell")
        return _STEPS.index(value)
    if isinstance(base, TupleType):
        code = 0
        for part, item, (storage, shift) in zip(value, base.items, places(base), strict=True):
            held = storage.put(encode(part, item))
            if held < 0 or held >> storage.width:
                return OUTSIDE
            code |= held << shift
        return code
    if isinstance(base, SetType):
        low, size = extent(base.element)
        places_in = [encode(item, base.element) - low for item in value]
        if any(not 0 <= place < size for place in places_in):
            raise Unsupported("a set with members outside its type")
        return sum(1 << place for place in places_in)
    raise Unsupported(f"values of {base}")


def decode(code: int, type: Type) -> Value:
    """The value that a code stands for."""
    if code == none_code(type):
        return None
    base = strip_none(type).base
    if isinstance(base, NumberType):
        scale = scale_of(base)
        return code if scale == 1 else exact(Fraction(code, scale))
    if isinstance(base, BoolType):
        return bool(code)
    if isinstance(base, MemberType):
        return base.listed[code]
    if isinstance(base, DirectionType):
        return _STEPS[code]
    if isinstance(base, TupleType):
        return tuple(
            decode(storage.take(code >> shift & (1 << storage.width) - 1), item)
            for item, (storage, shift) in zip(base.items, places(base), strict=True)
        )
    if isinstance(base, SetType):
        low, size = extent(base.element)
        return OrderedSet(decode(k + low, base.element) for k in range(size) if code >> k & 1)
    raise Unsupported(f"values of {base}")


@frozen(eq=False, repr=False)
class Storage(ByValue):
    """How a place stores a code: as ``code - bias`` in ``width`` bits; with ``has_none``, 0 is none among numbers. With
    ``has_unset``, 0 is unset and all else is one more. Sets that can be none or unset have ones in their lowest
    ``marks`` bits, to tell them from these."""

    bias: int
    width: int
    has_none: bool
    has_unset: bool
    none: int
    marks: int = 0

    def put(self, code: int) -> int:
        if self.has_none and code == self.none:
            return int(self.has_unset)
        return (code - self.bias) << self.marks | (1 << self.marks) - 1

    def take(self, stored: int) -> int:
        if self.has_none and stored == int(self.has_unset):
            return self.none
        return (stored >> self.marks) + self.bias

    def put_text(self, code: str) -> str:
        """:meth:`put` in the dialect; ``code`` is evaluated twice where numbers can be none."""
        if self.has_none and self.none == NO_NUMBER:
            return f"({int(self.has_unset)} if {code} == {self.none} else {plus(code, -self.bias)})"
        if self.marks:
            return f"(({code} << {self.marks}) | {(1 << self.marks) - 1})"
        return plus(code, -self.bias)

    def take_text(self, stored: str) -> str:
        """:meth:`take` in the dialect."""
        if self.has_none and self.none == NO_NUMBER:
            return f"({self.none} if {stored} == {int(self.has_unset)} else {plus(stored, self.bias)})"
        return f"({stored} >> {self.marks})" if self.marks else plus(stored, self.bias)


def plus(text: str, amount: int) -> str:
    if amount == 0:
        return text
    return f"({text} + {amount})" if amount > 0 else f"({text} - {-amount})"


def storage_of(type: Type, has_unset: bool = False) -> Storage:
    """How a place of this type holds its values."""
    base = strip_none(type).base
    if isinstance(base, SetType):
        universe(base.element)
    return _make_storage(type, has_unset)


@cache
def _make_storage(type: Type, has_unset: bool) -> Storage:
    has_none = isinstance(type, OptionalType)
    base = strip_none(type).base
    none = none_code(type)
    if isinstance(base, SetType):
        marks = has_none + has_unset
        return Storage(0, extent(base.element)[1] + marks, has_none, has_unset, none, marks)
    if isinstance(base, NumberType):
        inner = strip_none(type)
        members = [encode(value, base) for value in inner.members] if not isinstance(inner, NumberType) else None
        low, high = (min(members), max(members)) if members else code_bounds(base)
        bias = low - has_none
        top = high - bias
    elif isinstance(base, TupleType):
        width = tuple_width(base)
        if has_none:
            return Storage(none - has_unset, width + 1 + has_unset, True, has_unset, none)
        bias, top = 0, (1 << width) - 1
    elif isinstance(base, NoneType):
        return Storage(none - has_unset, int(has_unset), True, has_unset, none)
    else:
        bias, top = -int(has_none), extent(base)[1] - 1 + has_none
    return Storage(bias - has_unset, (top + has_unset).bit_length(), has_none, has_unset, none)


def domain_codes(type: Type) -> list[tuple[int, Value]] | None:
    """All codes of a small type with their values, none first if the type has it; None if there are too many."""
    inner = strip_none(type).base
    found: list[tuple[int, Value]] = [(none_code(type), None)] if isinstance(type, OptionalType) else []
    if isinstance(inner, NumberType):
        if not inner.is_finite or inner.size > _most_members.get():
            return None
    elif isinstance(inner, SetType):
        return None
    elif isinstance(inner, DirectionType):
        return found + [(encode(step, inner), step) for step in (COMPASS.values() if inner.is_compass else _STEPS)]
    elif inner.size > _most_members.get():
        return None
    return found + [(encode(value, inner), value) for value in inner.members]


# Sets of few members as numbers, where a mask would not fit into a move.
#
# The sets with between ``least`` and ``most`` members out of ``size`` are numbered by how many members they have, and
# those of one size by the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3, theorem L):
# every number from 0 to C(n, k) - 1 is C(c1, 1) + C(c2, 2) + ... + C(ck, k) for exactly one set of places c1 < c2 < ...
# < ck below n. So ranking takes k lookups in a table of binomials, and unranking one walk down the places, which finds
# the greatest one first.


_LARGEST = 1 << 62
"""Replaces all larger binomials, which no ranked set reaches."""


@frozen(repr=False)
class RankedSets(Displayed):
    """Stores a mask with between ``least`` and ``most`` of ``size`` bits set as its rank. The interface is that of
    :class:`Storage`."""

    size: int
    least: int
    most: int

    @property
    def width(self) -> int:
        return (self._firsts[-1] - 1).bit_length()

    @property
    def _firsts(self) -> list[int]:
        """The first rank of each number of members, and the number of ranks."""
        firsts = [0]
        for count in range(self.least, self.most + 1):
            firsts.append(firsts[-1] + comb(self.size, count))
        return firsts

    @property
    def _name(self) -> str:
        return f"{self.size}_{self.least}_{self.most}"

    def put(self, code: int) -> int:
        count = code.bit_count()
        if not self.least <= count <= self.most:
            return -1
        rank = self._firsts[count - self.least]
        places = (place for place in range(self.size) if code >> place & 1)
        return rank + sum(comb(place, k) for k, place in enumerate(places, 1))

    def take(self, stored: int) -> int:
        count = self.least
        while count < self.most and stored >= self._firsts[count + 1 - self.least]:
            count += 1
        stored -= self._firsts[count - self.least]
        mask, place = 0, self.size - 1
        for k in range(count, 0, -1):
            while comb(place, k) > stored:
                place -= 1
            stored -= comb(place, k)
            mask |= 1 << place
        return mask

    def put_text(self, code: str) -> str:
        """:meth:`put` in the dialect."""
        return f"rank_{self._name}({code})"

    def take_text(self, stored: str) -> str:
        """:meth:`take` in the dialect."""
        return f"ranked_{self._name}({stored})"

    def write_functions(self, text: Text) -> None:
        """Write the functions that :meth:`put_text` and :meth:`take_text` call."""
        from zermelo.interpreter.native.dialect.kernel_source import instantiate

        named = {"rank": f"rank_{self._name}", "ranked": f"ranked_{self._name}"}
        firsts, table = self._firsts[:-1], binomials(self.size, self.most)
        instantiate(text, "sets", named, SIZE=self.size, LEAST=self.least, MOST=self.most,
                    FIRSTS=firsts, BINOMIALS=table)  # fmt: skip


def binomials(size: int, most: int) -> list[int]:
    """C(n, k) at ``k * (size + 1) + n``, for n up to ``size`` and k up to ``most``, cut at a limit."""
    return [min(_LARGEST, comb(n, k)) for k in range(most + 1) for n in range(size + 1)]


def rank_sets(parameter: model.RuleParameter) -> RankedSets:
    """The ranks for the values of a parameter that is a set."""
    base = strip_none(parameter.type).base
    assert isinstance(base, SetType)
    least, most = member_bounds(parameter.domain, base.element)
    return RankedSets(universe(base.element)[1], least, most)


def member_bounds(expr: Expr, element: Type) -> tuple[int, int]:
    """Bounds on the number of members of the sets in a set of sets."""
    _, size = universe(element)
    least, most = member_counts(expr)
    return min(least, size), size if most is None else min(most, size)


def most_values(domain: Expr) -> int:
    """A bound on the number of values of a domain."""
    found = most_members(domain)
    if found is not None:
        return found
    base = strip_none(domain.type).base
    assert isinstance(base, SetType)
    inner = strip_none(base.element).base
    if not isinstance(inner, SetType):
        return universe(inner)[1]
    least, most = member_bounds(domain, inner.element)
    return sum(comb(universe(inner.element)[1], count) for count in range(least, most + 1))
