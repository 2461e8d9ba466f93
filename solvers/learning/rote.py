"""Samuel's rote learning: :mod:`zermelo.solvers.kernels.rote` has the algorithm."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import define, evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels import rote as kernel
from zermelo.solvers.learning.two_players import LONGEST, PlayingToLearn, begin_playing, holes_of, new_learner
from zermelo.solvers.learning.weights import LearnableGame, Records, RoteProgression, RoteSettings, Weights
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.lowered_backend import LoweredBackend


def begin(
    game: LearnableGame, seed: int, settings: RoteSettings, own: Sequence[Fraction], width: int, layout: str
) -> Weights:
    """What is known before any game: the file's ``own`` weights, and no position. Keys have so many words."""
    nothing = Records(width, layout, array("q"), array("d"), array("q"), array("q"))
    progression = RoteProgression(seeded_draws(seed).state, 0, 0, 0, 0, 0.0)
    return Weights(game, "rote", seed, settings, 0, tuple(map(float, own)), (), progression, nothing)


@define(eq=False)
class LearningByRote(PlayingToLearn[kernel.Learner]):
    """Rote learning at work. The first player gets ``half`` of what both get if nobody is better. The file may say that
    positions are unsettled. Of positions that are ``images`` of each other one is kept."""

    half: Fraction
    has_unsettled: bool
    images: Images | None

    @property
    def settings(self) -> RoteSettings:
        """The settings of what is known."""
        assert isinstance(self.first.settings, RoteSettings)
        return self.first.settings

    @property
    def records(self) -> Records:
        """What is kept at first."""
        assert self.first.records is not None
        return self.first.records

    @property
    def source(self) -> Kernel:
        holes = holes_of(self.settings, self.has_unsettled)
        if self.images is None:
            return kernel_of(kernel.go_on, kernel.begin_learning, **holes)
        source = kernel_of(kernel.go_on, kernel.begin_learning, **{**holes, "name": "least_image(state, key)"})
        return source.with_rules(self.images.text)

    def learn(self, machine: Machine[State], root: State) -> None:
        """Learn from plays from ``root`` on. Raises ``PlayError`` for an error of the rules, and ``ZermeloError``
        (``no-table``) where plays are too large for keys of positions."""
        assert isinstance(machine, LoweredMachine), "positions have keys"
        try:
            machine.with_room(lambda: self._learn(LoweredBackend(machine), root))
        except BeyondLimits as limit:
            raise ZermeloError(
                "no-table", f"positions of this game cannot be kept: {limit.why}", "other methods keep none"
            ) from limit

    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> kernel.Learner:
        known, kept, count = self.first.progression, self.records, len(self.first.weights)
        assert isinstance(known, RoteProgression)
        rows = self.settings.records + LONGEST
        lists = {"keys": rows * kept.width, **dict.fromkeys(("scores", "depths", "used"), rows)}
        lists["table"] = 1 << (2 * rows).bit_length()
        learner = new_learner(kernels, kernel.Learner, self.settings, count, {}, lists)
        begin_playing(learner, backend, kernels, root, self.first, self.half)
        for k, weight in enumerate(self.first.weights):
            learner.look.weight[k] = learner.look.weight[count + k] = weight
        memory = learner.look.memory
        memory.count, now = len(kept), self.first.games
        memory.keys[: len(kept.keys)] = list(kept.keys)
        memory.scores[: len(kept)], memory.depths[: len(kept)] = list(kept.scores), list(kept.depths)
        memory.used[: len(kept)] = [now - age for age in kept.ages]
        memory.hits, memory.refreshed, memory.forgotten = known.hits, known.refreshed, known.forgotten
        kernels.call(kernel.begin_learning, learner)
        return learner

    def go_on(self, kernels: GameKernels, learner: kernel.Learner, games: int, steps: int) -> None:
        kernels.call(kernel.go_on, learner, games, steps)

    def known_by(self, learner: kernel.Learner) -> Weights:
        play, memory, kept = learner.play, learner.look.memory, self.records
        count = int(memory.count)
        progression = RoteProgression(
            int(play.random[0]), int(memory.hits), int(memory.refreshed), int(memory.forgotten),
            int(play.differences), float(play.squares),
        )  # fmt: skip
        records = Records(
            kept.width,
            kept.layout,
            array("q", memory.keys[: count * kept.width]),
            array("d", memory.scores[:count]),
            array("q", memory.depths[:count]),
            array("q", [int(play.number) - used for used in memory.used[:count]]),
        )
        return evolve(self.first, progression=progression, records=records)
