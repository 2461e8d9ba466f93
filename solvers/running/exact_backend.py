"""Kernels over any machine, with exact numbers of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, Generic, NoReturn, TypeVar

from attrs import frozen

from zermelo.interpreter.machine import Machine, Move, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, Number
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.running.exact_kernels import ExactKernels
from zermelo.solvers.running.loops import UNWATCHED, WATCHED, Watch
from zermelo.solvers.solution import Problem

Result = TypeVar("Result")


@frozen
class ExactBackend(Generic[State]):
    """Implements :class:`~zermelo.solvers.running.backend.Backend`. A ``trace`` is told of the first search; tables
    fill what ``limits`` allow."""

    machine: Machine[State]
    limits: Limits
    trace: Trace[State] | None = None

    unit: Final = 1
    infinite: Final[Number] = INFINITE
    knows_the_past: Final = True

    def run(self, kernel: Kernel, work: Callable[[ExactKernels[State]], Result]) -> Result:
        return work(ExactKernels(self.machine, kernel, self.limits, self.trace))

    def held(self, state: State) -> State:
        return state

    def move(self, number: Move) -> Move:
        return number

    def value(self, number: int | Fraction) -> Fraction:
        return Fraction(number)

    def watch(self, problem: Problem[State]) -> Watch:
        return UNWATCHED if problem.facts.terminates.holds else WATCHED

    def explain(self, root: State, made: Sequence[Move], error: RuleError) -> NoReturn:
        raise error
