"""Learning from self-play at work: kernels that play and learn in slices, whatever the method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import sqrt
from typing import Any, Generic, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.interpreter.machine import Machine, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits, Milestone, Remark, ignore_remark
from zermelo.solvers.learning.weights import CurvePoint, Weights
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import Slices

L = TypeVar("L")


@frozen
class Tally:
    """How many games a learner has played, and the number and the sum of the squares of the differences since the last
    point of the curve; and whether a game is unfinished."""

    games: int
    differences: int
    squares: float
    is_playing: bool = False

    @property
    def error(self) -> float:
        """The root mean square of the differences."""
        return sqrt(self.squares / max(1, self.differences))


@define(eq=False)
class Learning(ABC, Generic[L]):
    """Learning at work. It goes on from what is known ``first``, up to so many ``games`` in all or the end of the time.
    ``known`` is what has been learnt by the end of the last game, which is there after an interrupt, too; it depends
    on the number of games and the seed alone. Each method has a record ``L`` of its learner."""

    first: Weights
    games: float
    limits: Limits
    report: Remark = field(default=ignore_remark, kw_only=True)
    known: Weights = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = self.first

    @property
    @abstractmethod
    def source(self) -> Kernel:
        """The kernel that the machine runs."""

    @abstractmethod
    def begin(self, backend: Backend[Any], kernels: GameKernels, root: Any) -> L:
        """A learner who knows what is known first, and plays from a state on."""

    @abstractmethod
    def go_on(self, kernels: GameKernels, learner: L, games: int, steps: int) -> None:
        """Learn up to so many games in all, or for about so many steps."""

    @abstractmethod
    def seen(self, learner: L) -> Tally:
        """What a learner has seen."""

    @abstractmethod
    def made(self, learner: L) -> list[Any]:
        """The moves of the present play."""

    @abstractmethod
    def forget_errors(self, learner: L) -> None:
        """A point of the curve has been reached."""

    @abstractmethod
    def known_by(self, learner: L) -> Weights:
        """What a learner knows at the end of a game, but for the number of games and the curve."""

    def learn(self, machine: Machine[State], root: State) -> None:
        """Learn from plays from ``root`` on. Raises ``PlayError`` for an error of the rules."""
        run_with_fallback(machine, self.limits, lambda backend: self._learn(backend, root))

    def _learn(self, backend: Backend[State], root: State) -> None:
        def work(kernels: GameKernels) -> None:
            self.known = self.first
            learner = self.begin(backend, kernels, backend.held(root))
            slices = Slices(kernels.is_compiled)
            try:
                while self.known.games < self.games and not self.limits.is_over:
                    self._go_on(kernels, learner, slices.next())
            except RuleError as error:
                backend.explain(root, self.made(learner), error)
            except DeadlinePassed:  # what the unfinished game has taught is left out
                return

        backend.run(self.source, work)

    def _go_on(self, kernels: GameKernels, learner: L, steps: int) -> None:
        """Learn from the next games, up to the next point of the curve, or for so many steps and to the end of the game
        then."""
        point = next_point(self.known.games)
        self.go_on(kernels, learner, int(min(self.games, point)), steps)
        while (seen := self.seen(learner)).is_playing:
            self.report(Milestone(seen.games, "games", {"error": seen.error}))
            if self.limits.is_over:
                return
            self.go_on(kernels, learner, seen.games + 1, steps)
        curve = self.known.curve
        if seen.games == point:
            curve = (*curve, CurvePoint(seen.games, seen.error))
            self.forget_errors(learner)
        self.known = evolve(self.known_by(learner), games=seen.games, curve=curve)
        self.report(Milestone(seen.games, "games", {"error": seen.error}))


def next_point(games: int) -> int:
    """The number of games at the next point of the curve: 10, 20, 50, 100, 200, 500 and so on."""
    size = 10
    while True:
        for times in (1, 2, 5):
            if games < times * size:
                return times * size
        size *= 10
