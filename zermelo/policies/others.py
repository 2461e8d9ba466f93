"""How the others choose: by an equilibrium that is found, or by the strategies of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import InformationState, Move
from zermelo.policies.listed_moves import probabilities, refuse
from zermelo.policies.strategy_files import UNIFORM, is_uniform_elsewhere, read_record
from zermelo.solutions.strategies import record
from zermelo.solvers.beliefs.behaviour import Behaviour, uniform
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.conditional_plan import ConditionalPlan
from zermelo.solving import solve_knowing

BEST: Final = "best"
"""In place of a file: the strategies that the solver finds which fits the game."""


def behaviour_of(name: str, game: Game, limits: Limits, progress: Progress) -> Behaviour:
    """The strategies of this name: ``uniform``, ``best`` or a file."""
    if name == UNIFORM or game.facts.perfect_information.holds:  # where nothing is hidden, no strategy tells anything
        return uniform
    if name != BEST:
        return ListedStrategies.of(name, game, read_record(name, game).get("strategies"))
    solution = solve_knowing(game.facts, game, None, None, progress, limits)
    if solution.plan is not None:
        return FollowedPlan(solution.plan)
    if not solution.strategies:
        raise ZermeloError(
            "no-policy",
            f"the solver {solution.solver} finds a value, and no strategies",
            "`--others uniform` takes all moves of the others to be equally likely",
        )
    return ListedStrategies.of(BEST, game, [record(strategy) for strategy in solution.strategies])


@frozen
class FollowedPlan:
    """The moves of a single player's plan, and all moves with equal probability where it never leads."""

    plan: ConditionalPlan

    def __call__(self, player: int, known: InformationState, moves: tuple[Move, ...]) -> Sequence[Fraction]:
        step = self.plan.step_at(tuple(known))
        return uniform(player, known, moves) if step is None else [Fraction(move == step.move) for move in moves]


@frozen
class ListedStrategies:
    """Strategies as ``zermelo solve --json`` writes them: the ``decisions`` of each player by what they know. Players
    who are ``uniform_elsewhere`` make all moves with equal probability in decisions that are not listed."""

    name: str
    game: Game
    decisions: Mapping[tuple[str, tuple[str, ...]], Mapping[str, Any]]
    uniform_elsewhere: frozenset[str]

    @staticmethod
    def of(name: str, game: Game, listed: Any) -> ListedStrategies:
        if not isinstance(listed, list) or not listed:
            refuse(name, "it has no list of strategies")
        decisions: dict[tuple[str, tuple[str, ...]], Mapping[str, Any]] = {}
        elsewhere = set()
        for strategy in listed:
            try:
                if is_uniform_elsewhere(name, strategy):
                    elsewhere.add(strategy["player"])
                for decision in strategy["decisions"]:
                    made = {move: told["probability"] for move, told in decision["moves"].items()}
                    decisions[strategy["player"], tuple(decision["known"])] = made
            except (TypeError, KeyError, AttributeError):
                refuse(name, "a decision of it is not as `zermelo solve --json` writes them")
        return ListedStrategies(name, game, decisions, frozenset(elsewhere))

    def __call__(self, player: int, known: InformationState, moves: tuple[Move, ...]) -> Sequence[Fraction]:
        if len(moves) == 1:
            return [Fraction(1)]
        who, knowing = self.game.players[player], tuple(map(str, known))
        here = f"the decision of {who} knowing {'; '.join(knowing) or 'nothing'}"
        listed = self.decisions.get((who, knowing))
        if listed is None and who in self.uniform_elsewhere:
            return uniform(player, known, moves)
        if listed is None:
            refuse(self.name, f"it does not say what {who} does knowing {'; '.join(knowing) or 'nothing'}")
        return probabilities(self.name, here, tuple(map(str, moves)), listed)
