"""Sets of sets: subsets, sets that are made of others, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen
from random_games.draft import Draft
from random_games.vocabulary import Kind, Name, Scope


@frozen
class SetsOfSets(Draft):
    """Sets of sets: subsets, sets that are made of others, and what is asked of them."""

    def groups(self, kind: Kind, scope: Scope) -> str:
        """A set of sets of values of the type."""
        literal = f"{{{', '.join(self.set(kind, scope.deeper()) for _ in range(self.random.randint(1, 3)))}}}"
        if scope.depth <= 0:
            return literal
        inner = scope.deeper()
        options: list[Callable[[], str]] = [
            lambda: literal,
            lambda: self.gathered(kind, inner),
            lambda: self.gathered(kind, inner),
            lambda: self.some_groups(kind, inner),
            lambda: f"({self.gathered(kind, inner)} {self.pick('+-*')} {self.groups(kind, inner)})",
            lambda: f"(if {self.condition(inner)} then {self.groups(kind, inner)} else {self.groups(kind, inner)})",
            lambda: self.reached_groups(kind, inner),
        ]
        if kind.sort != "cell":
            options += [lambda: f"subsets({self.set(kind, inner)}, {self.random.randint(0, 2)})"] * 2
        return self.pick(options)()

    def gathered(self, kind: Kind, scope: Scope) -> str:
        binder, name = self.binder(scope)
        inner = scope.with_names(name)
        test = f" if {self.condition(inner)}" if self.often(30) else ""
        return f"{{({self.set(kind, inner)}) for {binder}{test}}}"

    def some_groups(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("h"), kind, "set")
        word = self.pick(("if", "if", "while", "until"))
        return f"{{{name.text} in {self.groups(kind, scope)} {word} {self.condition(scope.with_names(name))}}}"

    def reached_groups(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("h"), kind, "set")
        step = self.pick(
            (
                f"{{{name.text} * {self.set(kind, scope)}}}",
                f"{{{name.text} - {{{self.one(kind, scope)}}}, {name.text} + {{{self.one(kind, scope)}}}}}",
            )
        )
        return f"(reach {name.text} from {self.groups(kind, scope)}: {step})"

    def one_group(self, kind: Kind, scope: Scope) -> str:
        """A set chosen from a set of sets, or none."""
        name = Name(self.new("h"), kind, "set")
        condition = self.condition(scope.with_names(name))
        return f"({self.pick(('first', 'last'))} {name.text} in {self.groups(kind, scope)}: {condition})"

    def optional_set(self, kind: Kind, scope: Scope) -> str:
        names = self.named(scope, kind, "optional set")
        if scope.depth <= 0:
            return self.pick(["none", *names])
        inner = scope.deeper()
        options: list[Callable[[], str]] = [lambda: self.set(kind, inner), lambda: self.one_group(kind, inner)]
        if names:
            options += [lambda: self.pick(names)] * 3
        return self.pick(options)()

    def asked_of_groups(self, scope: Scope) -> str:
        """A condition on sets of sets."""
        kind = self.pick([kind for kind in self.kinds if kind.sort != "record"])
        name = Name(self.new("h"), kind, "set")
        options: list[Callable[[], str]] = [
            lambda: (
                f"({self.pick(('some', 'all', 'no'))} {name.text} in {self.groups(kind, scope)}: "
                f"{self.condition(scope.with_names(name))})"
            ),
            lambda: f"({self.set(kind, scope)} {self.pick(('', 'not '))}in {self.groups(kind, scope)})",
            lambda: f"({self.groups(kind, scope)} {self.pick(('==', '!='))} {self.groups(kind, scope)})",
            lambda: f"(size({self.groups(kind, scope)}) > {self.pick('012')})",
            lambda: f"any({self.groups(kind, scope)})",
            lambda: f"({self.optional_set(kind, scope)} {self.pick(('is ', 'is not ', '== ', '!= '))}none)",
            lambda: f"({self.optional_set(kind, scope)} {self.pick(('==', '!='))} {self.optional_set(kind, scope)})",
            lambda: f"({self.optional_set(kind, scope)} in {self.groups(kind, scope)})",
            lambda: (
                f"({name.text} is not none and {self.one(kind, scope)} in {name.text} "
                f"where {name.text} = {self.one_group(kind, scope)})"
            ),
        ]
        return self.pick(options)()
