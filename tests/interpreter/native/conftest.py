"""Random games, written as text, over as much of the language as fits into a small file.

A game is written from the inside of the language's types: an expression is made for a type, from names that are in
scope, so that the checker accepts nearly all of them. A clock that every move winds on ends each play. What can go
wrong only while a game is played (a number that leaves its range, a value that is not set, a step off the board) is
written now and then on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, TypeVar

import pytest
from attrs import evolve, field, frozen

T = TypeVar("T")
Sort = Literal["number", "bool", "enumeration", "order", "player", "cell", "record"]


@frozen
class Kind:
    """A type: how it is written, its members (or some of them), and what can be done with them."""

    text: str
    sort: Sort
    members: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    fields: tuple[tuple[str, Kind], ...] = ()


@frozen
class Name:
    """A name in scope; ``shape`` tells a set or an optional value from a plain one."""

    text: str
    kind: Kind
    shape: Literal["one", "optional", "set"] = "one"
    indices: tuple[Kind, ...] = ()


@frozen
class Function:
    """A define or an action."""

    name: str
    formals: tuple[Name, ...]
    result: Name | None = None


@frozen
class Scope:
    """The names that an expression may use, and how deep it may still go. ``is_constant`` keeps variables out."""

    names: tuple[Name, ...] = ()
    depth: int = 3
    is_constant: bool = False

    def deeper(self) -> Scope:
        return evolve(self, depth=self.depth - 1)

    def with_names(self, *names: Name) -> Scope:
        return evolve(self, names=self.names + names)


def _number(low: int, high: int) -> Kind:
    return Kind(f"{low}..{high}", "number", (), low, high)


BOOL = Kind("Bool", "bool", ("false", "true"))
DIRECTIONS = ("north", "east", "south", "west", "northeast", "southwest", "(north + west)", "(-north)")


@frozen
class Writer:
    """Writes one game; ``random`` decides."""

    random: Random
    kinds: list[Kind] = field(factory=list)
    variables: list[Name] = field(factory=list)
    defines: list[Function] = field(factory=list)
    actions: list[Function] = field(factory=list)
    count: list[int] = field(factory=lambda: [0])
    board: list[str] = field(factory=list)
    players: list[str] = field(factory=list)
    phases: list[Function] = field(factory=list)

    # ---------------------------------------------------------------- choices

    def new(self, stem: str) -> str:
        self.count[0] += 1
        return f"{stem}{self.count[0]}"

    def often(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        return options[self.random.randrange(len(options))]

    def named(self, scope: Scope, kind: Kind, shape: str) -> list[str]:
        """The names of a type, entries of variables included."""
        found = [name for name in scope.names if name.kind == kind and name.shape == shape]
        if not scope.is_constant:
            found += [name for name in self.variables if name.kind == kind and name.shape == shape]
        return [self.entry(name, scope) for name in found if scope.depth > 0 or not name.indices]

    def entry(self, name: Name, scope: Scope) -> str:
        if not name.indices:
            return name.text
        return f"{name.text}[{', '.join(self.one(kind, scope.deeper()) for kind in name.indices)}]"

    def calls(self, scope: Scope, kind: Kind, shape: str) -> list[str]:
        if scope.is_constant or scope.depth <= 0:
            return []
        found = [define for define in self.defines if define.result is not None]
        found = [define for define in found if define.result.kind == kind and define.result.shape == shape]  # type: ignore[union-attr]
        return [self.call(self.pick(found), scope.deeper())] if found else []

    def call(self, function: Function, scope: Scope) -> str:
        if not function.formals:
            return function.name
        return f"{function.name}({', '.join(self.shaped(formal, scope) for formal in function.formals)})"

    def shaped(self, name: Name, scope: Scope) -> str:
        make = {"one": self.one, "optional": self.optional, "set": self.set}[name.shape]
        return make(name.kind, scope)

    # ---------------------------------------------------------------- values

    def one(self, kind: Kind, scope: Scope) -> str:
        """A value of the type, never none."""
        if kind.sort == "number":
            return self.number_in(kind, scope)
        if kind.sort == "bool":
            return self.condition(scope)
        options: list[Callable[[], str]] = []
        names = self.named(scope, kind, "one") + self.calls(scope, kind, "one")
        if names:
            options += [lambda: self.pick(names)] * 4
        if kind.sort == "record":
            options += [lambda: self.record(kind, scope.deeper())]
        else:
            options += [lambda: self.pick(kind.members)]
        if scope.depth > 0:
            options += [
                lambda: self.chosen(kind, scope),
                lambda: self.rescued(kind, scope),
                lambda: self.looked_up(kind, scope),
            ]
            if kind.sort == "player":
                following = "other" if len(self.players) == 2 and self.often(60) else "next"
                options += [lambda: f"({following} {self.one(kind, scope.deeper())})"] * 2
            for holder in self.kinds:
                for name, part in holder.fields:
                    if part == kind:
                        for text in self.named(scope.deeper(), holder, "one"):
                            options.append(lambda text=text, name=name: f"{text}.{name}")  # type: ignore[misc]
        return self.pick(options)()

    def record(self, kind: Kind, scope: Scope) -> str:
        return f"({', '.join(self.one(part, scope) for _, part in kind.fields)})"

    def chosen(self, kind: Kind, scope: Scope) -> str:
        inner = scope.deeper()
        return f"(if {self.condition(inner)} then {self.one(kind, inner)} else {self.one(kind, inner)})"

    def rescued(self, kind: Kind, scope: Scope) -> str:
        """A value that may be none, or another in its place."""
        inner, name = scope.deeper(), self.new("u")
        return (
            f"((if {name} is none then {self.one(kind, inner)} else {name}) "
            f"where {name} = {self.optional(kind, inner)})"
        )

    def looked_up(self, kind: Kind, scope: Scope) -> str:
        keys = self.pick([each for each in self.kinds if each.sort in ("enumeration", "order", "player")])
        inner = evolve(scope, depth=0)
        values = ", ".join(
            f"{key}: {self.one(kind, evolve(inner, is_constant=True, names=()))}" for key in keys.members
        )
        return f"{{{values}}}[{self.one(keys, inner)}]"

    def optional(self, kind: Kind, scope: Scope) -> str:
        options: list[Callable[[], str]] = [lambda: "none", lambda: self.one(kind, scope)]
        names = self.named(scope, kind, "optional") + self.calls(scope, kind, "optional")
        if names:
            options += [lambda: self.pick(names)] * 4
        if scope.depth > 0:
            inner = scope.deeper()
            options += [lambda: self.first(kind, inner)] * 2
            if kind.sort == "number":
                options += [lambda: f"{self.pick(('max', 'min'))}({self.set(kind, inner)})"] * 2
                options += [lambda: self.extreme(kind, inner)]
            if kind.sort == "cell" and self.board[0] == "grid":
                options += [lambda: f"({self.one(kind, inner)} + {self.pick(DIRECTIONS)})"] * 2
                options += [lambda: f"Cell({self.number(inner)}, {self.number(inner)})"]
            for holder in self.kinds:
                for name, part in holder.fields:
                    if part == kind:
                        for text in self.named(inner, holder, "optional"):
                            options.append(lambda text=text, name=name: f"{text}.{name}")  # type: ignore[misc]
        return self.pick(options)()

    def extreme(self, kind: Kind, scope: Scope) -> str:
        binder, name = self.binder(scope)
        return f"({self.pick(('max', 'min'))} {binder}: {self.number_in(kind, scope.with_names(name))})"

    def first(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("x"), kind)
        condition = self.condition(scope.with_names(name))
        return f"({self.pick(('first', 'last'))} {name.text} in {self.domain(kind, scope)}: {condition})"

    # ---------------------------------------------------------------- numbers

    def number_in(self, kind: Kind, scope: Scope) -> str:
        """A number of the range, most of the time."""
        names = self.named(scope, kind, "one") + self.calls(scope, kind, "one")
        choice = self.random.randrange(100)
        if names and choice < 40:
            return self.pick(names)
        if choice < 60 or scope.depth <= 0:
            return self.literal(self.random.randint(kind.low, kind.high))
        value = self.number(scope.deeper())
        if choice < 78:
            return f"max({kind.low}, min({kind.high}, {value}))"
        if choice < 96 or scope.is_constant:
            return f"({kind.low} + {value} % {kind.high - kind.low + 1})"
        return value

    def literal(self, value: int) -> str:
        return str(value) if value >= 0 else f"({value})"

    def number(self, scope: Scope) -> str:
        if scope.depth <= 0:
            numbers = [each for each in self.kinds if each.sort == "number"]
            names = [text for kind in numbers for text in self.named(scope, kind, "one")]
            return self.pick(names) if names and self.often(70) else self.literal(self.random.randint(-3, 4))
        inner = scope.deeper()
        options: list[Callable[[], str]] = [
            lambda: self.one(self.pick([kind for kind in self.kinds if kind.sort == "number"]), scope),
            lambda: f"({self.number(inner)} {self.pick('+-*')} {self.number(inner)})",
            lambda: f"({self.number(inner)} {self.pick(('//', '%'))} {self.divisor(inner)})",
            lambda: f"(-{self.number(inner)})",
            lambda: f"abs({self.number(inner)})",
            lambda: f"{self.pick(('max', 'min'))}({self.number(inner)}, {self.number(inner)})",
            lambda: f"size({self.set(self.pick(self.kinds), inner)})",
            lambda: self.counted(inner),
            lambda: f"(if {self.condition(inner)} then {self.number(inner)} else {self.number(inner)})",
            lambda: (
                "number("
                + self.one(
                    self.pick([kind for kind in self.kinds if kind.sort in ("player", "enumeration", "order")]), inner
                )
                + ")"
            ),
            lambda: self.where(inner),
        ]
        cell = next((kind for kind in self.kinds if kind.sort == "cell"), None)
        if cell is not None:
            if self.board[0] == "ring":
                options.append(lambda: f"steps({self.one(cell, inner)}, {self.one(cell, inner)})")
            if self.board[0] in ("grid", "hex"):
                options.append(lambda: f"{self.one(cell, inner)}.{self.pick('xy')}")
                options.append(lambda: f"distance({self.one(cell, inner)}, {self.one(cell, inner)})")
        return self.pick(options)()

    def where(self, scope: Scope) -> str:
        name = Name(self.new("w"), Kind("", "number"))
        return f"(({name.text} * {self.number(scope)} - {name.text}) where {name.text} = {self.number(scope)})"

    def divisor(self, scope: Scope) -> str:
        choice = self.random.randrange(10)
        if choice < 7:
            return self.literal(self.pick((-3, -2, 2, 3, 5)))
        return f"(abs({self.number(scope)}) + 1)" if choice < 9 else self.number(scope)

    def counted(self, scope: Scope) -> str:
        binder, name = self.binder(scope)
        inner = scope.with_names(name)
        if self.often(30):
            more, other = self.binder(inner)
            binder, inner = f"{binder}, {more}", inner.with_names(other)
        if self.often(50):
            return f"(count {binder}: {self.condition(inner)})"
        return f"(sum {binder}: {self.number(inner)})"

    def binder(self, scope: Scope) -> tuple[str, Name]:
        name = Name(self.new("x"), self.pick(self.kinds))
        return f"{name.text} in {self.domain(name.kind, scope)}", name

    def domain(self, kind: Kind, scope: Scope) -> str:
        """A set to run over: not one that the checker knows to be empty, nor one of tuples without a type."""
        if kind.sort == "record" or self.often(20):
            names = self.named(scope, kind, "set")
            return self.pick([*names, f"{kind.text}"])
        domain = self.set(kind, scope)
        return f"({domain} + {{{self.one(kind, scope)}}})" if " - " in domain or " * " in domain else domain

    def fraction(self, scope: Scope) -> str:
        choice = self.random.randrange(4)
        value = self.number(scope)
        return (value, f"{value} / 2", f"({value} + 1/3)", f"{value} * 3/4 - 0.1")[choice]

    # ---------------------------------------------------------------- conditions

    def condition(self, scope: Scope) -> str:
        names = self.named(scope, BOOL, "one") + self.calls(scope, BOOL, "one")
        if scope.depth <= 0:
            return self.pick([*names, "true", "false"]) if names else self.compared(scope)
        inner = scope.deeper()
        options: list[Callable[[], str]] = [
            lambda: self.compared(inner),
            lambda: self.compared(inner),
            lambda: self.equal(inner),
            lambda: self.equal(inner),
            lambda: (
                f"({self.optional(self.pick(self.kinds), evolve(inner, depth=max(inner.depth, 1)))} "
                f"is {self.pick(('', 'not '))}none)"
            ),
            lambda: self.membership(inner),
            lambda: f"(not {self.condition(inner)})",
            lambda: f"({self.condition(inner)} {self.pick(('and', 'or'))} {self.condition(inner)})",
            lambda: self.quantified(inner),
            lambda: self.quantified(inner),
            lambda: f"any({self.set(self.pick(self.kinds), inner)})",
            lambda: f"(if {self.condition(inner)} then {self.condition(inner)} else {self.condition(inner)})",
        ]
        if names:
            options += [lambda: self.pick(names)] * 2
        cell = next((kind for kind in self.kinds if kind.sort == "cell"), None)
        if cell is not None and self.board[0] != "ring":
            options.append(lambda: f"connected({self.set(cell, inner)})")
            options.append(
                lambda: f"connected({self.set(cell, inner)}, {self.set(cell, inner)}, {self.set(cell, inner)})"
            )
            options.append(lambda: self.some_line(cell, inner))
        return self.pick(options)()

    def some_line(self, cell: Kind, scope: Scope) -> str:
        line, name = self.new("l"), Name(self.new("x"), cell)
        quantifiers = self.pick((("some", "all"), ("all", "some"), ("no", "all"), ("count", "some")))
        condition = self.condition(scope.with_names(name))
        text = f"({quantifiers[0]} {line} in lines(Cell, 2): {quantifiers[1]} {name.text} in {line}: {condition})"
        return f"({text} > 1)" if quantifiers[0] == "count" else text

    def compared(self, scope: Scope) -> str:
        ordered = [kind for kind in self.kinds if kind.sort == "order"]
        operator = self.pick(("<", "<=", ">", ">=", "==", "!="))
        if ordered and self.often(20):
            return f"({self.one(ordered[0], scope)} {operator} {self.one(ordered[0], scope)})"
        left = self.number(scope) if self.often(85) else self.fraction(scope)
        return f"({left} {operator} {self.number(scope)})"

    def equal(self, scope: Scope) -> str:
        kind, operator = self.pick(self.kinds), self.pick(("==", "!="))
        choice = self.random.randrange(4)
        if choice == 0:
            return f"({self.set(kind, scope)} {operator} {self.set(kind, scope)})"
        names = [name for name in (*scope.names, *self.variables) if name.kind == kind and name.shape == "optional"]
        if choice < 3 and names and not scope.is_constant:
            return f"({self.entry(self.pick(names), scope)} {operator} {self.optional(kind, scope)})"
        return f"({self.one(kind, scope)} {operator} {self.one(kind, scope)})"

    def membership(self, scope: Scope) -> str:
        kind = self.pick(self.kinds)
        value = self.optional(kind, scope) if self.often(20) else self.one(kind, scope)
        if value == "none":
            value = self.one(kind, scope)
        return f"({value} {self.pick(('', 'not '))}in {self.set(kind, scope)})"

    def quantified(self, scope: Scope) -> str:
        binder, name = self.binder(scope)
        inner = scope.with_names(name)
        if self.often(30):
            more, other = self.binder(inner)
            binder, inner = f"{binder}, {more}", inner.with_names(other)
        return f"({self.pick(('some', 'all', 'no'))} {binder}: {self.condition(inner)})"

    # ---------------------------------------------------------------- sets

    def set(self, kind: Kind, scope: Scope) -> str:
        names = self.named(scope, kind, "set") + self.calls(scope, kind, "set")
        whole = f"({kind.text})" if kind.sort == "number" and kind.text[0] in "-0123456789" else kind.text
        if scope.depth <= 0:
            return self.pick([*names, whole, whole])
        inner = scope.deeper()
        options: list[Callable[[], str]] = [
            lambda: whole,
            lambda: f"{{{', '.join(self.one(kind, inner) for _ in range(self.random.randint(1, 3)))}}}",
            lambda: self.part(kind, inner),
            lambda: self.part(kind, inner),
            lambda: self.comprehension(kind, inner),
            lambda: f"({self.set(kind, inner)} {self.pick('+-*')} {self.set(kind, inner)})",
            lambda: f"({self.set(kind, inner)} - {{{self.one(kind, inner)}}})",
            lambda: f"(if {self.condition(inner)} then {self.set(kind, inner)} else {self.set(kind, inner)})",
            lambda: self.reached(kind, inner),
        ]
        if names:
            options += [lambda: self.pick(names)] * 4
        if kind.sort == "number":
            options.append(lambda: f"({self.number_in(kind, inner)}..{self.number_in(kind, inner)})")
        if kind.sort == "cell":
            options += [lambda: self.geometry(kind, inner)] * 4
        return self.pick(options)()

    def part(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("x"), kind)
        word = self.pick(("if", "if", "if", "while", "until"))
        return f"{{{name.text} in {self.domain(kind, scope)} {word} {self.condition(scope.with_names(name))}}}"

    def comprehension(self, kind: Kind, scope: Scope) -> str:
        binder, name = self.binder(scope)
        inner = scope.with_names(name)
        text = f"for {binder}"
        if self.often(30):
            text += f" {self.pick(('if', 'while', 'until'))} {self.condition(inner)}"
        if self.often(30):
            more, other = self.binder(inner)
            inner = inner.with_names(other)
            text += f" for {more}"
        if self.often(40):
            text += f" if {self.condition(inner)}"
        return f"{{{self.one(kind, inner)} {text}}}"

    def reached(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("g"), kind)
        return f"(reach {name.text} from {self.set(kind, scope)}: {self.set(kind, scope.with_names(name))})"

    def geometry(self, kind: Kind, scope: Scope) -> str:
        c = self.one(kind, scope)
        if self.board[0] != "grid":
            return f"neighbours({c})"
        return self.pick((
            f"neighbours({c})", f"neighbours({c}, {self.pick(('orthogonal', 'diagonal'))})",
            f"ray({c}, {self.pick(DIRECTIONS)})", f"leaps({c}, 1, {self.pick('12')})",
            f"between({c}, {self.one(kind, scope)})",
            f"{{t for d in directions(Cell) for t in ray({c}, d) "
            f"{self.pick(('while', 'until'))} {self.condition(scope.with_names(Name('t', kind)))}}}",
        ))  # fmt: skip

    # ---------------------------------------------------------------- statements

    def statements(self, scope: Scope, indent: str, budget: int) -> tuple[list[str], Scope]:
        """Some statements that go on to the next, and the scope behind them."""
        lines: list[str] = []
        for _ in range(self.random.randint(0, budget)):
            choice = self.random.randrange(100)
            if choice < 45:
                lines.append(indent + self.assignment(scope))
            elif choice < 55:
                kind = self.pick(self.kinds)
                name = Name(self.new("v"), kind, self.pick(("one", "optional", "set")))
                value = self.shaped(name, evolve(scope, depth=2))
                if value == "none" or "{" in value:
                    name = evolve(name, shape="one")
                    value = self.one(kind, evolve(scope, depth=2))
                if kind.sort != "number" and self.often(50):
                    lines.append(f"{indent}let {name.text} = {value}")
                    if not (kind.sort == "record" and value.startswith("(")):
                        scope = scope.with_names(name)
                    continue
                text = {"one": kind.text, "optional": f"{kind.text}?", "set": f"set of {kind.text}"}[name.shape]
                lines.append(f"{indent}var {name.text}: {text} = {value}")
                scope = scope.with_names(name)
            elif choice < 68:
                lines.append(f"{indent}if {self.condition(evolve(scope, depth=2))}:")
                lines += self.block(scope, indent, budget - 1)
                if self.often(40):
                    lines.append(f"{indent}else:")
                    lines += self.block(scope, indent, budget - 1)
            elif choice < 80:
                binder, name = self.binder(evolve(scope, depth=1))
                guard = f" if {self.condition(evolve(scope, depth=1).with_names(name))}" if self.often(40) else ""
                lines.append(f"{indent}for {binder}{guard}:")
                lines += self.block(scope.with_names(name), indent, budget - 1)
            elif choice < 86:
                lines += self.match(scope, indent, budget)
            elif choice < 90:
                lines.append(f"{indent}earn {self.pick(self.players)}: {self.fraction(evolve(scope, depth=1))}")
            elif choice < 94:
                kind = self.pick(self.kinds)
                told = self.one(kind, evolve(scope, depth=1))
                label = f"heard{self.kinds.index(kind)}" if self.often(90) else "heard"
                if not told.startswith("("):
                    lines.append(f"{indent}tell {self.pick((*self.players, 'Player'))} that {label}({told})")
            elif self.actions:
                action = self.pick(self.actions)
                lines.append(f"{indent}{self.call(action, evolve(scope, depth=1))}")
        return lines, scope

    def block(self, scope: Scope, indent: str, budget: int) -> list[str]:
        inner = indent + "    "
        lines, scope = self.statements(scope, inner, budget)
        return [*lines, inner + self.assignment(scope)]

    def match(self, scope: Scope, indent: str, budget: int) -> list[str]:
        kind = self.pick(
            [kind for kind in self.kinds if kind.sort in ("number", "enumeration", "order", "player", "bool")]
        )
        inner = indent + "    "
        lines = [f"{indent}match {self.one(kind, evolve(scope, depth=1))}:"]
        if kind.sort == "number":
            middle = (kind.low + kind.high) // 2
            patterns = [f"{kind.low}..{middle}"]
        else:
            patterns = list(kind.members[:-1])
        for pattern in [*patterns, "else"]:
            lines += [f"{inner}{pattern}:", *self.block(scope, inner, max(0, budget - 2))]
        return lines

    def assignment(self, scope: Scope) -> str:
        scope = evolve(scope, depth=2)
        target = self.pick([name for name in self.variables if name.text != "clock"])
        if target.shape == "set" and self.often(60):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.set(target.kind, scope)}"
        if target.shape != "set" and target.kind.sort == "record" and self.often(30):
            name, part = self.pick(target.kind.fields)
            return f"{self.entry(target, scope)}.{name} := {self.one(part, scope)}"
        if target.kind.sort == "number" and target.shape == "one" and self.often(15):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.number(scope)}"
        if target.indices and self.often(10):
            return f"{target.text} := {self.shaped(target, evolve(scope, depth=1))}"
        return f"{self.entry(target, scope)} := {self.shaped(target, scope)}"

    def leave(self, scope: Scope) -> str:
        """How a path through the effects ends."""
        scope = evolve(scope, depth=2)
        if self.often(82):
            return self.go(self.pick(self.phases), scope)
        return self.end(scope)

    def go(self, phase: Function, scope: Scope) -> str:
        return f"go {self.call(phase, scope)}"

    def end(self, scope: Scope) -> str:
        choice = self.random.randrange(5)
        if choice == 0 and len(self.players) > 1:
            return f"end win {self.one(self.kinds[0], scope)}"
        if choice == 1:
            return "end draw"
        if choice == 2 and len(self.players) > 1:
            return f"end payoff ({', '.join(self.fraction(scope) for _ in self.players)})"
        if choice == 3:
            return f"end payoff {{{', '.join(f'{player}: {self.fraction(scope)}' for player in self.players)}}}"
        name = Name(self.new("q"), self.kinds[0])
        return f"end payoff {{{name.text}: {self.fraction(scope.with_names(name))} for {name.text} in Player}}"

    def effects(self, scope: Scope, indent: str) -> list[str]:
        """The body of a move or outcome."""
        inner = indent + "    "
        lines = [inner + "clock += 1"]
        more, scope = self.statements(scope, inner, 3)
        lines += more
        if self.often(25):
            lines.append(f"{inner}if {self.condition(evolve(scope, depth=2))}:")
            lines.append(f"{inner}    {self.leave(scope)}")
        return [*lines, inner + self.leave(scope)]

    # ---------------------------------------------------------------- phases

    def formals(self, stem: str, most: int) -> tuple[Name, ...]:
        kinds = [self.pick(self.kinds) for _ in range(self.random.randint(0, most))]
        return tuple(Name(self.new(stem), kind) for kind in kinds)

    def move_formals(self, scope: Scope, most: int, can_hide: bool = True) -> tuple[str, Scope]:
        texts = []
        for _ in range(self.random.randint(0, most)):
            binder, name = self.binder(evolve(scope, depth=2))
            secret = "secret " if can_hide and self.often(10) else ""
            texts.append(secret + binder)
            scope = scope.with_names(name)
        return (f"({', '.join(texts)})" if texts else ""), scope

    def phase(self, function: Function) -> list[str]:
        written = ", ".join(f"{'secret ' if self.often(10) else ''}{f.text}: {f.kind.text}" for f in function.formals)
        scope = Scope(function.formals)
        lines = [f"phase {function.name}{f'({written})' if written else ''}:"]
        lines.append(f"    if clock >= 5: {self.end(evolve(scope, depth=1))}")
        if self.often(20):
            board = [name for name in self.variables if name.text != "clock"]
            call = self.pick(
                (f"repeated({self.pick(board).text})", f"repetitions({self.pick(board).text}) > 1", "stuck")
            )
            lines.append(f"    if {call}: {self.end(evolve(scope, depth=1))}")
        more, scope = self.statements(scope, "    ", 2)
        lines += more
        choice = self.random.randrange(100)
        decide = self.chance if choice < 25 else self.together if choice < 45 else self.turn
        lines += decide(scope)
        if self.often(70):
            lines += ["    otherwise:", f"        {self.end(evolve(scope, depth=1))}"]
        return [*lines, ""]

    def turn(self, scope: Scope) -> list[str]:
        inner = evolve(scope, depth=1)
        preferring = f" preferring ({self.number(inner)}, {self.number(inner)})" if self.often(8) else ""
        if preferring and self.often(40):
            preferring = f" preferring {self.number(inner)}"
        lines = [f"    turn {self.one(self.kinds[0], inner)}{preferring}:"]
        for _ in range(self.random.randint(1, 3)):
            written, names = self.move_formals(scope, 2)
            line = f"        move {self.new('m')}{written}"
            if self.often(10):
                line += " secret"
            if self.often(60):
                line += f" if {self.condition(evolve(names, depth=3))}"
            if self.often(15):
                board = self.pick([name for name in self.variables if name.text != "clock"])
                after = self.condition(evolve(names, depth=2)) if self.often(80) else f"not repeated({board.text})"
                line += f" ensuring {after}"
            lines += [line + ":", *self.effects(names, "        ")]
        return lines

    def chance(self, scope: Scope) -> list[str]:
        lines = ["    chance:"]
        choice = self.random.randrange(3)
        inner = evolve(scope, depth=1)
        if choice == 0:
            prob = f"((clock + abs({self.number(inner)})) % 4) / 3"
            lines += [f"        outcome {self.new('o')} prob {prob}:", *self.effects(scope, "        ")]
            return [*lines, f"        outcome {self.new('o')} prob 1 - {prob}:", *self.effects(scope, "        ")]
        for _ in range(self.random.randint(1, 2)):
            written, names = self.move_formals(scope, 2, can_hide=False)
            line = f"        outcome {self.new('o')}{written}"
            if self.often(40):
                line += f" if {self.condition(evolve(names, depth=2))}"
            if choice == 1:
                weight = f"abs({self.number(evolve(names, depth=1))})"
                line += f" weight {self.pick((weight, f'{weight} / 3 + 1/2', f'{weight} + 1'))}"
            lines += [line + ":", *self.effects(names, "        ")]
        return lines

    def together(self, scope: Scope) -> list[str]:
        player = Name(self.new("p"), self.kinds[0])
        lines = [f"    together {player.text} in {self.set(self.kinds[0], evolve(scope, depth=1))}:"]
        shown = []
        for _ in range(self.random.randint(1, 2)):
            name, kind, argument = self.new("m"), self.pick(self.kinds), self.new("t")
            inner = scope.with_names(player)
            secret = " secret" if self.often(15) else ""
            if self.often(70):
                whole = self.domain(kind, evolve(inner, depth=1))
                guard = ""
                if self.often(40):
                    guard = f" if {self.condition(evolve(inner.with_names(Name(argument, kind)), depth=2))}"
                lines.append(f"        move {name}({argument} in {whole}){secret}{guard}")
                shown.append(Name(f"{name}[{{}}].{argument}", kind, "optional"))
            else:
                guard = f" if {self.condition(evolve(inner, depth=2))}" if self.often(50) else ""
                lines.append(f"        move {name}{secret}{guard}")
                shown.append(Name(f"{name}[{{}}]", BOOL))
        lines.append("    then:")
        who = self.pick(self.players)
        names = [evolve(name, text=name.text.format(who)) for name in shown]
        return [*lines, *self.effects(scope.with_names(*names), "    ")]

    # ---------------------------------------------------------------- the game

    def game(self) -> str:
        lines = ['game "Random"', ""]
        self.players.extend(self.pick((("A", "B"), ("A", "B"), ("A", "B", "C"), ("A",))))
        lines.append(f"players {', '.join(self.players)}")
        self.kinds.append(Kind("Player", "player", tuple(self.players)))
        self.kinds.append(self.pick((_number(0, 3), _number(-2, 2), _number(-5, -1), _number(1, 6))))
        if self.often(50):
            self.kinds.append(BOOL)
        lines += self.types()
        lines.append("")
        lines += self.declarations()
        for _ in range(self.random.randint(1, 3)):
            self.phases.append(Function(self.new("phase"), self.formals("a", 2)))
        for _ in range(self.random.randint(0, 3)):
            lines += self.define()
        for _ in range(self.random.randint(0, 2)):
            action = Function(self.new("act"), self.formals("a", 2))
            written = ", ".join(f"{f.text}: {f.kind.text}" for f in action.formals)
            lines.append(f"action {action.name}{f'({written})' if written else ''}:")
            lines += self.block(Scope(action.formals), "", 2)
            self.actions.append(action)
        if self.often(40):
            constants = Scope(depth=1)
            lines += ["", "setup:", *(f"    {self.assignment(constants)}" for _ in range(2))]
        lines += ["", f"start at {self.call(self.phases[0], Scope(depth=1, is_constant=True))}", ""]
        for phase in self.phases:
            lines += self.phase(phase)
        if self.often(3):
            lines.append("discount 9/10")
        return "\n".join(lines) + "\n"

    def types(self) -> list[str]:
        lines = []
        if self.often(70):
            self.kinds.append(Kind("Colour", "enumeration", ("red", "green", "blue")))
            lines.append("type Colour = red | green | blue")
        if self.often(70) or len(self.kinds) == 2:
            self.kinds.append(Kind("Rank", "order", ("J", "Q", "K")))
            lines.append("type Rank = J < Q < K")
        if self.often(25):
            self.kinds.append(Kind("Few", "number", (), 0, 6))
            lines.append("type Few = 0..6")
        if self.often(70):
            lines.append(f"type Cell = {self.make_board()}")
        if self.often(50):
            parts = [self.pick(self.kinds) for _ in range(2)]
            self.kinds.append(Kind("Piece", "record", fields=(("f", parts[0]), ("g", parts[1]))))
            lines.append(f"type Piece = (f: {parts[0].text}, g: {parts[1].text})")
        return lines

    def make_board(self) -> str:
        board = self.pick(("grid", "grid", "hex", "ring", "graph"))
        self.board.append(board)
        if board == "ring":
            size = self.random.randint(3, 7)
            members = tuple(f"Cell({k})" for k in range(size))
            text = f"ring({size})"
        elif board == "graph":
            members = ("n1", "n2", "n3", "n4", "n5")
            text = self.pick(("graph(n1 - n2 - n3 - n1, n3 - n4 - n5)", "graph(n1 - n2 - n3 - n4 - n5, n1 - n5)"))
        else:
            w, h = self.pick(((2, 2), (3, 3), (3, 2), (4, 2), (9, 9)) if self.often(8) else ((2, 2), (3, 2), (2, 3)))
            members = tuple(f"{'abcdefghi'[x]}{y + 1}" for y in range(min(h, 3)) for x in range(min(w, 3)))
            text = f"{board}({w}, {h})"
        self.kinds.append(Kind("Cell", "cell", members))
        return text

    def declarations(self) -> list[str]:
        lines = ["var clock: 0..9 = 0"]
        for _ in range(self.random.randint(2, 5)):
            shape = self.pick(("one", "one", "optional", "set"))
            kinds = [kind for kind in self.kinds if shape != "set" or kind.sort != "record" or self.often(30)]
            kind = self.pick(kinds)
            indices = tuple(self.pick(self.kinds) for _ in range(self.pick((0, 0, 1, 1, 2))))
            indices = tuple(each for each in indices if each.sort != "record")
            variable = Name(self.new("s"), kind, shape, indices)
            text = {"one": kind.text, "optional": f"{kind.text}?", "set": f"set of {kind.text}"}[shape]
            value = self.shaped(variable, Scope(depth=1 if self.often(30) else 0, is_constant=True))
            first = "" if shape == "one" and self.often(12) else f" = {value}"
            seen = self.pick(("", "", "", "  hidden", f"  seen by {self.pick(self.players)}"))
            if self.often(8):
                everybody, one = self.pick(("Player", "none")), self.pick(self.players)
                other = f"{{{one}}}" if everybody == "Player" else one
                seen = f"  seen by if clock >= {self.random.randint(1, 3)} then {everybody} else {other}"
            if indices and indices[0].sort == "player" and self.often(50):
                seen = "  private"
            index = f"[{', '.join(each.text for each in indices)}]" if indices else ""
            lines.append(f"var {variable.text}{index}: {text}{first}{seen}")
            self.variables.append(variable)
        return [*lines, ""]

    def define(self) -> list[str]:
        shape = self.pick(("one", "optional", "set"))
        result = Name(self.new("d"), self.pick(self.kinds), shape)
        formals = self.formals("a", 2)
        written = ", ".join(f"{f.text}: {f.kind.text}" for f in formals)
        value = self.shaped(result, Scope(formals))
        if value == "none":
            value = self.optional(result.kind, Scope(formals, depth=2))
        if value == "none" or (result.kind.sort == "record" and shape != "set"):
            return []
        if result.kind.sort == "number" and shape == "one":
            value = f"max({result.kind.low}, min({result.kind.high}, {value}))"
        self.defines.append(Function(result.text, formals, result))
        return [f"define {result.text}{f'({written})' if written else ''} = {value}", ""]


def write_game(random: Random) -> str:
    """A small random game; most of them pass the checker, and no play of them is long."""
    return Writer(random).game()


@pytest.fixture(scope="session")
def random_game() -> Callable[[Random], str]:
    """Writes a random game; the same for the same numbers."""
    return write_game
