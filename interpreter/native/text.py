"""Writing a text of the kernel dialect: tables and functions, with names that are unique in the module.

A function that is lifted out of an expression takes the local names that it mentions as parameters of the same names,
so that texts can be moved into it as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grammar.record import Mutable, field
from grammar.source import Span

_NAME = re.compile(r"[A-Za-z_]\w*")


class Body(Mutable):
    """The statements of a function while they are written."""

    lines: list[str] = field(factory=list)
    own: set[str] = field(factory=set)
    depth: int = 1

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The statements under ``head:``."""
        self.line(f"{head}:")
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def choose(self, subject: str, cases: Sequence[tuple[int, Callable[[], None]]]) -> None:
        """What is done for each value of ``subject``, a name; the values ascend. Comparisons halve the cases: Python
        then reads few of them, and its compiler, which recurs along ``elif``, is never deep in them."""
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


class Text(Mutable):
    """A module in the making. ``sites`` are the places in the rules where something can go wrong, numbered from 1."""

    kinds: dict[str, str] = field(factory=dict)
    tables: dict[tuple[str, tuple[int, ...]], str] = field(factory=dict)
    functions: list[str] = field(factory=list)
    sites: list[tuple[str, Span]] = field(factory=list)
    _known: dict[tuple[str, str, str], str] = field(factory=dict)
    _count: int = 0

    def fresh(self, stem: str, kind: str = "int") -> str:
        """A new local name of this kind."""
        self._count += 1
        name = f"{stem}_{self._count}"
        self.kinds[name] = kind
        return name

    def local(self, body: Body, stem: str, kind: str = "int") -> str:
        """A new name that ``body`` itself assigns."""
        name = self.fresh(stem, kind)
        body.own.add(name)
        return name

    def table(self, values: Sequence[int], kind: str = "int") -> str:
        """The name of a table of these values."""
        key = (kind, tuple(values))
        if key not in self.tables:
            self.tables[key] = f"T{len(self.tables)}"
        return self.tables[key]

    def site(self, code: str, span: Span) -> int:
        """The number of a place where the error ``code`` can come up."""
        self.sites.append((code, span))
        return len(self.sites)

    def lift(self, stem: str, body: Body, kind: str = "int") -> str:
        """Make a function of a body, if there is none yet that differs in its names alone; the text of its call."""
        order: dict[str, None] = {}
        for line in body.lines:
            order.update(dict.fromkeys(name for name in _NAME.findall(line) if name in self.kinds))
        outer = [name for name in order if name not in body.own]
        source = "\n".join(body.lines)
        places = {name: f"{self.kinds[name]}{place}" for place, name in enumerate(order)}
        key = (stem, kind, _NAME.sub(lambda match: places.get(match[0], match[0]), source) + str(len(outer)))
        if key not in self._known:
            self._count += 1
            self._known[key] = name = f"{stem}{self._count}"
            parameters = ["C: ints[CONTEXT]", "S: state", *(f"{name}: {self.kinds[name]}" for name in outer)]
            self.functions.append(f"def {name}({', '.join(parameters)}) -> {kind}:\n{source}\n")
        return f"{self._known[key]}({', '.join(['C', 'S', *outer])})"

    def shared(self, stem: str, source: str) -> str:
        """The name of the function with this head and body, which may be there already."""
        key = (stem, "", source)
        if key not in self._known:
            self._count += 1
            self._known[key] = f"{stem}{self._count}"
            self.functions.append(f"def {stem}{self._count}{source}")
        return self._known[key]

    def function(self, head: str, body: Body) -> None:
        """A function with a head of its own."""
        self.functions.append(f"def {head}:\n" + "\n".join(body.lines) + "\n")

    def render(self) -> str:
        """The whole module."""
        tables = []
        for (kind, values), name in self.tables.items():
            note = ": bits" if kind == "bits" else ""
            tables.append(f"{name}{note} = ({', '.join(map(str, values))},)")
        return "\n".join(tables) + "\n\n\n" + "\n\n".join(self.functions)
