"""Kernels over lowered rules, compiled or as plain Python: payoffs are whole numbers of 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn, TypeVar

from attrs import frozen

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.running.executor import Packed, RuleError
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.running.loops import Watch, watch
from zermelo.solvers.solution import Problem

Result = TypeVar("Result")


@frozen
class LoweredBackend:
    """Implements :class:`~zermelo.solvers.running.backend.Backend`."""

    machine: LoweredMachine

    @property
    def unit(self) -> int:
        return self.machine.program.denominator

    @property
    def infinite(self) -> Number:
        return INFINITE

    @property
    def knows_the_past(self) -> bool:
        return not self.machine.program.model.history

    def run(self, kernel: Kernel, work: Callable[[Kernels], Result]) -> Result:
        return self.machine.run(kernel, work)

    def held(self, state: LoweredState) -> Packed:
        if state.packed is None:
            raise BeyondLimits
        return state.packed

    def move(self, number: int) -> Move:
        return self.machine.program.moves.decode(number)

    def value(self, number: int) -> Fraction:
        return Fraction(number, self.unit)

    def watch(self, problem: Problem[LoweredState]) -> Watch:
        return watch(self.machine, problem)

    def explain(self, root: LoweredState, made: Sequence[int], error: RuleError) -> NoReturn:
        self.machine.explain(root, made, error)
