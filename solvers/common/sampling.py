"""How a search that draws at random goes about it."""

from __future__ import annotations

from typing import Final

from attrs import frozen

MOST_EXPLORATION: Final = 1000
"""A search that explores more has no use for what it finds."""


@frozen
class Sampling:
    """How Monte Carlo tree search works: how many ``simulations`` it makes at most (None: as many as suit the limits),
    and how much it explores, which is the C of UCT."""

    simulations: int | None = None
    exploration: float = 1.4
