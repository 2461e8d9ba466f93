"""Values as LLVM instructions: declarations, the addresses of places, and expressions of the kernel dialect."""

from __future__ import annotations

import ast
from struct import pack
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter.native.dialect.kernel_source import call_record, search_function
from zermelo.interpreter.native.dialect.language import BEYOND_HALF, LEFT_ARRAY, WORDS, NotDialect
from zermelo.interpreter.native.dialect.records import HALF, NUMBERS, Kind, Layouts, Length, fields_of, number_of
from zermelo.interpreter.native.dialect.words import LANES

# The declarations of a text of the kernel dialect: constants, tables and signatures of functions.


@frozen(eq=False, repr=False)
class Signature(ByValue):
    """A function's parameters and the kind of its result."""

    parameters: list[tuple[str, Kind]]
    result: str

    @property
    def is_apart(self) -> bool:
        """Whether the parameters do not alias. Records, and parameters within them, may."""
        return not any(kind.name in ("record", "list", "array") for _, kind in self.parameters)


@frozen(eq=False, repr=False)
class ConstantTable(ByValue):
    """A constant table: its elements, their kind, their number."""

    kind: str
    element: str
    length: int


_COUNT = """
define internal fastcc i64 @count.in(ptr %a, i64 %first, i64 %end, i64 %x) nounwind {
entry:
  %some = icmp slt i64 %first, %end
  br i1 %some, label %loop, label %none
loop:
  %i = phi i64 [%first, %entry], [%next, %loop]
  %found = phi i64 [0, %entry], [%more, %loop]
  %p = getelementptr inbounds i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %same = icmp eq i64 %v, %x
  %one = zext i1 %same to i64
  %more = add i64 %found, %one
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %end
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
none:
  ret i64 0
}"""
"""The builtin ``count``, as a loop that LLVM vectorizes."""


_METADATA: Final = (
    '!{!"branch_weights", i32 2000, i32 1}',
    "!{}",
    '!{!"kernel dialect"}',
    '!{!"int", !2, i64 0}',
    '!{!"bits", !2, i64 0}',
    '!{!"float", !2, i64 0}',
    '!{!"half", !2, i64 0}',
    '!{!"fault", !2, i64 0}',
    '!{!"llvm.loop.unroll.runtime.disable"}',
    f"!{{i64 0, i64 {1 << 60}}}",
)
"""Metadata that instructions refer to by number, from 0 on: a rarely taken branch, an invariant load, the kinds of
numbers in memory, that a loop is not to be unrolled, and what a length can be."""

_TAGS: Final = {"int": 3, "bits": 4, "float": 5, "half": 6, "fault": 7}

_NO_UNROLLING: Final = 8

ROWS: Final = frozenset({"lanes_at", "put_lanes"})
"""The words that read and write rows."""

_TYPES: Final = {"int": "i64", "float": "double", "lanes": f"<{LANES} x double>"}


