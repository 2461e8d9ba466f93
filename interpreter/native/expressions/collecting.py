"""Sets and lists that generated code collects, one member at a time."""

from __future__ import annotations

from attrs import frozen

from zermelo.interpreter.native.coding.encoding import plus
from zermelo.interpreter.native.dialect.text import Body, Text


@frozen
class GrowingSet:
    """A set of codes from ``low`` on: the names of its mask, which is empty at first, and of the number 1 as bits."""

    mask: str
    one: str
    low: int

    def add(self, body: Body, code: str) -> None:
        """Add the value with this code."""
        body.line(f"{self.mask} = {self.mask} | ({self.one} << {plus(code, -self.low)})")


def growing_set(text: Text, body: Body, stem: str, low: int) -> GrowingSet:
    """An empty set, which begins here."""
    return GrowingSet(text.let(body, stem, 0, "bits"), text.let(body, "one", 1, "bits"), low)


@frozen
class GrowingList:
    """The entries of some arrays up to ``count``, the name of a number that is 0 at first."""

    count: str
    arrays: tuple[str, ...]

    def append(self, body: Body, *entries: str) -> None:
        """Append an entry of each array."""
        for array, entry in zip(self.arrays, entries, strict=True):
            body.line(f"{array}[{self.count}] = {entry}")
        body.line(f"{self.count} += 1")


def growing_list(text: Text, body: Body, *arrays: str) -> GrowingList:
    """An empty list in some arrays, which begins here."""
    return GrowingList(text.let(body, "n", 0), arrays)
