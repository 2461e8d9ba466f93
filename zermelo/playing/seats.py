"""Players at no keyboard: random ones, ones that make the best move, and ones by Monte Carlo tree search, of positions
or of what players know, by averages over deals, by sampling, or by saved strategies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from attrs import define, field

from zermelo.console import progress
from zermelo.decisions.clairvoyance import DEALS, MOVES, averaged
from zermelo.decisions.move_values import move_values
from zermelo.decisions.online import online
from zermelo.decisions.simulating import DEALS_IN_PLAY, simulate
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Move, Observation, PlayError
from zermelo.numbers import above
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.conditional_plan import ConditionalPlan
from zermelo.solvers.forms.strategy import Decision
from zermelo.solvers.solution import Solution
from zermelo.solving import solve_knowing

THINKING_SECONDS = 5.0
"""The time limit of a search for the best move."""

SIMULATING_SECONDS = 2.0
"""The time of a Monte Carlo tree search."""


class Seat(Protocol):
    """A player without a keyboard."""

    def choose(self, state: State) -> tuple[Move, str]:
        """A legal move, and a remark for spectators, which may be empty."""


@define(eq=False)
class RandomSeat:
    """Chooses among the legal moves with equal probability."""

    random: Random

    def choose(self, state: State) -> tuple[Move, str]:
        return self.random.choice(state.moves), ""


@define(eq=False)
class BestSeat:
    """Solves the rest of the game, in rounds that are public from where the round has begun, or, if something stays
    hidden, once the whole game, whose strategy it then follows: an exact one or, where there is none in that time, one
    by counterfactual regret minimization. If that takes too long and the file has an estimate, it plays the best move
    found so far and says how far it looked. Without an estimate or a fitting solver it falls back to
    :class:`MonteCarloSeat`, or, if something is hidden, to random moves, and says so."""

    fallback: RandomSeat
    facts: Facts | None = field(default=None, init=False)
    strategy: dict[tuple[Observation, ...], Decision] | None = field(default=None, init=False)
    plan: ConditionalPlan | None = field(default=None, init=False)
    refusal: ZermeloError | None = field(default=None, init=False)  # why there is no strategy
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = state.game.facts
        try:
            if self.facts.perfect_information.holds:
                return self._best(self.facts, state)
            advised = self._advised(self.facts, state)
            return (advised, "") if advised is not None else self._drawn(self.facts, state)
        except PlayError:
            raise
        except LimitReached as reached:
            reason = f"no best move has been found {reached.limit}"
        except ZermeloError as error:
            reason = error.message
        if self.facts.perfect_information.holds:
            move, remark = MonteCarloSeat(self.fallback, self.facts, memory=self.memory).choose(state)
            return move, f"{remark} It is a guess: {reason}."
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor} plays at random: {reason}."

    def _solved(self, facts: Facts, state: State, root: State | None, solver: str | None = None) -> Solution:
        with progress(f"{state.actor} is thinking", "nodes") as report:
            limits = Limits(seconds=THINKING_SECONDS, memory=self.memory)
            return solve_knowing(facts, state.game, root, solver, report, limits)

    def _best(self, facts: Facts, state: State) -> tuple[Move, str]:
        solution = self._solved(facts, state, state)
        seen = "" if solution.exact else f"{state.actor} has looked {_counted(solution.counts['depth'], 'move')} ahead."
        return solution.best[0], seen

    def _advised(self, facts: Facts, state: State) -> Move | None:
        """A move in a round, by the policy for the position in which it has begun; None if there is none."""
        if not (facts.public_between_rounds.holds and facts.has_several_rounds):
            return None
        begun = here = state.game.initial
        for move in state.play:
            here = here.after(move)
            begun = begun if state.game.machine.is_within_round(here.machine_state) else here
        policy, player = self._solved(facts, state, begun).policy, state.game.players.index(state.actor or "")
        if policy is None:
            return None
        advice = next(advice for advice in policy if advice.player == player)
        (drawn,) = self.fallback.random.choices(advice.moves, list(map(float, advice.chances)))
        return drawn

    def _drawn(self, facts: Facts, state: State) -> tuple[Move, str]:
        assert state.actor is not None, "a seat is asked while the play goes on"
        remark = ""
        if self.strategy is None and self.plan is None:
            found = self._whole(facts, state)
            self.plan = found.plan
            own = next((strategy for strategy in found.strategies if strategy.player == state.actor), None)
            self.strategy = None if own is None else {tuple(decision.known): decision for decision in own.decisions}
            if found.exploitability is not None:
                gain = above(found.exploitability) if found.exploitability else "0"
                remark = f"{state.actor} follows strategies from which the players gain {gain} on average, at most."
        if self.strategy is None:
            assert self.plan is not None, "a solution has strategies or a plan where something is hidden"
            return self._planned(self.plan, state), remark
        decision = self.strategy[tuple(state.information_state(state.actor))]
        (move,) = self.fallback.random.choices(decision.moves, list(map(float, decision.probabilities)))
        return move, remark

    def _planned(self, plan: ConditionalPlan, state: State) -> Move:
        """The move of a plan, or a best one where it does not lead here."""
        step = plan.step_at(tuple(state.information_state(state.actor or "")))
        if step is not None:
            return step.move
        limits = Limits(seconds=THINKING_SECONDS, memory=self.memory)
        with progress(f"{state.actor} is thinking", "nodes") as report, limits.kept():
            return move_values(state, None, limits, report).best[0]

    def _whole(self, facts: Facts, state: State) -> Solution:
        """A solution of the whole game; it is sought once, and a refusal is remembered."""
        if self.refusal is not None:
            raise self.refusal
        try:
            return self._solved(facts, state, None)
        except PlayError:
            raise
        except ZermeloError as error:
            self.refusal = error
        try:
            found = self._solved(facts, state, None, "cfr_plus")
        except PlayError:
            raise
        except ZermeloError:
            raise self.refusal from None
        self.refusal = None
        return found


@define(eq=False)
class MonteCarloSeat:
    """Plays the move most visited by Monte Carlo tree search. If that does not fit the game, it plays at random, and
    says so."""

    fallback: RandomSeat
    facts: Facts | None = None
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        if self.facts is None:
            self.facts = state.game.facts
        try:
            with progress(f"{state.actor} is thinking", "nodes") as report:
                limits = Limits(seconds=SIMULATING_SECONDS, memory=self.memory)
                found = solve_knowing(self.facts, state.game, state, "mcts", report, limits)
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."
        return found.best[0], f"{state.actor} has made {_counted(found.counts['simulations'], 'simulation')}."


@define(eq=False)
class DealsSeat:
    """Plays the move that is best on average over deals that fit what the player has perceived, each solved with open
    cards. If that does not fit the game, it plays at random, and says so."""

    fallback: RandomSeat
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        try:
            with progress(f"{state.actor} is thinking", "deals") as report:
                limits = Limits(seconds=THINKING_SECONDS, memory=self.memory)
                seed = self.fallback.random.randrange(1 << 30)
                found = averaged(state, "pimc", DEALS, MOVES, seed, limits, report)
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."
        return found.best[0], f"{state.actor} has solved {_counted(found.deals, 'deal')} with open cards."


@define(eq=False)
class InformationSetSeat:
    """Plays the move most simulated by information-set Monte Carlo tree search, which looks at deals that fit what the
    player has perceived. If that does not fit the game, it plays at random, and says so."""

    fallback: RandomSeat
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        try:
            with progress(f"{state.actor} is thinking", "simulations") as report:
                seed = self.fallback.random.randrange(1 << 30)
                made = simulate(
                    state, deals=DEALS_IN_PLAY, seed=seed, limits=Limits(memory=self.memory), progress=report
                ).found
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."
        return made.best, f"{state.actor} has made {_counted(made.simulations, 'simulation')}."


@define(eq=False)
class OnlineSeat:
    """Draws a move from the strategy that online outcome sampling learns for what the player has perceived. If that
    does not fit the game, it plays at random, and says so."""

    fallback: RandomSeat
    seed: int = field(init=False)
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    @seed.default
    def _seed(self) -> int:
        return self.fallback.random.randrange(1 << 30)

    def choose(self, state: State) -> tuple[Move, str]:
        try:
            with progress(f"{state.actor} is thinking", "nodes") as report:
                found = online(state, seed=self.seed, limits=Limits(memory=self.memory), progress=report).found
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."
        (move,) = self.fallback.random.choices(list(found.chances), list(map(float, found.chances.values())))
        return move, f"{state.actor} has made {_counted(found.iterations, 'iteration')}."


@define(eq=False)
class FollowingSeat:
    """Follows strategies that say how to choose, such as those of a file (:mod:`zermelo.playing.contestants`)."""

    random: Random
    contestant: Callable[[State, Random], Move]

    def choose(self, state: State) -> tuple[Move, str]:
        if len(state.moves) == 1:  # strategies need not list it
            return state.moves[0], ""
        return self.contestant(state, self.random), ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
