"""The draft of a random game: its declarations so far, and random choices."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from attrs import evolve, field, frozen
from random_games.vocabulary import Function, Kind, Name, Scope, Shape

T = TypeVar("T")


@frozen
class Draft:
    """The draft of a game; the other modules write its parts."""

    random: Random
    kinds: list[Kind] = field(factory=list)
    variables: list[Name] = field(factory=list)
    defines: list[Function] = field(factory=list)
    actions: list[Function] = field(factory=list)
    count: list[int] = field(factory=lambda: [0])
    board: list[str] = field(factory=list)
    """The declaration of the board ``Cell``; with ``Road`` after it if its edges are a type, with the variable
    ``taken``."""
    players: list[str] = field(factory=list)
    phases: list[Function] = field(factory=list)
    names: list[str] = field(factory=list)
    """Names for new declarations, taken from the end; generated when there are none left."""

    def new(self, stem: str) -> str:
        if self.names:
            return self.names.pop()
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
        wanted = (kind, shape)
        found = [each for each in self.defines if each.result and (each.result.kind, each.result.shape) == wanted]
        return [self.call(self.pick(found), scope.deeper())] if found else []

    def call(self, function: Function, scope: Scope) -> str:
        if not function.formals:
            return function.name
        return f"{function.name}({', '.join(self.shaped(formal, scope) for formal in function.formals)})"

    def formals(self, stem: str, most: int, shapes: Sequence[Shape] = ("one",)) -> tuple[Name, ...]:
        """Formal parameters of an action, define or phase."""
        names = [
            Name(self.new(stem), self.pick(self.kinds), self.pick(shapes)) for _ in range(self.random.randint(0, most))
        ]
        return tuple(evolve(name, shape="one") if name.kind.sort == "record" else name for name in names)

    def is_certain(self, text: str, scope: Scope) -> bool:
        """Whether the text uses only constants, so that the checker may know its value."""
        names = (*scope.names, *self.variables, *self.defines)
        changing = {name.text if isinstance(name, Name) else name.name for name in names}
        return changing.isdisjoint(re.findall(r"\w+", text))

    def shaped(self, name: Name, scope: Scope) -> str:
        make = {"one": self.one, "optional": self.optional, "set": self.set, "optional set": self.optional_set}
        return make[name.shape](name.kind, scope)

    # Implemented by the other modules: expressions of a type.

    @abstractmethod
    def one(self, kind: Kind, scope: Scope) -> str:
        """A value of the type, never none."""

    @abstractmethod
    def optional(self, kind: Kind, scope: Scope) -> str:
        """A value of the type, or none."""

    @abstractmethod
    def set(self, kind: Kind, scope: Scope) -> str:
        """A set of values of the type."""

    @abstractmethod
    def optional_set(self, kind: Kind, scope: Scope) -> str:
        """A set of values of the type, or none."""

    @abstractmethod
    def groups(self, kind: Kind, scope: Scope) -> str:
        """A set of sets of values of the type."""

    @abstractmethod
    def asked_of_groups(self, scope: Scope) -> str:
        """A condition on sets of sets."""

    @abstractmethod
    def condition(self, scope: Scope) -> str:
        """True or false."""

    @abstractmethod
    def number(self, scope: Scope) -> str:
        """A number, of any size."""

    @abstractmethod
    def number_in(self, kind: Kind, scope: Scope) -> str:
        """A number of the range, most of the time."""

    @abstractmethod
    def fraction(self, scope: Scope) -> str:
        """A number that need not be whole."""

    @abstractmethod
    def binder(self, scope: Scope) -> tuple[str, Name]:
        """``x in S`` for a new name, and the name."""

    @abstractmethod
    def domain(self, kind: Kind, scope: Scope) -> str:
        """A domain: not one that the checker knows to be empty, nor one of tuples without a type."""
