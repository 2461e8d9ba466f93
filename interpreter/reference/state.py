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
from zermelo.interpreter.reference.sample_space import DealtOutcomes
from zermelo.interpreter.values import Member, Value


@define(eq=False)
class ReferenceState:
    """A state at rest: somebody is to act, or the play has ended. Immutable, apart from caches.

    ``before`` and ``move`` are the previous state and the move that led here. ``frame`` holds the names of ``phase``
    after its entry statements. In a ``together``, ``waiting`` are those still to choose, the actor first, and
    ``chosen`` the choices so far. ``told`` are the messages since ``before``, with their hearers.

    ``earned`` are the discounted earnings, and ``factor`` the discount for payments of the next move. ``end`` is the
    payoff at the end, not discounted.

    ``memo`` and the fields after it are caches.
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
    space: DealtOutcomes | None = None
    perceived: dict[int, InformationState] = field(factory=dict)

    def back(self) -> Iterator[ReferenceState]:
        """This state and all before it, newest first."""
        state: ReferenceState | None = self
        while state is not None:
            yield state
            state = state.before

    def play(self) -> tuple[Move, ...]:
        """The moves and outcomes that led here."""
        return tuple(state.move for state in self.back() if state.move is not None)[::-1]
