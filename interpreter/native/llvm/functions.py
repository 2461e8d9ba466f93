"""Statements of the kernel dialect, and whole functions, as LLVM instructions."""

from __future__ import annotations

import ast
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.records import NUMBERS, Kind
from zermelo.interpreter.native.llvm.places import Address
from zermelo.interpreter.native.llvm.values import Values

_MAKERS: Final = {"array": "ints", "masks": "masks", "records": "array", "scratch": "state", "scratches": "states"}
"""The words that make arrays on the stack, with their kinds."""


@define(eq=False)
class Function(Values):
    """A function and its statements."""

    loops: list[tuple[str, str]] = field(factory=list)

    def render(self, assigned: set[str], inlined: float) -> str:
        """The definition, in which names are ``assigned``. A function that is not exported and has at most ``inlined``
        lines is inlined."""
        name = self.source.name
        signature = self.module.signatures[name]
        heads = []
        apart = " noalias" if signature.is_apart else ""
        for parameter, kind in signature.parameters:
            type = self.module.type(kind.name)
            heads.append(f"{type}{apart if type == 'ptr' else ''} %.{parameter}")
            if kind.name == "list":
                heads.append(f"i64 %.{parameter}.length")
            if parameter in assigned:
                self.slot(parameter, kind)
                self.line(f"store {type} %.{parameter}, ptr %.{parameter}.slot")
                if kind.name == "list":
                    self.line(f"store i64 %.{parameter}.length, ptr %.{parameter}.slot.length")
            else:
                self.kinds[parameter] = kind
                self.values[parameter] = f"%.{parameter}"
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
                    self.slot(name, self.module.layouts.kind(annotation))
                self.assign(name, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=made), args=args)) if (
                made in _MAKERS or made in self.module.layouts
            ):
                self.make(name, made, args)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value)
            case ast.Assign(targets=[ast.Subscript() | ast.Attribute() as target], value=value):
                place = self.place(target)
                self.store(place, self.value(value, place.kind.name))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                self.assign_all(targets, values)
            case ast.AugAssign(target=ast.Name() | ast.Subscript() | ast.Attribute() as target, op=op, value=value):
                self.statement(ast.Assign(targets=[target], value=ast.BinOp(left=target, op=op, right=value)))
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
            case ast.Return(value=value):
                self.give(value)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id="copy"), args=[target, source, length])):
                self.copy(self.place(target), self.place(source), self.module.layouts.constant(length))
            case ast.Expr(value=ast.Call(func=ast.Name(id="prefetch"), args=[row])):
                self.line(f"call void @llvm.prefetch.p0(ptr {self.place(row).address}, i32 0, i32 3, i32 1)")
            case ast.Expr(value=ast.Call() as call):
                self.value(call, self.natural(call) or "int")
            case _:
                raise NotDialect(ast.unparse(statement))

    def give(self, value: ast.expr | None) -> None:
        """Return."""
        result = self.module.signatures[self.source.name].result
        found = "0" if value is None else self.value(value, result)
        self.line(f"ret {self.module.type(result)} {found}")
        self.is_closed = True

    def assign(self, name: str, value: ast.expr) -> None:
        """Assign a number to a name, or make it an alias of an array or a record."""
        kind = self.kinds.get(name)
        if kind is None:
            kind = self.kind(value) or Kind(self.natural(value) or "int")
            self.slot(name, kind)
        if kind.name in NUMBERS:
            self.set(name, kind.name, self.value(value, kind.name))
            return
        place = self.place(value)
        if name in self.values or place.kind != kind:
            raise NotDialect(f"'{name}' stands for something else in {self.source.name}")
        self.line(f"store ptr {place.address}, ptr %.{name}.slot")
        if kind.name == "list":
            self.line(f"store i64 {place.length}, ptr %.{name}.slot.length")

    def assign_all(self, targets: list[ast.expr], values: list[ast.expr]) -> None:
        """Assign several numbers, all evaluated before."""
        if len(targets) != len(values):
            raise NotDialect(f"{len(values)} values for {len(targets)} in {self.source.name}")
        for each in (*targets, *values):
            if (held := self.kind(each)) is not None and held.name not in NUMBERS:
                text = f"'{ast.unparse(each)}' in line {each.lineno}, in {self.source.name}"
                raise NotDialect(f"{text}: only numbers are assigned several at once, and this is {held}")
        kinds = [
            self.natural(each) or self.natural(value) or "int" for each, value in zip(targets, values, strict=True)
        ]
        found = [self.value(value, kind) for value, kind in zip(values, kinds, strict=True)]
        for target, kind, value in zip(targets, kinds, found, strict=True):
            if isinstance(target, ast.Name):
                if target.id not in self.kinds:
                    self.slot(target.id, Kind(kind))
                self.set(target.id, kind, value)
            else:
                self.store(self.place(target), value)

    def make(self, name: str, made: str, args: list[ast.expr]) -> None:
        """A new array or record on the stack; a record is all 0."""
        layouts = self.module.layouts
        if made in layouts:
            if not layouts.is_flat(made):
                raise NotDialect(f"a record '{made}' holds a list or a context: only the host makes it")
            self.room(name, Kind("record", record=made))
            at, size = self.place(ast.Name(name, ast.Load())).address, 8 * layouts[made].size
            self.line(f"call void @llvm.memset.p0.i64(ptr align 8 {at}, i8 0, i64 {size}, i1 false)")
            return
        if made == "records":
            of, count = args
            self.room(name, Kind("array", layouts.constant(count), of=layouts.kind(of)))
            return
        length = layouts.constants["STATE"] if made == "scratch" else layouts.constant(args[0])
        self.room(name, Kind(_MAKERS[made], length, layouts.constants["STATE"] if made == "scratches" else 0))

    def copy(self, target: Address, source: Address, count: int) -> None:
        """Copy the first entries of ``bits``."""
        for place in (target, source):
            if place.kind.name not in ("state", "masks") or (
                isinstance(place.kind.length, int) and place.kind.length < count
            ):
                raise NotDialect(f"{count} entries of {place.kind} are copied in {self.source.name}")
        self.move(target, source, count * self.module.width // 8)

    def move(self, target: Address, source: Address, size: int) -> None:
        """Copy so many bytes, whole words."""
        to, of = target.address, source.address
        self.line(f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {to}, ptr align 8 {of}, i64 {size}, i1 false)")

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
        self.fork(test, inside, end)
        self.open(inside)
        self.set(name, "int", counter)
        self.loops.append((following, end))
        self.body(body)
        self.loops.pop()
        self.open(following)
        self.lines.append(f"  {counter}.next = add nsw i64 {counter}, 1")
        self.jump(again)
        self.open(end)
