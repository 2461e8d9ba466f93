"""The search of a game for what its plays show: all positions if they are few enough, else the first ones breadth
first, and then random plays.

How much has been searched decides what may be said. A play that shows something is certain, however little has been
searched. That something never happens is proved only if all positions have been seen; otherwise it is true of those
that have been (:class:`Extent`). Which positions these are is decided by their number alone, so that the same limit
gives the same findings on every machine; only where time or memory ended the search is its extent a matter of chance,
and then it is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.grammar.footprint import size
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, Payoff, PlayError
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.search.random_plays import play_at_random
from zermelo.solvers.validation.sampling import paid_at_random

PLAYS: Final = 1_000
"""The random plays of a game whose positions are not all searched."""

MOST: Final = 200_000
MOST_EXACTLY: Final = 1_000
"""How many positions are searched unless the user says: few where no kernel can do it."""

_REASONS: Final = {
    "out-of-memory": "memory ran out",
    "out-of-time": "time ran out",
    "too-many-outcomes": "chance has too many outcomes to list",
}


@frozen(repr=False)
class Extent(Displayed):
    """How much has been searched: the moves of the first ``positions`` breadth first, which are all if ``is_whole``,
    and so many random ``plays``. ``stopped`` says what ended the search early; no positions count if that was before
    their number was reached."""

    positions: int
    is_whole: bool
    plays: int = 0
    stopped: str = ""

    @property
    def said(self) -> str:
        """The search in words."""
        number = f"{self.positions:,} position{'' if self.positions == 1 else 's'} with a move or draw"
        if self.is_whole:
            return f"{number}, and their ends: all there are"
        parts = [f"the first {number}"] if self.positions else []
        parts += [f"{self.plays:,} random plays"] if self.plays else []
        return "; ".join(filter(None, [" and ".join(parts), self.stopped]))

    def __str__(self) -> str:
        """What may be said of something that has not been found: ``proved``, or ``not within ...``."""
        if self.is_whole:
            return "proved"
        parts = [f"within {self.positions:,} positions"] if self.positions else []
        parts += [f"sampled in {self.plays:,} plays"] if self.plays else []
        return ", ".join(parts) or "not searched"


@frozen(eq=False, repr=False)
class Searched(Displayed):
    """What a search has found: the ``graph`` of positions, None if there is none; and an error of the rules, with a
    shortest play to it, unless it was ``sampled``: then with a play that was made at random. ``watched`` are the
    numbers of the witnesses that the graph tells of; ``paid`` is what some random plays have paid, where the graph is
    not all."""

    extent: Extent
    graph: PositionGraph | None
    fault: PlayError | None = None
    sampled: bool = False
    watched: tuple[int, ...] = ()
    paid: frozenset[Payoff] = frozenset()


def search(
    machine: Machine[Any],
    facts: Facts,
    most: int | None,
    limits: Limits,
    progress: Progress,
    watched: Sequence[int] = (),
) -> Searched:
    """Search positions as :func:`search_positions` does, with the moves. If they are not all, :data:`PLAYS` random
    plays are made, too, as far as there is time."""
    searched = search_positions(machine, facts, most, limits, progress, watched, with_moves=True)
    if searched.fault is not None or searched.extent.is_whole:
        return searched
    graph, extent = searched.graph, searched.extent
    try:
        played = play_at_random(machine, machine.initial(), PLAYS, 0, progress, limits, 1)
        paid = frozenset() if graph is None else paid_at_random(machine, facts, limits)
    except PlayError as fault:
        said = "; ".join(filter(None, [extent.stopped, "then random plays, until a rule failed"]))
        return Searched(evolve(extent, stopped=said), graph, fault, sampled=True)
    except ZermeloError as refusal:
        if refusal.code != "out-of-time":
            raise
        return searched
    return evolve(searched, extent=evolve(extent, plays=played.plays + played.unfinished), paid=paid)


def search_positions(
    machine: Machine[Any],
    facts: Facts,
    most: int | None,
    limits: Limits,
    progress: Progress,
    watched: Sequence[int] = (),
    with_moves: bool = False,
) -> Searched:
    """Search the moves of the first ``most`` positions, by default :data:`MOST`, or :data:`MOST_EXACTLY` if the rules
    are interpreted or look at the history of the play; until a rule fails, or as far as the limits allow. ``watched``
    are the numbers of witnesses of the file; the graph is to be ``with_moves``."""
    if most is None:
        most = MOST if isinstance(machine, LoweredMachine) and not facts.has_history else MOST_EXACTLY
    graph, stopped = None, ""
    try:
        graph = explore(machine, facts, machine.initial(), limits, progress, most, watched, with_moves)
    except PlayError as fault:
        return Searched(Extent(0, is_whole=False, stopped="breadth first, until a rule failed"), None, fault)
    except ZermeloError as refusal:
        if refusal.code not in _REASONS:
            raise
        stopped = _REASONS[refusal.code]
        if refusal.code == "out-of-memory":
            stopped += f" ({size(limits.memory)})"
    positions = 0 if graph is None else _moving(graph) - graph.unsearched
    is_whole = graph is not None and not graph.unsearched
    return Searched(Extent(positions, is_whole, stopped=stopped), graph, watched=tuple(watched))


def _moving(graph: PositionGraph) -> int:
    """The number of positions in which somebody moves; they come before the ends."""
    low, high = 0, len(graph)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if graph.kinds[middle] > PAYS else (low, middle)
    return low
