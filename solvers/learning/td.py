"""TD(lambda) by self-play: :mod:`zermelo.solvers.kernels.temporal_differences` has the algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from math import sqrt
from random import Random
from typing import Any, Final

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.interpreter.machine import Machine, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits, Milestone, Remark, ignore_remark
from zermelo.solvers.kernels import temporal_differences as kernel
from zermelo.solvers.learning.weights import CurvePoint, LearnableGame, Progression, TDSettings, Weights
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import Slices
from zermelo.solvers.search.random_plays import LONGEST

HALVED: Final = 10_000
"""The games after which alpha is half of what it was."""

SMALL: Final = 0.25
"""The greatest weight of a network before any game."""


def begin(game: LearnableGame, seed: int, settings: TDSettings) -> Weights:
    """What is known before any game: nothing, so that the weights of features are 0, and those of a network small ones
    at random, without which all hidden units would learn the same."""
    nothing, random = (0.0,) * len(game.features), Random(seed)
    progression = Progression(seeded_draws(seed).state, nothing, 0, 0.0)
    count = (len(nothing) + 1) * settings.hidden
    drawn = (*(random.uniform(-SMALL, SMALL) for _ in range(count)), 0.0)
    return Weights(game, "td", seed, settings, 0, drawn if settings.hidden else nothing, (), progression)


@frozen
class Scales:
    """What learning needs to know of numbers: the ``most`` that each input of a network can be, 1 for features, and
    what a player gets at least and at most, and what both get together, which matters for networks alone."""

    most: tuple[int, ...]
    low: Fraction
    high: Fraction
    total: Fraction

    def denominators(self, backend: Backend[Any]) -> list[float]:
        """By what kernels divide what the rules say of a position."""
        over = backend.feature_denominators(len(self.most))
        return [float(one * most) for one, most in zip(over, self.most, strict=True)]


@define(eq=False)
class Learning:
    """Learning at work. It goes on from what is known ``first``, up to so many ``games`` in all or the end of the time.
    ``known`` is what has been learnt by the end of the last game, which is there after an interrupt, too; it depends
    on the number of games and the seed alone."""

    first: Weights
    scales: Scales
    games: float
    limits: Limits
    report: Remark = ignore_remark
    known: Weights = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = self.first

    def learn(self, machine: Machine[State], root: State) -> None:
        """Learn from plays from ``root`` on. Raises ``PlayError`` for an error of the rules."""
        run_with_fallback(machine, self.limits, lambda backend: self._learn(backend, root))

    def _learn(self, backend: Backend[State], root: State) -> None:
        over = self.scales.denominators(backend)

        def work(kernels: GameKernels) -> None:
            self.known = self.first
            learner = kernels.new(kernel.Learner, **lists_of([self.first], over, LONGEST))
            set_up(learner, [self.first], self.scales, backend, over)
            kernels.put(learner.root, backend.held(root))
            slices = Slices(kernels.is_compiled)
            try:
                while self.known.games < self.games and not self.limits.is_over:
                    self._go_on(kernels, learner, slices.next())
            except RuleError as error:
                backend.explain(root, list(learner.made[: learner.length]), error)
            except DeadlinePassed:  # what the unfinished game has taught is left out
                return

        backend.run(source(self.first.settings, kernel.go_on), work)

    def _go_on(self, kernels: GameKernels, learner: kernel.Learner, moves: int) -> None:
        """Learn from the next games, up to the next point of the curve, or for so many moves."""
        point = next_point(learner.plays)
        kernels.call(kernel.go_on, learner, int(min(self.games, point)), moves)
        count, inputs, games = len(self.first.weights), len(self.scales.most), int(learner.plays)
        error_now = sqrt(learner.squares / max(1, learner.differences))
        curve = self.known.curve
        if games == point:
            curve = (*curve, CurvePoint(games, error_now))
            learner.differences, learner.squares = 0, 0.0
        progression = Progression(
            int(learner.random[0]),
            tuple(learner.largest[k] for k in range(inputs)),
            int(learner.differences),
            float(learner.squares),
        )
        weights = tuple(learner.weight[k] for k in range(count))
        self.known = evolve(self.known, games=games, weights=weights, curve=curve, progression=progression)
        self.report(Milestone(games, "games", {"error": error_now}))


def lists_of(estimates: Sequence[Weights], over: Sequence[float], made: int) -> dict[str, int]:
    """The lengths of the lists of a learner with these estimates, which differ in their weights alone, for plays of so
    many moves; ``over`` are the numbers by which features are divided."""
    count, inputs, hidden = len(estimates[0].weights), len(over), estimates[0].settings.hidden
    return {
        "made": made,
        "weight": len(estimates) * count,
        **dict.fromkeys(("over", "largest", "before", "now", "is_traced"), inputs),
        "trace": count,
        **dict.fromkeys(("hidden", "slope", "above", "below"), hidden),
    }


def set_up(
    learner: kernel.Learner, estimates: Sequence[Weights], scales: Scales, backend: Backend[Any], over: Sequence[float]
) -> None:
    """Let a learner know so much: the first of the estimates is at work."""
    known = estimates[0]
    going_on = known.progression
    for k, number in enumerate(over):
        learner.over[k], learner.largest[k] = number, going_on.largest[k]
    for k, weight in enumerate(chain.from_iterable(each.weights for each in estimates)):
        learner.weight[k] = weight
    learner.unit = float(backend.unit)
    learner.low, learner.high, learner.total = float(scales.low), float(scales.high), float(scales.total)
    learner.alpha, learner.decay = known.settings.alpha, known.settings.lambda_
    learner.random[0], learner.plays = going_on.random, known.games
    learner.differences, learner.squares = going_on.differences, going_on.squares


def source(settings: TDSettings, *functions: Callable[..., object]) -> Kernel:
    """The kernel with these functions, for a learner with these settings."""
    explored = round(settings.exploration * kernel.OF)
    return kernel_of(*functions, HIDDEN=settings.hidden, EXPLORED=explored, HALVED=HALVED)


def next_point(games: int) -> int:
    """The number of games at the next point of the curve: 10, 20, 50, 100, 200, 500 and so on."""
    size = 10
    while True:
        for times in (1, 2, 5):
            if games < times * size:
                return times * size
        size *= 10
