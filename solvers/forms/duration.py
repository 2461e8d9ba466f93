"""How long plays last."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from attrs import evolve, frozen

Bounds = tuple[Fraction, Fraction]
"""The least and the greatest that a number may be: the number itself, twice, if it is exact."""


class Unit(Enum):
    """What the length of a play is counted in: moves of players, of which a round is one; rounds, where nobody ever
    decides alone; draws of chance, where nobody decides anything."""

    MOVES = "moves"
    ROUNDS = "rounds"
    DRAWS = "draws of chance"

    @property
    def one(self) -> str:
        """A single one: ``move``."""
        return {"moves": "move", "rounds": "round", "draws of chance": "draw of chance"}[self.value]


@frozen
class Duration:
    """How long a play lasts if everybody does what a policy says: ``ends`` is the probability that it ends, and
    ``length`` how many steps of the ``unit`` it takes on average. Where it is not certain to end there is no length.
    ``is_random``: whether chance or mixtures have a say."""

    ends: Bounds
    length: Bounds | None
    unit: Unit
    is_random: bool = True

    def later(self, number: int) -> Duration:
        """The duration from so many steps earlier on."""
        if self.length is None:
            return self
        return evolve(self, length=(self.length[0] + number, self.length[1] + number))
