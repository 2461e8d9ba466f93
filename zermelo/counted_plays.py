"""The number of plays of a length, for users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from zermelo.game import State
from zermelo.machines import cores, name_of
from zermelo.results import UNASKED, GameResult, Provenance
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.counting import Count, count_plays
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.report.console import Watch


@frozen(repr=False)
class CountedPlays(GameResult):
    """How many ``plays`` of this ``length`` there are from a state on, from :func:`zermelo.count_plays`. ``stopped``
    says what ended the count early, when there are more, and is empty if nothing did. They were counted on the
    ``machine`` of this name."""

    begin: State = field(eq=False)
    length: int
    plays: int
    stopped: str
    machine: str
    provenance: Provenance = UNASKED

    def __repr__(self) -> str:
        least = "at least " if self.stopped else ""
        return f"<{least}{self.plays:,} plays of length {self.length} of '{self.game.name}'>"

    def record(self) -> dict[str, Any]:
        counted = {"length": self.length, "plays": self.plays, "stopped": self.stopped or None}
        return {**self._head(), "machine": self.machine, **counted}


def count_from(begin: State, length: int, threads: int | None, limits: Limits, watch: Watch) -> CountedPlays:
    """The number of plays from a state on."""

    def count(machine: Machine[Any]) -> tuple[Machine[Any], Count]:
        root = on_machine(begin, machine)
        return machine, count_plays(machine, root, length, report, limits, threads or cores())

    with watch("counting", "plays", None) as report, limits.enforce():
        machine, found = search(begin.game, count)
    return CountedPlays(begin, length, found.plays, found.stopped, name_of(machine))
