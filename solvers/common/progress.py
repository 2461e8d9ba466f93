"""Callbacks for the progress of a solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from attrs import frozen

_TOLD: Final = 3
"""The most figures that are put into words."""

Progress = Callable[[int], None]
"""Called every few hundred nodes with the number of nodes visited so far."""


def ignore_progress(nodes: int) -> None:
    """The :data:`Progress` that does nothing."""


@frozen
class Milestone:
    """How far an iteration has come: ``count`` of its ``steps`` are done, and ``figures`` tell by name how good the
    result is by now, the most telling first, in units of payoff."""

    count: int
    steps: str
    figures: Mapping[str, Fraction | float]

    def __str__(self) -> str:
        told = [f"{name} {_in_short(figure)}" for name, figure in self.figures.items()]
        return ", ".join([f"{self.count:,} {self.steps}", *told[:_TOLD], *(["..."] if len(told) > _TOLD else [])])


def _in_short(figure: Fraction | float) -> str:
    """Three digits of a number, which may be larger than floating-point numbers are."""
    if isinstance(figure, Fraction):
        return f"{Decimal(figure.numerator) / Decimal(figure.denominator):.3g}"
    return f"{figure:.3g}"


Remark = Callable[[Milestone], None]
"""Called now and then with what an iteration has reached."""


def ignore_remark(reached: Milestone) -> None:
    """The :data:`Remark` that does nothing."""
