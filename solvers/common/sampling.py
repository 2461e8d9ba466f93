"""Parameters of Monte Carlo tree search."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue

MOST_EXPLORATION: Final = 1000
"""The bound on the exploration constant: beyond it results have no effect on the search."""


@frozen(eq=False, repr=False)
class Sampling(ByValue):
    """The most ``simulations`` (None: as many as suit the limits), and the exploration constant, the C of UCT."""

    simulations: int | None = None
    exploration: float = 1.4
