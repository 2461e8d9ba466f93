"""Who plays when nobody types: random players, players that make the best move, and players that try moves out."""

from __future__ import annotations

from random import Random
from typing import Protocol

from attrs import define, field

from zermelo.console import progress
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Move, Observation, PlayError
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.strategy import Decision
from zermelo.solvers.solution import Solution
from zermelo.solving import solve_knowing

THINKING_SECONDS = 5.0
"""How long a player looks for the best move."""

SIMULATING_SECONDS = 2.0
"""How long a player tries moves out."""


class Seat(Protocol):
    """A player who needs no keyboard."""

    def choose(self, state: State) -> tuple[Move, str]:
        """A legal move, and a remark for those who watch, which may be empty."""


@define(eq=False)
class RandomSeat:
    """Chooses among the legal moves with equal probability."""

    random: Random

    def choose(self, state: State) -> tuple[Move, str]:
        return self.random.choice(state.moves), ""


@define(eq=False)
class BestSeat:
    """Solves what is left of the game, or where something is hidden the whole of it, once, and then draws its moves as
    its strategy says. Where that takes too long, it plays what looks best so far, if the file has an estimate, and says
    how far it looked. Where there is none, or no solver fits, it tries moves out as :class:`MonteCarloSeat` does, and
    where something is hidden it plays at random; both it says."""

    fallback: RandomSeat
    facts: Facts | None = field(default=None, init=False)
    strategy: dict[tuple[Observation, ...], Decision] | None = field(default=None, init=False)

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = state.game.facts
        try:
            if self.facts.perfect_information.holds:
                return self._best(self.facts, state)
            return self._drawn(self.facts, state), ""
        except PlayError:
            raise
        except LimitReached as reached:
            reason = f"no best move has been found {reached.limit}"
        except ZermeloError as error:
            reason = error.message
        if self.facts.perfect_information.holds:
            move, remark = MonteCarloSeat(self.fallback, self.facts).choose(state)
            return move, f"{remark} It is a guess: {reason}."
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor} plays at random: {reason}."

    def _solved(self, facts: Facts, state: State, root: State | None) -> Solution:
        with progress(f"{state.actor} is thinking", "nodes") as report:
            return solve_knowing(facts, state.game, root, None, report, Limits(seconds=THINKING_SECONDS))

    def _best(self, facts: Facts, state: State) -> tuple[Move, str]:
        solution = self._solved(facts, state, state)
        seen = "" if solution.exact else f"{state.actor} has looked {_counted(solution.counts['depth'], 'move')} ahead."
        return solution.best[0], seen

    def _drawn(self, facts: Facts, state: State) -> Move:
        assert state.actor is not None, "a seat is asked while the play goes on"
        if self.strategy is None:
            found = self._solved(facts, state, None).strategies
            own = next(strategy for strategy in found if strategy.player == state.actor)
            self.strategy = {tuple(decision.known): decision for decision in own.decisions}
        decision = self.strategy[tuple(state.information_state(state.actor))]
        (move,) = self.fallback.random.choices(decision.moves, list(map(float, decision.probabilities)))
        return move


@define(eq=False)
class MonteCarloSeat:
    """Searches what is left of the game by Monte Carlo tree search, and plays the move that it tried most. Where that
    search does not fit the game, it plays at random, and says so."""

    fallback: RandomSeat
    facts: Facts | None = None

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = state.game.facts
        try:
            with progress(f"{state.actor} is thinking", "nodes") as report:
                limits = Limits(seconds=SIMULATING_SECONDS)
                found = solve_knowing(self.facts, state.game, state, "mcts", report, limits)
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."
        return found.best[0], f"{state.actor} has made {_counted(found.counts['simulations'], 'simulation')}."


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
