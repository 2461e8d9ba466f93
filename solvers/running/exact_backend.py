"""Kernels over any machine, with exact numbers of any size."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from random import Random
from sys import maxsize
from typing import ClassVar, Generic, NoReturn, TypeVar, cast

from attrs import frozen

from zermelo.interpreter.machine import InformationState, Machine, Move, State
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.plain_kernels import PlainKernels
from zermelo.interpreter.values import exact
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, JustAbove, Number
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.kernels.observations import UNKNOWN, Knowledge
from zermelo.solvers.running.backend import AS_IT_IS, TraceView
from zermelo.solvers.running.exact_kernels import ExactKernels
from zermelo.solvers.running.loops import UNWATCHED, WATCHED, Watch
from zermelo.solvers.running.reckoning import ExactNumbers, in_exact_numbers
from zermelo.solvers.running.rollouts import Rollouts
from zermelo.solvers.solution import Problem

Result = TypeVar("Result")


@frozen
class ExactBackend(Generic[State]):
    """Implements :class:`~zermelo.solvers.running.backend.Backend`. A ``trace`` is told of the first search; tables
    fill what ``limits`` allow."""

    machine: Machine[State]
    limits: Limits
    trace: Trace[State] | None = None

    unit: ClassVar[int] = 1
    infinite: ClassVar[Number] = INFINITE
    knows_the_past: ClassVar[bool] = True
    moment: ClassVar[int] = 0
    displaces: ClassVar[bool] = False

    @property
    def rules(self) -> object:
        return self

    def run(self, kernel: Kernel, work: Callable[[ExactKernels[State]], Result], shown: TraceView = AS_IT_IS) -> Result:
        return work(ExactKernels(self.machine, kernel, self.limits, self.trace, shown))

    def held(self, state: State) -> State:
        return state

    def move(self, number: Move) -> Move:
        return number

    def number_of(self, state: State, move: Move) -> Move:
        return move

    def value(self, number: int | Fraction) -> Fraction:
        return Fraction(number)

    def least(self, amount: Number, is_strict: bool) -> Number | JustAbove:
        return JustAbove(amount) if is_strict else amount

    def watch(self, problem: Problem[State]) -> Watch:
        return UNWATCHED if problem.facts.terminates.holds else WATCHED

    def hints(self, problem: Problem[State], parts: int) -> tuple[int, dict[str, Hole]]:
        machine = self.machine
        rollouts = Rollouts(machine, Random(problem.seed))

        def guess(rules: object, state: list[State], player: int) -> int | Fraction:
            if problem.rollouts:
                return rollouts.means(state[0])[player]
            return exact(machine.estimate(state[0], player)) if problem.has_estimate else 0

        def is_unsettled(rules: object, state: list[State]) -> int:
            return int(problem.facts.has_unsettled and machine.is_unsettled(state[0]))

        return self.unit, {"PAYOFFS": 1, "guess": guess, "is_unsettled": is_unsettled}

    def reckoning(self, problem: Problem[State], middle: Number) -> ExactNumbers:
        return in_exact_numbers(self.machine, problem, middle)

    def gains(
        self, bounds: Sequence[tuple[Fraction, Fraction]], plays: int, by_estimate: bool
    ) -> tuple[int, dict[str, Hole]]:
        unit = 2 * lcm(*(bound.denominator for pair in bounds for bound in pair))

        def worth(rules: object, state: list[State], player: int) -> int | Fraction:
            return exact(self.machine.estimate(state[0], player) * unit)

        return unit, {"SCALE": unit, "worth": worth}

    def learning(self) -> dict[str, Hole]:
        learn, _ = self._numbering()
        return {"learn": learn, "STEP_WORDS": 0, "STEP_STATES": 0}

    def recalling(self) -> dict[str, Hole]:
        learn, recall = self._numbering()
        return {"learn": learn, "recall": recall, "STEP_WORDS": 0, "STEP_STATES": 0}

    def _numbering(self) -> tuple[Callable[..., int], Callable[..., int]]:
        """What numbers information states, and what finds the numbers again."""
        numbers: dict[tuple[int, InformationState], int] = {}

        def learn(
            knowledge: Knowledge, last: object, state: list[State], move: Move, before: object, now: list[int]
        ) -> int:
            for player in range(len(self.machine.player_names)):
                known = player, tuple(self.machine.information_state(state[0], player))
                if known not in numbers:
                    numbers[known] = knowledge.count
                    cast(list[InformationState], knowledge.words)[knowledge.count] = known[1]
                    knowledge.count += 1
                now[player] = numbers[known]
            return 0

        def recall(
            knowledge: Knowledge, last: object, state: list[State], move: Move, before: object, now: list[int]
        ) -> int:
            for player in range(len(self.machine.player_names)):
                known = player, tuple(self.machine.information_state(state[0], player))
                now[player] = numbers.get(known, UNKNOWN)
            return 0

        return learn, recall

    def knowing(
        self, kernels: PlainKernels, knowledge: Knowledge, numbers: array[int]
    ) -> Callable[[int], InformationState]:
        words = cast(Sequence[InformationState], knowledge.words)  # as they have been learned here
        known = [words[number] for number in numbers]
        return known.__getitem__

    def number(self, value: Fraction) -> int | Fraction:
        return exact(value)

    def rank(self) -> Hole:
        return "order_key(rules, state)"

    def forgets(self, kernels: ExactKernels[State]) -> bool:
        return kernels.knows_few

    def length(self, most: int) -> int:
        return maxsize

    def explain(self, root: State, made: Sequence[Move], error: RuleError) -> NoReturn:
        raise error
