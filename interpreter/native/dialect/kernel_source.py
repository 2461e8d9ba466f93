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
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from inspect import get_annotations
from itertools import accumulate
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, Final, Protocol

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.native.dialect import lowered_text, words
from zermelo.interpreter.native.dialect.language import (
    WORDS,
    Namespace,
    NotDialect,
    execute_in,
    parse_expression,
    parse_module,
    without_excluded,
)
from zermelo.interpreter.native.dialect.lowered_text import Text
from zermelo.interpreter.native.dialect.records import annotation
from zermelo.interpreter.native.dialect.searches import yields

Hole = int | float | Fraction | str | Callable[..., object]
"""The filling of a hole; a fraction or a Python function only if the kernel is not compiled."""


class KernelSource(Protocol):
    """A text of the dialect, to be run together with others."""

    @property
    def exports(self) -> tuple[str, ...]:
        """The names of the functions that the host calls."""

    @property
    def functions(self) -> tuple[Callable[..., object], ...]:
        """The functions themselves, if they belong to modules."""

    @property
    def identity(self) -> str:
        """All that determines the text: the key of the code cache."""

    def text(self) -> str:
        """The text for the compiler."""

    @property
    def records(self) -> Mapping[str, type]:
        """The records that it declares, by name."""

    @property
    def constants(self) -> Mapping[str, int]:
        """Its constants that are whole numbers, by name."""

    def define(self, namespace: Namespace) -> None:
        """Define its functions, as plain Python, in a namespace."""


@frozen(eq=False, repr=False)
class KernelText(Displayed):
    """A source that is a text."""

    identity: str
    exports: tuple[str, ...] = ()
    functions: tuple[Callable[..., object], ...] = ()
    records: Mapping[str, type] = field(factory=dict)
    constants: Mapping[str, int] = field(factory=dict)

    def text(self) -> str:
        return self.identity

    def define(self, namespace: Namespace) -> None:
        execute_in(namespace, self.identity)


@frozen(eq=False, repr=False)
class WithRules(Displayed):
    """A source together with the rules of a game, whose functions it calls."""

    rules: str
    source: KernelSource

    @property
    def exports(self) -> tuple[str, ...]:
        return self.source.exports

    @property
    def functions(self) -> tuple[Callable[..., object], ...]:
        return self.source.functions

    @property
    def records(self) -> Mapping[str, type]:
        return self.source.records

    @property
    def constants(self) -> Mapping[str, int]:
        return self.source.constants

    @property
    def identity(self) -> str:
        return f"{self.rules}\n{self.source.identity}"

    def text(self) -> str:
        return f"{self.rules}\n{self.source.text()}"

    def define(self, namespace: Namespace) -> None:
        execute_in(namespace, self.rules)
        self.source.define(namespace)


def kernel(*functions: Callable[..., object], **holes: Hole) -> Kernel:
    """The kernel that exports these functions. Raises :class:`NotDialect` for open holes and for fillings without a
    hole."""
    plain = [function for function in functions if isinstance(function, FunctionType)]
    assert len(plain) == len(functions), "functions of kernel modules"
    found = Kernel(tuple(plain), tuple(_closure(plain)), holes)
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
    """A source made of modules."""

    functions: tuple[FunctionType, ...]
    modules: tuple[KernelModule, ...]
    holes: Mapping[str, Hole]

    @property
    def exports(self) -> tuple[str, ...]:
        return tuple(function.__name__ for function in self.functions)

    @property
    def identity(self) -> str:
        filled = (f"{name} = {value!r}" for name, value in sorted(self.holes.items()))
        return "\n".join((*filled, *(module.identity for module in self.modules)))

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

    def text(self) -> str:
        written: dict[str, str] = {}
        for module in self.modules:
            for statement in module.statements(self.holes):
                if isinstance(statement, ast.FunctionDef) and yields(statement):
                    statement = without_excluded(statement, self.constants)
                name, said = _name(statement), ast.unparse(ast.fix_missing_locations(statement))
                is_shared = name in self.holes or isinstance(statement, ast.Assign)
                if name in written and not (written[name] == said and is_shared):
                    raise NotDialect(f"'{name}' is defined twice")
                written[name] = said
        return "\n\n".join(written.values()) + "\n"

    def define(self, namespace: Namespace) -> None:
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
            elif home in (words.__name__, words.__name__, "builtins", None) or not isinstance(
                value, type | FunctionType
            ):
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
            name = _name(statement)
            match statement:
                case ast.ImportFrom(names=lowered_text) if not any(each.asname for each in lowered_text):
                    for each in lowered_text:
                        if each.name in self.numbers:
                            yield _assigned(each.name, self.numbers[each.name])
                case ast.FunctionDef() if name in self.holes:
                    expression = str(holes[name])
                    yield ast.FunctionDef(name, statement.args, [_returned(expression)], [], statement.returns)
                case ast.FunctionDef(body=[ast.Expr(value=ast.Constant()), _, *_]):
                    statement.body = statement.body[1:]
                    yield statement
                case ast.ClassDef() | ast.AnnAssign() if name in self.holes:
                    yield _assigned(name, holes[name])
                case ast.AnnAssign(annotation=kind, value=ast.Tuple()) if "bits" in ast.unparse(kind):
                    yield statement
                case ast.FunctionDef() | ast.ClassDef():
                    yield statement
                case ast.Assign() | ast.AnnAssign():
                    yield _assigned(name, self.numbers[name])
                case ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    raise NotDialect(ast.unparse(statement))

    def python(self, holes: Mapping[str, Hole]) -> Namespace:
        """The module's definitions, as Python; functions still refer to the namespace of the module."""
        filled: Namespace = {}
        for name, function in self.holes.items():
            value = holes[name]
            filled[name] = _function(function, value) if function is not None and isinstance(value, str) else value
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


