"""Expressions of the kernel dialect as LLVM instructions.

An expression has a natural kind (``int``, ``bits``, or none, as literals have), and is extended or truncated to the
wanted one. Conditions become branches.

There are no implicit conversions from or to ``float``, and no fast-math flags, which would let LLVM change the
precision or the order of operations.
"""

from __future__ import annotations

import ast
from struct import pack

from attrs import define

from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.records import NUMBERS, Kind
from zermelo.interpreter.native.llvm.places import Address, Places

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


@define(eq=False)
class Values(Places):
    """A function in the making, with its expressions."""

    def convert(self, value: str, kind: str, wanted: str) -> str:
        if kind == wanted:
            return value
        if "float" in (kind, wanted):
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
            case ast.BinOp(op=ast.Div()):
                return "float"
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                return "float" if "float" in (self.natural(left), self.natural(right)) else "int"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return "float" if self.natural(operand) == "float" else "int"
            case ast.BinOp(left=left, op=ast.LShift() | ast.RShift()):
                return self.natural(left)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                kinds = (self.natural(left), self.natural(right))
                return "bits" if "bits" in kinds else "int" if "int" in kinds else None
            case ast.IfExp(body=body, orelse=orelse):
                kinds = (self.natural(body), self.natural(orelse))
                return next((kind for kind in ("float", "bits", "int") if kind in kinds), None)
            case ast.Call(func=ast.Name(id="float" | "sqrt" | "log")):
                return "float"
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
                operations = _FLOAT_BINARY if kind == "float" else _BINARY
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

    def count_of(self, array: ast.expr, first: ast.expr, count: ast.expr, wanted: ast.expr) -> str:
        """The occurrences of a number in a range of an array; a range outside it counts as empty."""
        place = self._whole(array)
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
        self._whole(array)
        return self.place(ast.Subscript(value=array, slice=place)).address

    def _whole(self, node: ast.expr) -> Address:
        """An array of ``int``."""
        array = self.place(node)
        if array.kind.name != "context" and array.kind.element != Kind("int"):
            raise NotDialect(f"{ast.unparse(node)} is {array.kind}, not an array of int, in {self.source.name}")
        return array
