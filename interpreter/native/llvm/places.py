"""Addresses of names, fields, and entries of arrays.

Names of numbers become stack slots, which LLVM turns into registers, as do names for an array or a record: they hold
its address and, for a list, its length.

Every index that is not statically within its array is checked. A wrong one is replaced by 0, and ``@fault`` is set.
The same happens to a number that does not fit into a half word where it is to be stored.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from attrs import define, field, frozen

from zermelo.interpreter.native.dialect.language import BEYOND_HALF, LEFT_ARRAY, NotDialect
from zermelo.interpreter.native.dialect.records import HALF, NUMBERS, Kind, Length
from zermelo.interpreter.native.llvm.module import Module

_NEVER_CHANGES = ", !invariant.load !1"
"""Marks loads of addresses and lengths, which only the host sets, between calls."""


@frozen
class Address:
    """An object in memory: its kind, the address, the length of an array, and the field that it or its elements belong
    to, if known. An ``int`` may lie in half a word."""

    kind: Kind
    address: str
    length: str = ""
    within: str = ""
    is_half: bool = False


@define(eq=False)
class Places(ABC):
    """A function in the making: its instructions so far, and its names. ``values`` are names assigned once; the others
    have slots. In LLVM the names of the source begin with a dot, so that they cannot collide with labels and other
    values."""

    module: Module
    source: ast.FunctionDef
    lines: list[str] = field(factory=list)
    slots: list[str] = field(factory=list)
    kinds: dict[str, Kind] = field(factory=dict)
    values: dict[str, str] = field(factory=dict)
    count: int = 0
    block: str = "entry"
    is_closed: bool = False

    @abstractmethod
    def value(self, node: ast.expr, wanted: str) -> str:
        """The value of an expression, converted to the wanted kind."""

    # ----------------------------------------------------------- pieces

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def new(self, text: str) -> str:
        """A new value."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def open(self, label: str) -> None:
        """Begin a block; the previous one must have ended with a jump."""
        if not self.is_closed:
            self.line(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.block = label
        self.is_closed = False

    def jump(self, label: str) -> None:
        if not self.is_closed:
            self.line(f"br label %{label}")
            self.is_closed = True

    def fork(self, test: str, yes: str, no: str, is_usual: bool = False) -> None:
        """Jump by a test, one bit; ``is_usual``: it nearly always holds."""
        self.line(f"br i1 {test}, label %{yes}, label %{no}{', !prof !0' if is_usual else ''}")
        self.is_closed = True

    def slot(self, name: str, kind: Kind) -> None:
        """A new name, whose value may change."""
        self.kinds[name] = kind
        self.slots.append(f"  %.{name}.slot = alloca {self.module.type(kind.name)}")
        if kind.name == "list":
            self.slots.append(f"  %.{name}.slot.length = alloca i64")

    def room(self, name: str, kind: Kind) -> None:
        """A new name for an array or a record on the stack."""
        if name in self.kinds:
            if name not in self.values or self.kinds[name] != kind:
                raise NotDialect(f"'{name}' stands for something else in {self.source.name}")
            return
        self.kinds[name] = kind
        self.slots.append(f"  %.{name} = alloca {self.module.stored(kind)}, align 16")
        self.values[name] = f"%.{name}"

    # ------------------------------------------------------------ kinds

    def kind(self, node: ast.expr) -> Kind | None:
        """The kind of the object in memory that an expression denotes; None if it denotes none."""
        match node:
            case ast.Name(id=name):
                return self.kinds.get(name)
            case ast.Attribute(value=value, attr=name):
                return self._field(self.kind(value), name, node)[0]
            case ast.Subscript(value=ast.Name(id=name)) if name in self.module.tables:
                return Kind(self.module.tables[name].kind)
            case ast.Subscript(value=value):
                array = self.kind(value)
                if array is None:
                    raise NotDialect(ast.unparse(node))
                return array.element if array.name != "context" and array.element != HALF else Kind("int")
            case _:
                return None

    def _field(self, record: Kind | None, name: str, node: ast.expr) -> tuple[Kind, int]:
        if record is not None and record.name == "record":
            fields = self.module.layouts[record.record].fields
            if name in fields:
                return fields[name].kind, fields[name].offset
        raise NotDialect(f"there is no field '{ast.unparse(node)}' in {self.source.name}")

    # ----------------------------------------------------------- places

    def place(self, node: ast.expr) -> Address:
        """The address of an object."""
        match node:
            case ast.Name(id=name) if name in self.kinds:
                return self._named(name, self.kinds[name])
            case ast.Attribute(value=value, attr=name):
                record = self.place(value)
                kind, offset = self._field(record.kind, name, node)
                address = record.address
                if offset:
                    address = self.new(f"getelementptr inbounds i64, ptr {address}, i64 {offset}")
                return self._held(kind, address, f"{record.kind.record}.{name}")
            case ast.Subscript(value=value, slice=index):
                array = self.place(value)
                at = self.checked(self.value(index, "int"), array.length)
                element = array.kind.element if array.kind.name != "context" else Kind("int")
                stored = self.module.stored(element)
                address = self.new(f"getelementptr inbounds {stored}, ptr {array.address}, i64 {at}")
                if element == HALF:
                    return Address(Kind("int"), address, "", array.within, is_half=True)
                return Address(element, address, self._length(element), array.within)
            case _:
                raise NotDialect(f"{ast.unparse(node)} in {self.source.name}")

    def _named(self, name: str, kind: Kind) -> Address:
        """The object bound to a name. Its field is unknown, since the name may have been reassigned."""
        if name in self.values:
            return Address(kind, self.values[name], f"%.{name}.length" if kind.name == "list" else self._length(kind))
        if kind.name in NUMBERS:
            return Address(kind, f"%.{name}.slot")
        address = self.new(f"load ptr, ptr %.{name}.slot")
        if kind.name == "list":
            return Address(kind, address, self.new(f"load i64, ptr %.{name}.slot.length"))
        return Address(kind, address, self._length(kind))

    def _held(self, kind: Kind, address: str, within: str) -> Address:
        """The object in a field."""
        if kind.name == "context":
            found = self.new(f"load ptr, ptr {address}, align 8{_NEVER_CHANGES}")
            return Address(kind, found, self._length(kind))
        if kind.name == "list":
            found = self.new(f"load ptr, ptr {address}, align 8{_NEVER_CHANGES}")
            behind = self.new(f"getelementptr inbounds i64, ptr {address}, i64 1")
            length = self.new(f"load i64, ptr {behind}, align 8{_NEVER_CHANGES}")
            return Address(kind, found, length, within)
        return Address(kind, address, self._length(kind), within)

    def _length(self, kind: Kind) -> str:
        """The static length of an array; empty for lists and other kinds."""
        match kind.length:
            case None:
                return ""
            case int() as length:
                return str(length)
            case ast.Name(id=name) if name in self.values:
                return self.values[name]
            case ast.BinOp(left=ast.Name(id=name), op=ast.Mult() | ast.Add() as op, right=by) if name in self.values:
                operation = "mul" if isinstance(op, ast.Mult) else "add"
                return self.new(f"{operation} i64 {self.values[name]}, {self.module.layouts.constant(by)}")
            case length:
                return str(self.module.layouts.constant(length))

    def load(self, place: Address) -> str:
        """The number at a place."""
        kind = place.kind.name
        if kind not in NUMBERS:
            raise NotDialect(f"a {place.kind} is no number, in {self.source.name}")
        if place.is_half:
            tag = self.module.tag("half", place.within)
            return self.new(f"sext i32 {self.new(f'load i32, ptr {place.address}, align 4{tag}')} to i64")
        tag = self.module.tag(kind, place.within)
        return self.new(f"load {self.module.type(kind)}, ptr {place.address}, align 8{tag}")

    def get(self, name: str, kind: str) -> str:
        """The value of a name of a number."""
        return self.new(f"load {self.module.type(kind)}, ptr %.{name}.slot")

    def set(self, name: str, kind: str, value: str) -> None:
        """Assign to a name of a number."""
        self.line(f"store {self.module.type(kind)} {value}, ptr %.{name}.slot")

    def store(self, place: Address, value: str) -> None:
        """Store a number at an address."""
        kind = place.kind.name
        if kind not in NUMBERS:
            raise NotDialect(f"a {place.kind} is given anew in {self.source.name}")
        if place.is_half:
            tag = self.module.tag("half", place.within)
            self.line(f"store i32 {self.halved(value)}, ptr {place.address}, align 4{tag}")
            return
        tag = self.module.tag(kind, place.within)
        self.line(f"store {self.module.type(kind)} {value}, ptr {place.address}, align 8{tag}")

    def checked(self, index: str, length: str) -> str:
        """The index, or 0 if it is outside the array."""
        if index.isdecimal() and length.isdecimal():
            if int(index) >= int(length):
                raise NotDialect(f"index {index} of an array of {length}")
            return index
        return self._sound(self.new(f"icmp ult i64 {index}, {length}"), "i64", index, LEFT_ARRAY)

    def halved(self, value: str) -> str:
        """A number as half a word, or 0 if it does not fit."""
        half = self.new(f"trunc i64 {value} to i32")
        fits = self.new(f"icmp eq i64 {self.new(f'sext i32 {half} to i64')}, {value}")
        return self._sound(fits, "i32", half, BEYOND_HALF)

    def _sound(self, test: str, type: str, value: str, fault: int) -> str:
        """A value if a test holds; else 0, and the fault is noted."""
        bad, end = self.label("bad"), self.label("good")
        before = self.block
        self.fork(test, end, bad, is_usual=True)
        self.open(bad)
        self.line(f"store i64 {fault}, ptr @fault{self.module.tag('fault')}")
        self.open(end)
        return self.new(f"phi {type} [{value}, %{before}], [0, %{bad}]")

    def reference(self, node: ast.expr, wanted: Kind) -> list[str]:
        """An array or a record as the arguments of a call: its address, and the length of a list."""
        place = self.place(node)
        if not _suits(place.kind, wanted):
            raise NotDialect(f"{ast.unparse(node)} is {place.kind}, not {wanted}, in {self.source.name}")
        found = [f"ptr {place.address}"]
        return [*found, f"i64 {place.length}"] if wanted.name == "list" else found


def _suits(given: Kind, wanted: Kind) -> bool:
    """Whether a value of one kind may be passed as another: a context as an array of its numbers."""
    if given.name == "context" or wanted.name == "context":
        return {given.name, wanted.name} <= {"context", "ints"}
    if given != wanted:
        return False
    return _is_long_enough(given.length, wanted.length)


def _is_long_enough(given: Length | None, wanted: Length | None) -> bool:
    return not (isinstance(given, int) and isinstance(wanted, int)) or given >= wanted
