"""How often plays use each part of the rules.

Every move is made once in each position that plays can reach, breadth first, on the reference machine with counters
(:mod:`zermelo.interpreter.reference.counting`). If positions are too many, those that come first are followed by random
plays, which reach late phases that a search does not. So the count of a line is exact for the positions that the extent
names, and says nothing of others. How many positions these are is decided by the number of moves alone.

Cost: a state of the reference machine for each position that waits, and the time of that machine, some hundred times
that of lowered rules.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Final

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.analysis.parts import Key, RulePart, parts_of
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.reference.counting import CountingMachine
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.interpreter.values import Value
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.validation.searching import Extent

MOVES: Final = 20_000
"""The moves after which no further position is searched, unless the user says how many positions."""

RANDOM_MOVES: Final = 2_000
"""The moves of random plays, the last of which is made to its end or to so many moves."""

_SHOWN: Final = 64
"""Positions between two reports of progress."""


@frozen(eq=False, repr=False)
class Coverage(Displayed):
    """The parts of a game, how often they were ``used`` in an ``extent``, and the values that variables have had;
    ``tried`` counts what was only tried out, whose values are there, too. A ``fault`` is an error of the rules that
    ended it."""

    model: Model
    parts: tuple[RulePart, ...]
    used: Counter[Key]
    tried: Counter[Key]
    values: Mapping[Variable, frozenset[Value]]
    extent: Extent
    fault: PlayError | None = None


def cover(model: Model, most: int | None, limits: Limits, progress: Progress) -> Coverage:
    """Count the moves of the first ``most`` positions, by default of so many that :data:`MOVES` are made, and of random
    plays if these are not all; as far as the limits allow."""
    covering = _Covering(CountingMachine(model), limits, progress)
    try:
        with limits.kept():
            covering.search(most)
            if not covering.is_whole:
                covering.play()
    except LimitReached:
        covering.stopped = "time ran out"
    except PlayError as fault:
        covering.fault, covering.stopped = fault, "until a rule failed"
    return covering.found()


@define(eq=False)
class _Covering:
    """The count in progress: the ``positions`` searched and the random ``plays``."""

    machine: CountingMachine
    limits: Limits
    progress: Progress
    positions: int = 0
    plays: int = 0
    is_whole: bool = False
    stopped: str = ""
    fault: PlayError | None = None
    known: set[object] = field(factory=set)

    def search(self, most: int | None) -> None:
        """Make the moves of positions, breadth first."""
        machine, moves, room = self.machine, 0, self.limits.room()
        waiting = deque[ReferenceState]()
        self._meet(machine.initial(), waiting)
        while waiting and (moves < MOVES if most is None else self.positions < most):
            look()
            if self.positions % _SHOWN == 0:
                self.progress(self.positions)
            state = waiting.popleft()
            try:
                listed = machine.listed(state)
            except ZermeloError as refusal:
                if refusal.code != "too-many-outcomes":
                    raise
                self.stopped = "chance has too many outcomes to list"
                return
            self.positions += 1
            for move, made in listed.items():
                there = machine.after(state, move, *made)
                moves += 1
                if self._meet(there, waiting) and not room.keep((machine.position(there), there)):
                    self.stopped = "memory ran out"
                    return
        self.is_whole = not waiting

    def _meet(self, state: ReferenceState, waiting: deque[ReferenceState]) -> bool:
        """Whether a state is at a new position, where the play goes on."""
        position = self.machine.position(state)
        if state.actor == END or position in self.known:
            return False
        self.known.add(position)
        waiting.append(state)
        return True

    def play(self) -> None:
        """Make random plays, the same in every run."""
        machine, random, moves = self.machine, Random(0), 0
        while moves < RANDOM_MOVES:
            self.plays += 1
            state = machine.initial()
            for _ in range(RANDOM_MOVES):
                look()
                if state.actor == END:
                    break
                if state.actor == CHANCE:
                    state = machine.after(state, *machine.drawn(state, random))
                else:
                    move, made = random.choice(list(machine.listed(state).items()))
                    state = machine.after(state, move, *made)
                moves += 1
            moves += 1  # a play without a move counts, too

    def found(self) -> Coverage:
        """What has been counted."""
        counts, tried = self.machine.counts, self.machine.tried
        return Coverage(
            self.machine.model,
            parts_of(self.machine.model),
            counts.used,
            tried.used,
            {variable: frozenset(seen | tried.values[variable]) for variable, seen in counts.values.items()},
            Extent(self.positions, self.is_whole, self.plays, self.stopped),
            self.fault,
        )
