"""Functions as LLVM instructions: statements, search functions, and the text of a whole module."""

from __future__ import annotations

import ast
from collections import Counter
from math import inf
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.kernel_source import CALL, END_OF, WAITS, has_yield
from zermelo.interpreter.native.dialect.language import NotDialect, nodes_in
from zermelo.interpreter.native.dialect.records import NUMBERS, Kind
from zermelo.interpreter.native.llvm.values import ROWS, Address, Module, Values

# Statements of the kernel dialect, and whole functions, as LLVM instructions.


_MAKERS: Final = {"array": "ints", "masks": "masks", "records": "array", "scratch": "state", "scratches": "states"}
"""The words that make arrays on the stack, with their kinds."""


@define(eq=False, repr=False)
class Function(Values):
    """A function and its statements."""

    loops: list[tuple[str, str]] = field(factory=list)

    def render(self, assigned: set[str], inlined: float) -> str:
        """The definition; ``assigned`` are the names that it assigns. A function that is not exported and has at most
        ``inlined`` lines is inlined, and so is one of lanes."""
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
        is_wide = any(kind.name == "lanes" for _, kind in signature.parameters)  # no call keeps registers of lanes
        inline = " alwaysinline" if linkage and (is_wide or len(self.lines) <= inlined) else ""
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
        is_wide = any(isinstance(node, ast.Name) and node.id in ROWS for each in body for node in nodes_in(each))
        self.jump(again, self.module.as_it_is() if is_wide else "")  # wide already, and turns are few
        self.open(end)


# Search functions as LLVM instructions: one loop over the call stack.
#
# The frames are in ``search.calls``. A call begins without one: its parameters and the numbers that it will keep are in
# registers, a short state too. Only before the first statement that contains a ``yield`` they are written into its
# frame, and are read from there afterwards. So calls that end before, the leaves of a search, write nothing. (What is
# long, or an array, is in the frame from the beginning.) A register points to the innermost frame, from which the depth
# follows; ``search.depth`` is written when the loop returns.
#
# ``yield`` sets the parameters of the next call and jumps to the beginning; ``return`` jumps to the point after the
# caller's ``yield``, with a number in a register or a record in ``search.value``. The loop returns only when a call has
# its parameters, now in its frame, and has not begun, or when the search is over; so with a single ``yield``, no frame
# needs a resume point. After a fault of a rule the last call suspended within a ``try`` is resumed.


_DONE: Final = -1
"""The answer when the first call has returned."""

_CALL: Final = Kind("record", record=CALL)

_FEW: Final = 16
"""The most words of a state or a record that are copied one by one. A call has just stored them, so a wider load could
not be forwarded from the store buffer and would wait for the cache. A state of so many words is in registers."""


