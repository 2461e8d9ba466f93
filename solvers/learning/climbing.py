"""Hill climbing by matches, SPSA: :mod:`zermelo.solvers.kernels.climbing` has the algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, evolve

from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.solvers.kernels import climbing as kernel
from zermelo.solvers.learning.two_players import PlayingToLearn, begin_playing, holes_of, new_learner
from zermelo.solvers.learning.weights import ClimbingProgression, ClimbingSettings, LearnableGame, Weights
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws

REACH: Final = 0.025
"""By how much each weight is disturbed at first: what its feature then brings at most, as a part of the difference
between the most and the least that a play pays."""


def begin(game: LearnableGame, seed: int, settings: ClimbingSettings, own: Sequence[Fraction]) -> Weights:
    """What is known before any game: the file's ``own`` weights."""
    none = (0.0,) * len(own)
    progression = ClimbingProgression(seeded_draws(seed).state, none, none, 0.0, 0, 0.0)
    return Weights(game, "spsa", seed, settings, 0, tuple(map(float, own)), (), progression)


@define(eq=False)
class Climbing(PlayingToLearn[kernel.Climber]):
    """Hill climbing at work. The first player gets between ``low`` and ``high``. The file may say that positions are
    unsettled."""

    low: Fraction
    high: Fraction
    half: Fraction
    has_unsettled: bool

    @property
    def settings(self) -> ClimbingSettings:
        """The settings of what is known."""
        assert isinstance(self.first.settings, ClimbingSettings)
        return self.first.settings

    @property
    def source(self) -> Kernel:
        return kernel_of(kernel.climb, kernel.begin_climbing, **holes_of(self.settings, self.has_unsettled))

    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> kernel.Climber:
        known, count = self.first.progression, len(self.first.weights)
        assert isinstance(known, ClimbingProgression)
        climber = new_learner(kernels, kernel.Climber, self.settings, count, {"centre": count, "signs": count})
        begin_playing(climber, backend, kernels, root, self.first, self.half)
        for k in range(count):
            climber.centre[k], climber.signs[k] = self.first.weights[k], known.signs[k]
        climber.gain, climber.most = known.gain, float(max(self.high - self.half, self.half - self.low))
        climber.reach = REACH * float(self.high - self.low)
        kernels.call(kernel.begin_climbing, climber)
        return climber

    def go_on(self, kernels: GameKernels, learner: kernel.Climber, games: int, steps: int) -> None:
        kernels.call(kernel.climb, learner, games, steps)

    def known_by(self, learner: kernel.Climber) -> Weights:
        every, play = range(len(self.first.weights)), learner.play
        progression = ClimbingProgression(
            int(play.random[0]),
            tuple(learner.look.largest[k] for k in every),
            tuple(learner.signs[k] for k in every),
            float(learner.gain),
            int(play.differences),
            float(play.squares),
        )
        return evolve(self.first, weights=tuple(learner.centre[k] for k in every), progression=progression)
