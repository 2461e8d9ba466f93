"""Who plays when nobody types: random players, and players that make the best move."""

from __future__ import annotations

from random import Random
from typing import Protocol

from attrs import define, field

from grammar.diagnostics import ZermeloError
from interpreter.checks.fact import Facts
from interpreter.machine import Move, PlayError
from solvers.limits import LimitReached, Limits
from zermelo.console import progress
from zermelo.game import State
from zermelo.solving import facts_of, solve_knowing

THINKING_SECONDS = 5.0
"""How long a player looks for the best move."""


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
    """Solves what is left of the game. Where that takes too long, it plays what looks best so far, if the file has an
    estimate, and says how far it looked; else it plays at random, and says so."""

    fallback: RandomSeat
    facts: Facts | None = field(default=None, init=False)

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = facts_of(state.game)
        with progress(f"{state.actor} is thinking", "nodes") as report:
            try:
                limits = Limits(seconds=THINKING_SECONDS)
                solution = solve_knowing(self.facts, state.game, state, None, report, limits)
            except PlayError:
                raise
            except LimitReached as reached:
                reason = f"no best move has been found {reached.limit}"
            except ZermeloError as error:
                reason = error.message
            else:
                seen = "" if solution.exact else f"{state.actor} has looked {solution.counts['depth']} moves ahead."
                return solution.best[0], seen
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor} plays at random: {reason}."
