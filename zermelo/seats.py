"""Who plays when nobody types: random players, and players that make the best move."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Protocol

from attrs import define, field

from grammar.diagnostics import ZermeloError
from interpreter.checks.fact import Facts
from interpreter.machine import Move, PlayError
from zermelo.console import progress
from zermelo.game import State
from zermelo.solving import facts_of, solve_knowing

THINKING_SECONDS = 10.0
"""How long a player looks for the best move before he plays at random."""


class Seat(Protocol):
    """A player who needs no keyboard."""

    def choose(self, state: State) -> tuple[Move, str]:
        """A legal move, and a remark for those who watch, which may be empty."""


@define
class RandomSeat:
    """Chooses among the legal moves with equal probability."""

    random: Random

    def choose(self, state: State) -> tuple[Move, str]:
        return self.random.choice(state.moves), ""


@define
class BestSeat:
    """Solves what is left of the game; plays at random, and says so, where that cannot be done."""

    fallback: RandomSeat
    facts: Facts | None = field(default=None, init=False)

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = facts_of(state.game)
        deadline = monotonic() + THINKING_SECONDS
        with progress(f"{state.actor} is thinking", "nodes") as report:

            def watch(nodes: int) -> None:
                if monotonic() > deadline:
                    raise _OutOfTimeError(nodes)
                if report is not None:
                    report(nodes)

            try:
                solution = solve_knowing(self.facts, state.game, state, None, watch)
            except PlayError:
                raise
            except ZermeloError as error:
                reason = error.message
            except _OutOfTimeError as stopped:
                reason = f"the game is not solved after {stopped.nodes:,} nodes"
            else:
                return solution.best[0], ""
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor} plays at random: {reason}."


class _OutOfTimeError(Exception):
    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self.nodes = nodes
