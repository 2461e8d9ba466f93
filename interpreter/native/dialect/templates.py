"""Algorithms with holes that the rules of a game fill.

A file of the folder ``algorithms`` is a module of the dialect, a chapter of algorithms on one subject, and declares its
holes above its functions:

========================================  ====================================================================
``SIZE: int``, ``FULL: bits``             a number
``class SIZE(metaclass=Length): "..."``   a number that is the length of arrays
``ROWS: tuple[bits, ...]``                a table, of ``int`` or of ``bits``
``def spread(mask: bits) -> bits: ...``   a function
========================================  ====================================================================

It imports the words that it uses (:mod:`zermelo.interpreter.native.dialect.words`), for mypy; nobody runs it.
:func:`instantiate` fills the holes, and may replace a function of the file, which is then a default. Files are parsed
once. Their texts are cut at the names of holes and functions, and an instance is the pieces with other names between
them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Final

from attrs import field, frozen

from zermelo.interpreter.native.dialect import words
from zermelo.interpreter.native.dialect.language import NotDialect, parse_module
from zermelo.interpreter.native.dialect.lowered_text import Text

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
