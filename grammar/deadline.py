"""Until when the work at hand may go on.

Whoever sets a limit of time to some work sets it once, around all of it (:func:`within`). What can take long looks at
the clock now and then (:func:`look`): the passes over a file, the loops of the rules, the lowering, whoever waits for
LLVM or for machine code. So a limit holds although those in between know nothing of it, and nothing partial comes out:
the work is left by an exception, as Ctrl-C leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter as now


class Passed(Exception):
    """The time of the work at hand is up."""


_end: ContextVar[float] = ContextVar("_end", default=inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The work of this block ends in so many seconds, or earlier where an outer one has to: then :func:`look` raises
    :class:`Passed`."""
    token = _end.set(min(_end.get(), now() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def look() -> None:
    """Raise :class:`Passed` where the time is up."""
    end = _end.get()
    if end < inf and now() > end:
        lift()
        raise Passed


def lift() -> None:
    """The end of the time has been noticed: what is still done inside the block that set it, to end in good order, may
    go on."""
    _end.set(inf)
