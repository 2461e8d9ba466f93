"""Kinds of values of the kernel dialect, and the memory layout of records.

Memory is words of 8 bytes, and a record is its fields in order, without gaps:

==================  =================================================================================
``int``, ``float``  one word
``bits``            as many words as the module's ``bits`` are wide
``State``           ``STATE`` times ``bits``
``ints[N]`` ...     N times the entry, inside the record
a record            its fields, inside the record
``Array[R, N]``     N times the record R, inside the record
``list[T]``         two words: the address of the first element, and the length
``half``            half a word, in a list alone
``Context``         one word: the address of the context
==================  =================================================================================

The emitter of machine code and the host's views take the offsets of fields from here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import RLock
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue, Displayed
from zermelo.interpreter.native.dialect.language import NotDialect, parse_expression

NUMBERS: Final = ("int", "bits", "float", "lanes")
"""Kinds other than arrays and records; ``lanes`` are never in memory."""

ELEMENTS: Final = {"ints": "int", "state": "bits", "masks": "bits", "floats": "float"}
"""The elements of arrays of numbers."""

NUMBER_NAMES: Final = {"int": "int", "bool": "int", "bits": "bits", "float": "float", "lanes": "lanes"}

Length = int | ast.expr
"""The length of an array: a number, or else an expression in parameters."""


@frozen(eq=False, repr=False)
class Kind(ByValue):
    """The kind of a name or a field: one of :data:`NUMBERS`; an array with its length; ``rows`` and ``states`` with the
    length of their rows; ``array`` and ``list`` with their element kind ``of``; ``context``; or a ``record`` with its
    name. The elements of a list may also be of the kind ``half``."""

    name: str
    length: Length | None = field(default=None, eq=False)
    row: int = 0
    of: Kind | None = None
    record: str = ""

    @property
    def element(self) -> Kind:
        """The element kind of an array. Raises :class:`NotDialect` for other kinds."""
        if self.of is not None:
            return self.of
        if self.name in ELEMENTS:
            return Kind(ELEMENTS[self.name])
        if self.name in ("states", "rows"):
            return Kind("state" if self.name == "states" else "ints", self.row)
        raise NotDialect(f"{self} is no array")

    def __str__(self) -> str:
        return self.record or (f"{self.name} of {self.of}" if self.of else self.name)


HALF: Final = Kind("half")
"""What a ``list[half]`` holds."""


@frozen(eq=False, repr=False)
class Field(ByValue):
    """A field of a record, at an ``offset`` in words."""

    name: str
    kind: Kind
    offset: int


@frozen(eq=False, repr=False)
class RecordLayout(Displayed):
    """A record of ``size`` words."""

    name: str
    fields: Mapping[str, Field]
    size: int


@define(eq=False, repr=False)
class Layouts:
    """The layouts of the records of a text whose ``bits`` are ``width`` wide. ``constants`` may be used as lengths;
    ``declared`` are the annotations of the fields of each record, by name. ``lock`` is held while a record is laid out
    or its class is made: threads share both."""

    width: int
    constants: Mapping[str, int]
    declared: dict[str, Mapping[str, ast.expr]] = field(factory=dict)
    lock: RLock = field(factory=RLock)
    _made: dict[str, RecordLayout] = field(factory=dict)
    _begun: set[str] = field(factory=set)

    def __getitem__(self, name: str) -> RecordLayout:
        """The layout of a record. Raises :class:`NotDialect` if it would contain itself."""
        if name not in self._made:
            with self.lock:
                if name not in self._made:
                    self._made[name] = self._lay_out(name)
        return self._made[name]

    def __contains__(self, name: str) -> bool:
        return name in self.declared

    def _lay_out(self, name: str) -> RecordLayout:
        if name not in self.declared or name in self._begun:
            raise NotDialect(f"there is no record '{name}' that can lie here")
        self._begun.add(name)
        fields: dict[str, Field] = {}
        end = 0
        for each, annotation in self.declared[name].items():
            kind = self.kind(annotation)
            if kind.name in ("states", "rows") or (kind.length is not None and not isinstance(kind.length, int)):
                raise NotDialect(f"'{name}.{each}' needs a constant length, or is a list")
            if kind.of is not None and kind.of.name == "record" and not self.is_flat(kind.of.record):
                raise NotDialect(f"'{name}.{each}' repeats a record that holds a list or a context")
            fields[each] = Field(each, kind, end)
            end += self.size(kind)
        if not fields:
            raise NotDialect(f"the record '{name}' has no fields")
        return RecordLayout(name, fields, end)

    def is_flat(self, name: str) -> bool:
        """Whether a record has neither list nor context, so that it can be an array element, or a local."""
        for each in self[name].fields.values():
            if each.kind.name in ("list", "context"):
                return False
            if each.kind.name == "record" and not self.is_flat(each.kind.record):
                return False
        return True

    def size(self, kind: Kind) -> int:
        """The size of a value in words."""
        match kind.name:
            case "int" | "float" | "context":
                return 1
            case "bits":
                return self.width // 64
            case "list":
                return 2
            case "record":
                return self[kind.record].size
        if not isinstance(kind.length, int):
            raise NotDialect(f"{kind} without a constant length")
        return kind.length * self.size(kind.element)

    def bytes(self, kind: Kind) -> int:
        """The size of a value, or of an element of a list, in bytes."""
        return 4 if kind == HALF else 8 * self.size(kind)

    def kind(self, annotation: ast.expr | None) -> Kind:
        """The kind that an annotation denotes."""
        match annotation:
            case ast.Name(id="state" | "State"):
                return Kind("state", self.constants["STATE"])
            case ast.Name(id="Context"):
                return Kind("context", self.constants["CONTEXT"])
            case ast.Name(id="Random"):
                return Kind("ints", 1)
            case ast.Name(id=name) if name in NUMBER_NAMES:
                return Kind(NUMBER_NAMES[name])
            case ast.Name(id=name) if name in self:
                return Kind("record", record=name)
            case ast.Subscript(value=ast.Name(id="Visit"), slice=result):
                return self.kind(result)
            case ast.Subscript(value=ast.Name(id="rows"), slice=ast.Tuple(elts=[length, row])):
                return Kind("rows", self.length(length), self.constant(row))
            case ast.Subscript(value=ast.Name(id="states"), slice=length):
                return Kind("states", self.length(length), self.constants["STATE"])
            case ast.Subscript(value=ast.Name(id="list"), slice=ast.Name(id="half")):
                return Kind("list", of=HALF)
            case ast.Subscript(value=ast.Name(id="list"), slice=element):
                of = self.kind(element)
                if of.name not in (*NUMBERS, "state", "record"):
                    raise NotDialect(f"a list of {of}")
                return Kind("list", of=of)
            case ast.Subscript(value=ast.Name(id="Array"), slice=ast.Tuple(elts=[element, length])):
                return Kind("array", self.length(length), of=self.kind(element))
            case ast.Subscript(value=ast.Name(id="ints" | "floats" | "masks" as name), slice=length):
                return Kind(name, self.length(length))
            case None:
                raise NotDialect("an annotation is missing")
            case _:
                raise NotDialect(f"'{ast.unparse(annotation)}' is no type of the dialect")

    def length(self, node: ast.expr) -> Length:
        """A length, as a number if it is constant."""
        try:
            return self.constant(node)
        except (KeyError, ValueError):
            return node

    def constant(self, node: ast.expr) -> int:
        """The value of a number, a constant, or a sum or product of these."""
        match node:
            case ast.Name(id=name):
                return self.constants[name]
            case ast.Subscript(value=ast.Name(id="Literal"), slice=number):
                return self.constant(number)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.constant(left) * self.constant(right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.constant(left) + self.constant(right)
            case _:
                return number_of(node)


def number_of(node: ast.expr) -> int:
    """The value of a whole number in a text."""
    value = node.value if isinstance(node, ast.Constant) else ast.literal_eval(node)
    if not isinstance(value, int):
        raise NotDialect(ast.unparse(node))
    return value


@lru_cache(maxsize=512)
def annotation(text: str) -> ast.expr:
    """The syntax tree of an annotation in the form kept by classes and functions."""
    return parse_expression(text)


def fields_of(statements: Iterable[ast.stmt]) -> dict[str, ast.expr]:
    """The annotations of the fields declared in the body of a class."""
    fields: dict[str, ast.expr] = {}
    for statement in statements:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=None):
                fields[name] = kind
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise NotDialect(f"a record has fields only: {ast.unparse(statement)}")
    return fields
