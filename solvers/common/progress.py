"""Callbacks for the progress of a solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    figures: Mapping[str, float]

    def __str__(self) -> str:
        told = [f"{name} {figure:.3g}" for name, figure in self.figures.items()]
        return ", ".join([f"{self.count:,} {self.steps}", *told[:_TOLD], *(["..."] if len(told) > _TOLD else [])])


Remark = Callable[[Milestone], None]
"""Called now and then with what an iteration has reached."""


def ignore_remark(reached: Milestone) -> None:
    """The :data:`Remark` that does nothing."""
