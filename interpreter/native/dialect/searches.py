"""Search functions: those of the dialect that say ``yield``, and what a call of one keeps meanwhile.

A search function is written as its textbook page has it, as a function that calls itself; but it says ``value = yield
minimax(search, after(search.rules, state, move))``, and so it may be left there and gone on with later. Its calls under
way lie in a list, ``search.calls``, from the first one to the one that is at work. What a call still needs when the one
that it waits for is done makes up its record, :data:`CALL`: its parameters but for the first, which is the same for all
of them; and the locals that may be read behind a ``yield`` without having been assigned since. Numbers among these
need an annotation, but for the variables of loops, whose ends are kept with them. Whatever else is kept, arrays, states
and records, is made once, and in no loop: so its place in the record is what Python's reference is.

As plain Python a search function is a generator (:mod:`zermelo.interpreter.native.running.calls`), and compiled it is
one loop over that list (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.records import NUMBER_NAMES

CALL: Final = "Call"
"""The name of the record."""

END_OF: Final = "end of "
"""Before the name of a loop's variable: where the loop ends."""

WAITS: Final = "waits"
"""Behind which ``yield`` a call goes on, where there are several, or one that is tried."""

_NUMBER: Final = ast.Name("int", ast.Load())


def yields(node: ast.AST) -> bool:
    """Whether a statement may be left at a ``yield``."""
    return any(isinstance(each, ast.Yield) for each in ast.walk(node))


def search_function(statements: list[ast.stmt]) -> ast.FunctionDef | None:
    """The search function of a text, which has one at most."""
    found = [each for each in statements if isinstance(each, ast.FunctionDef) and yields(each)]
    if len(found) > 1:
        raise NotDialect(f"'{found[1].name}' is a second search function")
    return found[0] if found else None


def fields_of_call(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The annotations of what a call of a search function keeps."""
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
    parameters = {each.arg for each in others}
    for name, kind in fields.items():
        if not _is_number(kind) and not _is_made_once(function, name, times=int(name not in parameters)):
            raise NotDialect(f"'{name}' of '{function.name}' is kept, and so must be made once, and in no loop")
    return fields


def copied_parameters(function: ast.FunctionDef) -> set[str]:
    """The parameters that are copied for a call, for they may be somebody else's: records, and states that are not made
    by ``after``."""
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


def _is_made_once(function: ast.FunctionDef, name: str, times: int) -> bool:
    """Whether a name is assigned so many times, and in no loop."""
    stored = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name]
    loops = [each for each in ast.walk(function) if isinstance(each, ast.For | ast.While)]
    return sum(map(_is_stored, stored)) == times and not any(_assigns(loop.body, name) for loop in loops)


def _made(value: ast.expr) -> ast.expr | None:
    """What an expression makes, as an annotation says it; None where it makes nothing."""
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


@define(eq=False)
class _Kept:
    """Goes through a function in its order, with the names that are sure to have been assigned since the last
    ``yield``; None where the text is not reached. A name that is read without is ``found``."""

    function: ast.FunctionDef
    ever: set[str]
    found: set[str] = field(factory=set)
    annotations: dict[str, ast.expr] = field(factory=dict)
    _locals: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        names = [each for each in ast.walk(self.function) if isinstance(each, ast.Name)]
        parameters = {each.arg for each in self.function.args.args}
        self._locals = {each.id for each in names if isinstance(each.ctx, ast.Store)} | parameters
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
        names = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
        assigned = {each.id for each in names if _is_stored(each)}
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_number(annotation):
                self.annotations[name] = annotation
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (made := _made(value)) is not None:
                self.annotations[name] = made
        return (frozenset() if yields(statement) else fresh) | assigned

    def _end(self, loop: ast.For, name: str) -> str:
        """Under which name a loop's end is kept: its own if it is a local that stays as it is."""
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
    names = (each for statement in body for each in ast.walk(statement) if isinstance(each, ast.Name))
    return any(each.id == name and _is_stored(each) for each in names)


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _names_read(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not _is_stored(each))


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """What is sure whichever way one has come."""
    if one is None or other is None:
        return one if other is None else other
    return one & other


def call_record(statements: list[ast.stmt]) -> Mapping[str, Mapping[str, ast.expr]]:
    """The record of the calls of the search function of a text, by its name; nothing where there is none."""
    function = search_function(statements)
    if function is not None and any(isinstance(each, ast.ClassDef) and each.name == CALL for each in statements):
        raise NotDialect(f"'{CALL}' is defined twice")
    return {} if function is None else {CALL: fields_of_call(function)}
