"""Estimates of positions by random plays from there to the end (*rollouts*)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final, Generic

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import CHANCE, END, Machine, Payoff, State
from zermelo.interpreter.values import exact

ROLLOUTS: Final = 32
"""Random plays for one estimate."""


@define(eq=False, repr=False)
class Rollouts(Generic[State]):
    """Random plays, which are the same for the same state of ``random`` and order of positions."""

    machine: Machine[State]
    random: Random
    _latest: tuple[State, tuple[int | Fraction, ...]] | None = field(default=None, init=False)

    def means(self, state: State) -> tuple[int | Fraction, ...]:
        """The mean payoff of every player. There are new plays only for another state than the one asked for last."""
        if self._latest is None or self._latest[0] is not state:
            plays = [self._payoff(state) for _ in range(ROLLOUTS)]
            means = tuple(exact(sum(paid, Fraction(0)) / ROLLOUTS) for paid in zip(*plays, strict=True))
            self._latest = state, means
        return self._latest[1]

    def _payoff(self, state: State) -> Payoff:
        look()
        machine, random = self.machine, self.random
        while (actor := machine.actor(state)) != END:
            move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
            state = machine.after(state, move)
        return machine.payoff(state)
