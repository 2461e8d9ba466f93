"""Writing a text of the kernel dialect: tables and functions, under names of
:mod:`zermelo.interpreter.native.dialect.names`.

A function lifted out of an expression takes the local names that it mentions as parameters of the same names, so that
texts can be moved into it unchanged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from attrs import define, field

from zermelo.grammar.source import Span
from zermelo.interpreter.native.dialect import names
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.nesting import require_flat, require_room
from zermelo.interpreter.native.dialect.parsing import parse_module

_NAME = re.compile(r"[A-Za-z_]\w*")


@define(eq=False)
class Body:
    """The statements of a function in the making, nested in ``depth`` blocks, the function's own counted, ``loops`` of
    which are loops."""

    lines: list[str] = field(factory=list)
    own: set[str] = field(factory=set)
    depth: int = 1
    loops: int = 0

    def line(self, text: str) -> None:
        require_flat(text)
        self.lines.append("    " * self.depth + text)

    def beside(self) -> Body:
        """An empty body at the same depth, for statements to be inserted here later by :meth:`insert`."""
        return Body(depth=self.depth, loops=self.loops)

    def insert(self, other: Body) -> None:
        """The statements of a body that was made by :meth:`beside`."""
        self.lines += other.lines
        self.own |= other.own

    def return_if(self, condition: str, result: str | int) -> None:
        """Return a result if a condition holds."""
        with self.block(f"if {condition}"):
            self.line(f"return {result}")

    def fail_if(self, condition: str, site: str, result: str | int) -> None:
        """Note a fault at a site, if it is the first, and return a result, if a condition holds."""
        with self.block(f"if {condition}"):
            with self.block("if C[0] == 0"):
                self.line(f"C[0] = {site}")
            self.line(f"return {result}")

    def break_if(self, condition: str) -> None:
        """Leave the innermost loop if a condition holds."""
        with self.block(f"if {condition}"):
            self.line("break")

    def write(self, array: str, first: str | int, values: Iterable[str | int]) -> None:
        """Write values to consecutive entries of an array."""
        for k, value in enumerate(values):
            at = first + k if isinstance(first, int) else f"{first} + {k}" if k else first
            self.line(f"{array}[{at}] = {value}")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The statements under ``head:``."""
        is_loop = head.startswith(("for ", "while "))
        self.line(f"{head}:")
        self.depth += 1
        self.loops += is_loop
        require_room(self.depth, self.loops)
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1
        self.loops -= is_loop

    def choose(self, subject: str, cases: Sequence[tuple[int, Callable[[], None]]]) -> None:
        """A case for each of some ascending values of ``subject``, a name. Comparisons bisect the cases: few of them
        run, and Python's compiler, which recurses along ``elif``, stays shallow."""
        if len(cases) == 1:
            number, write = cases[0]
            with self.block(f"if {subject} == {number}"):
                write()
        elif cases:
            middle = len(cases) // 2
            with self.block(f"if {subject} < {cases[middle][0]}"):
                self.choose(subject, cases[:middle])
            with self.block("else"):
                self.choose(subject, cases[middle:])


