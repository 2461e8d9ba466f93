"""From the kernel dialect to LLVM's intermediate representation, as text.

Names become stack slots, which LLVM turns into registers; types follow :mod:`interpreter.native.dialect`.
"""

from __future__ import annotations

import ast
from collections import Counter
from math import inf
from typing import Final

from attrs import define, field

from interpreter.native.llvm.module import NUMBERS, Kind, Module, NotDialect
from interpreter.native.llvm.values import Values

_SHORT: Final = 30
"""Lines of a function that takes no more room where it is called than a call, about."""


def emit(text: str, width: int, exports: tuple[str, ...], inlines: bool = False) -> str:
    """The module for a text whose ``bits`` are ``width`` wide; ``exports`` can be called from outside. Functions that
    nothing needs are left out. Where LLVM is not to find out for itself what to inline, ``inlines`` tells it to: short
    functions, and those that are called in one place."""
    module = Module(ast.parse(text), width, exports)
    needed = _needed(module.functions, exports)
    functions = [function for function in module.functions if function.name in needed]
    mentions = Counter(node.id for function in functions for node in ast.walk(function) if isinstance(node, ast.Name))
    longest = {function.name: (inf if mentions[function.name] == 1 else _SHORT) for function in functions}
    return module.render(
        [Function(module, function).render(longest[function.name] if inlines else 0) for function in functions]
    )


def _needed(functions: list[ast.FunctionDef], exports: tuple[str, ...]) -> set[str]:
    """The exported functions, and those that they call, directly or not."""
    by_name = {function.name: function for function in functions}
    needed, waiting = set(exports), list(exports)
    while waiting:
        function = by_name[waiting.pop()]
        called = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} & by_name.keys() - needed
        needed |= called
        waiting.extend(called)
    return needed


@define
class Function(Values):
    """A function and its statements."""

    loops: list[tuple[str, str]] = field(factory=list)

    def render(self, inlined: float) -> str:
        """The definition. A function that is not exported and has no more lines than ``inlined`` is put where it is
        called."""
        name = self.source.name
        signature = self.module.signatures[name]
        assigned = {
            node.id for node in ast.walk(self.source) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        heads = []
        for parameter, kind in signature.parameters:
            self.kinds[parameter] = kind
            type = self.module.type(kind.name)
            heads.append(f"{type}{' noalias' if type == 'ptr' else ''} %{parameter}")
            if parameter in assigned:
                self.slot(parameter, kind)
                self.line(f"store {type} %{parameter}, ptr %{parameter}.slot")
            else:
                self.values[parameter] = f"%{parameter}"
        self.body(self.source.body)
        if not self.is_closed:
            self.line(f"ret {self.module.type(signature.result)} zeroinitializer")
        linkage = "" if name in self.module.exports else "internal fastcc "
        inline = " alwaysinline" if linkage and len(self.lines) <= inlined else ""
        head = f"define {linkage}{self.module.type(signature.result)} @{name}({', '.join(heads)}) nounwind{inline} {{"
        return "\n".join(["", head, "entry:", *self.slots, *self.lines, "}"])

    # ------------------------------------------------------- statements

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.is_closed:
                return
            self.statement(statement)

    def statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value) if value is not None:
                if name not in self.kinds:
                    self.slot(name, self.module.kind(annotation))
                self.assign(name, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="array"), args=[length])):
                size = self.module.constant(length)
                self.kinds[name] = Kind("ints", ast.Constant(size))
                self.array(name, f"[{size} x i64]")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="scratch"))):
                size = self.module.constants["STATE"]
                self.kinds[name] = Kind("state", ast.Constant(size))
                self.array(name, f"[{size} x {self.module.stored('bits')}]")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="scratches"), args=[length])):
                count, size = self.module.constant(length), self.module.constants["STATE"]
                self.kinds[name] = Kind("states", ast.Constant(count), size)
                self.array(name, f"[{count * size} x {self.module.stored('bits')}]")
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                kind = self.kinds[name] if name in self.kinds else self.natural_array(value)
                if name not in self.kinds:
                    if kind.name in NUMBERS:
                        self.slot(name, kind)
                    else:
                        self.kinds[name] = kind
                if kind.name in NUMBERS:
                    self.assign(name, value)
                else:
                    self.values[name] = self.pointer(value)
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                address, element = self.address(target)
                self.line(f"store {self.module.type(element)} {self.value(value, element)}, ptr {address}, align 8")
            case ast.AugAssign(target=ast.Name() | ast.Subscript() as target, op=op, value=value):
                load = ast.parse(ast.unparse(target), mode="eval").body
                self.statement(ast.Assign(targets=[target], value=ast.BinOp(left=load, op=op, right=value)))
            case ast.If(test=test, body=body, orelse=orelse):
                yes, no, end = self.label("then"), self.label("else"), self.label("end")
                self.branch(test, yes, no)
                self.open(yes)
                self.body(body)
                self.jump(end)
                self.open(no)
                self.body(orelse)
                self.open(end)
            case ast.While(test=test, body=body):
                again, inside, end = self.label("while"), self.label("do"), self.label("done")
                self.open(again)
                self.branch(test, inside, end)
                self.open(inside)
                self.loops.append((again, end))
                self.body(body)
                self.loops.pop()
                self.jump(again)
                self.open(end)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                self.loop(name, bounds, body)
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case ast.Return(value=value) if value is not None:
                result = self.module.signatures[self.source.name].result
                self.line(f"ret {self.module.type(result)} {self.value(value, result)}")
                self.is_closed = True
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id="copy"), args=[target, source, length])):
                size = self.module.constant(length) * self.module.width // 8
                to, of = self.pointer(target), self.pointer(source)
                self.line(f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {to}, ptr align 8 {of}, i64 {size}, i1 false)")
            case ast.Expr(value=ast.Call(func=ast.Name(id="prefetch"), args=[row])):
                self.line(f"call void @llvm.prefetch.p0(ptr {self.pointer(row)}, i32 0, i32 3, i32 1)")
            case ast.Expr(value=ast.Call() as call):
                self.value(call, self.natural(call) or "int")
            case _:
                raise NotDialect(ast.unparse(statement))

    def assign(self, name: str, value: ast.expr) -> None:
        kind = self.kinds[name].name
        self.line(f"store {self.module.type(kind)} {self.value(value, kind)}, ptr %{name}.slot")

    def array(self, name: str, type: str) -> None:
        if name not in self.values:
            self.slots.append(f"  %{name} = alloca {type}, align 16")
            self.values[name] = f"%{name}"

    def loop(self, name: str, bounds: list[ast.expr], body: list[ast.stmt]) -> None:
        if name not in self.kinds:
            self.slot(name, Kind("int"))
        start = self.value(bounds[0], "int") if len(bounds) == 2 else "0"
        stop = self.value(bounds[-1], "int")
        before, again, inside, end = self.block, self.label("for"), self.label("do"), self.label("done")
        following = self.label("next")
        self.open(again)
        self.count += 1
        counter = f"%c{self.count}"
        self.lines.append(f"  {counter} = phi i64 [{start}, %{before}], [{counter}.next, %{following}]")
        test = self.new(f"icmp slt i64 {counter}, {stop}")
        self.line(f"br i1 {test}, label %{inside}, label %{end}")
        self.is_closed = True
        self.open(inside)
        self.line(f"store i64 {counter}, ptr %{name}.slot")
        self.loops.append((following, end))
        self.body(body)
        self.loops.pop()
        self.open(following)
        self.lines.append(f"  {counter}.next = add nsw i64 {counter}, 1")
        self.jump(again)
        self.open(end)