class Module:
    def __init__(self, tree: ast.Module, width: int, exports: tuple[str, ...]) -> None:
        self.width = width
        self.exports = exports
        self.constants: dict[str, int] = {}
        self.layouts = Layouts(width, self.constants)
        self.floats: dict[str, float] = {}
        self.tables: dict[str, ConstantTable] = {}
        self.signatures: dict[str, Signature] = {}
        self.heads: list[str] = []
        self._tags: dict[str, int] = {}
        self._metadata = list(_METADATA)
        self._defined: set[str] = set()
        functions = []
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=values)):
                    self._table(name, "int", [number_of(value) for value in values])
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Tuple(elts=values)):
                    self._table(name, "bits", [number_of(value) for value in values])
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=float() as number)):
                    self._define(name)
                    self.floats[name] = number
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._define(name)
                    self.constants[name] = number_of(value)
                case ast.FunctionDef(name=name):
                    self._define(name)
                    functions.append(statement)
                case ast.ClassDef(name=name, body=body):
                    self._define(name)
                    self.layouts.declared[name] = fields_of(body)
                case ast.ImportFrom() | ast.Expr():
                    pass
                case _:
                    raise NotDialect(ast.unparse(statement))
        self.search = search_function(tree.body)
        for name, fields in call_record(self.search).items():
            self._define(name)
            self.layouts.declared[name] = fields
        for function in functions:
            parameters = [(argument.arg, self.layouts.kind(argument.annotation)) for argument in function.args.args]
            self.signatures[function.name] = Signature(parameters, self._result(function.returns))
        self.functions = functions

    def _result(self, annotation: ast.expr | None) -> str:
        if isinstance(annotation, ast.Constant) and annotation.value is None:
            return "int"
        return self.layouts.kind(annotation).name

    def type(self, kind: str) -> str:
        return f"i{self.width}" if kind == "bits" else _TYPES.get(kind, "ptr")

    def stored(self, kind: Kind) -> str:
        """The type of a value in memory: words. (LLVM would round integers wider than a word up to multiples of 16
        bytes.) Loads and stores must not assume more than a word's alignment."""
        if kind == HALF:
            return "i32"
        return f"[{self.layouts.size(kind)} x i64]"

    def tag(self, kind: str, place: str = "") -> str:
        """The type-based alias analysis tag of a load or store of a number: different fields of records do not alias,
        nor do numbers of different kinds. Memory reached by a reference to an array may be a field, too."""
        name = place or kind
        if name not in self._tags:
            of = _TAGS[kind]
            if place:
                of = len(self._metadata)
                self._metadata.append(f'!{{!"{place}", !{_TAGS[kind]}, i64 0}}')
            self._metadata.append(f"!{{!{of}, !{of}, i64 0}}")
            self._tags[name] = len(self._metadata) - 1
        return f", !tbaa !{self._tags[name]}"

    def as_it_is(self) -> str:
        """What forbids LLVM to unroll the loop that a jump closes, which it would if the number of turns is unknown.
        Each loop needs a node of its own."""
        number = len(self._metadata)
        self._metadata.append(f"distinct !{{!{number}, !{_NO_UNROLLING}}}")
        return f", !llvm.loop !{number}"

    def render(self, bodies: list[str]) -> str:
        """The whole module, with the functions' definitions."""
        intrinsics = [
            f"declare i{width} @llvm.{name}.i{width}(i{width}{flag})"
            for width in sorted({64, self.width})
            for name, flag in (("ctpop", ""), ("cttz", ", i1"), ("ctlz", ", i1"))
        ]
        return "\n".join(
            [
                "@fault = global i64 0",
                "@stop = global i64 0",
                *self.heads,
                *intrinsics,
                "declare i64 @llvm.smin.i64(i64, i64)",
                "declare i64 @llvm.smax.i64(i64, i64)",
                "declare double @llvm.sqrt.f64(double)",
                "declare double @llvm.log.f64(double)",
                "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
                _COUNT,
                *bodies,
                *(f"!{number} = {data}" for number, data in enumerate(self._metadata)),
                "",
            ]
        )

    def _define(self, name: str) -> None:
        if name in WORDS or name in self._defined:
            raise NotDialect(f"'{name}' is defined twice")
        self._defined.add(name)

    def _table(self, name: str, kind: str, values: list[int]) -> None:
        self._define(name)
        element = self.type(kind)
        if kind == "int":
            element = next(
                f"i{bits}" for bits in (8, 16, 32, 64) if all(-(1 << bits - 1) <= v < 1 << bits - 1 for v in values)
            )
        self.tables[name] = ConstantTable(kind, element, len(values))
        shown = ", ".join(f"{element} {value}" for value in values)
        self.heads.append(f"@{name} = internal unnamed_addr constant [{len(values)} x {element}] [{shown}]")


# Addresses of names, fields, and entries of arrays.
#
# Names of numbers become stack slots, which LLVM turns into registers, as do names for an array or a record: they hold
# its address and, for a list, its length.
#
# Every index that is not statically within its array is checked. A wrong one is replaced by 0, and ``@fault`` is set.
# The same happens to a number that does not fit into a half word where it is to be stored.