@define(eq=False)
class Text:
    """A module in the making. ``sites`` are the sites of possible faults in the rules, numbered from 1; ``constants``
    are numbers, or tables with a fixed name; ``parts`` maps the divisors of the payoffs' common denominator that
    :meth:`over` has been asked for to the names of the quotients; ``instances`` are the algorithms inserted by
    :mod:`zermelo.interpreter.native.dialect.templates`, with the names of their functions."""

    kinds: dict[str, str] = field(factory=dict)
    constants: dict[str, int | tuple[int, ...]] = field(factory=dict)
    parts: dict[int, str] = field(factory=dict)
    tables: dict[tuple[str, tuple[int, ...]], str] = field(factory=dict)
    functions: dict[str, str] = field(factory=dict)
    sites: list[tuple[str, Span]] = field(factory=list)
    instances: dict[Hashable, Mapping[str, str]] = field(factory=dict)
    _known: dict[tuple[str, str, str, tuple[bool, ...]], str] = field(factory=dict)
    _count: int = 0

    def unused(self, stem: str) -> str:
        """A fresh name."""
        self._count += 1
        return names.fresh(stem, self._count)

    def fresh(self, stem: str, kind: str = "int") -> str:
        """A fresh local name of this kind."""
        name = self.unused(stem)
        self.kinds[name] = kind
        return name

    def local(self, body: Body, stem: str, kind: str = "int") -> str:
        """A fresh name that ``body`` itself assigns."""
        name = self.fresh(stem, kind)
        body.own.add(name)
        return name

    def let(self, body: Body, stem: str, value: str | int, kind: str = "int") -> str:
        """A fresh name, to which ``body`` gives a number here."""
        name = self.local(body, stem, kind)
        body.line(f"{name}: {kind} = {value}")
        return name

    def array(self, body: Body, stem: str, size: int, kind: str = "ints") -> str:
        """A fresh name, to which ``body`` gives an array of ``ints`` or ``masks`` here."""
        name = self.local(body, stem, f"{kind}[{size}]")
        body.line(f"{name} = {'array' if kind == 'ints' else kind}({size})")
        return name

    def table(self, values: Sequence[int], kind: str = "int") -> str:
        """The name of a table of these values."""
        key = (kind, tuple(values))
        if key not in self.tables:
            self.tables[key] = self.unused("T")
        return self.tables[key]

    def over(self, part: int) -> str:
        """The name of a constant: the payoffs' common denominator divided by ``part``."""
        if part not in self.parts:
            self.parts[part] = self.unused("OVER")
        return self.parts[part]

    def site(self, code: str, span: Span) -> int:
        """The number of a site of the rules where the fault ``code`` can occur."""
        self.sites.append((code, span))
        return len(self.sites)

    def lift(self, stem: str, body: Body, result: str | int, kind: str = "int", state: str = "S") -> str:
        """Make a function of a body with ``result`` at its end, unless one exists that differs only in names; the text
        of its call, on the state of this name."""
        body.line(f"return {result}")
        order: dict[str, None] = {}
        for line in body.lines:
            order.update(dict.fromkeys(name for name in _NAME.findall(line) if name in self.kinds))
        outer = [name for name in order if name not in body.own]
        source = "\n".join(body.lines)
        places = {name: f"{self.kinds[name]}{place}" for place, name in enumerate(order)}
        plain = _NAME.sub(lambda match: places.get(match[0], match[0]), source)
        key = (stem, kind, plain, tuple(name in body.own for name in order))
        if key not in self._known:
            self._known[key] = name = self.unused(stem)
            parameters = ["C: ints[CONTEXT]", "S: state", *(f"{name}: {self.kinds[name]}" for name in outer)]
            self.define(name, f"({', '.join(parameters)}) -> {kind}:\n{source}\n")
        return f"{self._known[key]}({', '.join(['C', state, *outer])})"

    def shared(self, stem: str, source: str) -> str:
        """The name of the function with this head and body, an existing one or a new one."""
        key = (stem, "", source, ())
        if key not in self._known:
            for line in source.splitlines():
                require_flat(line)
            self._known[key] = name = self.unused(stem)
            self.define(name, source)
        return self._known[key]

    def apart(self, stem: str, head: str, body: Body, result: str | int = 0) -> str:
        """The name of the function with the head ``(PARAMETERS) -> KIND`` and this body, with ``result`` at its end, an
        existing one or a new one."""
        body.line(f"return {result}")
        return self.shared(stem, f"{head}:\n" + "\n".join(body.lines) + "\n")

    def parameters(self, name: str) -> int:
        """The number of parameters of an existing function. Raises
        :class:`~zermelo.interpreter.native.dialect.language.NotDialect` if there is none of this name."""
        if name not in self.functions:
            raise NotDialect(f"there is no function '{name}' yet")
        (function,) = parse_module(f"{self.functions[name].partition(chr(10))[0]} pass").body
        assert isinstance(function, ast.FunctionDef)
        return len(function.args.args)

    def function(self, head: str, body: Body, result: str | int = 0) -> None:
        """Define a function with the head ``NAME(PARAMETERS) -> KIND``, this body, and ``result`` at its end, under a
        fixed name."""
        body.line(f"return {result}")
        name, parameters = head.split("(", 1)
        self.named(name, f"({parameters}:\n" + "\n".join(body.lines) + "\n")

    def named(self, name: str, source: str) -> None:
        """Define a function under a fixed name; ``source`` is its text after the name."""
        if not names.is_fixed(name):
            raise NotDialect(f"'{name}' is no name of a function")
        self.define(name, source)

    def define(self, name: str, source: str) -> None:
        """Define a function; ``source`` is its text after the name."""
        if name in self.functions:
            raise NotDialect(f"'{name}' is defined twice")
        self.functions[name] = f"def {name}{source}"

    def render(self) -> str:
        """The whole module."""
        tables = [f"{name} = {value}" for name, value in self.constants.items()]
        for (kind, values), name in self.tables.items():
            note = ": bits" if kind == "bits" else ""
            tables.append(f"{name}{note} = {values}")
        return "\n".join(tables) + "\n\n\n" + "\n\n".join(self.functions.values())
