"""Following the plays that fit what a player has perceived.

An information state only grows along a play. So a play fits K, or may still come to fit it, as long as the player's
information state is a beginning of K; the others are left where they first differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Generic

from attrs import frozen

from zermelo.interpreter.machine import (
    CHANCE,
    END,
    InformationState,
    Move,
    PerceivedMove,
    SampleSpace,
    State,
    TellingMachine,
)
from zermelo.solvers.beliefs.behaviour import Behaviour


@frozen
class Following(Generic[State]):
    """The plays of a ``machine`` that fit what ``player`` knows, while the others choose by their ``behaviour``."""

    machine: TellingMachine[State]
    player: int
    known: InformationState
    behaviour: Behaviour

    def fits(self, state: State) -> bool:
        """Whether a play that has come so far may still come to fit."""
        perceived = self.machine.information_state(state, self.player)
        return len(perceived) <= len(self.known) and self.known[: len(perceived)] == perceived

    def is_there(self, state: State) -> bool:
        """Whether the player knows just ``known`` at a state that :meth:`fits`. Where chance is to draw, a step is not
        finished, and nobody has noticed anything of it yet."""
        known = len(self.machine.information_state(state, self.player))
        return known == len(self.known) and self.machine.actor(state) != CHANCE

    def children(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """The states behind a state that :meth:`fits`, as far as they fit, with the probabilities that chance or the
        others give them; the player's own moves count as certain, as explained in
        :mod:`zermelo.solvers.beliefs.belief`."""
        for move, chance in self._offered(state):
            if chance:
                after = self.machine.after(state, move)
                if self.fits(after):
                    yield after, chance

    def outcomes(self, state: State) -> SampleSpace:
        """The outcomes of chance at a state that :meth:`fits`, without those ruled out by what the
        player perceives in full. Raises ``ZermeloError`` (``too-many-outcomes``) if they cannot be counted."""
        return self.machine.consistent_outcomes(state, self.player, self.known)

    def _offered(self, state: State) -> Iterator[tuple[Move, Fraction]]:
        actor = self.machine.actor(state)
        if actor == END:
            return
        if actor == CHANCE:
            space = self.outcomes(state)
            yield from ((outcome, space.mass * chance) for outcome, chance in space)
        elif actor == self.player:
            made = self._made(state)
            yield from ((move, Fraction(1)) for move in self.machine.moves(state) if move == made)
        else:
            moves = self.machine.moves(state)
            known = self.machine.information_state(state, actor)
            yield from zip(moves, self.behaviour(actor, known, moves), strict=True)

    def _made(self, state: State) -> Move | None:
        """The move that the player made at their decision at ``state``: they perceive it next, and in full."""
        seen = len(self.machine.information_state(state, self.player))
        made = self.known[seen] if seen < len(self.known) else None
        return Move(made.name, made.arguments) if isinstance(made, PerceivedMove) else None
