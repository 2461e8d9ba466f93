"""A game that is cut off at a horizon: plays end there, and pay what is assumed of the rest.

Everything else is the game's own, the observations too. A play is cut where it has taken ``depth`` moves and outcomes,
or where the player ``counting`` has made ``depth`` decisions; at the next decision, if ``at_decisions``. No play is cut
while some have chosen and others, who choose at the same moment, have not. The first player gets from there on what the
rest is assumed to be worth if it began there; with two players the second one gets what is left of the constant sum.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Generic

from attrs import define

from zermelo.interpreter.machine import (
    END,
    InformationState,
    Machine,
    Move,
    Payoff,
    PerceivedMove,
    SampleSpace,
    State,
)
from zermelo.solvers.positions.playing import before_the_root


@define(eq=False)
class CutMachine(Generic[State]):
    """Implements :class:`~zermelo.interpreter.machine.Machine`. ``rest`` is what the rest is assumed to be worth;
    ``total`` is the constant sum of two players, None for a single one; ``has_cut`` says whether any play has been cut
    off so far."""

    machine: Machine[State]
    depth: int
    rest: Fraction
    total: Fraction | None
    at_decisions: bool
    counting: int | None = None
    has_cut: bool = False
    _latest: tuple[State | None, bool] = (None, False)  # what is asked of a state is asked several times

    @property
    def player_names(self) -> tuple[str, ...]:
        return self.machine.player_names

    @property
    def discount(self) -> Fraction:
        return self.machine.discount

    def endless(self) -> Payoff | None:
        return self.machine.endless()

    def initial(self) -> State:
        return self.machine.initial()

    def is_cut(self, state: State) -> bool:
        """Whether a play ends in this state though the rules go on."""
        if self._latest[0] is not state:
            self._latest = state, self._is_cut(state)
        return self._latest[1]

    def _is_cut(self, state: State) -> bool:
        machine = self.machine
        actor = machine.actor(state)
        if actor == END or machine.is_within_round(state) or (self.at_decisions and actor < 0):
            return False
        if self.counting is None:
            return len(machine.play(state)) >= self.depth
        own, known = self.player_names[self.counting], machine.information_state(state, self.counting)
        return sum(isinstance(each, PerceivedMove) and each.player == own for each in known) >= self.depth

    def actor(self, state: State) -> int:
        if self.is_cut(state):
            self.has_cut = True
            return END
        return self.machine.actor(state)

    def moves(self, state: State) -> tuple[Move, ...]:
        return () if self.is_cut(state) else self.machine.moves(state)

    def outcomes(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        return () if self.is_cut(state) else self.machine.outcomes(state)

    def draw(self, state: State, random: Random) -> Move:
        return self.machine.draw(state, random)

    def sample_space(self, state: State) -> SampleSpace:
        return self.machine.sample_space(state)

    def consistent_outcomes(self, state: State, player: int, known: InformationState) -> SampleSpace:
        return self.machine.consistent_outcomes(state, player, known)

    def after(self, state: State, move: Move) -> State:
        return self.machine.after(state, move)

    def passed(self, state: State) -> State | None:
        return None

    def payoff(self, state: State) -> Payoff:
        if not self.is_cut(state):
            return self.machine.payoff(state)
        earned, factor = before_the_root(self.machine, state)
        first = earned[0] + factor * self.rest
        return (first,) if self.total is None else (first, self.total - first)

    def earned(self, state: State) -> Payoff:
        return self.machine.earned(state)

    def position(self, state: State) -> Hashable:
        """How far the horizon is belongs to the position."""
        return self.machine.position(state), len(self.machine.play(state))

    def is_within_round(self, state: State) -> bool:
        return self.machine.is_within_round(state)

    def information_state(self, state: State, player: int) -> InformationState:
        return self.machine.information_state(state, player)

    def estimate(self, state: State, player: int) -> Fraction:
        return self.machine.estimate(state, player)

    def is_unsettled(self, state: State) -> bool:
        return self.machine.is_unsettled(state)

    def rank(self, state: State) -> Fraction:
        return self.machine.rank(state)

    def is_witnessed(self, state: State, number: int) -> bool:
        return self.machine.is_witnessed(state, number)

    def play(self, state: State) -> tuple[Move, ...]:
        return self.machine.play(state)