@define(eq=False, repr=False)
class SearchFunction(Function):
    """The search function of a text, which has become ``int NAME(search, budget)``. ``upper`` is the frame of the
    running call, or that of its caller as long as it has none; what it keeps is in ``light`` slots until it has one."""

    has_frame: bool = False
    light: dict[str, Address] = field(factory=dict)
    resumed: list[str] = field(factory=list)
    caught: dict[int, str] = field(factory=dict)
    catcher: str | None = None
    calls: Address = field(init=False)
    depth: Address = field(init=False)
    nodes: Address = field(init=False)
    result: Address = field(init=False)
    rules: Address | None = None

    def render(self, assigned: set[str], inlined: float) -> str:
        name = self.source.name
        search, kind = self.module.signatures[name].parameters[0]
        self.kinds[search], self.values[search] = kind, f"%.{search}"
        self.kinds |= {each.name: each.kind for each in self.module.layouts[CALL].fields.values()}
        self.slots += ["  %upper.slot = alloca ptr", "  %result.slot = alloca i64"]
        fields = ("calls", "depth", "nodes", "value")
        self.calls, self.depth, self.nodes, self.result = map(self._of_search, fields)
        result = self.module.layouts.kind(self.source.returns)
        if self.result.kind != result or result.name not in ("int", "record"):
            raise NotDialect(f"{name} returns {result}, which is no 'value' of {kind}")
        if "rules" in self.module.layouts[kind.record].fields:
            self.rules = self._of_search("rules")
        first = self._record(self.checked(super().load(self.depth), self.calls.length))
        self._set_upper(self._beside(first, -1))
        for parameter in self._light_parameters():
            self._move(parameter, self._in_frame(parameter, first), self._in_slot(parameter))
        self.line(f"%last = add nsw i64 {self.load(self.nodes)}, %budget")
        self._only_if_room(first)
        self.open("begin")
        body = self.source.body
        end = next((k for k, statement in enumerate(body) if has_yield(statement)), len(body))
        self.body(body[:end])
        if not self.is_closed:
            self._make_frame()
            self.body(body[end:])
        if not self.is_closed:
            self.give(None)
        self.open("back")
        self._set_upper(self._beside(self._upper(), -1))
        self.has_frame = False
        self.open("returned")
        self._only_if_well()
        self._resume()
        if self.caught:
            self._catch()
        self.open("wait")
        self._fill_frame(self._light_parameters(), self._beside(self._upper(), 1))
        self.open("leave")
        self._answer(self.load(self.depth))
        head = f"define i64 @{name}(ptr %.{search}, i64 %budget) nounwind {{"
        return "\n".join(["", head, "entry:", *self.slots, *self.lines, "}"])

    def _of_search(self, name: str) -> Address:
        search = ast.Name(self.source.args.args[0].arg, ast.Load())
        return self.place(ast.Attribute(search, name, ast.Load()))

    def _record(self, place: str) -> str:
        """The address of a frame."""
        return self.new(f"getelementptr {self.module.stored(_CALL)}, ptr {self.calls.address}, i64 {place}")

    def _beside(self, record: str, steps: int) -> str:
        """The address of another frame, so many places behind."""
        return self.new(f"getelementptr {self.module.stored(_CALL)}, ptr {record}, i64 {steps}")

    def _upper(self) -> str:
        """The innermost frame."""
        return self.new("load ptr, ptr %upper.slot")

    def _set_upper(self, record: str) -> None:
        self.line(f"store ptr {record}, ptr %upper.slot")

    def load(self, place: Address) -> str:
        """A number, the depth not from memory."""
        if place.within != self.depth.within:
            return super().load(place)
        running = self._upper() if self.has_frame else self._beside(self._upper(), 1)
        ends = [self.new(f"ptrtoint ptr {each} to i64") for each in (running, self.calls.address)]
        size = 8 * self.module.layouts.size(_CALL)
        return self.new(f"sdiv exact i64 {self.new(f'sub nsw i64 {ends[0]}, {ends[1]}')}, {size}")

    def _answer(self, number: str) -> None:
        """Return to the host."""
        self.store(self.depth, self.load(self.depth))
        self.line(f"ret i64 {number}")
        self.is_closed = True

    # -------------------------------------------------------- what is kept

    def _kept(self, name: str) -> Address:
        """The address of a name that calls keep, in the running call."""
        if self.has_frame:
            return self._in_frame(name, self._upper())
        kind = self.module.layouts[CALL].fields[name].kind
        return self._in_slot(name) if self._is_light(kind) else self._in_frame(name, self._beside(self._upper(), 1))

    def _in_frame(self, name: str, record: str) -> Address:
        """The address of a name in a frame."""
        kept = self.module.layouts[CALL].fields[name]
        address = self.new(f"getelementptr inbounds i64, ptr {record}, i64 {kept.offset}")
        return Address(kept.kind, address, self._length(kept.kind), f"{CALL}.{name}")

    def _in_slot(self, name: str) -> Address:
        """The address of a name while its call has no frame; LLVM makes registers of it."""
        if name not in self.light:
            kind = self.module.layouts[CALL].fields[name].kind
            self.slots.append(f"  %.{name}.light = alloca {self.module.stored(kind)}, align 16")
            self.light[name] = Address(kind, f"%.{name}.light", self._length(kind))
        return self.light[name]

    def _is_light(self, kind: Kind) -> bool:
        """Whether a value is in registers while its call has no frame."""
        return kind.name in NUMBERS or (kind.name == "state" and self.module.layouts.size(kind) <= _FEW)

    def _light_parameters(self) -> list[str]:
        """The parameters that are in registers while a call has no frame."""
        _, *parameters = self.module.signatures[self.source.name].parameters
        return [name for name, kind in parameters if self._is_light(kind)]

    def _make_frame(self) -> None:
        """Give the running call its frame."""
        self._set_upper(self._beside(self._upper(), 1))
        self._fill_frame(list(self.light), self._upper())
        self.has_frame = True

    def _fill_frame(self, names: list[str], record: str) -> None:
        """Write what has been in registers so far."""
        for name in names:
            self._move(name, self._in_slot(name), self._in_frame(name, record))

    def _move(self, name: str, source: Address, target: Address) -> None:
        """Move what a call keeps under a name."""
        self.move(target, source, 8 * self.module.layouts.size(self.module.layouts[CALL].fields[name].kind))

    def _address_of_name(self, name: str, kind: Kind) -> Address:
        return self._kept(name) if name in self.module.layouts[CALL].fields else super()._address_of_name(name, kind)

    def get(self, name: str, kind: str) -> str:
        if name in self.module.layouts[CALL].fields:
            return self.load(self._kept(name))
        return super().get(name, kind)

    def set(self, name: str, kind: str, value: str) -> None:
        if name in self.module.layouts[CALL].fields:
            self.store(self._kept(name), value)
        else:
            super().set(name, kind, value)

    def room(self, name: str, kind: Kind) -> None:
        if name not in self.module.layouts[CALL].fields:
            super().room(name, kind)
        elif self.kinds[name] != kind:
            raise NotDialect(f"'{name}' stands for something else in {self.source.name}")

    # ---------------------------------------------------------- statements

    def statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Yield(value=ast.Call() as call)):
                self._call(name, call)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Yield(value=ast.Call() as call)):
                self._call(name, call)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds)) if has_yield(statement):
                self._loop(name, bounds, statement.body)
            case ast.Try(body=body, handlers=[ast.ExceptHandler(type=ast.Name(id="PlayError"), body=handler)]):
                self._try(body, handler)
            case ast.Raise(exc=ast.Call(func=ast.Name(id="GiveUp"), args=[answer])):
                self._answer(self.value(answer, "int"))
            case _:
                super().statement(statement)

    def _try(self, body: list[ast.stmt], handler: list[ast.stmt]) -> None:
        before, self.catcher = self.catcher, self.label("except")
        caught, end = self.catcher, self.label("end")
        self.body(body)
        self.jump(end)
        self.catcher = before
        self.open(caught)
        self.body(handler)
        self.open(end)

    def _loop(self, name: str, bounds: list[ast.expr], body: list[ast.stmt]) -> None:
        """A loop with a ``yield``: its variable and its end are in the frame."""
        start = self.value(bounds[0], "int") if len(bounds) == 2 else "0"
        bound = bounds[-1]
        if END_OF + name in self.module.layouts[CALL].fields:
            self.set(END_OF + name, "int", self.value(bound, "int"))
            bound = ast.Name(END_OF + name, ast.Load())
        inside, following, end = self.label("do"), self.label("next"), self.label("done")
        self._go_on_with(name, start, bound, inside, end)
        self.open(inside)
        self.loops.append((following, end))
        self.body(body)
        self.loops.pop()
        self.open(following)
        self._go_on_with(name, self.new(f"add nsw i64 {self.get(name, 'int')}, 1"), bound, inside, end)
        self.open(end)

    def _go_on_with(self, name: str, number: str, bound: ast.expr, inside: str, end: str) -> None:
        """Run the body of a loop with the next number, if there is one."""
        test = self.new(f"icmp slt i64 {number}, {self.value(bound, 'int')}")
        take = self.label("take")
        self.fork(test, take, end)
        self.open(take)
        self.set(name, "int", number)
        self.jump(inside)

    # --------------------------------------------------------------- calls

    def _call(self, name: str, call: ast.Call) -> None:
        """Begin a call, unless the loop has to return, and take its result."""
        search, *parameters = self.module.signatures[self.source.name].parameters
        if ast.unparse(call.func) != self.source.name or len(call.args) != len(parameters) + 1:
            raise NotDialect(f"{ast.unparse(call)} in {self.source.name}")
        if ast.unparse(call.args[0]) != search[0]:
            raise NotDialect(f"{self.source.name} calls itself with another {search[0]}")
        called = self._beside(self._upper(), 1)
        numbers = [
            (each, self.value(argument, kind.name))
            for argument, (each, kind) in zip(call.args[1:], parameters, strict=True)
            if kind.name in NUMBERS
        ]
        for argument, (each, kind) in zip(call.args[1:], parameters, strict=True):
            there = self._in_slot(each) if self._is_light(kind) else self._in_frame(each, called)
            if kind.name == "state":
                self._make_next_state(there, argument)
            elif kind.name not in NUMBERS:
                self._copy_record(there, argument)
        for each, value in numbers:
            self.store(self._in_slot(each), value)
        if WAITS in self.module.layouts[CALL].fields:
            self.store(self._kept(WAITS), str(len(self.resumed)))
        if self.catcher is not None:
            self.caught[len(self.resumed)] = self.catcher
        self._only_if_well()
        self._only_if(f"icmp slt i64 {self.load(self.nodes)}, %last", "wait")
        self._only_if_room(called, "wait")
        self.jump("begin")
        self.resumed.append(self.label("resumed"))
        self.open(self.resumed[-1])
        if name not in self.kinds:
            self.slot(name, self.result.kind)
        if self.kinds[name] != self.result.kind:
            raise NotDialect(f"'{name}' stands for something else in {self.source.name}")
        if self.result.kind.name in NUMBERS:
            self.set(name, "int", self.new("load i64, ptr %result.slot"))
        else:
            self.line(f"store ptr {self.result.address}, ptr %.{name}.slot")

    def _only_if_room(self, record: str, otherwise: str = "leave") -> None:
        """Go on only if there is a frame for the next call, too."""
        last = self._beside(self._record(self.calls.length), -1)
        self._only_if(f"icmp ult ptr {record}, {last}", otherwise)

    def _only_if_well(self) -> None:
        """Go on only if no rule has failed."""
        if self.rules is not None:
            has_catcher = any(isinstance(each, ast.Try) for each in nodes_in(self.source))
            test = f"icmp eq i64 {self.load(Address(Kind('int'), self.rules.address))}, 0"
            self._only_if(test, "wrong" if has_catcher else "leave")

    def _only_if(self, test: str, otherwise: str = "leave") -> None:
        """Go on only if a test holds."""
        inside = self.label("well")
        self.fork(self.new(test), inside, otherwise, is_usual=True)
        self.open(inside)

    def _make_next_state(self, there: Address, argument: ast.expr) -> None:
        """Make the state of the next call, after a move."""
        match argument:
            case ast.Call(func=ast.Name(id="after"), args=[rules, state, move]):
                number = self.value(move, "int")
                self.copy(there, self.place(state), self.module.layouts.constants["STATE"])
                rules_at, *_ = self.reference(rules, Kind("context", self.module.layouts.constants["CONTEXT"]))
                self.new(f"call fastcc i64 @apply({rules_at}, ptr {there.address}, i64 {number})")
            case _:
                self.copy(there, self.place(argument), self.module.layouts.constants["STATE"])

    def _copy_record(self, there: Address, argument: ast.expr) -> None:
        """Assign a record, by copying."""
        found = self.place(argument)
        if found.kind != there.kind:
            raise NotDialect(f"{ast.unparse(argument)} is {found.kind}, not {there.kind}, in {self.source.name}")
        self.move(there, found, 8 * self.module.layouts.size(there.kind))

    def move(self, target: Address, source: Address, size: int) -> None:
        if size > 8 * _FEW:
            super().move(target, source, size)
            return
        for word in range(size // 8):
            of = self.new(f"getelementptr inbounds i64, ptr {source.address}, i64 {word}")
            to = self.new(f"getelementptr inbounds i64, ptr {target.address}, i64 {word}")
            self.line(f"store i64 {self.new(f'load i64, ptr {of}, align 8')}, ptr {to}, align 8")

    def give(self, value: ast.expr | None) -> None:
        if self.result.kind.name in NUMBERS:
            self.line(f"store i64 {'0' if value is None else self.value(value, 'int')}, ptr %result.slot")
        elif value is None:
            raise NotDialect(f"{self.source.name} returns no {self.result.kind}")
        else:
            self._copy_record(self.result, value)
        self.jump("back" if self.has_frame else "returned")

    def _resume(self) -> None:
        """Resume the caller, or finish."""
        has_caller, caller = self.new(f"icmp uge ptr {self._upper()}, {self.calls.address}"), self.label("caller")
        self.fork(has_caller, caller, "done", is_usual=True)
        self.open("done")
        if self.result.kind.name in NUMBERS:
            self.store(self.result, self.new("load i64, ptr %result.slot"))
        self._answer(str(_DONE))
        self.open(caller)
        if len(self.resumed) > 1:
            cases = " ".join(f"i64 {number}, label %{label}" for number, label in enumerate(self.resumed[1:], 1))
            waits = self.load(self._in_frame(WAITS, self._upper()))
            self.line(f"switch i64 {waits}, label %{self.resumed[0]} [{cases}]")
            self.is_closed = True
        self.jump(self.resumed[0])

    def _catch(self) -> None:
        """After a fault of a rule, resume the last call suspended within a ``try``, if there is one."""
        assert self.rules is not None, "only rules go wrong"
        self.open("wrong")
        depth = self.load(self.depth)
        self.jump("back.up")
        self.open("back.up")
        self.line(f"%tried = phi i64 [{depth}, %wrong], [%above, %look]")
        self.line("%has.above = icmp sgt i64 %tried, 0")
        self.fork("%has.above", "look", "leave")
        self.open("look")
        self.line("%above = sub nsw i64 %tried, 1")
        record = self._record("%above")
        waits = self.load(self._in_frame(WAITS, record))
        cases = " ".join(f"i64 {number}, label %caught.{number}" for number in self.caught)
        self.line(f"switch i64 {waits}, label %back.up [{cases}]")
        self.is_closed = True
        for number, label in self.caught.items():
            self.open(f"caught.{number}")
            self._set_upper(record)
            self.store(Address(Kind("int"), self.rules.address), "0")
            self.jump(label)


# From the kernel dialect to LLVM's intermediate representation, as text.
#
# Names become stack slots, which LLVM turns into registers; types follow
# :mod:`zermelo.interpreter.native.dialect.language`.


_SHORT: Final = 30
"""The most lines of a function that is inlined everywhere: about as long as a call."""

_CALLS: Final = {"after": "apply"}
"""The words of the dialect that call a function of the rules."""


def emit(tree: ast.Module, width: int, exports: tuple[str, ...], inlines: bool = False) -> str:
    """The module for the tree of a text whose ``bits`` are ``width`` wide; the host can call ``exports``. Unreachable
    functions are left out. With ``inlines``, the decision about inlining is made here, not by LLVM: for short
    functions, and those with a single call site."""
    module = Module(tree, width, exports)
    needed = _reachable_functions(module.functions, exports)
    mentions = Counter(name.id for names in needed.values() for name in names)
    written = []
    for function in module.functions:
        if function.name in needed:
            if module.search not in (None, function) and function.name not in exports:
                _require_no_depth(module, function)
            longest = inf if mentions[function.name] == 1 else _SHORT
            assigned = {name.id for name in needed[function.name] if isinstance(name.ctx, ast.Store)}
            made = SearchFunction if function is module.search else Function
            written.append(made(module, function).render(assigned, longest if inlines else 0))
    return module.render(written)


def _require_no_depth(module: Module, function: ast.FunctionDef) -> None:
    """Refuse a function beside a search function that reads the depth: it is in memory only when no search runs."""
    assert module.search is not None
    of = module.signatures[module.search.name].parameters[0][1]
    searches = {parameter for parameter, kind in module.signatures[function.name].parameters if kind == of}
    for node in nodes_in(function) if searches else ():
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="depth") if name in searches:
                raise NotDialect(f"{function.name} reads '{name}.depth', which is known in {module.search.name} alone")


def _reachable_functions(functions: list[ast.FunctionDef], exports: tuple[str, ...]) -> dict[str, list[ast.Name]]:
    """The exported functions and all functions reachable from them, each with the names that it mentions."""
    by_name = {function.name: function for function in functions}
    needed: dict[str, list[ast.Name]] = {}
    waiting = list(exports)
    while waiting:
        name = waiting.pop()
        if name in by_name and name not in needed:
            needed[name] = [node for node in nodes_in(by_name[name]) if isinstance(node, ast.Name)]
            waiting += {_CALLS.get(mentioned.id, mentioned.id) for mentioned in needed[name]}
    return needed
