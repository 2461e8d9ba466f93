"""Tools shared by lowered expressions: bindings of names, fragments of text, collected sets and lists, and tuples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import lcm

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.state_encoding.encoding import (
    LIMIT,
    NO_NUMBER,
    OUTSIDE,
    Storage,
    code_bounds,
    encode,
    is_below,
    none_code,
    places,
    plus,
    same_codes,
    scale_of,
    step_of,
    storage_of,
    universe,
)
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, TupleType, Type, strip_none

# Bindings of local names during lowering.


@frozen(eq=False, repr=False)
class Scalar(ByValue):
    """A value that is one number: ``text`` is an expression of the dialect for its code, to be evaluated once. The
    value of a number is ``text / scale``. ``has_none``: it can be none."""

    text: str
    has_none: bool = False
    scale: int = 1


def code_of(type: Type, text: str) -> Scalar:
    """The value with this code in a type."""
    return Scalar(text, isinstance(type, OptionalType), scale_of(type))


@frozen(eq=False, repr=False)
class Mask(ByValue):
    """A set as a mask. ``is_ascending``: its order is that of its type. ``none``: the condition that it is none.
    ``order``: its members in another order, as an array and their number, if they are looped over."""

    text: str
    element: Type
    is_ascending: bool = True
    none: str = "0"
    order: tuple[str, str] | None = None


@frozen(eq=False, repr=False)
class Row(ByValue):
    """The set at index ``at`` of a table of constant sets: its mask, ``masks[at]``, and its members in order,
    ``members[starts[at]:starts[at + 1]]``."""

    mask: str
    masks: str
    element: Type
    starts: str
    members: str
    at: str
    is_ascending: bool


@frozen(eq=False, repr=False)
class Listing(ByValue):
    """A set of sets: the first ``count`` masks of ``array``, in their order, each of a set over ``element``.
    ``is_ascending``: the order of every set is that of its type."""

    array: str
    count: str
    element: Type
    is_ascending: bool


@frozen(eq=False, repr=False)
class Thunk(ByValue):
    """A set lowered at its uses."""

    expr: Expr
    env: Env


Binding = Scalar | Mask | Row | Listing | Thunk
Env = dict[int, Binding]
"""By slot."""


def member_set(binding: Binding) -> tuple[str, Type, bool]:
    """A set in a set of sets: its mask, its element type, and whether its order is that of the type."""
    assert isinstance(binding, Mask | Row), "sets of sets contain sets"
    return binding.text if isinstance(binding, Mask) else binding.mask, binding.element, binding.is_ascending


# Text shared by lowered expressions.


class Writer:
    """Writes helpers and names into ``text``, whose sets have up to ``width`` members."""

    def __init__(self, text: Text, width: int) -> None:
        self.text, self.width = text, width

    def helper(self, name: str) -> str:
        """The name of a function of ``algorithms/checks.py``."""
        return instantiate(self.text, "checks", NO_NUMBER=NO_NUMBER, LIMIT=LIMIT, WIDTH=self.width)[name]

    def fault(self, body: Body, code: str, span: Span) -> None:
        """Note a fault of the rules in ``body``, if it is the first."""
        body.line(f"{self.helper('fail')}(C, {self.text.site(code, span)})")

    def fault_if(self, body: Body, condition: str, code: str, span: Span) -> None:
        """Note a fault of the rules if a condition holds."""
        with body.block(f"if {condition}"):
            self.fault(body, code, span)

    def bind(self, body: Body, value: Scalar, stem: str) -> Scalar:
        """Assign a value to a fresh name in ``body``."""
        return Scalar(self.text.let(body, stem, value.text), value.has_none, value.scale)

    @contextmanager
    def each_entry(self, body: Body, array: str, indices: str, kind: str = "int") -> Iterator[str]:
        """A loop over the entries of an array or a table at ``range(indices)``; gives the name of an entry."""
        index = self.text.local(body, "i")
        with body.block(f"for {index} in range({indices})"):
            yield self.text.let(body, "x", f"{array}[{index}]", kind)

    @contextmanager
    def each_member(self, body: Body, mask: str, low: int = 0) -> Iterator[str]:
        """A loop that takes the members out of a set, the least first, until it is empty: a name of a mask, to which
        the loop may add more. Gives the name of a member's code; ``low`` is the code of bit 0."""
        with body.block(f"while {mask} != 0"):
            name = self.text.let(body, "x", plus(f"lowest({mask})", low))
            body.line(f"{mask} = {mask} & ({mask} - 1)")
            yield name


