"""Kernels as modules: the functions that the host calls, the fillings of holes, and the text that is compiled.

A kernel is a module that imports words of the dialect (:mod:`zermelo.interpreter.native.dialect.words`) and other
kernels. Its text is that of these modules, each once, without imports and docstrings. Plain Python needs no text: the
functions of the modules run as they are, in a namespace of their own. Machine code is cached by the sources of the
modules, which are parsed only for compilation.

**Holes** are the open parts of a kernel: an annotated constant without a value, a
:class:`~zermelo.interpreter.native.dialect.words.Length` of its own, or a function marked with
:func:`~zermelo.interpreter.native.dialect.words.hole`. The host fills them with a number or, for a function, an
expression in its parameters. Two modules may leave the same hole open if they declare it alike.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from inspect import get_annotations
from itertools import accumulate
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

from attrs import define, evolve, field, frozen

from zermelo.interpreter.native.dialect import lowered_text, words
from zermelo.interpreter.native.dialect.language import (
    WORDS,
    Namespace,
    NotDialect,
    execute_in,
    nodes_in,
    parse_expression,
    parse_module,
    without_excluded,
)
from zermelo.interpreter.native.dialect.lowered_text import Text
from zermelo.interpreter.native.dialect.records import NUMBER_NAMES, annotation

# Search functions of the dialect, recursive functions with ``yield``, and their frames.
#
# A search function is written as in a textbook, as a recursive function; but by ``value = yield minimax(search,
# after(search.rules, state, move))`` it can be suspended at the call and resumed later. The call stack is a list,
# ``search.calls``, of frames, records of the kind :data:`CALL`. A frame has the parameters, except for the first, which
# is the same in all calls; and the locals that are live across a ``yield``: read after it without an assignment in
# between. Numbers among these need an annotation, except for the variables of loops, whose ends are kept with them.
# Other live locals, arrays, states and records, are made exactly once, outside loops: so their place in the frame
# corresponds to Python's reference.
#
# In Python a search function is a generator (:mod:`zermelo.interpreter.native.running.views`), and compiled it is
# one loop over that stack (:mod:`zermelo.interpreter.native.llvm.functions`).


CALL: Final = "Call"
"""The name of the frame record."""

END_OF: Final = "end of "
"""The prefix, to the name of a loop's variable, of the name of the loop's end."""

WAITS: Final = "waits"
"""The field for the ``yield`` at which a call is suspended, if there are several, or one in a ``try``."""

_NUMBER: Final = ast.Name("int", ast.Load())


def has_yield(node: ast.AST) -> bool:
    """Whether a statement contains a ``yield``."""
    return any(isinstance(each, ast.Yield) for each in nodes_in(node))


def search_function(statements: list[ast.stmt]) -> ast.FunctionDef | None:
    """The search function of a text, which has at most one. Only a function that gives a ``Visit[...]`` is looked
    through: that of a text takes milliseconds."""
    found = [
        each
        for each in statements
        if isinstance(each, ast.FunctionDef) and isinstance(each.returns, ast.Subscript) and has_yield(each)
    ]
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
    """The parameters that are passed by copy, since the argument may belong to the caller: records, and states that
    ``after`` has not made."""
    calls = [each.value for each in nodes_in(function) if isinstance(each, ast.Yield)]
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


def _annotation_of_object(value: ast.expr) -> ast.expr | None:
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
    """The names in a function, found in one walk: for each statement, how many times each name is ``stored`` in it, and
    the names ``read`` in it, but not in statements inside it; the statements that contain a ``yield``; the number of
    places where a call is resumed; and the names that are stored in the body of a loop."""

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
    """A liveness analysis along the control flow. It follows the names surely assigned since the last ``yield``
    (``fresh``; None in unreachable code). Other local names that are read are ``found``: the frame must keep them."""

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
                self._visit_names(statement, fresh)
                return _assigned_in_both(self._body(body, fresh), self._body(orelse, fresh))
            case ast.While(body=body):
                inside = frozenset() if statement in self.names.yielding else fresh
                self._visit_names(statement, inside)
                self._body(body, inside)
                return inside
            case ast.For(target=ast.Name(id=name), body=body):
                self._visit_names(statement, fresh)
                if statement in self.names.yielding:
                    if self.names.assigns(body, name):
                        raise NotDialect(f"'{name}' is assigned in its own loop, in '{self.function.name}'")
                    self.annotations[name] = _NUMBER
                    self.found |= {name, self._end_name(statement, name)}
                    self._body(body, frozenset())
                    return frozenset()
                self._body(body, fresh | {name})
                return fresh
            case ast.Try(body=body, handlers=[handler]):
                return _assigned_in_both(self._body(body, fresh), self._body(handler.body, frozenset()))
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self._visit_names(statement, fresh)
                return None
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self._note_need(statement.target.id, fresh)
        self._visit_names(statement, fresh)
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_number(annotation):
                self.annotations[name] = annotation
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                made := _annotation_of_object(value)
            ) is not None:
                self.annotations[name] = made
        return (frozenset() if statement in self.names.yielding else fresh) | self.names.stored[statement].keys()

    def _end_name(self, loop: ast.For, name: str) -> str:
        """The name under which a loop's end is kept: its own if it is a local that does not change in the loop."""
        match loop.iter:
            case ast.Call(args=[*_, ast.Name(id=bound)]) if bound in self._locals and not self.names.assigns(
                loop.body, bound
            ):
                return bound
        self.annotations[END_OF + name] = _NUMBER
        return END_OF + name

    def _visit_names(self, statement: ast.stmt, fresh: frozenset[str]) -> None:
        for name in self.names.read[statement]:
            self._note_need(name, fresh)

    def _note_need(self, name: str, fresh: frozenset[str]) -> None:
        if name in self._locals and name not in fresh and name not in self.ever:
            self.found.add(name)


