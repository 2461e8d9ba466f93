"""Measuring rates: the best of several runs.

The best run is the one least disturbed by other programs on the machine; a mean would measure these, too.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import Any, Final

from attrs import frozen

REPEATS: Final = 3
"""The number of runs of each measurement."""

_SECONDS: Final = 0.25
"""Seconds of an open-ended run; runs of fixed work are repeated for this time, if they are shorter."""


class Unavailable(Exception):
    """A measurement is not possible here; the message is the reason for the report."""


def import_peer(module: str, missing: str) -> Any:
    """A module of a peer, which has no types; raises :class:`Unavailable`, which says what is ``missing``."""
    try:
        return import_module(module)
    except ImportError as error:
        raise Unavailable(f"{missing} is not installed") from error


def seconds_of(work: Callable[[], object]) -> float:
    """The seconds of one run."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


@frozen
class Measurement:
    """An ``amount`` of work in ``seconds``. ``parts`` is a second count of the same run, such as plays if the amount is
    in moves; 0 if there is none."""

    amount: int
    seconds: float
    parts: int = 0

    @property
    def rate(self) -> float:
        """Work a second."""
        return self.amount / self.seconds


def best_of_fixed(work: Callable[[], int]) -> Measurement:
    """The fastest of several runs of the same work, which returns its amount."""
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


def best_of_open(work: Callable[[], tuple[int, int]]) -> Measurement:
    """The best rate of several runs, each of which repeats a piece of work until the time is over. The work returns its
    amount and its parts."""
    return max((_repeat_in_time(work) for _ in range(REPEATS)), key=lambda found: found.rate)


def _repeat_in_time(work: Callable[[], tuple[int, int]]) -> Measurement:
    amount, parts, begin, spent = 0, 0, perf_counter(), 0.0
    while spent < _SECONDS:
        more, pieces = work()
        amount, parts = amount + more, parts + pieces
        spent = perf_counter() - begin
    return Measurement(amount, spent, parts)
