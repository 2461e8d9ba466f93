"""Search functions of the dialect, recursive functions with ``yield``, and their frames.

A search function is written as in a textbook, as a recursive function; but by ``value = yield minimax(search,
after(search.rules, state, move))`` it can be suspended at the call and resumed later. The call stack is a list,
``search.calls``, of frames, records of the kind :data:`CALL`. A frame has the parameters, except for the first, which
is the same in all calls; and the locals that are live across a ``yield``: read after it without an assignment in
between. Numbers among these need an annotation, except for the variables of loops, whose ends are kept with them. Other
live locals, arrays, states and records, are made exactly once, outside loops: so their place in the frame corresponds
to Python's reference.

In Python a search function is a generator (:mod:`zermelo.interpreter.native.running.executor`), and compiled it is one
loop over that stack (:mod:`zermelo.interpreter.native.llvm.functions`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.records import NUMBER_NAMES

CALL: Final = "Call"
"""The name of the frame record."""

END_OF: Final = "end of "
"""The prefix, to the name of a loop's variable, of the name of the loop's end."""

WAITS: Final = "waits"
"""The field for the ``yield`` at which a call is suspended, if there are several, or one in a ``try``."""

_NUMBER: Final = ast.Name("int", ast.Load())


def yields(node: ast.AST) -> bool:
    """Whether a statement contains a ``yield``."""
    return any(isinstance(each, ast.Yield) for each in ast.walk(node))


def search_function(statements: list[ast.stmt]) -> ast.FunctionDef | None:
    """The search function of a text, which has at most one."""
    found = [each for each in statements if isinstance(each, ast.FunctionDef) and yields(each)]
    if len(found) > 1:
        raise NotDialect(f"'{found[1].name}' is a second search function")
    return found[0] if found else None


def fields_of_call(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The fields of a search function's frame, with their annotations."""
    first, *others = function.args.args
    fields: dict[str, ast.expr] = {}
    for parameter in others:
        if parameter.annotation is None:
            raise NotDialect(f"'{parameter.arg}' of '{function.name}' has no annotation")
        fields[parameter.arg] = parameter.annotation
    kept = _Kept(function, {first.arg})
    if kept.names.resumptions > 1:
        fields[WAITS] = _NUMBER
    for name in kept.found - fields.keys():
        if name not in kept.annotations:
            raise NotDialect(f"'{name}' of '{function.name}' is needed behind a yield, and has no annotation")
    fields |= {name: kind for name, kind in kept.annotations.items() if name in kept.found}
    parameters, stored = {each.arg for each in others}, kept.names.stored[function]
    for name, kind in fields.items():
        is_made_once = stored[name] == int(name not in parameters) and name not in kept.names.stored_in_loops
        if not _is_number(kind) and not is_made_once:
            raise NotDialect(f"'{name}' of '{function.name}' is kept, and so must be made once, and in no loop")
    return fields


def copied_parameters(function: ast.FunctionDef) -> set[str]:
    """The parameters passed by copy, since the argument may belong to the caller: records, and states not made by
    ``after``."""
    calls = [each.value for each in ast.walk(function) if isinstance(each, ast.Yield)]
    copied = set()
    for place, parameter in enumerate(function.args.args):
        given = [call.args[place] for call in calls if isinstance(call, ast.Call) and len(call.args) > place]
        is_own = parameter.annotation is not None and _is_number(parameter.annotation)
        if place > 0 and not is_own and not all(_is_after(each) for each in given):
            copied.add(parameter.arg)
    return copied


def _is_number(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in NUMBER_NAMES


def _is_after(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="after")):
            return True
    return False


def _made(value: ast.expr) -> ast.expr | None:
    """The annotation of the object made by an expression; None if it makes none."""
    match value:
        case ast.Call(func=ast.Name(id="array"), args=[length]):
            return ast.Subscript(ast.Name("ints", ast.Load()), length, ast.Load())
        case ast.Call(func=ast.Name(id="masks"), args=[length]):
            return ast.Subscript(ast.Name("masks", ast.Load()), length, ast.Load())
        case ast.Call(func=ast.Name(id="records"), args=[of, length]):
            of_length = ast.Tuple([of, length], ast.Load())
            return ast.Subscript(ast.Name("Array", ast.Load()), of_length, ast.Load())
        case ast.Call(func=ast.Name(id="scratch"), args=[]):
            return ast.Name("State", ast.Load())
        case ast.Call(func=ast.Name() as record, args=[]):
            return record
    return None


