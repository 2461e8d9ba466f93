"""The deadline of the work at hand.

A time limit is set once, around the whole work (:func:`time_limit`). Everything that can take long checks the clock
(:func:`check_deadline`): the passes over a file, the loops of the rules, the lowering, and waiting for LLVM or for
machine code. The code in between needs no knowledge of the limit. Nothing partial comes out: an exception ends the
work, as Ctrl-C does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter as now


class DeadlinePassed(Exception):
    """The time of the work at hand is up."""


_end: ContextVar[float] = ContextVar("_end", default=inf)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """The block has so many seconds, or fewer if an outer block ends earlier; after that :func:`check_deadline` raises
    :class:`DeadlinePassed`. Once its deadline has been noticed, that of the outer block counts as noticed, too, if it
    has passed as well."""
    token = _end.set(min(_end.get(), now() + seconds))
    try:
        yield
    finally:
        is_noticed = _end.get() == inf
        _end.reset(token)
        if is_noticed and now() > _end.get():
            lift_deadline()


def check_deadline() -> None:
    """Raise :class:`DeadlinePassed` if the time is up."""
    end = _end.get()
    if end < inf and now() > end:
        lift_deadline()
        raise DeadlinePassed


def lift_deadline() -> None:
    """Lift the deadline once it has been noticed, so that the cleanup inside the block that set it can finish."""
    _end.set(inf)
