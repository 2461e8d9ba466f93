"""What solving finds about the positions of a contest, whatever the algorithm.

Graphs may have many millions of positions, so an algorithm keeps what it has found as it likes, mostly in flat arrays,
and tells it position by position.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol


class PositionValues(Protocol):
    """The values of the positions of a contest, and the best moves."""

    @property
    def tells_distances(self) -> bool:
        """Whether ``distance`` says how long plays take: where nothing is left to chance, and positions are solved from
        the ends back."""

    def number(self, position: int) -> Fraction | None:
        """What a position is worth to the first player from there on. None if that is not defined; the root's always
        is, so such a position is of no consequence where all play well."""

    def distance(self, position: int) -> int | None:
        """The number of edges to the end if those who win hurry and the others delay: 0 at an end. None where the play
        need not end, or where it ends at random."""

    def best(self, position: int) -> list[int]:
        """The best edges of a position, in their order: if a player takes any of them wherever they decide, they get at
        least what the position is worth to them, or what they can be sure of if it has no number. Empty where nobody
        decides."""
