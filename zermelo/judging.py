"""How good an estimate is: against the exact values of all positions, and with every decision made by it.

The exact values are those of the solver of positions. An estimate is asked where players ask it who look one move
ahead: in the positions right after a move. Its error is the difference to what such a position is worth, in units of
payoff; and wherever a player decides, the *greedy* move, behind which the estimate is best, loses what it is worse than
a best move. Where several moves are greedy, each of them counts with its share. All positions count alike, however
rarely a play comes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from zermelo.game import Game, State
from zermelo.interpreter.machine import END
from zermelo.learning import learnable, scales_of, with_inputs
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.learning.weights import TDSettings, Weights
from zermelo.solvers.solution import Request
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.solvers.learning.td import Ask
    from zermelo.solvers.positions.policies import Policy
    from zermelo.solvers.positions.solved_positions import SolvedPositions

RANDOM: Final = 3
"""How many times weights are drawn at random, to have something to compare with."""


@frozen
class Judgement:
    """How good an estimate is: the root mean square and the largest of its errors in ``positions``, the share of
    ``decisions`` in which a greedy move is best, and what greedy moves lose on average, in units of payoff."""

    positions: int
    root_mean_square: float
    largest: float
    decisions: int
    best_share: float
    loss: float


@frozen
class _Place:
    """A position right after a move, in which the play goes on: what it is worth, and what each estimate says."""

    worth: float
    estimates: list[float]


def judge(root: State, estimates: Sequence[Weights], limits: Limits, progress: Progress) -> list[Judgement]:
    """Judgements of several estimates of a game, all by features or all by networks of one size, by the positions from
    a state on.

    Raises ``ZermeloError``: what the solver of positions raises, ``out-of-memory`` and ``out-of-time`` among them."""
    from zermelo.solvers.choosing.choice import solve
    from zermelo.solvers.learning.td import run_asking

    hidden = estimates[0].settings.hidden
    scales = scales_of(root.game, hidden)

    def work(machine: Machine[Any]) -> list[Judgement]:
        request = Request("positions", limits, is_advised=True, is_listed=True)
        policy: Any = solve(machine, root.game.facts, request, on_machine(root, machine), progress).policy
        places = run_asking(machine, estimates, scales, lambda ask: dict(_places(policy, ask, limits, progress)))
        return [_judgement(policy, places, k) for k in range(len(estimates))]

    return search(with_inputs(root.game, hidden), work)


def _places(policy: Policy[Any], ask: Ask, limits: Limits, progress: Progress) -> Iterator[tuple[int, _Place]]:
    """The positions right after a move, by their numbers."""
    graph, solved = policy.graph, policy.solved
    behind = {graph.targets[edge] for position in _decisions(policy) for edge in graph.edges(position)}
    for position, state in policy.states():
        if position in behind and graph.actor(position) != END:
            earned = policy.guide.machine.earned(state)[0]
            yield position, _Place(float(earned + _worth(solved, position)), ask(state))
        if position % 256 == 0:
            limits.check({"nodes": position})
            progress(position)


def _worth(solved: SolvedPositions, position: int) -> Fraction:
    """What a position is worth to the first player."""
    payoff = solved.payoff(position)
    assert payoff is not None, "the position has a value, or the game has been refused"
    return payoff[0]


def _decisions(policy: Policy[Any]) -> Iterator[int]:
    """The positions in which a player decides."""
    graph = policy.graph
    return (position for position in range(len(graph)) if graph.actor(position) >= 0)


def _judgement(policy: Policy[Any], places: dict[int, _Place], k: int) -> Judgement:
    """The judgement of the estimate with the number k."""
    graph = policy.graph
    errors = [abs(place.estimates[k] - place.worth) for place in places.values()]
    decisions, best, lost = 0, 0.0, 0.0
    for position in _decisions(policy):
        sign = 1 if graph.actor(position) == 0 else -1
        moves = []
        for edge in graph.edges(position):
            target, factor = graph.targets[edge], graph.factor(position, edge)
            worth = graph.reward(edge)[0] + factor * _worth(policy.solved, target)
            guess = places[target].estimates[k] if target in places else float(worth)
            moves.append((sign * guess, sign * worth))
        most = max(guess for guess, _ in moves)
        chosen = [worth for guess, worth in moves if guess == most]
        top = max(worth for _, worth in moves)
        decisions += 1
        best += sum(worth == top for worth in chosen) / len(chosen)
        lost += float(top - sum(chosen, Fraction(0)) / len(chosen))
    count = max(1, len(errors))
    return Judgement(
        len(errors),
        sqrt(sum(error * error for error in errors) / count),
        max(errors, default=0.0),
        decisions,
        best / max(1, decisions),
        lost / max(1, decisions),
    )


def mean_of(judgements: list[Judgement]) -> Judgement:
    """The mean of several judgements."""
    count, first = len(judgements), judgements[0]

    def mean(name: str) -> float:
        return float(sum(getattr(each, name) for each in judgements) / count)

    means = {name: mean(name) for name in ("root_mean_square", "largest", "best_share", "loss")}
    return Judgement(first.positions, decisions=first.decisions, **means)


def weights_of(game: Game) -> Weights:
    """The weights that the features of a game's estimate have."""
    from zermelo.solvers.learning.td import begin

    first = begin(learnable(game), 0, TDSettings())
    return evolve(first, method="file", weights=tuple(map(float, game.weights.values())))


def random_weights(like: Weights, seed: int) -> Weights:
    """Weights at random, between the largest of others and minus that."""
    random, most = Random(seed), max(map(abs, like.weights))
    return evolve(like, method="random", weights=tuple(random.uniform(-most, most) for _ in like.weights))
