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
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from inspect import get_annotations
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol

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
