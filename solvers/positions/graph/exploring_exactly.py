"""The graph of positions, found over any machine, with numbers of any size.

Breadth first, like :mod:`zermelo.solvers.kernels.position_graph`, and with the same numbers everywhere: that kernel
holds no weight or payment beyond its words, and does not know the history of a play, which may be a part of positions
here.

A machine says what has been earned since the play began, discounted. So the decisions of players before a state are
counted along the play that has found it: what a move earns is what it adds, divided by the discount of so many
decisions.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, Generic

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.grammar.footprint import Budget, Room, Things
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.graph.graph import AT_ROOT, DRAWS, NOT_MET, PAYS, PositionGraph
from zermelo.solvers.positions.graph.refusals import TooManyPositions

_EDGE_BYTES: Final = 16
"""The bytes of an edge, about: where it leads, its reward and its weight."""

_SHOWN: Final = 256
"""Positions between two looks at the limits."""


def explore(
    machine: Machine[State],
    root: State,
    limits: Limits,
    progress: Progress = ignore_progress,
    most: int | None = None,
    watched: Sequence[int] = (),
    with_moves: bool = False,
) -> PositionGraph:
    """The graph of all positions that can be reached from ``root``, or of those that are met while the moves of the
    first ``most`` are made.

    Raises ``ZermeloError``: ``out-of-memory``, ``out-of-time``, ``out-of-nodes``, or an error of the rules."""
    exploration = _Exploration(machine, limits, watched, with_moves)
    exploration.begin(root)
    while exploration.expanded < len(exploration.states) and exploration.expanded != most:
        if exploration.expanded % _SHOWN == 0:
            progress(len(exploration.states))
            limits.check({"nodes": len(exploration.states), "terminals": len(exploration.ends)})
        look()
        exploration.expand()
    return exploration.finished()


@define(eq=False)
class _Exploration(Generic[State]):
    """The graph in the making. ``states`` are those that have found the positions, and ``decisions`` those of players
    before them. An edge to an end is -1 minus the number of its amount, until all positions have numbers; ``ends`` are
    numbered from 0 in the order in which they are found."""

    machine: Machine[State]
    limits: Limits
    watched: Sequence[int]
    with_moves: bool
    discount: Fraction = field(init=False)
    kinds: array[int] = field(factory=lambda: array("i"))
    firsts: array[int] = field(factory=lambda: array("i"))
    targets: array[int] = field(factory=lambda: array("i"))
    rewards: array[int] = field(factory=lambda: array("i"))
    weights: list[int] = field(factory=list)
    moves: array[int] = field(factory=lambda: array("i"))
    names: dict[Move, int] = field(factory=dict)
    numbers: dict[Hashable, int] = field(factory=dict)
    states: list[State] = field(factory=list)
    decisions: array[int] = field(factory=lambda: array("i"))
    amounts: dict[Payoff, int] = field(factory=dict)
    ends: dict[int, int] = field(factory=dict)
    met: list[int] = field(init=False)
    falls: bool = False
    expanded: int = 0
    budget: Budget = field(init=False)
    kept: tuple[tuple[Things, Room], ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.discount = self.machine.discount
        self.met = [NOT_MET] * len(self.watched)
        self.amounts[(Fraction(0),) * len(self.machine.player_names)] = 0
        self.budget = self.limits.budget()
        self.kept = tuple((things, Room(self.budget)) for things in (self.numbers, self.states, self.amounts))

    def begin(self, root: State) -> None:
        """Number the root."""
        if self.machine.actor(root) == END:
            self._end(root, self._decisions_before(root))
        else:
            self._position(root, self._decisions_before(root))
        self._watch(root, AT_ROOT)

    def _decisions_before(self, state: State) -> int:
        """The decisions of players on the play to a state that discount what it pays: those that are made at once are
        one, and what ends the play counts in full."""
        machine, count = self.machine, 0
        at = machine.initial()
        for move in machine.play(state):
            is_players, at = machine.actor(at) >= 0, machine.after(at, move)
            count += is_players and machine.actor(at) != END and not machine.is_within_round(at)
        return count

    def expand(self) -> None:
        """Make all moves of the next position."""
        state, decisions = self.states[self.expanded], self.decisions[self.expanded]
        is_players = self.machine.actor(state) >= 0
        self.firsts.append(len(self.targets))
        before = self.machine.earned(state)
        for move, weight in self._offers(state):
            there = self.machine.after(state, move)
            earned = self.machine.earned(there)
            self.weights.append(weight)
            if self.with_moves:
                self.moves.append(self.names.setdefault(move, len(self.names)))
            gained = (after - earlier for earlier, after in zip(before, earned, strict=True))
            self.rewards.append(self._amount(gained, decisions))
            if self.machine.actor(there) == END:
                self.targets.append(self._end(there, decisions))
            else:
                is_over = is_players and not self.machine.is_within_round(there)
                self.targets.append(self._position(there, decisions + is_over))
            self._watch(there, len(self.targets) - 1)
            self._make_room()
        self.expanded += 1

    def _offers(self, state: State) -> list[tuple[Move, int]]:
        """The moves or outcomes of a state, with the weights of outcomes as whole numbers without a common divisor."""
        if self.machine.actor(state) != CHANCE:
            return [(move, 1) for move in self.machine.moves(state)]
        outcomes = self.machine.outcomes(state)
        scale = lcm(*(probability.denominator for _, probability in outcomes))
        return [(move, int(probability * scale)) for move, probability in outcomes]

    def _position(self, state: State, decisions: int) -> int:
        """The number of the position of a state."""
        position = self.machine.position(state)
        number = self.numbers.setdefault(position, len(self.states))
        if number == len(self.states):
            actor = self.machine.actor(state)
            is_within = actor >= 0 and self.machine.is_within_round(state)
            self.kinds.append(DRAWS if actor == CHANCE else actor + is_within * len(self.machine.player_names))
            self.states.append(state)
            self.decisions.append(decisions)
        elif number <= self.expanded:
            self.falls = True
        return number

    def _end(self, state: State, decisions: int) -> int:
        """What stands for the end of a state: -1 minus the number of what it pays."""
        paid = zip(self.machine.payoff(state), self.machine.earned(state), strict=True)
        amount = self._amount((whole - earned for whole, earned in paid), decisions)
        self.ends.setdefault(amount, len(self.ends))
        return -1 - amount

    def _amount(self, discounted: Iterable[Fraction], decisions: int) -> int:
        """The number of what is paid after so many decisions."""
        amount = tuple(discounted)
        if decisions and self.discount != 1 and any(amount):
            factor = self.discount**decisions
            amount = tuple(each / factor for each in amount)
        return self.amounts.setdefault(amount, len(self.amounts))

    def _watch(self, state: State, edge: int) -> None:
        """Enter the edge that leads to a state for the witnesses that are met there first."""
        for k, number in enumerate(self.watched):
            if self.met[k] == NOT_MET and self.machine.is_witnessed(state, number):
                self.met[k] = edge

    def _make_room(self) -> None:
        """Raise ``out-of-memory`` where nothing more fits."""
        self.budget.filled += _EDGE_BYTES
        has_room = self.budget.filled <= self.budget.allowed
        if not has_room or not all(len(things) < room.most or room.grows(things) for things, room in self.kept):
            raise TooManyPositions(len(self.states), self.limits.free, self.limits)

    def finished(self) -> PositionGraph:
        """The graph, when all positions have been expanded."""
        known, edges = len(self.states), len(self.targets)
        for edge, target in enumerate(self.targets):
            if target < 0:
                self.targets[edge] = known + self.ends[-1 - target]
        self.kinds.extend(PAYS - amount for amount in self.ends)
        unsearched = known - self.expanded
        self.firsts.extend([edges] * (unsearched + len(self.ends) + 1))
        graph = PositionGraph(
            self.machine.player_names,
            self.kinds,
            self.firsts,
            self.targets,
            _narrow(self.weights) if DRAWS in self.kinds else None,
            self.rewards if any(self.rewards) else None,
            tuple(self.amounts),
            self.machine.discount,
            self.machine.endless(),
            rises=not self.falls,
            unsearched=unsearched,
            met=tuple(self.met),
            moves=self.moves if self.with_moves else None,
        )
        self.limits.hold(graph, 8 * len(self.kinds) + _EDGE_BYTES * edges)
        return graph


def _narrow(numbers: list[int]) -> Sequence[int]:
    """Numbers of 32 bits in an array, if they are such."""
    try:
        return array("i", numbers)
    except OverflowError:
        return numbers
