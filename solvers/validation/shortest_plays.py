"""The search of a game for what its plays show: all positions, shortest plays, and random plays."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Container, Iterator, Sequence
from random import Random
from typing import Any, Final

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import format_bytes
from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, PlayError
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.positions.solved_positions import Guide, shortest_path, source_of
from zermelo.solvers.search.random_plays import play_at_random, random_steps

# Shortest plays to positions of a graph, and from one back to itself.


Play = tuple[Move, ...]


@define(eq=False)
class ShortestPlays:
    """The plays of the game of a ``machine``, whose positions are a ``graph``."""

    machine: Machine[Any]
    graph: PositionGraph

    def to(self, position: int) -> Play:
        """A shortest play to a position."""
        return self.along(shortest_path(self.graph, position))

    def through(self, edge: int) -> Play:
        """A shortest play that ends with an edge: with the first that leads to its position, or to an end."""
        return self.along([*shortest_path(self.graph, source_of(self.graph, edge)), edge])

    def back_to(self, position: int, within: Container[int]) -> Play:
        """The moves of a shortest play that leads from a position back to it, all ``within`` some positions; there must
        be such a play. Cost: one look at each edge of these positions."""
        targets = self.graph.targets
        by: dict[int, tuple[int, int]] = {}
        waiting = deque([position])
        while position not in by:
            here = waiting.popleft()
            for edge in self.graph.edges(here):
                there = targets[edge]
                if there in within and there not in by:
                    by[there] = here, edge
                    waiting.append(there)
        here, edge = by[position]
        edges = [edge]
        while here != position:
            here, edge = by[here]
            edges.append(edge)
        before = shortest_path(self.graph, position)
        return self.along([*before, *reversed(edges)])[len(before) :]

    def along(self, edges: list[int]) -> Play:
        """The moves of the edges of a play from the root."""
        return Guide(self.machine, self.machine.initial(), self.graph).play(edges)


# The answer to a question about a game, with how certain it is.


SHOWN: Final = "a play shows it"
BY_RULES: Final = "proved by the rules"


@frozen(eq=False, repr=False)
class Reply(Displayed):
    """``answer`` is what is known, ``how`` says how certain it is. A ``finding`` speaks against the rules; the ``play``
    leads to where this shows, None if it is about no single play."""

    question: str
    answer: str
    how: str
    finding: Finding | None = None
    play: Play | None = None


# What random plays show of a game whose positions cannot be searched, above all because chance deals from more
# outcomes than can be listed. A play shows for certain that something can happen; that it never does it cannot show.


SAMPLED_PLAYS: Final = 50

_LONGEST: Final = 1_000
"""The most moves of a play."""


@define(eq=False)
class SampledPlays:
    """What some random plays show, the same in every run: the players who have ``moved``, those who have ``chosen``
    among several moves, and what the plays that have ended have ``paid``."""

    machine: Machine[Any]
    facts: Facts
    limits: Limits
    moved: set[int] = field(factory=set)
    chosen: set[int] = field(factory=set)
    paid: set[Payoff] = field(factory=set)

    def replies(self) -> Iterator[Reply]:
        """The questions that plays may answer; only whether a rule fails if one does. Raises ``ZermeloError``
        (``out-of-time``)."""
        try:
            self.play()
        except PlayError as fault:
            yield Reply("Does a rule fail?", "yes", "a random play shows it", fault.finding, fault.play)
            return
        yield self._about_players("Does everybody move?", self.moved)
        yield self._about_players("Has everybody a choice?", self.chosen)
        if self.facts.terminates.holds:
            yield Reply("Can a play go on for ever?", "no", BY_RULES)
        is_seen = len(self.paid) > 1
        yield Reply("Do plays pay different amounts?", "yes" if is_seen else "not seen", SHOWN if is_seen else _SAMPLED)

    def play(self) -> None:
        """Make the plays. Raises ``PlayError`` if a rule fails in one, and ``ZermeloError`` (``out-of-time``)."""
        random = Random(0)
        for _ in range(SAMPLED_PLAYS):
            with self.limits.enforce():  # also where the time was up before, and what noticed it has ended
                self._play(random)

    def _play(self, random: Random) -> None:
        machine = self.machine
        for step in random_steps(machine, machine.initial(), random, _LONGEST):
            check_deadline()
            if step.actor == END:
                self.paid.add(machine.payoff(step.state))
            elif step.actor != CHANCE:
                self.moved.add(step.actor)
                if len(step.moves) > 1:
                    self.chosen.add(step.actor)

    def _about_players(self, question: str, able: set[int]) -> Reply:
        lacking = [name for player, name in enumerate(self.machine.player_names) if player not in able]
        if not lacking:
            return Reply(question, "yes", SHOWN)
        return Reply(question, f"not seen of {', '.join(lacking)}", _SAMPLED)


_SAMPLED: Final = f"sampled in {SAMPLED_PLAYS} plays"


# The search of a game for what its plays show: all positions if they are few enough, else the first ones breadth
# first, and then random plays.
#
# How much has been searched decides what may be said. A play that shows something is certain, however little has been
# searched. That something never happens is proved only if all positions have been seen; otherwise it is true of those
# that have been (:class:`Extent`). Which positions these are is decided by their number alone, so that the same limit
# gives the same findings on every machine. Only if time or memory ended the search is its extent a matter of chance,
# and then the answer says so.


PLAYS: Final = 1_000
"""The random plays of a game whose positions are not all searched."""

MOST: Final = 200_000
MOST_EXACTLY: Final = 1_000
"""How many positions are searched unless the user says how many: few where no kernel can do it."""

_REASONS: Final = {
    "out-of-memory": "memory ran out",
    "out-of-time": "time ran out",
    "too-many-outcomes": "chance has too many outcomes to list",
}


@frozen(repr=False)
class Extent(Displayed):
    """How much has been searched: the moves of the first ``positions`` breadth first, which are all if ``is_whole``,
    and so many random ``plays``. ``stopped`` says what ended the search early; if the search for positions
    had not come to its end by then, none of them count."""

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


def replies_about_lacking(
    question: str, extent: Extent, has_parameters: bool, found: Sequence[tuple[str, Finding]], listed: str
) -> Iterator[Reply]:
    """The answers to a question about all parts of the rules, given the parts ``found`` of which it has not been seen:
    each by name, and all of them ``listed``. There are findings only if all positions have been searched, and only in a
    game without parameters, since other values of these may change the answer."""
    if not found:
        yield Reply(question, "yes", "proved" if extent.is_whole else SHOWN)
    elif not extent.is_whole:
        yield Reply(question, f"not seen: {listed}", str(extent))
    elif has_parameters:
        yield Reply(question, f"no: {listed}", "proved for these values of the parameters")
    else:
        for name, finding in found:
            yield Reply(question, f"no: {name}", str(extent), finding)


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
    graph, extent, sampled = searched.graph, searched.extent, SampledPlays(machine, facts, limits)
    try:
        played = play_at_random(machine, machine.initial(), PLAYS, 0, progress, limits, 1)
        if graph is not None:
            sampled.play()
    except PlayError as fault:
        said = "; ".join(filter(None, [extent.stopped, "then random plays, until a rule failed"]))
        return Searched(evolve(extent, stopped=said), graph, fault, sampled=True)
    except ZermeloError as refusal:
        if refusal.code != "out-of-time":
            raise
        return searched
    return evolve(searched, extent=evolve(extent, plays=played.plays + played.unfinished), paid=frozenset(sampled.paid))


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
            stopped += f" ({format_bytes(limits.memory)})"
    positions = 0 if graph is None else _count_nonterminal(graph) - graph.unsearched
    is_whole = graph is not None and not graph.unsearched
    return Searched(Extent(positions, is_whole, stopped=stopped), graph, watched=tuple(watched))


def _count_nonterminal(graph: PositionGraph) -> int:
    """The number of positions in which somebody moves; they come before the ends."""
    return bisect_left(range(len(graph)), True, key=lambda position: graph.kinds[position] <= PAYS)
