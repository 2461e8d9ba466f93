"""The order of a player's information sets and sequences: what a sequence ends with, passes, and leads to."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from zermelo.solvers.forms.sequence_form import Sequences


@define(eq=False)
class FollowingSets:
    """``last[s]`` is the information set of the last move of sequence s (-1 for the empty one), and ``behind[s]`` are
    the sets that it leads to."""

    own: Sequences
    last: list[int] = field(init=False)
    behind: list[list[int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.last, self.behind = [-1] * len(self.own), [[] for _ in range(len(self.own))]
        for i, parent in enumerate(self.own.parents):
            self.behind[parent].append(i)
            for sequence in self.options(i):
                self.last[sequence] = i

    def options(self, i: int) -> range:
        """The sequences that end with a move of set i."""
        return range(self.own.firsts[i], self.own.firsts[i + 1])

    def steps(self, sequence: int) -> Iterator[tuple[int, int]]:
        """The sets that a sequence passes, each with the sequence up to its move; the last one first."""
        while sequence:
            i = self.last[sequence]
            yield i, sequence
            sequence = self.own.parents[i]