@define(eq=False, repr=False)
class _Names:
    """The names in a function, found in one walk: for each statement, how many times each is ``stored`` in it, and
    those ``read`` in it, but not in statements inside it; which statements contain a ``yield``, how many places there
    are where a call is resumed, and the names that are stored in the body of a loop."""

    function: ast.FunctionDef
    stored: dict[ast.stmt, Counter[str]] = field(factory=dict)
    read: dict[ast.stmt, list[str]] = field(factory=dict)
    yielding: set[ast.stmt] = field(factory=set)
    resumptions: int = 0
    stored_in_loops: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self._enter(self.function)

    def _enter(self, statement: ast.stmt) -> None:
        stored = self.stored[statement] = Counter[str]()
        read = self.read[statement] = []
        self.resumptions += isinstance(statement, ast.Try)
        waiting: list[ast.AST] = [statement]
        while waiting:
            for part in ast.iter_child_nodes(waiting.pop()):
                if isinstance(part, ast.stmt):
                    self._enter(part)
                    stored.update(self.stored[part])
                    if part in self.yielding:
                        self.yielding.add(statement)
                    continue
                waiting.append(part)
                if isinstance(part, ast.Yield):
                    self.yielding.add(statement)
                    self.resumptions += 1
                elif isinstance(part, ast.Name):
                    if isinstance(part.ctx, ast.Store):
                        stored[part.id] += 1
                    else:
                        read.append(part.id)
        if isinstance(statement, ast.For | ast.While):
            self.stored_in_loops.update(*(self.stored[each] for each in statement.body))

    def assigns(self, body: list[ast.stmt], name: str) -> bool:
        """Whether statements assign a name."""
        return any(name in self.stored[statement] for statement in body)


@define(eq=False, repr=False)
class _Kept:
    """A liveness analysis along the control flow, with the names surely assigned since the last ``yield``; None in
    unreachable code. Names read without that are ``found``."""

    function: ast.FunctionDef
    ever: set[str]
    found: set[str] = field(factory=set)
    annotations: dict[str, ast.expr] = field(factory=dict)
    names: _Names = field(init=False)
    _locals: set[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.names = _Names(self.function)
        self._locals = self.names.stored[self.function].keys() | {each.arg for each in self.function.args.args}
        self._body(self.function.body, frozenset())

    def _body(self, statements: list[ast.stmt], fresh: frozenset[str] | None) -> frozenset[str] | None:
        for statement in statements:
            if fresh is not None:
                fresh = self._statement(statement, fresh)
        return fresh

    def _statement(self, statement: ast.stmt, fresh: frozenset[str]) -> frozenset[str] | None:
        match statement:
            case ast.If(body=body, orelse=orelse):
                self._read(statement, fresh)
                return _both(self._body(body, fresh), self._body(orelse, fresh))
            case ast.While(body=body):
                inside = frozenset() if statement in self.names.yielding else fresh
                self._read(statement, inside)
                self._body(body, inside)
                return inside
            case ast.For(target=ast.Name(id=name), body=body):
                self._read(statement, fresh)
                if statement in self.names.yielding:
                    if self.names.assigns(body, name):
                        raise NotDialect(f"'{name}' is assigned in its own loop, in '{self.function.name}'")
                    self.annotations[name] = _NUMBER
                    self.found |= {name, self._end(statement, name)}
                    self._body(body, frozenset())
                    return frozenset()
                self._body(body, fresh | {name})
                return fresh
            case ast.Try(body=body, handlers=[handler]):
                return _both(self._body(body, fresh), self._body(handler.body, frozenset()))
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self._read(statement, fresh)
                return None
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self._need(statement.target.id, fresh)
        self._read(statement, fresh)
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_number(annotation):
                self.annotations[name] = annotation
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (made := _made(value)) is not None:
                self.annotations[name] = made
        return (frozenset() if statement in self.names.yielding else fresh) | self.names.stored[statement].keys()

    def _end(self, loop: ast.For, name: str) -> str:
        """The name under which a loop's end is kept: its own if it is a local that does not change in the loop."""
        match loop.iter:
            case ast.Call(args=[*_, ast.Name(id=bound)]) if bound in self._locals and not self.names.assigns(
                loop.body, bound
            ):
                return bound
        self.annotations[END_OF + name] = _NUMBER
        return END_OF + name

    def _read(self, statement: ast.stmt, fresh: frozenset[str]) -> None:
        for name in self.names.read[statement]:
            self._need(name, fresh)

    def _need(self, name: str, fresh: frozenset[str]) -> None:
        if name in self._locals and name not in fresh and name not in self.ever:
            self.found.add(name)


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The meet of two branches: names assigned in both."""
    if one is None or other is None:
        return one if other is None else other
    return one & other


def call_record(statements: list[ast.stmt]) -> Mapping[str, Mapping[str, ast.expr]]:
    """The frame record of the search function of a text, by its name; empty if there is none."""
    function = search_function(statements)
    if function is not None and any(isinstance(each, ast.ClassDef) and each.name == CALL for each in statements):
        raise NotDialect(f"'{CALL}' is defined twice")
    return {} if function is None else {CALL: fields_of_call(function)}
