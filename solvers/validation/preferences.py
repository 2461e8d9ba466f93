"""Whether a ``preferring`` ever leaves out a move that the rules allow.

The game is played beside the same game without any ``preferring``, on the reference machine, where every play of it is
a play, too: a move is left out where the other game offers more. All positions are looked at if they are few, and
otherwise random plays, until every ``preferring`` has left out a move. One play is enough to show that; that it never
does is proved only by all positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random
from typing import Any, Final

from attrs import define, evolve, field

from zermelo.grammar.deadline import look
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.model import Model, Phase, Turn
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.solvers.validation.shortest_plays import Play

PLAYS: Final = 20
"""Random plays, where positions are too many."""

_LONGEST: Final = 1_000
"""The most moves of a random play."""

Pair = tuple[Any, ReferenceState]
"""The states of both games after a play."""


def preferring_phases(model: Model) -> list[Phase]:
    """The phases whose decision prefers some moves to others."""
    return [phase for phase in model.phases.values() if isinstance(phase.decision, Turn) and phase.decision.preferring]


@define(eq=False)
class Preferences:
    """The ``plays`` to a decision of each phase, by its name, in which moves are left out: none for a phase in which
    none has been seen."""

    machine: Machine[Any]
    model: Model
    free: ReferenceMachine = field(init=False)
    plays: dict[str, Play] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        phases = {name: _without_preferring(phase) for name, phase in self.model.phases.items()}
        self.free = ReferenceMachine(evolve(self.model, phases=phases))

    def ask(self, is_everywhere: bool) -> None:
        """Look at positions, all that plays can reach or those of random plays. Raises ``PlayError``."""
        wanted = {phase.name for phase in preferring_phases(self.model)}
        for state, beside in self._positions() if is_everywhere else self._random():
            look()
            name = beside.phase.name
            if name in wanted and len(self.free.moves(beside)) > len(self.machine.moves(state)):
                self.plays[name] = self.machine.play(state)
                wanted.remove(name)
            if not wanted:
                break

    def _positions(self) -> Iterator[Pair]:
        """The states of each position that is no end, breadth first."""
        machine = self.machine
        waiting = [(machine.initial(), self.free.initial())]
        known: set[Hashable] = set()
        for state, beside in waiting:  # to which others are added on the way
            if machine.actor(state) != END and (position := machine.position(state)) not in known:
                known.add(position)
                yield state, beside
                waiting.extend(
                    (machine.after(state, move), self.free.after(beside, move)) for move in choices(machine, state)
                )

    def _random(self) -> Iterator[Pair]:
        """The states along random plays, which are the same in every run."""
        machine, random = self.machine, Random(0)
        for _ in range(PLAYS):
            state, beside = machine.initial(), self.free.initial()
            for _ in range(_LONGEST):
                actor = machine.actor(state)
                if actor == END:
                    break
                yield state, beside
                move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
                state, beside = machine.after(state, move), self.free.after(beside, move)


def _without_preferring(phase: Phase) -> Phase:
    decision = phase.decision
    return evolve(phase, decision=evolve(decision, preferring=())) if isinstance(decision, Turn) else phase
