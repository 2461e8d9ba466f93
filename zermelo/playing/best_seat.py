"""A player at no keyboard who makes the best move that can be found within the nodes of a move."""

from __future__ import annotations

from math import inf
from typing import Final

from attrs import define, field

from zermelo.decisions.move_values import move_values
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Observation, PlayError
from zermelo.numbers import above
from zermelo.playing.searches import counted, most_nodes, most_visited, thinking
from zermelo.playing.seats import RandomSeat, SearchingSeat
from zermelo.solvers.common.goal import EXPLOITABILITY, Goal
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.conditional_plan import ConditionalPlan
from zermelo.solvers.forms.strategy import Decision
from zermelo.solvers.solution import Solution
from zermelo.solving import solve_knowing

_HISTORIES: Final = 20_000
"""The most nodes of a game with secrets that is solved exactly, which may take far longer than to visit them."""

_ITERATIONS: Final = 1_000
"""The most iterations of regret minimization."""


@define(eq=False)
class BestSeat:
    """Solves the rest of the game, in rounds that are public from where the round has begun, or, if something stays
    hidden, once the whole game, whose strategy it then follows: an exact one or, where that is too large, one
    by counterfactual regret minimization. If that takes too many nodes and the file has an estimate, it plays the best
    move found so far and says how far it looked. Without an estimate or a fitting solver it falls back to
    Monte Carlo tree search or, if something is hidden, to random moves, and says so."""

    fallback: RandomSeat
    strategy: dict[tuple[Observation, ...], Decision] | None = field(default=None, init=False)
    plan: ConditionalPlan | None = field(default=None, init=False)
    refusal: ZermeloError | None = field(default=None, init=False)  # why there is no strategy
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        facts = state.game.facts
        try:
            if facts.perfect_information.holds:
                return self._best(state)
            advised = self._advised(state) if facts.public_between_rounds.holds and facts.has_several_rounds else None
            return (advised, "") if advised is not None else self._drawn(state)
        except PlayError:
            raise
        except LimitReached as reached:
            reason = f"no best move has been found {reached.limit}"
        except ZermeloError as error:
            reason = error.message
        if facts.perfect_information.holds:
            move, remark = SearchingSeat(self.fallback, most_visited, memory=self.memory).choose(state)
            return move, f"{remark} It is a guess: {reason}."
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor} plays at random: {reason}."

    def _solved(
        self,
        state: State,
        root: State | None,
        most: int,
        solver: str | None = None,
        goal: Goal | None = None,
        nodes: float = inf,
    ) -> Solution:
        limits = Limits(memory=self.memory, nodes=nodes)
        with thinking(state, most) as report:
            return solve_knowing(state.game.facts, state.game, root, solver, report, limits, goal, hurries=True)

    def _best(self, state: State) -> tuple[Move, str]:
        most = most_nodes(state)  # within which what wins soonest, or loses latest, is sought as well
        try:
            solution = self._solved(state, state, most)
        except LimitReached:
            if not state.game.facts.has_estimate:
                raise
            solution = self._solved(state, state, 2 * most, nodes=most)  # which ends it in good order
        seen = "" if solution.exact else f"{state.actor} has looked {counted(solution.counts['depth'], 'move')} ahead."
        return solution.best[0], seen

    def _advised(self, state: State) -> Move | None:
        """A move in a round, by the policy for the position in which it has begun; None if there is none."""
        begun = here = state.game.initial
        for move in state.play:
            here = here.after(move)
            begun = begun if state.game.machine.is_within_round(here.machine_state) else here
        policy = self._solved(state, begun, most_nodes(state)).policy
        player = state.game.players.index(state.actor or "")
        if policy is None:
            return None
        advice = next(advice for advice in policy if advice.player == player)
        (drawn,) = self.fallback.random.choices(advice.moves, list(map(float, advice.chances)))
        return drawn

    def _drawn(self, state: State) -> tuple[Move, str]:
        assert state.actor is not None, "a seat is asked while the play goes on"
        remark = ""
        if self.strategy is None and self.plan is None:
            found = self._whole(state)
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
        with thinking(state, most_nodes(state)) as report:
            return move_values(state, None, Limits(memory=self.memory), report).best[0]

    def _whole(self, state: State) -> Solution:
        """A solution of the whole game; it is sought once, and a refusal is remembered."""
        if self.refusal is not None:
            raise self.refusal
        try:
            return self._solved(state, None, min(_HISTORIES, most_nodes(state)))
        except PlayError:
            raise
        except ZermeloError as error:
            self.refusal = error
        try:
            found = self._solved(state, None, most_nodes(state), "cfr_plus", Goal(EXPLOITABILITY, _ITERATIONS))
        except PlayError:
            raise
        except ZermeloError:
            raise self.refusal from None
        self.refusal = None
        return found
