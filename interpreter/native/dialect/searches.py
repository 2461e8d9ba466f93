"""Search functions of the dialect, recursive functions with ``yield``, and their frames.

A search function is written as in a textbook, as a recursive function; but by ``value = yield minimax(search,
after(search.rules, state, move))`` it can be suspended at the call and resumed later. The call stack is a list,
``search.calls``, of frames, records of the kind :data:`CALL`. A frame has the parameters, except for the first, which
is the same in all calls; and the locals that are live across a ``yield``: read after it without an assignment in
between. Numbers among these need an annotation, except for the variables of loops, whose ends are kept with them. Other
live locals, arrays, states and records, are made exactly once, outside loops: so their place in the frame corresponds
to Python's reference.

In Python a search function is a generator (:mod:`zermelo.interpreter.native.running.calls`), and compiled it is one
loop over that stack (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
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
    if sum(isinstance(each, ast.Yield | ast.Try) for each in ast.walk(function)) > 1:
        fields[WAITS] = _NUMBER
    for name in kept.found - fields.keys():
        if name not in kept.annotations:
            raise NotDialect(f"'{name}' of '{function.name}' is needed behind a yield, and has no annotation")
    fields |= {name: kind for name, kind in kept.annotations.items() if name in kept.found}
    parameters, stored = {each.arg for each in others}, _stored(function)
    stored_in_loops = {name for loop in _loops(function) for each in loop.body for name in _stored(each)}
    for name, kind in fields.items():
        is_made_once = stored[name] == int(name not in parameters) and name not in stored_in_loops
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


def _stored(node: ast.AST) -> Counter[str]:
    """How many times each name is assigned."""
    return Counter(each.id for each in ast.walk(node) if isinstance(each, ast.Name) and _is_stored(each))


def _loops(function: ast.FunctionDef) -> Iterator[ast.For | ast.While]:
    return (each for each in ast.walk(function) if isinstance(each, ast.For | ast.While))


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
class _Kept:
    """A liveness analysis along the control flow, with the names surely assigned since the last ``yield``; None in
    unreachable code. Names read without that are ``found``."""

    function: ast.FunctionDef
    ever: set[str]
    found: set[str] = field(factory=set)
    annotations: dict[str, ast.expr] = field(factory=dict)
    _locals: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self._locals = _stored(self.function).keys() | {each.arg for each in self.function.args.args}
        self._body(self.function.body, frozenset())

    def _body(self, statements: list[ast.stmt], fresh: frozenset[str] | None) -> frozenset[str] | None:
        for statement in statements:
            if fresh is not None:
                fresh = self._statement(statement, fresh)
        return fresh

    def _statement(self, statement: ast.stmt, fresh: frozenset[str]) -> frozenset[str] | None:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test, fresh)
                return _both(self._body(body, fresh), self._body(orelse, fresh))
            case ast.While(test=test, body=body):
                inside = frozenset() if yields(statement) else fresh
                self._read(test, inside)
                self._body(body, inside)
                return inside
            case ast.For(target=ast.Name(id=name), iter=bounds, body=body):
                self._read(bounds, fresh)
                if yields(statement):
                    if _assigns(body, name):
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
        return (frozenset() if yields(statement) else fresh) | _stored(statement).keys()

    def _end(self, loop: ast.For, name: str) -> str:
        """The name under which a loop's end is kept: its own if it is a local that does not change in the loop."""
        match loop.iter:
            case ast.Call(args=[*_, ast.Name(id=bound)]) if bound in self._locals and not _assigns(loop.body, bound):
                return bound
        self.annotations[END_OF + name] = _NUMBER
        return END_OF + name

    def _read(self, node: ast.AST, fresh: frozenset[str]) -> None:
        for name in _names_read(node):
            self._need(name, fresh)

    def _need(self, name: str, fresh: frozenset[str]) -> None:
        if name in self._locals and name not in fresh and name not in self.ever:
            self.found.add(name)


def _assigns(body: list[ast.stmt], name: str) -> bool:
    """Whether statements assign a name."""
    return any(name in _stored(statement) for statement in body)


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _names_read(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not _is_stored(each))


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
