"""States of the reference machine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import define, field

from zermelo.interpreter.evaluation.history import Snapshot
from zermelo.interpreter.evaluation.rules import Arguments
from zermelo.interpreter.machine import InformationState, Move, Payoff, Told
from zermelo.interpreter.reference.chance import Weighted
from zermelo.interpreter.reference.decisions import CompiledPhase, Legal
from zermelo.interpreter.values import Member, Value


@define(eq=False)
class ReferenceState:
    """A state at rest: somebody is to act, or the play has ended. Nothing of it changes but what it remembers.

    ``before`` and ``move`` say how the play came here. ``frame`` holds the names of ``phase`` as its entry statements
    left them. Of a ``together``, ``waiting`` are those who are still to choose, the one to act first, and ``chosen``
    what has been chosen. ``told`` is what was told on the way from ``before``, each time with who heard it.

    ``earned`` is what the players have earned, discounted, and ``factor`` what one more unit is worth that the move
    made here brings. ``end`` is the payoff that the rules gave at the end, not discounted.

    ``memo`` and what stands behind it is remembered, not meant.
    """

    before: ReferenceState | None
    move: Move | None
    actor: int
    phase: CompiledPhase
    arguments: Arguments
    values: tuple[Value, ...]
    frame: tuple[Value, ...]
    snapshot: Snapshot | None
    told: tuple[tuple[frozenset[Member], Told], ...]
    earned: Payoff
    factor: Fraction
    end: Payoff | None = None
    waiting: tuple[Member, ...] = ()
    chosen: tuple[tuple[Member, Move], ...] = ()

    memo: dict[object, Value] | None = None
    moves: Legal | None = None
    outcomes: Weighted | None = None
    perceived: dict[int, InformationState] = field(factory=dict)

    def back(self) -> Iterator[ReferenceState]:
        """This state and all before it, the last first."""
        state: ReferenceState | None = self
        while state is not None:
            yield state
            state = state.before

    def play(self) -> tuple[Move, ...]:
        """The moves and outcomes that led here."""
        return tuple(state.move for state in self.back() if state.move is not None)[::-1]
