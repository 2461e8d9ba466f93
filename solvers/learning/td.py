"""TD(lambda) by self-play: :mod:`zermelo.solvers.kernels.temporal_differences` has the algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any, Final

from attrs import define, evolve, frozen

from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.solvers.kernels import temporal_differences as kernel
from zermelo.solvers.learning.self_play import Learning, Tally
from zermelo.solvers.learning.weights import LearnableGame, Progression, TDSettings, Weights
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.path_search import QUIESCENCE_PLIES
from zermelo.solvers.search.random_plays import LONGEST

SETTLING: Final = 10_000
"""After 15 times so many games alpha is an eighth of what it was."""

SEEN: Final = 256
"""The most positions at the end of a turn that are told from new ones."""

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
class TDLearning(Learning[kernel.Learner]):
    """TD(lambda) at work, by numbers of these ``scales``. The file may say that positions are unsettled."""

    scales: Scales
    has_unsettled: bool

    @property
    def source(self) -> Kernel:
        return source(self.td_settings, self.has_unsettled, kernel.go_on)

    @property
    def td_settings(self) -> TDSettings:
        """The settings of what is known."""
        assert isinstance(self.first.settings, TDSettings)
        return self.first.settings

    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> kernel.Learner:
        over = self.scales.denominators(backend)
        learner = kernels.new(kernel.Learner, **lists_of([self.first], over, LONGEST))
        set_up(learner, [self.first], self.scales, backend, over)
        known, settings, going_on = self.first, self.td_settings, self.first.progression
        assert isinstance(going_on, Progression)
        for k, size in enumerate(going_on.largest):
            learner.largest[k] = size
        learner.alpha, learner.decay = settings.alpha, settings.lambda_
        learner.random[0], learner.plays = going_on.random, known.games
        learner.differences, learner.squares = going_on.differences, going_on.squares
        kernels.put(learner.root, root)
        return learner

    def go_on(self, kernels: GameKernels, learner: kernel.Learner, games: int, steps: int) -> None:
        kernels.call(kernel.go_on, learner, games, steps)

    def seen(self, learner: kernel.Learner) -> Tally:
        return Tally(int(learner.plays), int(learner.differences), float(learner.squares))

    def made(self, learner: kernel.Learner) -> list[Any]:
        return list(learner.made[: learner.length])

    def forget_errors(self, learner: kernel.Learner) -> None:
        learner.differences, learner.squares = 0, 0.0

    def known_by(self, learner: kernel.Learner) -> Weights:
        progression = Progression(
            int(learner.random[0]),
            tuple(learner.largest[: len(self.scales.most)]),
            int(learner.differences),
            float(learner.squares),
        )
        weights = tuple(learner.weight[: len(self.first.weights)])
        return evolve(self.first, weights=weights, progression=progression)


def lists_of(estimates: Sequence[Weights], over: Sequence[float], made: int) -> dict[str, int]:
    """The lengths of the lists of a learner with these estimates, which differ in their weights alone, for plays of so
    many moves; ``over`` are the numbers by which features are divided."""
    count, inputs, hidden = len(estimates[0].weights), len(over), estimates[0].settings.hidden
    return {
        "made": made,
        **dict.fromkeys(("turn", "line"), QUIESCENCE_PLIES),
        "seen": SEEN,
        "weight": len(estimates) * count,
        **dict.fromkeys(("over", "largest", "before", "now", "places", "is_traced"), inputs),
        "trace": count,
        **dict.fromkeys(("hidden", "sums", "above", "below"), hidden),
    }


def set_up(
    learner: kernel.Learner, estimates: Sequence[Weights], scales: Scales, backend: Backend[Any], over: Sequence[float]
) -> None:
    """Let a learner know these estimates, of which the first one is at work, and the numbers of the game."""
    for k, number in enumerate(over):
        learner.over[k] = number
    for k, weight in enumerate(chain.from_iterable(each.weights for each in estimates)):
        learner.weight[k] = weight
    learner.unit = float(backend.unit)
    learner.low, learner.high, learner.total = float(scales.low), float(scales.high), float(scales.total)


def source(settings: TDSettings, has_unsettled: bool, *functions: Callable[..., object]) -> Kernel:
    """The kernel with these functions, for a learner with these settings, of a game whose file may say that positions
    are unsettled."""
    explored = round(settings.exploration * kernel.OF)
    unsettled = "unsettled(rules, state)" if has_unsettled else "0"
    return kernel_of(*functions, HIDDEN=settings.hidden, EXPLORED=explored, SETTLING=SETTLING, is_unsettled=unsettled)