def _assigned_in_both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The meet of two branches: names assigned in both."""
    if one is None or other is None:
        return one if other is None else other
    return one & other


def call_record(search: ast.FunctionDef | None) -> Mapping[str, Mapping[str, ast.expr]]:
    """The frame record of the search function of a text, by its name; empty if there is none."""
    return {} if search is None else {CALL: fields_of_call(search)}


Hole = int | float | Fraction | str | Callable[..., object]
"""The filling of a hole; a fraction or a Python function only if the kernel is not compiled."""


def kernel(*functions: Callable[..., object], **holes: Hole) -> Kernel:
    """The kernel that exports these functions. Raises :class:`NotDialect` for open holes and for fillings without a
    hole."""
    plain = [function for function in functions if isinstance(function, FunctionType)]
    assert len(plain) == len(functions), "functions of kernel modules"
    found = Kernel(tuple(plain), tuple(_modules_of(plain)), holes)
    for module in found.modules:
        if taken := [
            name for name in (*module.functions, *module.records, *module.holes) if lowered_text.is_taken(name)
        ]:
            raise NotDialect(f"'{taken[0]}' is a name of the rules")
    wanted = {name: function for module in found.modules for name, function in module.holes.items()}
    if open := sorted(wanted.keys() - holes.keys()):
        raise NotDialect(f"nobody has filled {', '.join(open)}")
    if unknown := sorted(holes.keys() - wanted.keys()):
        raise NotDialect(f"there is no hole {', '.join(unknown)}")
    for name, value in holes.items():
        if (isinstance(value, str) or callable(value)) != (wanted[name] is not None):
            raise NotDialect(f"'{name}' is filled with {value!r}")
    return found


@define(eq=False, repr=False)
class Kernel:
    """The ``functions`` that the host calls, and the modules that have these and those that they call; with the texts
    of the ``rules`` of a game, if it calls any."""

    functions: tuple[FunctionType, ...]
    modules: tuple[KernelModule, ...]
    holes: Mapping[str, Hole]
    rules: tuple[str, ...] = ()

    def with_rules(self, text: str) -> Kernel:
        """The kernel together with the rules of a game, or with what calls them."""
        return evolve(self, rules=(text, *self.rules))

    @property
    def exports(self) -> tuple[str, ...]:
        """The names of the functions that the host calls."""
        return tuple(function.__name__ for function in self.functions)

    @property
    def identity(self) -> str:
        """All that determines the tree: the key of the code cache."""
        filled = (f"{name} = {value!r}" for name, value in sorted(self.holes.items()))
        return "\n".join((*self.rules, *filled, *(module.identity for module in self.modules)))

    @property
    def constants(self) -> dict[str, int]:
        """The constants of the modules that are whole numbers, by name."""
        named = {name: value for module in self.modules for name, value in module.numbers.items()}
        named.update(self.holes)
        return {name: value for name, value in named.items() if isinstance(value, int)}

    @property
    def records(self) -> dict[str, type]:
        """The records, by name."""
        return {name: made for module in self.modules for name, made in module.records.items()}

    def tree(self) -> ast.Module:
        """The syntax tree of the whole, for the compiler."""
        defined: dict[str, ast.stmt] = {}
        for module in self.modules:
            for statement in module.statements(self.holes):
                if isinstance(statement, ast.FunctionDef):
                    statement = without_excluded(statement, self.constants)
                name = _defined_name(statement)
                before = defined.setdefault(name, statement)
                if before is not statement:
                    is_shared = name in self.holes or isinstance(statement, ast.Assign)
                    if not is_shared or ast.unparse(before) != ast.unparse(statement):
                        raise NotDialect(f"'{name}' is defined twice")
        rules = [statement for text in self.rules for statement in parse_module(text).body]
        return ast.Module([*rules, *defined.values()], [])

    def define(self, namespace: Namespace) -> None:
        """Define its functions, as plain Python, in a namespace."""
        execute_in(namespace, *self.rules)
        found: Namespace = {}
        for module in self.modules:
            for name, value in module.python(self.holes).items():
                if name in WORDS or name in namespace or (name in found and not _is_same(found[name], value)):
                    raise NotDialect(f"'{name}' is defined twice")
                found[name] = value
        for name, value in found.items():
            if isinstance(value, FunctionType) and value is not self.holes.get(name):
                namespace[name] = FunctionType(value.__code__, namespace, name)
            else:
                namespace[name] = value


@define(eq=False, repr=False)
class KernelModule:
    """A module of kernels and its definitions. ``records`` are its classes; a hole is a function, or None for a
    constant."""

    module: ModuleType
    source: str
    functions: dict[str, FunctionType] = field(factory=dict)
    records: dict[str, type] = field(factory=dict)
    holes: dict[str, FunctionType | None] = field(factory=dict)
    numbers: dict[str, Any] = field(factory=dict)
    imported: dict[str, None] = field(factory=dict)
    identity: str = ""

    def __attrs_post_init__(self) -> None:
        for name, value in vars(self.module).items():
            home = getattr(value, "__module__", None)
            if isinstance(value, int | float | tuple):
                self.numbers[name] = value
            elif home in (words.__name__, "builtins", None) or not isinstance(value, type | FunctionType):
                continue
            elif home != self.module.__name__:
                self.imported[str(home)] = None
            elif isinstance(value, words.Length) or vars(value).get("is_hole"):
                self.holes[name] = value if isinstance(value, FunctionType) else None
            elif isinstance(value, FunctionType):
                self.functions[name] = value
            else:
                self.records[name] = value
        for name in vars(self.module).get("__annotations__", {}):
            if name not in vars(self.module):
                self.holes[name] = None
        self.identity = "\n".join((self.source, *(f"{name} = {value!r}" for name, value in self.numbers.items())))

    def statements(self, holes: Mapping[str, Hole]) -> Iterator[ast.stmt]:
        """The module's statements for the compiler."""
        for statement in parse_module(self.source).body:
            name = _defined_name(statement)
            match statement:
                case ast.ImportFrom(names=lowered_text) if not any(each.asname for each in lowered_text):
                    for each in lowered_text:
                        if each.name in self.numbers:
                            yield _make_assignment(each.name, self.numbers[each.name])
                case ast.FunctionDef() if name in self.holes:
                    expression = str(holes[name])
                    body: list[ast.stmt] = [_make_return(expression)]
                    yield ast.FunctionDef(name, statement.args, body, [], statement.returns, lineno=1)
                case ast.FunctionDef(body=[ast.Expr(value=ast.Constant()), _, *_]):
                    statement.body = statement.body[1:]
                    yield statement
                case ast.ClassDef() | ast.AnnAssign() if name in self.holes:
                    yield _make_assignment(name, holes[name])
                case ast.AnnAssign(annotation=kind, value=ast.Tuple()) if "bits" in ast.unparse(kind):
                    yield statement
                case ast.FunctionDef() | ast.ClassDef():
                    yield statement
                case ast.Assign() | ast.AnnAssign():
                    yield _make_assignment(name, self.numbers[name])
                case ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    raise NotDialect(ast.unparse(statement))

    def python(self, holes: Mapping[str, Hole]) -> Namespace:
        """The module's definitions, as Python; functions still refer to the namespace of the module."""
        filled: Namespace = {}
        for name, function in self.holes.items():
            value = holes[name]
            filled[name] = _fill_function(function, value) if function is not None and isinstance(value, str) else value
        return {**self.numbers, **self.functions, **self.records, **filled}


