"""TD(lambda) by self-play: :mod:`zermelo.solvers.kernels.temporal_differences` has the algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from attrs import define, evolve, field

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

MOST: Final = 10**9
"""The most games: their number fits into the words of kernels."""


def begin(game: LearnableGame, seed: int, settings: TDSettings) -> Weights:
    """What is known before any game: nothing, so that all weights are 0."""
    nothing = (0.0,) * len(game.features)
    progression = Progression(seeded_draws(seed).state, nothing, 0, 0.0)
    return Weights(game, "td", seed, settings, 0, nothing, (), progression)


@define(eq=False)
class Learning:
    """Learning at work. It goes on from what is known ``first``, up to so many ``games`` in all or the end of the time.
    ``known`` is what has been learnt by the end of the last game, which is there after an interrupt, too; it depends
    on the number of games and the seed alone."""

    first: Weights
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
        over = backend.feature_denominators(len(self.first.weights))

        def work(kernels: GameKernels) -> None:
            self.known = self.first
            learner = self._learner(backend, kernels, over)
            kernels.put(learner.root, backend.held(root))
            slices = Slices(kernels.is_compiled)
            try:
                while self.known.games < self.games and not self.limits.is_over:
                    self._go_on(kernels, learner, slices.next())
            except RuleError as error:
                backend.explain(root, list(learner.made[: learner.length]), error)
            except DeadlinePassed:  # what the unfinished game has taught is left out
                return

        backend.run(source(self.first.settings), work)

    def _learner(self, backend: Backend[Any], kernels: GameKernels, over: Sequence[int]) -> kernel.Learner:
        first, count = self.first, len(self.first.weights)
        lists = dict.fromkeys(("over", "largest", "weight", "trace", "before", "now"), count)
        learner = kernels.new(kernel.Learner, made=LONGEST, **lists)
        going_on = first.progression
        for k in range(count):
            learner.over[k] = float(over[k])
            learner.weight[k], learner.largest[k] = first.weights[k], going_on.largest[k]
        learner.unit = float(backend.unit)
        learner.alpha, learner.decay = first.settings.alpha, first.settings.lambda_
        learner.random[0], learner.plays = going_on.random, first.games
        learner.differences, learner.squares = going_on.differences, going_on.squares
        return learner

    def _go_on(self, kernels: GameKernels, learner: kernel.Learner, moves: int) -> None:
        """Learn from the next games, up to the next point of the curve, or for so many moves."""
        point = next_point(learner.plays)
        kernels.call(kernel.go_on, learner, int(min(self.games, point)), moves)
        count, games = len(self.first.weights), int(learner.plays)
        error_now = sqrt(learner.squares / max(1, learner.differences))
        curve = self.known.curve
        if games == point:
            curve = (*curve, CurvePoint(games, error_now))
            learner.differences, learner.squares = 0, 0.0
        progression = Progression(
            int(learner.random[0]),
            tuple(learner.largest[k] for k in range(count)),
            int(learner.differences),
            float(learner.squares),
        )
        weights = tuple(learner.weight[k] for k in range(count))
        self.known = evolve(self.known, games=games, weights=weights, curve=curve, progression=progression)
        self.report(Milestone(games, "games", {"error": error_now}))


def source(settings: TDSettings) -> Kernel:
    """The kernel that the machine runs."""
    return kernel_of(kernel.go_on, EXPLORED=round(settings.exploration * kernel.OF), HALVED=HALVED)


def next_point(games: int) -> int:
    """The number of games at the next point of the curve: 10, 20, 50, 100, 200, 500 and so on."""
    size = 10
    while True:
        for times in (1, 2, 5):
            if games < times * size:
                return times * size
        size *= 10
