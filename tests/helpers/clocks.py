"""Clocks for the limits and deadlines of the work at hand, which no machine makes slower."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from time import perf_counter

import pytest

from zermelo.foundation import deadline
from zermelo.solvers.common import limits


def read_from(monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float]) -> None:
    """Limits and deadlines read this clock from now on."""
    monkeypatch.setattr(deadline, "now", clock)
    monkeypatch.setattr(limits, "perf_counter", clock)


def ahead(step: float) -> Callable[[], float]:
    """A clock to which every reading adds so many seconds: far more than pass in a test, so that a limit is a number of
    readings."""
    added = count(step, step)
    return lambda: perf_counter() + next(added)
