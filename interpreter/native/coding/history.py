"""The history of a play, for rules that use it.

Entering a phase with a decision appends an *entry* to the context ``C``: the phase with its arguments, then, for each
expression that uses the history, the packed values of its variables. The state holds the number of entries of its play,
so a search that backtracks overwrites those of the branch it leaves.

Digests of the groups of values stand apart. Values are compared only where their digests agree. At the end of the
context there is what the rules have looked for (:mod:`zermelo.interpreter.native.algorithms.reading`). The code for
this is written by :mod:`zermelo.interpreter.native.rules.history_writing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import lru_cache, reduce
from typing import Final

from attrs import define, field

from zermelo.interpreter import model
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.dialect.words import mix

FIRST: Final = 1
"""The offset of the entries in the context."""

MOST_ENTRIES: Final = 4096
"""The most decisions of a play."""


@define(eq=False, repr=False)
class History:
    """The layout of entries: ``parts`` gives the first word and the number of words of each group of variables."""

    layout: StateLayout
    parts: dict[tuple[Variable, ...], tuple[int, int]] = field(factory=dict)
    words: int = 0
    head: int = 0

    @property
    def context(self) -> int:
        """The length of a context."""
        return self.reads + 2 * self.words

    @property
    def reads(self) -> int:
        """The offset of what the rules have looked for in the context."""
        return FIRST + MOST_ENTRIES * (self.words + len(self.parts))

    @property
    def past(self) -> int:
        """The words for what the rules have looked for, and two for kernels; 0 where they do not look at the past."""
        return 2 * self.words + 2 if self.parts else 0

    def digests(self, variables: tuple[Variable, ...]) -> int:
        """The offset of the digests of a group of variables in the context."""
        return FIRST + MOST_ENTRIES * (self.words + list(self.parts).index(variables))

    def digested(self, entries: list[tuple[int, ...]]) -> list[tuple[int, list[int]]]:
        """The columns of digests in the context, with their offsets."""
        return [
            (self.digests(group), [_digest(entry[first : first + count]) for entry in entries])
            for group, (first, count) in self.parts.items()
        ]

    def context_of(self, packed: bytes) -> list[tuple[int, list[int]]]:
        """The parts of the context, as offsets and words, for a history that is packed with its state."""
        if not packed:
            return []
        return [(FIRST, memoryview(packed).cast("Q").tolist()), *self.digested(self.entries(packed))]

    def entries(self, packed: bytes) -> list[tuple[int, ...]]:
        """The entries of a history that is packed with its state, oldest first."""
        words = memoryview(packed).cast("Q")
        return [tuple(words[first : first + self.words]) for first in range(0, len(words), self.words)]

    def always_grows(self, game: Model) -> bool:
        """Whether :meth:`future` changes with every decision, so that no position recurs: true where repetitions are
        counted. The mere set of past values may stop growing."""
        return any(isinstance(place, model.Repetitions) for place in game.history)

    def future(self, game: Model, entries: list[tuple[int, ...]]) -> Hashable:
        """The part of the history that can matter to the rest of the play."""
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


@lru_cache(maxsize=4 * MOST_ENTRIES)
def _digest(values: tuple[int, ...]) -> int:
    """The digest of past values. Whoever steps through a play asks for all its entries again at every step."""
    return reduce(mix, values, 0)
