"""How long a solver may work and how much it may keep, and what it says when that is not enough."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from time import perf_counter
from typing import Final

from attrs import field, frozen

from grammar.diagnostics import ZermeloError

MEMORY: Final = 256 << 20
"""What tables, stores and stacks may fill where nobody says otherwise, in bytes."""

ENTRY_BYTES: Final = 1024
"""What a position takes that an algorithm in Python remembers, with all that hangs on it; about."""


@frozen
class Limits:
    """``seconds`` from ``begin`` on, a time of ``perf_counter``, and ``memory`` in bytes."""

    seconds: float = inf
    memory: int = MEMORY
    begin: float = field(factory=perf_counter)

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return perf_counter() - self.begin > self.seconds

    @property
    def entries(self) -> int:
        """How many positions an algorithm in Python may remember."""
        return max(1, self.memory // ENTRY_BYTES)

    def check_time(self, counts: Mapping[str, int]) -> None:
        """Raise ``ZermeloError`` (``out-of-time``) where the time is up; ``counts`` tell how far the solver got."""
        if self.is_over:
            raise ZermeloError(
                "out-of-time",
                f"no value has been found within {self.seconds:g} s; the search got as far as {_said(counts)}",
                "--time allows more; a smaller game, or another solver, may need less",
            )

    def out_of_memory(self, counts: Mapping[str, int]) -> ZermeloError:
        """The error of a search that cannot go on without more memory."""
        return ZermeloError(
            "out-of-memory",
            f"no value has been found in {size(self.memory)} of memory; the search got as far as {_said(counts)}",
            "--memory allows more",
        )

    @property
    def stopped_by_time(self) -> str:
        """What ended a count, in words."""
        return f"after {self.seconds:g} s"

    @property
    def stopped_by_memory(self) -> str:
        return f"at {size(self.memory)} of memory"


def size(count: int) -> str:
    """A number of bytes as ``--memory`` takes it: ``256M``."""
    for unit, suffix in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if count >= unit:
            return f"{count / unit:.4g}{suffix}"
    return str(count)


def _said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in counts.items())
