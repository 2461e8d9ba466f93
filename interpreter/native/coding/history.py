"""The history of the play, for rules that look at it.

Whenever a phase with a decision is entered, an *entry* is written behind the others into the context ``C``: the phase
with its arguments, then for each place in the rules that looks at the history the values of its variables, packed. The
state holds how many entries belong to its play, so that a search which goes back along its path overwrites those of the
branch it leaves.

A digest of every group of values stands apart, so that most entries are passed over at a glance. Where it agrees the
values themselves are compared. The text that does so is written by
:mod:`zermelo.interpreter.native.rules.history_writing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import reduce
from typing import Final

from attrs import define, field

from zermelo.interpreter import model
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.dialect.words import mix

FIRST: Final = 1
"""Where the entries begin in the context."""

MOST_ENTRIES: Final = 4096
"""How many decisions a play can have."""


@define(eq=False)
class History:
    """Where the parts of an entry stand: ``parts`` has for each group of variables its first word and how many."""

    layout: StateLayout
    parts: dict[tuple[Variable, ...], tuple[int, int]] = field(factory=dict)
    words: int = 0
    head: int = 0

    @property
    def context(self) -> int:
        """How long a context is."""
        return FIRST + MOST_ENTRIES * (self.words + len(self.parts))

    def digests(self, variables: tuple[Variable, ...]) -> int:
        """Where the digests of a group of variables begin in the context."""
        return FIRST + MOST_ENTRIES * (self.words + list(self.parts).index(variables))

    def digested(self, entries: list[tuple[int, ...]]) -> list[tuple[int, list[int]]]:
        """What stands in the context beside entries: from where on, and the digests."""
        return [
            (self.digests(group), [reduce(mix, entry[first : first + count], 0) for entry in entries])
            for group, (first, count) in self.parts.items()
        ]

    def context_of(self, packed: bytes) -> list[tuple[int, list[int]]]:
        """What stands in the context for a history that is kept with its state: from where on, and the words."""
        if not packed:
            return []
        words = [int.from_bytes(packed[k : k + 8], "little") for k in range(0, len(packed), 8)]
        entries = self.entries([0] * FIRST + words, len(words) // self.words)
        return [(FIRST, words), *self.digested(entries)]

    def entries(self, context: list[int], count: int) -> list[tuple[int, ...]]:
        """The entries of a play."""
        return [tuple(context[FIRST + k * self.words : FIRST + (k + 1) * self.words]) for k in range(count)]

    def always_grows(self, game: Model) -> bool:
        """Whether what :meth:`future` gives is another after every decision, so that no position comes back. It is
        where repetitions are counted; what was there at all may have grown to its full size."""
        return any(isinstance(place, model.Repetitions) for place in game.history)

    def future(self, game: Model, entries: list[tuple[int, ...]]) -> Hashable:
        """What the rest of a play can tell of its history."""
        found: list[Hashable] = []
        for place in game.history:
            first, count = self.parts[place.variables]
            values = [entry[first : first + count] for entry in entries]
            if isinstance(place, model.Repeated):
                found.append((values[-1], frozenset(values[:-1])))
            else:
                heads = [entry[: self.head] for entry in entries]
                found.append(frozenset(Counter(zip(heads, values, strict=True)).items()))
        return tuple(found)
