"""A policy, position by position: the decisions of a file, or all moves with equal probability.

Where everybody knows the position, but for what others choose at that moment, a policy can be followed without writing
down the histories of a game: its words for a position are looked up when a play comes there. Who chooses at the same
moment as others does so in the state after the first choices of those before, which differs from the others of the
round by nothing that they perceive. Cost: a step of the machine for each position that is met, and its words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field

from zermelo.game import Game, State
from zermelo.interpreter.machine import Move, TellingMachine
from zermelo.policies.advice import state_text
from zermelo.policies.listed_moves import probabilities, refuse
from zermelo.policies.policy_files import Listed, listed_decisions, listing
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.common.within_round import within_round
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.playing import Guide
from zermelo.solving import on_machine


def are_policies(game: Game, records: Iterable[Mapping[str, Any] | None]) -> bool:
    """Whether the files with these contents, None for the uniform strategies, can be followed position by position:
    everybody knows the position, but for what others choose at that moment, and each file has a policy."""
    return Need.PUBLIC.is_met(game.facts) and all(
        record is None or record.get("policy") is not None for record in records
    )


def followed_policies(
    records: Mapping[str, Mapping[str, Any] | None],
    begin: State,
    machine: TellingMachine[Any],
    limits: Limits,
    report: Progress,
) -> dict[str, FollowedPolicy]:
    """The policies of files, by name, in the positions of the game that begins in a state.

    Raises ``ZermeloError``: ``bad-strategy``, ``no-value``, ``out-of-memory``, ``out-of-time``."""
    game, root = begin.game, on_machine(begin, machine)
    if machine.is_within_round(root):
        raise within_round()
    listed = {
        name: None if record is None else listed_decisions(name, record["policy"], game.players)
        for name, record in records.items()
    }
    guide = Guide(machine, root, explore(machine, game.facts, root, limits, report))
    return {name: FollowedPolicy(name, game, machine, guide, decisions) for name, decisions in listed.items()}


@define(eq=False)
class FollowedPolicy:
    """What a policy says about the positions of a graph. ``decisions`` are those of the file ``name``, by player and
    words; None if all moves are equally likely."""

    name: str
    game: Game
    machine: TellingMachine[Any]
    guide: Guide[Any]
    decisions: Mapping[tuple[str, str], Listed] | None
    _states: dict[int, Any] = field(factory=dict, init=False)
    _entries: list[int] = field(factory=list, init=False)
    _chances: dict[int, list[Fraction]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Positions are numbered as they are found, so the first edge to each comes from one with a lower number."""
        self._states[ROOT] = self.guide.root
        self._entries = [-1] * len(self.guide.graph)
        for edge in reversed(range(self.guide.graph.firsts[-1])):
            self._entries[self.guide.graph.targets[edge]] = edge

    def chances(self, position: int) -> Sequence[Fraction]:
        """The probabilities of the moves. Raises ``ZermeloError`` (``bad-strategy``)."""
        if self.decisions is None:
            count = len(self.guide.graph.edges(position))
            return [Fraction(1, count)] * count
        if position not in self._chances:
            self._chances[position] = self._told(position)
        return self._chances[position]

    def _told(self, position: int) -> list[Fraction]:
        """What the file says of a position."""
        assert self.decisions is not None, "the moves are not equally likely"
        player, words = self.guide.graph.players[self.guide.graph.actor(position)], self.words(position)
        told = self.decisions.get((player, words))
        if told is None:
            refuse(self.name, f"it does not say what {player} does at {words}", listing(self.game))
        moves = self.guide.moves(self.state(position))
        return probabilities(self.name, told.here, tuple(map(str, moves)), told.moves)

    def words(self, position: int) -> str:
        return state_text(self.game, self.machine, self.state(position))

    def move(self, position: int, edge: int) -> Move:
        return self.guide.moves(self.state(position))[edge - self.guide.graph.firsts[position]]

    def state(self, position: int) -> Any:
        """A state of a position; kept, with those on the way to it."""
        graph, path = self.guide.graph, []
        while position not in self._states:
            path.append(self._entries[position])
            position = bisect_right(graph.firsts, path[-1]) - 1
        for edge in reversed(path):
            state = self.machine.after(self._states[position], self.move(position, edge))
            position = graph.targets[edge]
            self._states[position] = state
        return self._states[position]
