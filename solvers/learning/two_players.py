"""What hosts of kernels have in common that let two sets of weights play (:mod:`zermelo.solvers.kernels.self_play`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from attrs import define

from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.solvers.kernels import lookahead
from zermelo.solvers.kernels import self_play as kernel
from zermelo.solvers.learning.self_play import Learning, Tally
from zermelo.solvers.learning.weights import (
    ClimbingProgression,
    ClimbingSettings,
    GeneralizationProgression,
    GeneralizationSettings,
    RoteProgression,
    RoteSettings,
    Weights,
)
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.path_search import QUIESCENCE_PLIES

LONGEST: Final = 5_000
"""The moves after which a play is given up, which nobody wins then."""


class Learner(Protocol):
    """The record of a learner."""

    @property
    def look(self) -> lookahead.Lookahead: ...
    @property
    def play(self) -> kernel.Play: ...


L = TypeVar("L", bound=Learner)


@define(eq=False)
class PlayingToLearn(Learning[L]):
    """Learning at work from plays between two sets of weights."""

    def seen(self, learner: L) -> Tally:
        play = learner.play
        return Tally(int(play.number), int(play.differences), float(play.squares), play.length > 0 or play.is_looking)

    def made(self, learner: L) -> list[Any]:
        return list(learner.play.made[: learner.play.length])

    def forget_errors(self, learner: L) -> None:
        learner.play.differences, learner.play.squares = 0, 0.0


Settings = GeneralizationSettings | ClimbingSettings | RoteSettings

NO_MEMORY: Final = {"keys": 0, "scores": 0, "depths": 0, "used": 0, "table": 0}
"""The lists of a memory that keeps nothing."""


def holes_of(settings: Settings, has_unsettled: bool) -> dict[str, Hole]:
    """What fills the holes of the kernels."""
    return {
        "PLIES": settings.depth,
        "name": "pack(state, key)",
        "KEEPS": int(isinstance(settings, RoteSettings)),
        "ROOM": settings.records if isinstance(settings, RoteSettings) else 0,
        "EXPLORED": round(settings.exploration * kernel.OF),
        "OVERTIME": QUIESCENCE_PLIES,
        "is_unsettled": "unsettled(rules, state)" if has_unsettled else "0",
    }


def new_learner(
    kernels: GameKernels,
    kind: type[L],
    settings: Settings,
    count: int,
    lists: Mapping[str, int],
    memory: Mapping[str, int] = NO_MEMORY,
) -> L:
    """A record with so many features, with ``lists`` of its own, and with those of a ``memory``, of these lengths."""
    look: dict[str, Any] = {
        **dict.fromkeys(("frames", "fading"), settings.depth + QUIESCENCE_PLIES + 1),
        "weight": 2 * count,
        "memory": memory,
        **dict.fromkeys(("over", "now", "largest"), count),
    }
    return kernels.new(kind, look=look, play={"made": LONGEST, "before": count}, **lists)


def begin_playing(
    learner: Learner, backend: Backend[Any], kernels: GameKernels, root: Any, known: Weights, half: Fraction
) -> None:
    """Put into a record what all methods need."""
    look, play, going_on = learner.look, learner.play, known.progression
    assert isinstance(going_on, GeneralizationProgression | ClimbingProgression | RoteProgression)
    for k, over in enumerate(backend.feature_denominators(len(known.weights))):
        look.over[k] = float(over)
        look.largest[k] = 0.0 if isinstance(going_on, RoteProgression) else going_on.sizes[k]
    look.unit, play.half, play.number = float(backend.unit), float(half), known.games
    play.random[0], play.differences, play.squares = going_on.random, going_on.differences, going_on.squares
    kernels.put(play.root, root)