_NEVER_CHANGES = ", !invariant.load !1"
"""Marks loads of addresses and lengths, which only the host sets, between calls."""

_A_LENGTH: Final = ", !range !9"
"""Marks loads of lengths: with it LLVM sees that indices below the smaller of a bound and a length need no check."""


@frozen(eq=False, repr=False)
class Address(ByValue):
    """An object in memory: its kind, the address, the length of an array, and the field that it or its elements belong
    to, if known. An ``int`` may lie in half a word."""

    kind: Kind
    address: str
    length: str = ""
    within: str = ""
    is_half: bool = False


# Expressions of the kernel dialect as LLVM instructions.
#
# An expression has a natural kind (``int``, ``bits``, or none, as literals have), and is extended or truncated to the
# wanted one. Conditions become branches.
#
# There are no implicit conversions from or to ``float``, and no fast-math flags, which would let LLVM change the
# precision or the order of operations.


_BINARY = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_COMPARE = {
    ast.Eq: ("eq", "eq"),
    ast.NotEq: ("ne", "ne"),
    ast.Lt: ("slt", "ult"),
    ast.LtE: ("sle", "ule"),
    ast.Gt: ("sgt", "ugt"),
    ast.GtE: ("sge", "uge"),
}
_FLOAT_BINARY = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_FLOAT_COMPARE = {ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge"}
_ODD = 0x9E3779B97F4A7C15


@define(eq=False, repr=False)
class Values:
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

    def jump(self, label: str, note: str = "") -> None:
        if not self.is_closed:
            self.line(f"br label %{label}{note}")
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
                return self._address_of_name(name, self.kinds[name])
            case ast.Attribute(value=value, attr=name):
                record = self.place(value)
                kind, offset = self._field(record.kind, name, node)
                address = record.address
                if offset:
                    address = self.new(f"getelementptr inbounds i64, ptr {address}, i64 {offset}")
                return self._address_in_field(kind, address, f"{record.kind.record}.{name}")
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

    def _address_of_name(self, name: str, kind: Kind) -> Address:
        """The object bound to a name. Its field is unknown, since the name may have been reassigned."""
        if name in self.values:
            return Address(kind, self.values[name], f"%.{name}.length" if kind.name == "list" else self._length(kind))
        if kind.name in NUMBERS:
            return Address(kind, f"%.{name}.slot")
        address = self.new(f"load ptr, ptr %.{name}.slot")
        if kind.name == "list":
            return Address(kind, address, self.new(f"load i64, ptr %.{name}.slot.length"))
        return Address(kind, address, self._length(kind))

    def _address_in_field(self, kind: Kind, address: str, within: str) -> Address:
        """The object in a field."""
        if kind.name == "context":
            found = self.new(f"load ptr, ptr {address}, align 8{_NEVER_CHANGES}")
            return Address(kind, found, self._length(kind))
        if kind.name == "list":
            found = self.new(f"load ptr, ptr {address}, align 8{_NEVER_CHANGES}")
            behind = self.new(f"getelementptr inbounds i64, ptr {address}, i64 1")
            length = self.new(f"load i64, ptr {behind}, align 8{_NEVER_CHANGES}{_A_LENGTH}")
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
        return self._replace_if_wrong(self.new(f"icmp ult i64 {index}, {length}"), "i64", index, LEFT_ARRAY)

    def halved(self, value: str) -> str:
        """A number as half a word, or 0 if it does not fit."""
        half = self.new(f"trunc i64 {value} to i32")
        fits = self.new(f"icmp eq i64 {self.new(f'sext i32 {half} to i64')}, {value}")
        return self._replace_if_wrong(fits, "i32", half, BEYOND_HALF)

    def _replace_if_wrong(self, test: str, type: str, value: str, fault: int) -> str:
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

    # ----------------------------------------------------- conversions

    def convert(self, value: str, kind: str, wanted: str) -> str:
        if kind == wanted:
            return value
        if {"float", "lanes"} & {kind, wanted}:
            raise NotDialect(f"a value of kind {kind} where a {wanted} is wanted, in {self.source.name}")
        if self.module.width == 64:
            return value
        if wanted == "bits":
            return self.new(f"zext i64 {value} to i{self.module.width}")
        return self.new(f"trunc i{self.module.width} {value} to i64")

    # ------------------------------------------------------- conditions

    def branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Jump to ``yes`` if the test holds, else to ``no``."""
        match test:
            case ast.BoolOp(op=op, values=parts):
                for part in parts[:-1]:
                    next = self.label("and")
                    self.branch(part, *((next, no) if isinstance(op, ast.And) else (yes, next)))
                    self.open(next)
                self.branch(parts[-1], yes, no)
                return
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.branch(operand, no, yes)
                return
            case _:
                self.fork(self.test(test), yes, no)

    def test(self, node: ast.expr) -> str:
        """A condition as one bit."""
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                kinds = (self.natural(left), self.natural(right))
                if "float" in kinds:
                    one, two = self.value(left, "float"), self.value(right, "float")
                    return self.new(f"fcmp {_FLOAT_COMPARE[type(op)]} double {one}, {two}")
                kind = "bits" if "bits" in kinds and "int" not in kinds else "int"
                one, two = self.value(left, kind), self.value(right, kind)
                return self.new(f"icmp {_COMPARE[type(op)][kind == 'bits']} {self.module.type(kind)} {one}, {two}")
            case ast.Constant(value=value):
                return "true" if value else "false"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.new(f"xor i1 {self.test(operand)}, true")
            case _:
                kind = "bits" if self.natural(node) == "bits" else "int"
                return self.new(f"icmp ne {self.module.type(kind)} {self.value(node, kind)}, 0")

    # ------------------------------------------------------ expressions

    def natural(self, node: ast.expr) -> str | None:
        """The natural kind of a number; None if it adapts to any."""
        match node:
            case ast.Name(id=name) if name not in self.kinds:
                return "float" if name in self.module.floats else None
            case ast.Name() | ast.Subscript() | ast.Attribute():
                kind = self.kind(node)
                return None if kind is None else kind.name
            case ast.Constant(value=value):
                return "float" if isinstance(value, float) else None
            case ast.BinOp(left=left, op=ast.Div()):
                return "lanes" if self.natural(left) == "lanes" else "float"
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                kinds = (self.natural(left), self.natural(right))
                return next((kind for kind in ("lanes", "float") if kind in kinds), "int")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return "float" if self.natural(operand) == "float" else "int"
            case ast.BinOp(left=left, op=ast.LShift() | ast.RShift()):
                return self.natural(left)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                kinds = (self.natural(left), self.natural(right))
                return "bits" if "bits" in kinds else "int" if "int" in kinds else None
            case ast.IfExp(body=body, orelse=orelse):
                kinds = (self.natural(body), self.natural(orelse))
                return next((kind for kind in ("lanes", "float", "bits", "int") if kind in kinds), None)
            case ast.Call(func=ast.Name(id="float" | "sqrt" | "log")):
                return "float"
            case ast.Call(func=ast.Name(id="lanes" | "lanes_at" | "put_lanes" | "where")):
                return "lanes"
            case ast.Call(func=ast.Name(id="min" | "max"), args=args):
                return "float" if "float" in map(self.natural, args) else "int"
            case ast.Call(func=ast.Name(id=name)) if name in self.module.signatures:
                return self.module.signatures[name].result
            case _:
                return "int"

    def value(self, node: ast.expr, wanted: str) -> str:
        """The value of an expression, converted to the wanted kind."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self.number(number, wanted)
            case ast.Name(id=name) if name in self.module.constants and name not in self.kinds:
                return self.number(self.module.constants[name], wanted)
            case ast.Name(id=name) if name in self.module.floats and name not in self.kinds:
                return self.number(self.module.floats[name], wanted)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choose(test, body, orelse, wanted)
            case ast.BinOp(left=left, op=ast.LShift(), right=right) if wanted == "bits":
                return self.shift("shl", left, right, "bits")
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor() as op, right=right) if (
                wanted == "bits"
            ):
                return self.binary(_BINARY[type(op)], left, right, "bits")
            case ast.BinOp(left=left, op=ast.Sub(), right=right) if wanted == "bits" and self.natural(left) == "bits":
                return self.binary("sub", left, right, "bits")
        kind = self.natural(node) or wanted
        return self.convert(self.natural_value(node, kind), kind, wanted)

    def number(self, number: int | float, wanted: str) -> str:
        """A constant."""
        if isinstance(number, float) != (wanted == "float"):
            raise NotDialect(f"{number} where a {wanted} is wanted, in {self.source.name}")
        return f"0x{pack('>d', number).hex()}" if wanted == "float" else str(int(number))

    def natural_value(self, node: ast.expr, kind: str) -> str:
        match node:
            case ast.Name(id=name) if name in self.values and kind in NUMBERS:
                return self.values[name]
            case ast.Name(id=name) if name in self.kinds and kind in NUMBERS:
                return self.get(name, kind)
            case ast.Subscript(value=ast.Name(id=name)) if name in self.module.tables:
                return self.look_up(name, node)
            case ast.Subscript() | ast.Attribute():
                return self.load(self.place(node))
            case ast.BinOp(left=left, op=ast.LShift(), right=right):
                return self.shift("shl", left, right, kind)
            case ast.BinOp(left=left, op=ast.RShift(), right=right):
                return self.shift("lshr" if kind == "bits" else "ashr", left, right, kind)
            case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod() as op, right=right):
                return self.divide(isinstance(op, ast.Mod), left, right)
            case ast.BinOp(left=left, op=op, right=right):
                operations = _FLOAT_BINARY if kind in ("float", "lanes") else _BINARY
                if type(op) not in operations:
                    raise NotDialect(ast.unparse(node))
                return self.binary(operations[type(op)], left, right, kind)
            case ast.UnaryOp(op=ast.USub(), operand=operand) if kind == "float":
                return self.new(f"fneg double {self.value(operand, kind)}")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.new(f"sub i64 0, {self.value(operand, 'int')}")
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self.choose(node, ast.Constant(1), ast.Constant(0), "int")
            case ast.Compare():
                return self.new(f"zext i1 {self.test(node)} to i64")
            case ast.Call():
                return self.call(node)
            case _:
                raise NotDialect(ast.unparse(node))

    def choose(self, test: ast.expr, body: ast.expr, orelse: ast.expr, wanted: str) -> str:
        yes, no, end = self.label("yes"), self.label("no"), self.label("end")
        self.branch(test, yes, no)
        self.open(yes)
        one = self.value(body, wanted)
        from_yes = self.block
        self.jump(end)
        self.open(no)
        two = self.value(orelse, wanted)
        from_no = self.block
        self.open(end)
        return self.new(f"phi {self.module.type(wanted)} [{one}, %{from_yes}], [{two}, %{from_no}]")

    def binary(self, operation: str, left: ast.expr, right: ast.expr, kind: str) -> str:
        one, two = self.value(left, kind), self.value(right, kind)
        return self.new(f"{operation} {self.module.type(kind)} {one}, {two}")

    def shift(self, operation: str, left: ast.expr, right: ast.expr, kind: str) -> str:
        one = self.value(left, kind)
        by = self.convert(self.value(right, "int"), "int", kind)
        return self.new(f"{operation} {self.module.type(kind)} {one}, {by}")

    def divide(self, is_modulo: bool, left: ast.expr, right: ast.expr) -> str:
        """Floor division from LLVM's, which truncates."""
        one, two = self.value(left, "int"), self.value(right, "int")
        rest = self.new(f"srem i64 {one}, {two}")
        signs = self.new(f"xor i64 {rest}, {two}")
        differ = self.new(f"icmp slt i64 {signs}, 0")
        uneven = self.new(f"icmp ne i64 {rest}, 0")
        floors = self.new(f"and i1 {differ}, {uneven}")
        if is_modulo:
            moved = self.new(f"add i64 {rest}, {two}")
            return self.new(f"select i1 {floors}, i64 {moved}, i64 {rest}")
        quotient = self.new(f"sdiv i64 {one}, {two}")
        step = self.new(f"sext i1 {floors} to i64")
        return self.new(f"add i64 {quotient}, {step}")

    def call(self, node: ast.Call) -> str:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        width, bits = self.module.width, f"i{self.module.width}"
        match name:
            case "popcount":
                found = self.new(f"call {bits} @llvm.ctpop.{bits}({bits} {self.value(node.args[0], 'bits')})")
                return self.convert(found, "bits", "int")
            case "lowest":
                found = self.new(f"call {bits} @llvm.cttz.{bits}({bits} {self.value(node.args[0], 'bits')}, i1 true)")
                return self.convert(found, "bits", "int")
            case "highest":
                found = self.new(f"call {bits} @llvm.ctlz.{bits}({bits} {self.value(node.args[0], 'bits')}, i1 true)")
                return self.new(f"sub i64 {width - 1}, {self.convert(found, 'bits', 'int')}")
            case "mix":
                one, two = self.value(node.args[0], "int"), self.value(node.args[1], "int")
                stirred = self.new(f"mul i64 {self.new(f'xor i64 {one}, {two}')}, {_ODD}")
                mixed = self.new(f"xor i64 {stirred}, {self.new(f'lshr i64 {stirred}, 29')}")
                return self.new(f"and i64 {mixed}, {(1 << 63) - 1}")
            case "float":
                return self.new(f"sitofp i64 {self.value(node.args[0], 'int')} to double")
            case "sqrt" | "log":
                return self.new(f"call double @llvm.{name}.f64(double {self.value(node.args[0], 'float')})")
            case "lanes":
                return self.spread(self.value(node.args[0], "float"))
            case "rows_of":
                return self.rows_of(self._array_of_floats(node.args[0]))
            case "lanes_at":
                return self.new(f"load {_TYPES['lanes']}, {self.row(*node.args)}")
            case "put_lanes":
                entries = self.value(node.args[2], "lanes")
                self.line(f"store {_TYPES['lanes']} {entries}, {self.row(*node.args[:2])}")
                return entries
            case "where":
                test, yes, no = (self.value(each, "lanes") for each in node.args)
                above = self.new(f"fcmp ogt {_TYPES['lanes']} {test}, zeroinitializer")
                of = _TYPES["lanes"]
                return self.new(f"select <{LANES} x i1> {above}, {of} {yes}, {of} {no}")
            case "count":
                return self.count_of(*node.args)
            case "claim":
                exchanged = self.new(f"cmpxchg ptr {self.entry(node)}, i64 0, i64 1 acq_rel acquire, align 8")
                return self.new(f"zext i1 {self.new(f'extractvalue {{ i64, i1 }} {exchanged}, 1')} to i64")
            case "acquire":
                return self.new(f"load atomic i64, ptr {self.entry(node)} acquire, align 8")
            case "release":
                address, stored = self.entry(node), self.value(node.args[2], "int")
                self.line(f"store atomic i64 {stored}, ptr {address} release, align 8")
                return stored
            case "len":
                if not (length := self.place(node.args[0]).length):
                    raise NotDialect(f"{ast.unparse(node)} in {self.source.name}")
                return length
            case "min" | "max":
                common = self.natural(node) or "int"
                one, two = self.value(node.args[0], common), self.value(node.args[1], common)
                if common == "int":
                    return self.new(f"call i64 @llvm.s{name}.i64(i64 {one}, i64 {two})")
                other = self.new(f"fcmp {'olt' if name == 'min' else 'ogt'} double {two}, {one}")
                return self.new(f"select i1 {other}, double {two}, double {one}")
            case "poll":
                return self.new("load volatile i64, ptr @stop")
        if name not in self.module.signatures:
            raise NotDialect(f"there is no function '{name}', in {self.source.name}")
        signature = self.module.signatures[name]
        if len(node.args) != len(signature.parameters) or node.keywords:
            raise NotDialect(f"{ast.unparse(node)} in {self.source.name}")
        arguments: list[str] = []
        for argument, (_, kind) in zip(node.args, signature.parameters, strict=True):
            if kind.name in NUMBERS:
                arguments.append(f"{self.module.type(kind.name)} {self.value(argument, kind.name)}")
            else:
                arguments += self.reference(argument, kind)
        convention = "" if name in self.module.exports else "fastcc "
        return self.new(f"call {convention}{self.module.type(signature.result)} @{name}({', '.join(arguments)})")

    def spread(self, number: str) -> str:
        """A number in all lanes."""
        first = self.new(f"insertelement {_TYPES['lanes']} poison, double {number}, i64 0")
        everywhere = f"<{LANES} x i32> zeroinitializer"
        return self.new(f"shufflevector {_TYPES['lanes']} {first}, {_TYPES['lanes']} poison, {everywhere}")

    def row(self, array: ast.expr, row: ast.expr) -> str:
        """The place of a row of an array of ``float``, as a load or a store has it."""
        place = self._array_of_floats(array)
        at = self.checked(self.value(row, "int"), self.rows_of(place))
        address = self.new(f"getelementptr inbounds {_TYPES['lanes']}, ptr {place.address}, i64 {at}")
        return f"ptr {address}, align 8{self.module.tag('float', place.within)}"

    def rows_of(self, array: Address) -> str:
        """How many rows an array has."""
        if array.length.isdecimal():
            return str(int(array.length) // LANES)
        return self.new(f"udiv i64 {array.length}, {LANES}")

    def _array_of_floats(self, node: ast.expr) -> Address:
        """An array of ``float``."""
        array = self.place(node)
        if array.kind.name == "context" or array.kind.element != Kind("float"):
            raise NotDialect(f"{ast.unparse(node)} is {array.kind}, not an array of float, in {self.source.name}")
        return array

    def count_of(self, array: ast.expr, first: ast.expr, count: ast.expr, wanted: ast.expr) -> str:
        """The occurrences of a number in a range of an array; a range outside it counts as empty."""
        place = self._array_of_ints(array)
        base, length = place.address, place.length
        one, many, x = self.value(first, "int"), self.value(count, "int"), self.value(wanted, "int")
        beyond = str(int(length) + 1) if length.isdecimal() else self.new(f"add i64 {length}, 1")
        end = self.checked(self.new(f"add i64 {one}, {many}"), beyond)
        return self.new(f"call fastcc i64 @count.in(ptr {base}, i64 {one}, i64 {end}, i64 {x})")

    def look_up(self, name: str, node: ast.Subscript) -> str:
        """An entry of a table."""
        table = self.module.tables[name]
        index = self.checked(self.value(node.slice, "int"), str(table.length))
        address = self.new(f"getelementptr inbounds {table.element}, ptr @{name}, i64 {index}")
        found = self.new(f"load {table.element}, ptr {address}")
        if table.kind == "int" and table.element != "i64":
            return self.new(f"sext {table.element} {found} to i64")
        return found

    def entry(self, node: ast.Call) -> str:
        """The address of the entry given by the first two arguments of a call, an array and an index."""
        array, place = node.args[:2]
        self._array_of_ints(array)
        return self.place(ast.Subscript(value=array, slice=place)).address

    def _array_of_ints(self, node: ast.expr) -> Address:
        """An array of ``int``."""
        array = self.place(node)
        if array.kind.name != "context" and array.kind.element != Kind("int"):
            raise NotDialect(f"{ast.unparse(node)} is {array.kind}, not an array of int, in {self.source.name}")
        return array


def _suits(given: Kind, wanted: Kind) -> bool:
    """Whether a value of one kind may be passed as another: a context as an array of its numbers."""
    if given.name == "context" or wanted.name == "context":
        return {given.name, wanted.name} <= {"context", "ints"}
    if given != wanted:
        return False
    return _is_long_enough(given.length, wanted.length)


def _is_long_enough(given: Length | None, wanted: Length | None) -> bool:
    return not (isinstance(given, int) and isinstance(wanted, int)) or given >= wanted
