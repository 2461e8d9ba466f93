"""The marks of plays at which sampling is aimed: a tree of their moves, with shares and the chances of draws."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import define

from zermelo.interpreter.machine import CHANCE, Move, State
from zermelo.solvers.running.backend import Backend

Aims: TypeAlias = Sequence[tuple[State, Fraction]]
"""States in which one player is to move, no two by the same play, with weights that sum to 1."""


@define(eq=False)
class AimMark:
    """A move or an outcome as kernels number it, and the marks of the next one on some play and of another one in its
    place, 0 if there is none. ``share``: the weights of the plays that make it; ``chance``: the probability of what
    chance has drawn so far."""

    move: Any = 0
    child: int = 0
    sibling: int = 0
    share: float = 0.0
    chance: float = 1.0


def marks_of(backend: Backend[State], root: State, aims: Aims[State]) -> list[AimMark]:
    """The marks of all plays from a root, that of the root first.

    Raises :class:`~zermelo.interpreter.native.running.failures.BeyondLimits`, and ``ZermeloError``
    (``too-many-outcomes``) for draws without numbers."""
    machine = backend.machine
    begin = len(machine.play(root))
    marks = [AimMark()]
    places: dict[tuple[int, Move], int] = {}
    for aim, weight in aims:
        at, state = 0, root
        marks[at].share += float(weight)
        for move in machine.play(aim)[begin:]:
            after = places.get((at, move))
            if after is None:
                after = places[at, move] = len(marks)
                chance = marks[at].chance
                if machine.actor(state) == CHANCE:
                    chance *= float(machine.sample_space(state).probability(move))
                marks.append(AimMark(backend.number_of(state, move), 0, marks[at].child, 0.0, chance))
                marks[at].child = after
            state = machine.after(state, move)
            marks[after].share += float(weight)
            at = after
    return marks