# Sets and lists that generated code collects, one member at a time.


@frozen(eq=False, repr=False)
class GrowingSet(ByValue):
    """A set of codes from ``low`` on: the names of its mask, which is empty at first, and of the number 1 as bits."""

    mask: str
    one: str
    low: int

    def add(self, body: Body, code: str) -> None:
        """Add the value with this code."""
        body.line(f"{self.mask} = {self.mask} | ({self.one} << {plus(code, -self.low)})")


def growing_set(text: Text, body: Body, stem: str, low: int) -> GrowingSet:
    """An empty set, which begins here."""
    return GrowingSet(text.let(body, stem, 0, "bits"), text.let(body, "one", 1, "bits"), low)


@frozen(eq=False, repr=False)
class GrowingList(ByValue):
    """The entries of some arrays up to ``count``, the name of a number that is 0 at first."""

    count: str
    arrays: tuple[str, ...]

    def append(self, body: Body, *entries: str) -> None:
        """Append an entry of each array."""
        for array, entry in zip(self.arrays, entries, strict=True):
            body.line(f"{array}[{self.count}] = {entry}")
        body.line(f"{self.count} += 1")


def growing_list(text: Text, body: Body, *arrays: str) -> GrowingList:
    """An empty list in some arrays, which begins here."""
    return GrowingList(text.let(body, "n", 0), arrays)


# Construction of tuples and records, and conversion of tuples and of sets of them between types.
#
# The code of a tuple depends on the ranges of its numbers (see
# :mod:`zermelo.interpreter.native.state_encoding.encoding`), so equal tuples have different codes in different types. A
# tuple that does not belong to a type has the code :data:`~zermelo.interpreter.native.state_encoding.encoding.OUTSIDE`:
# nothing equals it, no set contains it, and stores check for it.


def has_codes(type: Type) -> bool:
    """Whether tuples of a type have codes; those of wider types have none."""
    try:
        places(_tuple_base(type))
    except Unsupported:
        return False
    return True


def convert_tuple(writer: Writer, value: Scalar, given: Type, type: Type) -> Scalar:
    """The code in ``type`` of a tuple given by its code in ``given``; parts that may not belong to ``type`` are
    checked."""
    source, target = _tuple_base(given), strip_none(type)
    assert isinstance(target, TupleType)
    body = Body()
    name = writer.bind(body, value, "tuple").text
    if value.has_none:
        body.return_if(f"{name} == {none_code(given)}", none_code(type))
    body.return_if(f"{name} == {OUTSIDE}", OUTSIDE)
    values = []
    for item, (storage, shift) in zip(source.items, places(source), strict=True):
        held = writer.bind(body, Scalar(f"({name} >> {shift}) & {(1 << storage.width) - 1}"), "held").text
        values.append((Scalar(storage.take_text(held), storage.has_none, scale_of(item)), item))
    return Scalar(assemble_tuple(writer, body, values, target).text, value.has_none)


def align_mask(writer: Writer, mask: str, own: Type, element: Type) -> str:
    """A set as a mask over another type, without the members that do not belong to it."""
    body = Body()
    low, _ = universe(own)
    wanted, _ = universe(element)
    found = growing_set(writer.text, body, "found", wanted)
    rest = writer.text.let(body, "rest", mask, "bits")
    with writer.each_member(body, rest, low) as name:
        there, tests = _code_for_place(
            writer, body, Scalar(name, False, scale_of(own)), own, element, storage_of(element)
        )
        with body.block(f"if {' and '.join(tests) or '1'}"):
            found.add(body, there)
    return writer.text.lift("aligned", body, found.mask, "bits")


