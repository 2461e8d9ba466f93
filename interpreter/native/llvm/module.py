"""What a text of the kernel dialect declares: constants, tables and the signatures of its functions."""

from __future__ import annotations

import ast
from typing import Final

from zermelo.grammar.record import Mutable
from zermelo.interpreter.native.dialect.language import WORDS, NotDialect

NUMBERS: Final = ("int", "bits", "float")
"""Kinds that are no arrays."""

ELEMENTS: Final = {"ints": "int", "state": "bits", "masks": "bits", "floats": "float"}
"""What the arrays of numbers hold."""


class Kind(Mutable):
    """The type of a name: one of :data:`NUMBERS`, or an array with its length (a number or a parameter) and the length
    of its rows."""

    name: str
    length: ast.expr | None = None
    row: int = 0


class Signature(Mutable):
    """A function's parameters and result."""

    parameters: list[tuple[str, Kind]]
    result: str


class Table(Mutable):
    """A constant table: what it holds, as what, and how many."""

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
"""The builtin ``count``, as a loop that LLVM makes vectors of."""


_TYPES: Final = {"int": "i64", "float": "double"}


class Module:
    def __init__(self, tree: ast.Module, width: int, exports: tuple[str, ...]) -> None:
        self.width = width
        self.exports = exports
        self.constants: dict[str, int] = {}
        self.floats: dict[str, float] = {}
        self.tables: dict[str, Table] = {}
        self.signatures: dict[str, Signature] = {}
        self.heads: list[str] = []
        self._defined: set[str] = set()
        functions = []
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=values)):
                    self._table(name, "int", [_number(value) for value in values])
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Tuple(elts=values)):
                    self._table(name, "bits", [_number(value) for value in values])
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=float() as number)):
                    self._define(name)
                    self.floats[name] = number
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._define(name)
                    self.constants[name] = _number(value)
                case ast.FunctionDef(name=name):
                    self._define(name)
                    functions.append(statement)
                case ast.ImportFrom() | ast.Expr():
                    pass
                case _:
                    raise NotDialect(ast.unparse(statement))
        for function in functions:
            parameters = [(argument.arg, self.kind(argument.annotation)) for argument in function.args.args]
            assert isinstance(function.returns, ast.Name)
            self.signatures[function.name] = Signature(parameters, function.returns.id)
        self.functions = functions

    def kind(self, annotation: ast.expr | None) -> Kind:
        """What an annotation says."""
        match annotation:
            case ast.Name(id="state"):
                return Kind("state", ast.Constant(self.constants["STATE"]))
            case ast.Name(id=name):
                return Kind(name)
            case ast.Subscript(value=ast.Name(id="rows"), slice=ast.Tuple(elts=[length, row])):
                return Kind("rows", length, self.constant(row))
            case ast.Subscript(value=ast.Name(id="states"), slice=length):
                return Kind("states", length, self.constants["STATE"])
            case ast.Subscript(value=ast.Name(id=name), slice=length):
                return Kind(name, length)
            case _:
                raise NotDialect("an annotation is missing")

    def constant(self, node: ast.expr) -> int:
        """A number, a constant, or a sum or product of such."""
        match node:
            case ast.Name(id=name):
                return self.constants[name]
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.constant(left) * self.constant(right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.constant(left) + self.constant(right)
            case _:
                return _number(node)

    def type(self, kind: str) -> str:
        return f"i{self.width}" if kind == "bits" else _TYPES.get(kind, "ptr")

    def stored(self, kind: str) -> str:
        """What an entry of an array is in memory. The host lays ``bits`` out without gaps, LLVM would round an integer
        that is wider than a word up to multiples of 16 bytes; so here they are words, and loads and stores must not
        count on more than a word's alignment."""
        return f"[{self.width // 64} x i64]" if kind == "bits" else self.type(kind)

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
                "declare double @llvm.sqrt.f64(double)",
                "declare double @llvm.log.f64(double)",
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
                _COUNT,
                *bodies,
                '!0 = !{!"branch_weights", i32 2000, i32 1}',
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
        self.tables[name] = Table(kind, element, len(values))
        shown = ", ".join(f"{element} {value}" for value in values)
        self.heads.append(f"@{name} = internal unnamed_addr constant [{len(values)} x {element}] [{shown}]")


def _number(node: ast.expr) -> int:
    value = ast.literal_eval(node)
    if not isinstance(value, int):
        raise NotDialect(ast.unparse(node))
    return value
