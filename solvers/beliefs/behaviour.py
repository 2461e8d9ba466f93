"""How the others are assumed to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from zermelo.interpreter.machine import InformationState, Move

Behaviour: TypeAlias = Callable[[int, InformationState, tuple[Move, ...]], Sequence[Fraction]]
"""The probabilities with which a player who knows this makes each of these moves; they sum to 1."""


def uniform(player: int, known: InformationState, moves: tuple[Move, ...]) -> Sequence[Fraction]:
    """All moves with equal probability: nothing is assumed about what the others want."""
    return [Fraction(1, len(moves))] * len(moves)