def _tuple_base(type: Type) -> TupleType:
    base = strip_none(type).base
    assert isinstance(base, TupleType)
    return base


def assemble_tuple(writer: Writer, body: Body, values: list[tuple[Scalar, Type]], target: TupleType) -> Scalar:
    """The tuple of some values, each with its type; ``body`` runs first."""
    texts, tests = [], list[str]()
    for (value, given), type, (storage, shift) in zip(values, target.items, places(_tuple_base(target)), strict=True):
        text, needed = _code_for_place(writer, body, value, given, type, storage)
        texts.append(f"({storage.put_text(text)} << {shift})" if shift else storage.put_text(text))
        tests += needed
    whole = f"({' | '.join(texts)})" if texts else "0"
    if not body.lines:
        return Scalar(whole)
    if tests:
        body.return_if(f"not ({' and '.join(tests)})", OUTSIDE)
    return Scalar(writer.text.lift("tuple", body, whole))


def _code_for_place(
    writer: Writer, body: Body, value: Scalar, given: Type, type: Type, storage: Storage
) -> tuple[str, list[str]]:
    """The code for a place of this type, and the conditions for it to belong there."""
    scale = scale_of(type)
    is_sure = (
        admission_test(type, given) is None
        and same_codes(given, type)
        and value.scale == scale
        and (storage.has_none or not value.has_none)
    )
    if is_sure and not (storage.has_none and storage.none == NO_NUMBER):
        return value.text, []
    if isinstance(strip_none(type), TupleType) and not is_sure:
        value = convert_tuple(writer, value, given, type)
        given = type
    value = on_multiple(writer, value, given, scale)
    name = writer.bind(body, value, "part").text
    if is_sure:
        return name, []
    parts = value.scale // scale
    needed = _is_within(writer, name, parts, type)
    if value.has_none:
        none = none_code(given)
        needed = f"({name} == {none} or {needed})" if storage.has_none else f"({name} != {none} and {needed})"
    if parts == 1:
        return name, [needed]
    if not value.has_none:
        return f"({name} // {parts})", [needed]
    return f"({name} // {parts} if {name} != {NO_NUMBER} else {NO_NUMBER})", [needed]


def on_multiple(writer: Writer, value: Scalar, given: Type, scale: int) -> Scalar:
    """A number on a scale that is a multiple of ``scale``; any other value unchanged."""
    if isinstance(given, NoneType):
        return Scalar(value.text, True, scale)
    common = lcm(value.scale, scale)
    if common == value.scale:
        return value
    if not is_below(given, common, 1 << 60):
        raise Unsupported("a number of more than 60 bits in a tuple")
    if not value.has_none:
        return Scalar(f"({value.text} * {common // value.scale})", False, common)
    return Scalar(f"{writer.helper('finer')}({value.text}, {common // value.scale})", True, common)


def _is_within(writer: Writer, name: str, parts: int, type: Type) -> str:
    """Whether a name is a value of a type, given as ``parts`` times its code."""
    inner = strip_none(type)
    if isinstance(inner, TupleType):
        return f"{name} != {OUTSIDE}"
    if isinstance(inner, NumberType):
        low, high = code_bounds(inner)
        step = step_of(inner) * parts
        is_on_step = f" and ({name} - {low * parts}) % {step} == 0" if step > 1 else ""
        return f"({low * parts} <= {name} and {name} <= {high * parts}{is_on_step})"
    low, size = universe(inner.base)
    members = {encode(value, inner) - low for value in inner.members}
    flags = writer.text.table([int(place in members) for place in range(size)])
    test = "x % parts == 0 and x // parts >= low and x // parts - low < size"
    head = "(x: int, parts: int, low: int, size: int) -> int"
    helper = writer.text.extract("is_part", head, Body(), f"{flags}[x // parts - low] if {test} else 0")
    return f"{helper}({name}, {parts}, {low}, {size}) != 0"
