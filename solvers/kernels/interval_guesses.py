"""Interval iteration where plays may stay for ever: the end components of a component, and the choices of ours.

See :mod:`zermelo.solvers.kernels.interval_iteration`: first the end components of all players together are found, which
tells whether a play can stay at all; then, for each side, choices of ours, and the end components that these leave.
"""

from __future__ import annotations

from zermelo.solvers.kernels.end_components import divide, earns, prune, relabel
from zermelo.solvers.kernels.interval_leaps import foresee, keep_value
from zermelo.solvers.kernels.interval_work import (
    CLIMB,
    DIVIDE,
    EARNS_FOR_EVER,
    GUESS,
    PRUNE,
    Work,
    choose,
    count_sweep,
    improved,
    see,
    turn_to,
)
from zermelo.solvers.kernels.position_arrays import EPSILON, Side, is_finite, magnitude

FIRST_KILLING = 2.0**-10
LAST_KILLING = 2.0**-24
"""The probabilities with which a step ends the game while ours guess."""

CALM = 2.0**-6
"""A guess stands when a sweep changes less than this share of what killing does."""


def prune_all(work: Work, side: Side, first: int, end: int) -> None:
    """Remove positions that cannot stay."""
    removed: int = 0
    left: int = 0
    for i in range(first, end):
        position: int = work.order[i if work.sweeps % 2 == 0 else first + end - 1 - i]
        removed += prune(work.graph, side, work.ends, position)
        left += work.ends.labels[position] != 0
    work.sweeps += 1
    if left == 0:
        find(work, side, first, end)
    elif removed == 0:
        turn_to(work, DIVIDE)


def divide_all(work: Work, side: Side, first: int, end: int) -> None:
    """Divide what is left into its strongly connected components."""
    ends = work.ends
    for i in range(first, end):
        if ends.labels[work.order[i]] != 0 and ends.fresh[work.order[i]] == 0:
            divide(work.graph, side, ends, work.order[i])
    changed: int = 0
    for i in range(first, end):
        if ends.labels[work.order[i]] != 0:
            changed += relabel(ends, work.order[i])
    ends.visits = 0
    if changed != 0:
        turn_to(work, PRUNE)
    else:
        find(work, side, first, end)


def find(work: Work, side: Side, first: int, end: int) -> None:
    """Go on when the end components are known: of all players together, or those left by the choices of ours."""
    left: int = 0
    earning: int = 0
    for i in range(first, end):
        left += work.ends.labels[work.order[i]] != 0
        earning += earns(work.graph, side, work.ends, work.order[i])
    if earning != 0:
        work.stage = EARNS_FOR_EVER
    elif work.ends.chosen == 0:
        work.circles = left != 0
        approach(work, side, first, end)
    else:
        turn_to(work, CLIMB)


def approach(work: Work, side: Side, first: int, end: int) -> None:
    """Begin to look for bounds of a side."""
    work.tries = 0
    work.descends = 0
    middle: float = (work.upper.top - work.lower.top) / 2.0
    start: float = side.feared if work.circles != 0 else middle if is_finite(middle) != 0 else 0.0
    for i in range(first, end):
        bound: float = work.upper.values[work.order[i]]
        side.values[work.order[i]] = -bound if work.is_lower != 0 and is_finite(bound) != 0 else start
    if work.circles != 0:
        see(work, side.endless)
        work.killing = FIRST_KILLING if work.is_lower == 0 else LAST_KILLING
        turn_to(work, GUESS)
    else:
        turn_to(work, CLIMB)
    work.slack = 8.0 * EPSILON * work.scale


def guess(work: Work, side: Side, first: int, end: int) -> None:
    """A sweep in the game that ends at each step with the probability ``killing``; when nothing changes much any more,
    a smaller one, and at last the choices."""
    change: float = 0.0
    for i in range(first, end):
        position: int = work.order[first + end - 1 - i]
        before: float = side.values[position]
        keep_value(work, side, position)
        value: float = (1.0 - work.killing) * improved(work, side, position) + work.killing * side.feared
        side.values[position] = value
        moved: float = magnitude(value - before)  # undefined between infinite values, and then not larger
        change = max(change, moved)
    count_sweep(work)
    enough: float = work.killing * work.scale * CALM
    if change > enough:
        change = foresee(work, side, first, end, change)
    if change > enough and work.sweeps < work.patience:
        return
    work.killing = work.killing / 16384.0
    turn_to(work, GUESS)
    if work.killing < LAST_KILLING:
        label: int = work.order[first] + 1
        for i in range(first, end):
            choose(work, side, work.order[i])
            work.ends.labels[work.order[i]] = label
        work.ends.chosen = 1
        turn_to(work, PRUNE)
