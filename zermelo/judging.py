"""How good an estimate is: against the exact values of all positions, and with every decision made by it.

The exact values are those of the solver of positions. An estimate is asked where players ask it who look one move
ahead: in the positions right after a move. Its error is the difference to what such a position is worth, in units of
payoff; and wherever a player decides, the *greedy* move, behind which the estimate is best, loses what it is worse than
a best move. Where several moves are greedy, each of them counts with its share.

All positions count alike, however rarely a play comes there; or each as often as it does in plays of those who move
greedily, but at random in one of ten decisions, as learners do.
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


PLAYS: Final = 2_000
"""How many plays say how often positions come up."""

EXPLORED: Final = 0.1
"""The share of decisions of these plays at which a move is made at random."""

LONGEST: Final = 1_000
"""The most edges of such a play."""


@frozen
class Errors:
    """The root mean square and the largest of the errors of an estimate in so many ``positions``, the share of so many
    ``decisions`` in which a greedy move is best, and what greedy moves lose on average, in units of payoff."""

    positions: int
    root_mean_square: float
    largest: float
    decisions: int
    best_share: float
    loss: float


@frozen
class Judgement:
    """How good an estimate is in all positions, and in those that come up in plays, as often as they do."""

    everywhere: Errors
    in_play: Errors


class WorthByTheWay(Exception):
    """What a play pays depends on more than the position: on what has been earned, or on how often players decided."""


@frozen
class _Place:
    """A position right after a move, in which the play goes on: what it is worth, and what each estimate says."""

    worth: float
    estimates: list[float]


def judge(root: State, estimates: Sequence[Weights], limits: Limits, progress: Progress) -> list[Judgement]:
    """Judgements of several estimates of a game, all by features or all by networks of one size, by the positions from
    a state on.

    Raises ``ZermeloError``: what the solver of positions raises, ``out-of-memory`` and ``out-of-time`` among them; and
    :class:`WorthByTheWay` where players earn or there is a discount, since estimates are of what a play pays in all."""
    from zermelo.solvers.choosing.choice import solve
    from zermelo.solvers.learning.td import run_asking

    wanted = estimates[0].settings
    scales = scales_of(root.game, wanted)

    def work(machine: Machine[Any]) -> list[Judgement]:
        request = Request("positions", limits, is_advised=True, is_listed=True)
        policy: Any = solve(machine, root.game.facts, request, on_machine(root, machine), progress).policy
        if policy.graph.rewards is not None or policy.graph.discount != 1:
            raise WorthByTheWay
        places = run_asking(machine, estimates, scales, lambda ask: dict(_places(policy, ask, limits, progress)))
        return [_judgement(policy, places, k) for k in range(len(estimates))]

    return search(with_inputs(root.game, wanted), work)


def _places(policy: Policy[Any], ask: Ask, limits: Limits, progress: Progress) -> Iterator[tuple[int, _Place]]:
    """The positions right after a move, by their numbers."""
    graph, solved = policy.graph, policy.solved
    behind = {graph.targets[edge] for position in _decisions(policy) for edge in graph.edges(position)}
    for position, state in policy.states():
        if position in behind and graph.actor(position) != END:
            yield position, _Place(float(_worth(solved, position)), ask(state))
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


@frozen
class _Choice:
    """A decision: the greedy edges, the share of them that is best, and what they lose on average."""

    greedy: list[int]
    best_share: float
    loss: float


def _judgement(policy: Policy[Any], places: dict[int, _Place], k: int) -> Judgement:
    """The judgement of the estimate with the number k."""
    errors = {position: abs(place.estimates[k] - place.worth) for position, place in places.items()}
    choices = {position: _choice(policy, places, k, position) for position in _decisions(policy)}
    met, decided = list[int](), list[int]()
    random = Random(0)
    for _ in range(PLAYS):
        _play(policy, choices, random, met, decided)
    return Judgement(
        _errors(list(errors.values()), list(choices.values())),
        _errors([errors[position] for position in met if position in errors], [choices[at] for at in decided]),
    )


def _choice(policy: Policy[Any], places: dict[int, _Place], k: int, position: int) -> _Choice:
    graph = policy.graph
    sign = 1 if graph.actor(position) == 0 else -1
    guesses, worths = [], []
    for edge in graph.edges(position):
        target = graph.targets[edge]
        worth = _worth(policy.solved, target)
        worths.append(sign * worth)
        guesses.append(sign * (places[target].estimates[k] if target in places else float(worth)))
    most, top = max(guesses), max(worths)
    chosen = [place for place, guess in enumerate(guesses) if guess == most]
    lost = top - sum((worths[place] for place in chosen), Fraction(0)) / len(chosen)
    best = sum(worths[place] == top for place in chosen) / len(chosen)
    return _Choice([graph.firsts[position] + place for place in chosen], best, float(lost))


def _play(policy: Policy[Any], choices: dict[int, _Choice], random: Random, met: list[int], decided: list[int]) -> None:
    """Adds the positions behind the moves of a play, and the decisions in it."""
    graph, position = policy.graph, 0
    for _ in range(LONGEST):
        edges = graph.edges(position)
        if position in choices:
            decided.append(position)
            is_random = random.random() < EXPLORED
            edge = random.choice(list(edges) if is_random else choices[position].greedy)
            met.append(graph.targets[edge])
        elif edges:
            edge = random.choices(edges, list(map(float, graph.probabilities(position))))[0]
        else:
            return
        position = graph.targets[edge]


def _errors(errors: list[float], choices: list[_Choice]) -> Errors:
    count, decisions = max(1, len(errors)), max(1, len(choices))
    return Errors(
        len(errors),
        sqrt(sum(error * error for error in errors) / count),
        max(errors, default=0.0),
        len(choices),
        sum(choice.best_share for choice in choices) / decisions,
        sum(choice.loss for choice in choices) / decisions,
    )


def mean_of(judgements: list[Judgement]) -> Judgement:
    """The mean of several judgements."""

    def mean(where: str) -> Errors:
        several = [getattr(each, where) for each in judgements]
        first: Errors = several[0]

        def of(name: str) -> float:
            return float(sum(getattr(each, name) for each in several) / len(several))

        means = {name: of(name) for name in ("root_mean_square", "largest", "best_share", "loss")}
        return Errors(first.positions, decisions=first.decisions, **means)

    return Judgement(mean("everywhere"), mean("in_play"))


def weights_of(game: Game) -> Weights:
    """The weights that the features of a game's estimate have."""
    from zermelo.solvers.learning.td import begin

    first = begin(learnable(game), 0, TDSettings())
    return evolve(first, method="file", weights=tuple(map(float, game.weights.values())))


def random_weights(like: Weights, seed: int) -> Weights:
    """Weights at random, between the largest of others and minus that."""
    random, most = Random(seed), max(map(abs, like.weights))
    return evolve(like, method="random", weights=tuple(random.uniform(-most, most) for _ in like.weights))
