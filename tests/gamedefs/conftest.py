"""Plays of the bundled games, written as the command line writes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from solving import solve
from written_games import bundled_model

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, END, Move
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.solution import Solution


@frozen
class Play:
    """A play of a game, up to a state."""

    machine: ReferenceMachine
    state: Any

    def then(self, *moves: str) -> Play:
        """The play after some more moves or outcomes."""
        state = self.state
        for text in moves:
            state = self.machine.after(state, self.machine.find_move(state, text))
        return evolve(self, state=state)

    def go_on(self, move: Move) -> Play:
        return evolve(self, state=self.machine.after(self.state, move))

    @property
    def actor(self) -> str:
        """The name of the player to move, or ``chance``, or ``end``."""
        actor = self.machine.actor(self.state)
        return {CHANCE: "chance", END: "end"}.get(actor) or self.machine.player_names[actor]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, or the possible outcomes."""
        if self.machine.actor(self.state) == CHANCE:
            return tuple(move for move, _ in self.machine.outcomes(self.state))
        return self.machine.moves(self.state)

    @property
    def legal(self) -> set[str]:
        return set(map(str, self.moves))

    @property
    def payoff(self) -> tuple[Fraction, ...]:
        return self.machine.payoff(self.state)

    @property
    def ended(self) -> bool:
        return self.machine.actor(self.state) == END

    def at_random(self, random: Random) -> Play:
        """The play after a random move or outcome."""
        if self.machine.actor(self.state) == CHANCE:
            return self.go_on(self.machine.draw(self.state, random))
        return self.go_on(random.choice(self.machine.moves(self.state)))

    def count(self, length: int) -> int:
        """The number of continuations of this length."""
        if length == 1:
            return len(self.moves)
        return sum(self.go_on(move).count(length - 1) for move in self.moves)

    def value(self) -> Fraction:
        """The first player's value of a game of two players, constant sum and perfect information."""
        values: dict[Any, Fraction] = {}

        def visit(play: Play) -> Fraction:
            if play.ended:
                return play.payoff[0]
            position = play.machine.position(play.state)
            if position not in values:
                best = max if play.actor == play.machine.player_names[0] else min
                values[position] = best(visit(play.go_on(move)) for move in play.moves)
            return values[position]

        return visit(self)


@cache
def _machine(name: str, settings: tuple[tuple[str, Any], ...]) -> ReferenceMachine:
    return ReferenceMachine(bundled_model(name, **dict(settings)))


@pytest.fixture
def solution() -> Callable[..., Solution]:
    """``solution(name, solver, parameter=value, ...)``: a bundled game solved on the lowered machine ``on``.

    Termination must be proved from the rules, or asserted by the test: ``ends=True``.
    """

    def solve_game(
        name: str, solver: str | None = None, *, on: str = "python", ends: bool = False, **settings: Any
    ) -> Solution:
        game = zermelo.load(name, **settings)
        known = facts(game.model)
        if ends:
            known = evolve(known, terminates=Fact(True, "every move brings the end nearer"))
        return solve(game.on(on).searching, known, solver)

    return solve_game


@pytest.fixture
def start() -> Callable[..., Play]:
    """``start(name, parameter=value, ...)``: a bundled game at its beginning."""

    def begin(name: str, **settings: Any) -> Play:
        machine = _machine(name, tuple(sorted(settings.items())))
        return Play(machine, machine.initial())

    return begin
