"""The vocabulary of a random game: its types, names and functions, and scopes."""

from __future__ import annotations

from typing import Literal

from attrs import evolve, frozen

Sort = Literal["number", "steps", "bool", "enumeration", "order", "player", "cell", "record", "direction"]
MEMBERS = ("player", "enumeration", "order")
"""The sorts of types whose members have numbers."""

Shape = Literal["one", "optional", "set", "optional set"]


@frozen
class Kind:
    """A type: its text, its members (or some of them), and their operations."""

    text: str
    sort: Sort
    members: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    fields: tuple[tuple[str, Kind], ...] = ()


@frozen
class Name:
    """A name in scope; ``shape`` distinguishes sets, optional and plain values."""

    text: str
    kind: Kind
    shape: Shape = "one"
    indices: tuple[Kind, ...] = ()
    is_local: bool = False
    """Whether it is a ``var`` of a body, which may be assigned."""

    @property
    def type(self) -> str:
        """The text of its type."""
        words = {"one": "{}", "optional": "{}?", "set": "set of {}", "optional set": "set of {}?"}
        return words[self.shape].format(self.kind.text)


@frozen
class Function:
    """A define or an action."""

    name: str
    formals: tuple[Name, ...]
    result: Name | None = None


@frozen
class Scope:
    """The names that an expression may use, and its depth budget. ``is_constant`` excludes variables."""

    names: tuple[Name, ...] = ()
    depth: int = 3
    is_constant: bool = False

    def deeper(self) -> Scope:
        return evolve(self, depth=self.depth - 1)

    def with_names(self, *names: Name) -> Scope:
        return evolve(self, names=self.names + names)


def number_type(low: int, high: int) -> Kind:
    return Kind(f"{low}..{high}", "number", (), low, high)


COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
WAY = Kind("Direction", "direction", COMPASS)
BOOL = Kind("Bool", "bool", ("false", "true"))
DIRECTIONS = ("north", "east", "south", "west", "northeast", "Direction.southwest", "(north + west)", "(-north)")
