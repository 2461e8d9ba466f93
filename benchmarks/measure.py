"""Measuring: how much was done in how many seconds, and the best of several runs.

The best run is the one that other programs on the machine disturbed least; a mean would measure them too.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from attrs import frozen

REPEATS: Final = 3
"""How often everything is measured."""

_SECONDS: Final = 0.25
"""How long an open-ended run takes; runs of fixed work are repeated for as long as this, if they are shorter."""


class Unavailable(Exception):
    """Something cannot be measured here; the message says why, in words for the report."""


@frozen
class Measurement:
    """``amount`` of work done in ``seconds``. ``parts`` is a second count of the same run: plays, where moves are the
    amount; 0 where there is none."""

    amount: int
    seconds: float
    parts: int = 0

    @property
    def rate(self) -> float:
        """Work a second."""
        return self.amount / self.seconds


def best_of_fixed(work: Callable[[], int]) -> Measurement:
    """The fastest of several runs of the same work, which returns how much it was."""
    best: Measurement | None = None
    runs, spent = 0, 0.0
    while best is None or runs < REPEATS or spent < _SECONDS:
        begin = perf_counter()
        amount = work()
        seconds = perf_counter() - begin
        runs, spent = runs + 1, spent + seconds
        if best is None or seconds < best.seconds:
            best = Measurement(amount, seconds)
    return best


def best_of_open(work: Callable[[], tuple[int, int]], seconds: float = _SECONDS) -> Measurement:
    """The best rate of several runs, in each of which a piece of work is repeated until the time is over. The work
    returns its amount and its parts."""
    return max((_open(work, seconds) for _ in range(REPEATS)), key=lambda found: found.rate)


def _open(work: Callable[[], tuple[int, int]], seconds: float) -> Measurement:
    amount, parts, begin, spent = 0, 0, perf_counter(), 0.0
    while spent < seconds:
        more, pieces = work()
        amount, parts = amount + more, parts + pieces
        spent = perf_counter() - begin
    return Measurement(amount, spent, parts)
