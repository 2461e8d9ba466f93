"""How long a solver may work, how deep it may look and how much it may keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import Final

from attrs import field, frozen

from zermelo.grammar.deadline import Passed, lift, within
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import Budget, Room, size
from zermelo.solvers.common.ledger import Ledger

MEMORY: Final = 256 << 20
"""What tables, trees, stores, stacks, and all that is made of them may fill where nobody says otherwise, in bytes."""


class LimitReached(ZermeloError):
    """A limit has been reached before a search came to its end. ``limit`` says which, ``counts`` how far it got (empty
    where that is not known), and ``proved`` what is known by then, in words."""

    def __init__(self, code: str, limit: str, counts: Mapping[str, int], help: str, proved: str = "") -> None:
        known = f", and proved that {proved}" if proved else ""
        reached = f"; the search got as far as {_said(counts)}{known}" if counts else ""
        message = f"no value has been found {limit}{reached}"
        super().__init__(code, message, help)
        self.limit = limit


@frozen
class Limits:
    """``seconds`` from ``begin`` on, a time of ``perf_counter``; ``memory`` in bytes, of which ``ledger`` tells what
    is taken; ``depth`` in plies, and ``nodes``."""

    seconds: float = inf
    memory: int = MEMORY
    begin: float = field(factory=perf_counter)
    depth: float = inf
    nodes: float = inf
    ledger: Ledger = field(factory=Ledger, eq=False, repr=False)

    @property
    def has_horizon(self) -> bool:
        """Whether a search is asked to stop before it has seen the end of all plays."""
        return min(self.depth, self.nodes) < inf

    @property
    def is_over(self) -> bool:
        """Whether the time is up. Who is told so ends in good order, and is not cut off on the way."""
        is_over = perf_counter() - self.begin > self.seconds
        if is_over:
            lift()
        return is_over

    @property
    def left(self) -> float:
        """The seconds that are left, none below 0."""
        return max(0.0, self.seconds - (perf_counter() - self.begin))

    @property
    def free(self) -> int:
        """The bytes that may still be taken."""
        return max(0, self.memory - self.ledger.held)

    def budget(self) -> Budget:
        """What is kept in Python may fill the memory that is left, in several rooms."""
        return Budget(self.memory, self.ledger.held)

    def room(self) -> Room:
        """Where an algorithm in Python keeps things of one kind, which may fill all the memory that is left."""
        return Room(self.budget())

    def require(self, needed: float, what: str) -> None:
        """Raise ``ZermeloError`` (``out-of-memory``) where ``what`` is to come takes so many bytes, which are more than
        is left; it is known before any of them is taken."""
        if needed > self.memory - self.ledger.held:
            held = self.ledger.held
            beside = f" beside the {size(held)} of what it is made of" if held else ""
            raise ZermeloError(
                "out-of-memory",
                f"{what} takes about {size(needed)} of memory{beside}, which is limited to {size(self.memory)}",
                f"--memory {size(2 * (needed + held))} should be enough",
            )

    def hold(self, thing: object, taken: int) -> None:
        """``thing`` has been made, and takes so many bytes for as long as it lives."""
        self.ledger.hold(thing, taken)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """The work of this block ends when the time is up, wherever it may be: :class:`LimitReached` (``out-of-time``)
        comes out of it then."""
        try:
            with within(self.left):
                yield
        except Passed:
            raise self.out_of_time({}) from None

    def out_of_time(self, counts: Mapping[str, int]) -> LimitReached:
        """The error of a search that the end of its time has found without a result."""
        return LimitReached(
            "out-of-time",
            f"within {self.seconds:g} s",
            counts,
            "--time allows more; a smaller game, or another solver, may need less",
        )

    def check(self, counts: Mapping[str, int]) -> None:
        """Raise :class:`LimitReached` (``out-of-time``, ``out-of-nodes``) where the time is up or too many ``nodes``
        have been counted; ``counts`` tell how far the solver got."""
        if self.is_over:
            raise self.out_of_time(counts)
        if counts["nodes"] > self.nodes:
            raise LimitReached("out-of-nodes", f"within {self.nodes:,.0f} nodes", counts, "--nodes allows more")

    def out_of_memory(self, counts: Mapping[str, int]) -> ZermeloError:
        """The error of a search that cannot go on without more memory."""
        return LimitReached("out-of-memory", f"in {size(self.memory)} of memory", counts, "--memory allows more")

    @property
    def stopped_by_time(self) -> str:
        """What ended a count, in words."""
        return f"after {self.seconds:g} s"

    @property
    def stopped_by_memory(self) -> str:
        return f"at {size(self.memory)} of memory"


def _said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in counts.items())
