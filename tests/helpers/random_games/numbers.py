"""Numbers, domains to count over, and fractions."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen
from random_games.draft import Draft
from random_games.vocabulary import MEMBERS, Kind, Name, Scope


@frozen
class Numbers(Draft):
    """Numbers, domains to count over, and fractions."""

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
        if choice < 96 or scope.is_constant or not names:
            return f"({kind.low} + {value} % {kind.high - kind.low + 1})"
        return f"({self.pick(names)} {self.pick('+-')} {self.random.randint(0, 2)})"

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
            lambda: f"number({self.one(self.pick([kind for kind in self.kinds if kind.sort in MEMBERS]), inner)})",
            lambda: self.where(inner),
            lambda: self.whole(inner),
        ]
        cell = next((kind for kind in self.kinds if kind.sort == "cell"), None)
        if cell is not None:
            if self.board[0] == "ring":
                options.append(lambda: f"steps({self.one(cell, inner)}, {self.one(cell, inner)})")
            if self.board[0] in ("grid", "hex"):
                options.append(lambda: f"{self.one(cell, inner)}.{self.pick('xy')}")
                options.append(lambda: f"distance({self.one(cell, inner)}, {self.one(cell, inner)})")
        return self.pick(options)()

    def whole(self, scope: Scope) -> str:
        """A whole number made of a number in steps."""
        steps = [kind for kind in self.kinds if kind.sort == "steps"]
        if not steps:
            return self.number(scope)
        value = self.one(self.pick(steps), scope)
        return self.pick((f"(2 * {value} // 1)", f"({value} // 1)", f"({value} * 2 % 3 // 1)"))

    def where(self, scope: Scope) -> str:
        name = Name(self.new("w"), Kind("", "number"))
        return f"(({name.text} * {self.number(scope)} - {name.text}) where {name.text} = {self.number(scope)})"

    def divisor(self, scope: Scope) -> str:
        choice = self.random.randrange(10)
        if choice < 7:
            return self.literal(self.pick((-3, -2, 2, 3, 5)))
        value = self.number(scope)
        return value if choice == 9 and not self.is_certain(value, scope) else f"(abs({value}) + 1)"

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
        """A domain: not one that the checker knows to be empty, nor one of tuples without a type."""
        if kind.sort == "record" or self.often(20):
            names = self.named(scope, kind, "set")
            return self.pick([*names, f"{kind.text}"])
        domain = self.set(kind, scope)
        if domain != kind.text and (self.is_certain(domain, scope) or self.often(60)):
            return f"({domain} + {{{self.one(kind, evolve(scope, depth=0))}}})"
        return domain

    def fraction(self, scope: Scope) -> str:
        choice = self.random.randrange(6)
        steps = [kind for kind in self.kinds if kind.sort == "steps"]
        value = self.one(self.pick(steps), scope) if steps and self.often(50) else self.number(scope)
        if choice == 5:
            return f"({value} / {self.divisor(scope.deeper())})"
        return (value, value, f"{value} / 2", f"({value} + 1/3)", f"{value} * 3/4 - 0.1")[choice]