def fields_in(record: type) -> dict[str, ast.expr]:
    """The annotations of the fields of a record."""
    return {name: annotation(text) for name, text in get_annotations(record).items()}


@lru_cache(maxsize=64)
def module_of(name: str) -> KernelModule:
    """An imported module of kernels."""
    module = sys.modules[name]
    assert module.__file__ is not None, "a kernel is a file"
    return KernelModule(module, Path(module.__file__).read_text(encoding="utf-8"))


def _modules_of(functions: list[FunctionType]) -> Iterator[KernelModule]:
    """The modules of functions, after those that they import."""
    done: dict[str, None] = {}

    def visit(name: str) -> Iterator[KernelModule]:
        if name not in done:
            done[name] = None
            module = module_of(name)
            for imported in module.imported:
                yield from visit(imported)
            yield module

    for function in functions:
        yield from visit(function.__module__)


def _defined_name(statement: ast.stmt) -> str:
    """The name that a statement of a module defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _make_assignment(name: str, value: object) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], parse_expression(repr(value)), lineno=1)


def _make_return(expression: str) -> ast.Return:
    try:
        return ast.Return(parse_expression(expression))
    except SyntaxError:
        raise NotDialect(f"'{expression}' is no expression") from None


def _fill_function(hole: FunctionType, expression: str) -> FunctionType:
    """A hole with its expression, as Python."""
    _make_return(expression)
    code = hole.__code__
    parameters = ", ".join(code.co_varnames[: code.co_argcount])
    found: Namespace = {}
    exec(f"def {hole.__name__}({parameters}):\n    return {expression}", found)
    made = found[hole.__name__]
    assert isinstance(made, FunctionType)
    return made


def _is_same(one: object, other: object) -> bool:
    """Whether two modules mean the same by a name."""
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        here, there = one.__code__, other.__code__
        return (here.co_code, here.co_names, here.co_consts) == (there.co_code, there.co_names, there.co_consts)
    return type(one) is type(other) and one == other


# Algorithms with holes that the rules of a game fill.
#
# A file of the folder ``algorithms`` is a module of the dialect, a chapter of algorithms on one subject, and declares
# its holes above its functions:
#
# ========================================  ====================================================================
# ``SIZE: int``, ``FULL: bits``             a number
# ``class SIZE(metaclass=Length): "..."``   a number that is the length of arrays
# ``ROWS: tuple[bits, ...]``                a table, of ``int`` or of ``bits``
# ``def spread(mask: bits) -> bits: ...``   a function
# ========================================  ====================================================================
#
# It imports the words that it uses (:mod:`zermelo.interpreter.native.dialect.words`), for mypy only; it is never run.
# :func:`instantiate` fills the holes, and may replace a function of the file, which is then a default. Files are parsed
# once. Their texts are cut at the names of holes and functions, and an instance is the pieces with other names between
# them.


_FOLDER: Final = Path(__file__).parents[1] / "algorithms"

Filling = int | str | Sequence[int]
"""The filling of a hole: a number, the name of a function already in the text, or the numbers of a table."""

_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


@frozen(eq=False, repr=False)
class Algorithm:
    """A file of the folder: its holes for numbers, and for tables with the kind of their elements; the number of
    parameters of each function; and each of its own functions after its name, as alternating text and names."""

    numbers: set[str] = field(factory=set)
    tables: dict[str, str] = field(factory=dict)
    parameters: dict[str, int] = field(factory=dict)
    functions: dict[str, list[str]] = field(factory=dict)

    @property
    def names(self) -> set[str]:
        """The names of all holes and functions."""
        return self.numbers | self.tables.keys() | self.parameters.keys()


class Instance(Mapping[str, str]):
    """An algorithm in a text: it maps the names of functions in the file to their names in the text. A function and
    those that it calls are written when its name is first asked for."""

    def __init__(self, text: Text, algorithm: Algorithm, filled: Mapping[str, str], named: Mapping[str, str]) -> None:
        self._text, self._algorithm, self._filled, self._named = text, algorithm, filled, named
        self._written: dict[str, str] = {}

    def __getitem__(self, function: str) -> str:
        if function in self._filled:
            return self._filled[function]
        if function not in self._written:
            if function not in self._algorithm.functions:
                raise NotDialect(f"the hole '{function}' is open")
            pieces = self._algorithm.functions[function]
            self._written[function] = name = self._named.get(function) or self._text.unused(function)
            source = "".join(self[piece] if k % 2 else piece for k, piece in enumerate(pieces))
            (self._text.define_as if function in self._named else self._text.define)(name, source)
        return self._written[function]

    def __iter__(self) -> Iterator[str]:
        return iter(self._algorithm.functions)

    def __len__(self) -> int:
        return len(self._algorithm.functions)


def instantiate(text: Text, name: str, named: Mapping[str, str] = _NO_NAMES, /, **holes: Filling) -> Mapping[str, str]:
    """An algorithm with its holes filled; equal fillings share an instance. Its functions have fresh names, except for
    the ``named`` ones, which have fixed names and are always written. Raises
    :class:`~zermelo.interpreter.native.dialect.language.NotDialect` for open holes and fillings of the wrong kind."""
    key = (
        name,
        tuple(sorted((hole, _hashable_filling(filling)) for hole, filling in holes.items())),
        tuple(named.items()),
    )
    if key not in text.instances:
        algorithm = _algorithm(name)
        if odd := holes.keys() - algorithm.names:
            raise NotDialect(f"'{name}' has other holes: {', '.join(sorted(odd))}")
        if not named.keys() <= algorithm.functions.keys():
            raise NotDialect(f"'{name}' has no function of such a name: {', '.join(named)}")
        filled = {hole: _filling_text(text, algorithm, hole, filling) for hole, filling in holes.items()}
        text.instances[key] = instance = Instance(text, algorithm, filled, named)
        for function in named:
            instance[function]
    return text.instances[key]


def _hashable_filling(filling: Filling) -> int | str | tuple[int, ...]:
    return filling if isinstance(filling, int | str) else tuple(filling)


def _filling_text(text: Text, algorithm: Algorithm, hole: str, filling: Filling) -> str:
    """The text that replaces a hole."""
    match filling:
        case int() if hole in algorithm.numbers:
            return str(filling) if filling >= 0 else f"({filling})"
        case str() if hole in algorithm.parameters:
            taken = text.parameters(filling)
            if taken != algorithm.parameters[hole]:
                raise NotDialect(f"'{filling}' has {taken} parameters, and '{hole}' {algorithm.parameters[hole]}")
            return filling
        case list() | tuple() if hole in algorithm.tables:
            return text.table(filling, algorithm.tables[hole])
        case _:
            raise NotDialect(f"'{hole}' cannot be '{filling}'")


@cache
def _algorithm(name: str) -> Algorithm:
    return parse_algorithm((_FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def parse_algorithm(source: str) -> Algorithm:
    """The algorithm in the text of a file. Raises :class:`~zermelo.interpreter.native.dialect.language.NotDialect` if
    there is none."""
    found, functions = Algorithm(), list[ast.FunctionDef]()
    for statement in parse_module(source).body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=hole), annotation=ast.Name(id="int" | "bits"), value=None):
                found.numbers.add(hole)
            case ast.AnnAssign(
                target=ast.Name(id=hole),
                annotation=ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[ast.Name(id=kind), _])),
                value=None,
            ):
                found.tables[hole] = kind
            case ast.FunctionDef(name=name, body=body):
                found.parameters[name] = len(statement.args.args)
                if not _is_hole(body):
                    functions.append(statement)
            case ast.ClassDef(name=hole, keywords=[ast.keyword(arg="metaclass", value=ast.Name(id="Length"))]):
                found.numbers.add(hole)
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__" | "typing"):
                pass
            case ast.ImportFrom(module=words.__name__, names=names) if not any(each.asname for each in names):
                pass
            case _:
                raise NotDialect(f"no part of an algorithm: {ast.unparse(statement)}")
    lines = source.encode().splitlines(keepends=True)
    begins = [0, *accumulate(map(len, lines))]
    for function in functions:
        found.functions[function.name] = _pieces(source.encode(), begins, function, found.names)
    return found


def _is_hole(body: list[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


def _pieces(source: bytes, begins: list[int], function: ast.FunctionDef, names: set[str]) -> list[str]:
    """A function after its name, without its docstring, cut at ``names``; ``begins`` are the offsets of lines."""
    cuts = list[tuple[int, int, str]]()
    for node in nodes_in(function):
        name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
        if name in names:
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                raise NotDialect(f"'{name}' is assigned in '{function.name}', and defined outside")
            begin = begins[node.lineno - 1] + node.col_offset
            cuts.append((begin, begin + len(name.encode()), name))
    at = begins[function.lineno - 1] + function.col_offset + len(f"def {function.name}".encode())
    end = begins[function.end_lineno or 0]
    first, *rest = function.body
    pieces = [""]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and rest:
        cuts.append((begins[first.lineno - 1], begins[first.end_lineno or 0], ""))
    for begin, behind, name in sorted(cuts):
        pieces[-1] += source[at:begin].decode()
        if name:
            pieces += [name, ""]
        at = behind
    pieces[-1] += source[at:end].decode()
    return pieces
