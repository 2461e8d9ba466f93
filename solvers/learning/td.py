"""TD(lambda) by self-play: :mod:`zermelo.solvers.kernels.temporal_differences` has the algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, TypeVar

from attrs import define, evolve, frozen

from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import temporal_differences as kernel
from zermelo.solvers.learning.self_play import Learning, Tally
from zermelo.solvers.learning.weights import LearnableGame, Progression, TDSettings, Weights
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.search.random_plays import LONGEST

Result = TypeVar("Result")

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
    what the first player gets at least and at most, which matters for networks alone."""

    most: tuple[int, ...]
    low: Fraction
    high: Fraction

    def denominators(self, backend: Backend[Any]) -> list[float]:
        """By what kernels divide what the rules say of a position."""
        over = backend.feature_denominators(len(self.most))
        return [float(one * most) for one, most in zip(over, self.most, strict=True)]


@define(eq=False)
class TDLearning(Learning[kernel.Learner]):
    """TD(lambda) at work, by numbers of these ``scales``."""

    scales: Scales

    @property
    def source(self) -> Kernel:
        return source(self.td_settings)

    @property
    def td_settings(self) -> TDSettings:
        """The settings of what is known."""
        assert isinstance(self.first.settings, TDSettings)
        return self.first.settings

    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> kernel.Learner:
        learner = learner_of(self.first, self.scales, backend, kernels, self.scales.denominators(backend))
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
            tuple(learner.largest[k] for k in range(len(self.scales.most))),
            int(learner.differences),
            float(learner.squares),
        )
        weights = tuple(learner.weight[k] for k in range(len(self.first.weights)))
        return evolve(self.first, weights=weights, progression=progression)


def learner_of(
    known: Weights, scales: Scales, backend: Backend[Any], kernels: GameKernels, over: Sequence[float]
) -> kernel.Learner:
    """The record of a learner who knows so much; ``over`` are the numbers by which features are divided."""
    count, inputs, settings, going_on = len(known.weights), len(over), known.settings, known.progression
    assert isinstance(settings, TDSettings) and isinstance(going_on, Progression)
    hidden = settings.hidden
    lists = {
        **dict.fromkeys(("over", "largest", "before", "now"), inputs),
        **dict.fromkeys(("weight", "trace", "gradient"), count),
    }
    learner = kernels.new(kernel.Learner, made=LONGEST, hidden=hidden, slope=hidden, **lists)
    for k in range(inputs):
        learner.over[k], learner.largest[k] = over[k], going_on.largest[k]
    for k in range(count):
        learner.weight[k] = known.weights[k]
    learner.unit, learner.low, learner.high = float(backend.unit), float(scales.low), float(scales.high)
    learner.alpha, learner.decay = settings.alpha, settings.lambda_
    learner.random[0], learner.plays = going_on.random, known.games
    learner.differences, learner.squares = going_on.differences, going_on.squares
    return learner


# Asking estimates about states.


Ask = Callable[[Any], list[float]]
"""What several estimates say that a state is worth to the first player."""


def run_asking(
    machine: Machine[Any], estimates: Sequence[Weights], scales: Scales, work: Callable[[Ask], Result]
) -> Result:
    """The result of ``work``, which may begin anew, with a function that asks estimates about states of the machine.
    Asked so, weights are not rounded. Raises ``PlayError`` for an error of the rules."""
    settings, nothing = TDSettings(hidden=estimates[0].settings.hidden), (0.0,) * len(scales.most)
    asked = [evolve(each, settings=settings, progression=Progression(0, nothing, 0, 0.0)) for each in estimates]

    def run(backend: Backend[Any]) -> Result:
        over = scales.denominators(backend)

        def ask_all(kernels: GameKernels) -> Result:
            learners = [learner_of(each, scales, backend, kernels, over) for each in asked]

            def ask(state: Any) -> list[float]:
                held = backend.held(state)
                for learner in learners:
                    kernels.put(learner.state, held)
                    try:
                        kernels.call(kernel.ask, learner)
                    except RuleError as error:
                        backend.explain(state, [], error)
                return [learner.worth for learner in learners]

            return work(ask)

        return backend.run(source(settings), ask_all)

    return run_with_fallback(machine, Limits(), run)


def source(settings: TDSettings) -> Kernel:
    """The kernel that the machine runs."""
    explored = round(settings.exploration * kernel.OF)
    return kernel_of(kernel.go_on, kernel.ask, HIDDEN=settings.hidden, EXPLORED=explored, HALVED=HALVED)
