"""The declarations of a text of the kernel dialect: constants, tables and signatures of functions."""

from __future__ import annotations

import ast
from typing import Final

from attrs import frozen

from zermelo.interpreter.native.dialect.language import WORDS, NotDialect
from zermelo.interpreter.native.dialect.records import HALF, Kind, Layouts, fields_of, number_of
from zermelo.interpreter.native.dialect.searches import call_record, search_function


@frozen
class Signature:
    """A function's parameters and the kind of its result."""

    parameters: list[tuple[str, Kind]]
    result: str

    @property
    def is_apart(self) -> bool:
        """Whether the parameters do not alias. Records, and parameters within them, may."""
        return not any(kind.name in ("record", "list", "array") for _, kind in self.parameters)


@frozen
class Table:
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
)
"""Metadata that instructions refer to by number, from 0 on: a rarely taken branch, an invariant load, and the kinds of
numbers in memory."""

_TAGS: Final = {"int": 3, "bits": 4, "float": 5, "half": 6, "fault": 7}

_TYPES: Final = {"int": "i64", "float": "double"}


class Module:
    def __init__(self, tree: ast.Module, width: int, exports: tuple[str, ...]) -> None:
        self.width = width
        self.exports = exports
        self.constants: dict[str, int] = {}
        self.layouts = Layouts(width, self.constants)
        self.floats: dict[str, float] = {}
        self.tables: dict[str, Table] = {}
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
        self.layouts.declared.update(call_record(tree.body))
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
        self.tables[name] = Table(kind, element, len(values))
        shown = ", ".join(f"{element} {value}" for value in values)
        self.heads.append(f"@{name} = internal unnamed_addr constant [{len(values)} x {element}] [{shown}]")
