"""Samuel's learning by generalization: :mod:`zermelo.solvers.kernels.generalization` has the algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, evolve

from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.solvers.kernels import generalization as kernel
from zermelo.solvers.learning.two_players import PlayingToLearn, begin_playing, holes_of, new_learner
from zermelo.solvers.learning.weights import (
    GeneralizationProgression,
    GeneralizationSettings,
    LearnableGame,
    Weights,
)
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws

MARKS: Final = 32
"""The marks after which a term is exchanged."""

LOSSES: Final = 3
"""The losses after which Alpha is jolted."""

LEAD: Final = 1.0
"""What the leading term counts where it is as large as ever, as a multiple of the weight of the first feature."""

LEAST: Final = 0.5
"""The least difference that counts, likewise."""


def begin(game: LearnableGame, seed: int, settings: GeneralizationSettings, own: Sequence[Fraction]) -> Weights:
    """What is known before any game: the first of the file's ``own`` weights."""
    count = len(game.features)
    weights, none, never = (float(own[0]), *(0.0,) * (count - 1)), (0.0,) * count, (0,) * count
    progression = GeneralizationProgression(
        random=seeded_draws(seed).state, sizes=none, alpha_weights=weights, correlation=none, uses=never, marks=never,
        exchanged=never, order=game.features[1:], losses=0, wins=0, defeats=0, differences=0, squares=0.0,
    )  # fmt: skip
    return Weights(game, "weights", seed, settings, 0, weights, (), progression)


@define(eq=False)
class Generalizing(PlayingToLearn[kernel.Learner]):
    """Learning by generalization at work. The first player gets ``half`` of what both get if nobody is better. The file
    may say that positions are unsettled."""

    half: Fraction
    has_unsettled: bool

    @property
    def settings(self) -> GeneralizationSettings:
        """The settings of what is known."""
        assert isinstance(self.first.settings, GeneralizationSettings)
        return self.first.settings

    @property
    def source(self) -> Kernel:
        used = min(self.settings.terms, len(self.first.game.features) - 1)
        holes = holes_of(self.settings, self.has_unsettled)
        return kernel_of(kernel.go_on, kernel.begin_learning, TERMS_USED=used, MARKS=MARKS, LOSSES=LOSSES, **holes)

    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> kernel.Learner:
        known, names = self.first.progression, self.first.game.features
        assert isinstance(known, GeneralizationProgression)
        lists = {"order": len(names) - 1}
        lists |= dict.fromkeys(("correlation", "uses", "marks", "exchanged"), len(names))
        learner = new_learner(kernels, kernel.Learner, self.settings, len(names), lists)
        begin_playing(learner, backend, kernels, root, self.first, self.half)
        for k in range(len(names)):
            learner.look.weight[k], learner.look.weight[len(names) + k] = known.alpha_weights[k], self.first.weights[k]
            learner.correlation[k], learner.uses[k] = known.correlation[k], known.uses[k]
            learner.marks[k], learner.exchanged[k] = known.marks[k], known.exchanged[k]
        for k, name in enumerate(known.order):
            learner.order[k] = names.index(name)
        learner.lead = LEAD * abs(self.first.weights[0])
        learner.least = LEAST * abs(self.first.weights[0])
        learner.losses, learner.wins, learner.defeats = known.losses, known.wins, known.defeats
        kernels.call(kernel.begin_learning, learner)
        return learner

    def go_on(self, kernels: GameKernels, learner: kernel.Learner, games: int, steps: int) -> None:
        kernels.call(kernel.go_on, learner, games, steps)

    def known_by(self, learner: kernel.Learner) -> Weights:
        names, look, play = self.first.game.features, learner.look, learner.play
        every = range(len(names))
        progression = GeneralizationProgression(
            random=int(play.random[0]),
            sizes=tuple(look.largest[k] for k in every),
            alpha_weights=tuple(look.weight[k] for k in every),
            correlation=tuple(learner.correlation[k] for k in every),
            uses=tuple(int(learner.uses[k]) for k in every),
            marks=tuple(int(learner.marks[k]) for k in every),
            exchanged=tuple(int(learner.exchanged[k]) for k in every),
            order=tuple(names[learner.order[k]] for k in range(len(names) - 1)),
            losses=int(learner.losses),
            wins=int(learner.wins),
            defeats=int(learner.defeats),
            differences=int(play.differences),
            squares=float(play.squares),
        )
        beta = tuple(look.weight[len(names) + k] for k in every)
        return evolve(self.first, weights=beta, progression=progression)
