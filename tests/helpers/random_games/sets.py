"""Sets: literals, parts, comprehensions, closures and the geometry of boards."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen
from random_games.draft import Draft
from random_games.vocabulary import DIRECTIONS, Kind, Name, Scope


@frozen
class Sets(Draft):
    """Sets: literals, parts, comprehensions, closures and the geometry of boards."""

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
        if kind.sort == "number":
            options.append(lambda: f"({self.set(kind, inner)} + {{{self.number(inner)}}})")
        if kind.text == "Half":
            options.append(lambda: self.pick(("(1/2..2)", "(0..3/2)", f"(1/2..max(1, {self.one(kind, inner)}))")))
        if names:
            options += [lambda: self.pick(names)] * 4
        if kind.sort == "number":
            options.append(lambda: self.range(kind, inner))
        if kind.sort == "cell":
            options += [lambda: self.geometry(kind, inner)] * 4
        return self.pick(options)()

    def range(self, kind: Kind, scope: Scope) -> str:
        """A range, not one that the checker knows to be empty."""
        low, high = self.number_in(kind, scope), self.number_in(kind, scope)
        may_be_known = self.is_certain(low + high, scope) or "if" in low + high
        return f"({low}..{f'max({low}, {high})' if may_be_known else high})"

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
        return f"(reach {name.text} from {self.domain(kind, scope)}: {self.set(kind, scope.with_names(name))})"

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