def _closure(functions: list[FunctionType]) -> Iterator[KernelModule]:
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


def _name(statement: ast.stmt) -> str:
    """The name that a statement of a module defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _assigned(name: str, value: object) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], parse_expression(repr(value)))


def _returned(expression: str) -> ast.Return:
    try:
        return ast.Return(parse_expression(expression))
    except SyntaxError:
        raise NotDialect(f"'{expression}' is no expression") from None


def _function(hole: FunctionType, expression: str) -> FunctionType:
    """A hole with its expression, as Python."""
    _returned(expression)
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
# It imports the words that it uses (:mod:`zermelo.interpreter.native.dialect.words`), for mypy; nobody runs it.
# :func:`instantiate` fills the holes, and may replace a function of the file, which is then a default. Files are parsed
# once. Their texts are cut at the names of holes and functions, and an instance is the pieces with other names between
# them.


_FOLDER: Final = Path(__file__).parents[1] / "algorithms"

Filling = int | str | Sequence[int]
"""The filling of a hole: a number, the name of a function already in the text, or the numbers of a table."""

_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


@frozen
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
    """An algorithm in a text: the names of its functions there, by those in the file. A function is written, with those
    that it calls, when its name is first asked for."""

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
            (self._text.named if function in self._named else self._text.define)(name, source)
        return self._written[function]

    def __iter__(self) -> Iterator[str]:
        return iter(self._algorithm.functions)

    def __len__(self) -> int:
        return len(self._algorithm.functions)


def instantiate(text: Text, name: str, named: Mapping[str, str] = _NO_NAMES, /, **holes: Filling) -> Mapping[str, str]:
    """An algorithm with its holes filled; equal fillings share an instance. Its functions have fresh names, except for
    the ``named`` ones, which have fixed names and are always written. Raises
    :class:`~zermelo.interpreter.native.dialect.language.NotDialect` for open holes and fillings of the wrong kind."""
    key = (name, tuple(sorted((hole, _fixed(filling)) for hole, filling in holes.items())), tuple(named.items()))
    if key not in text.instances:
        algorithm = _algorithm(name)
        if odd := holes.keys() - algorithm.names:
            raise NotDialect(f"'{name}' has other holes: {', '.join(sorted(odd))}")
        if not named.keys() <= algorithm.functions.keys():
            raise NotDialect(f"'{name}' has no function of such a name: {', '.join(named)}")
        filled = {hole: _filled(text, algorithm, hole, filling) for hole, filling in holes.items()}
        text.instances[key] = instance = Instance(text, algorithm, filled, named)
        for function in named:
            instance[function]
    return text.instances[key]


def _fixed(filling: Filling) -> int | str | tuple[int, ...]:
    return filling if isinstance(filling, int | str) else tuple(filling)


def _filled(text: Text, algorithm: Algorithm, hole: str, filling: Filling) -> str:
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
    return parsed((_FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def parsed(source: str) -> Algorithm:
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
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in names:
                begin = begins[node.lineno - 1] + node.col_offset
                cuts.append((begin, begin + len(name.encode()), name))
            case ast.Name(id=name) | ast.arg(arg=name) if name in names:
                raise NotDialect(f"'{name}' is assigned in '{function.name}', and defined outside")
            case _:
                pass
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
