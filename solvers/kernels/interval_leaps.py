"""Leaps of interval iteration: where sweeps lead that change less and less by the same factor (Aitken 1926).

If each sweep changes everything by the share q of what the one before did, all further sweeps together change it by
q / (1 - q) times what the last one did. That is so in the end if the policies no longer change: q is then the largest
eigenvalue of the iteration. Where the circles of a component close at one position only, and sweeps go in postorder,
there is no other one, and a leap ends the iteration.

So whenever two sweeps have had the same share, by the largest changes, the iteration leaps. If the next sweep then
changes more than the last one did, that was wrong, and is taken back. A leap proves nothing, and need not.
"""

from __future__ import annotations

from zermelo.solvers.kernels.interval_work import Work
from zermelo.solvers.kernels.position_arrays import Side, is_finite, magnitude

STEADY = 2.0**-6
"""Shares are the same if they differ by no more than so many times what is missing to 1."""

STRIDE = 32
"""After so many sweeps the iteration leaps in any case."""

FARTHEST = 2.0**20
"""How many times the last change a leap goes, at most."""


def keep_value(work: Work, side: Side, position: int) -> None:
    """Before a sweep gives a position another value."""
    if work.leapt == 0:
        work.before[position] = side.values[position]


def foresee(work: Work, side: Side, first: int, end: int, change: float) -> float:
    """After a sweep that has changed values by no more than ``change``: leap, or take back a leap; by how much the last
    sweep has changed them that counts."""
    if work.leapt != 0:
        work.leapt = 0
        work.share = 1.0
        if change > work.change:
            work.scale = work.steady
            for i in range(first, end):
                side.values[work.order[i]] = work.before[work.order[i]]
        else:
            work.change = change
        return work.change
    share: float = change / work.change if change < work.change else 1.0
    is_steady: int = magnitude(share - work.share) <= STEADY * (1.0 - share)
    work.share = share
    if share < 1.0 and (is_steady != 0 or work.sweeps % STRIDE == 0):
        leap(work, side, first, end)
    work.change = change
    return change


def leap(work: Work, side: Side, first: int, end: int) -> None:
    """Go where the sweeps would lead."""
    times: float = work.share / (1.0 - work.share)
    times = min(times, FARTHEST)
    for i in range(first, end):
        position: int = work.order[i]
        value: float = side.values[position]
        if is_finite(value) != 0:
            side.values[position] = value + times * (value - work.before[position])
        work.before[position] = value
    work.leapt = 1
    work.steady = work.scale
