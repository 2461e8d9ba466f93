"""The machines over lowered rules, each with the reference machine, made on demand, as its fallback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import Executor
from zermelo.interpreter.native.running.machine import LoweredMachine

if TYPE_CHECKING:
    from zermelo.interpreter.reference.machine import ReferenceMachine


def machine_over(program: Program, executor: Executor | None = None, begins_in_python: bool = False) -> LoweredMachine:
    """The machine that runs a program on an executor, by default as Python."""

    def fallback() -> ReferenceMachine:
        from zermelo.interpreter.reference.machine import ReferenceMachine

        return ReferenceMachine(program.model)

    return LoweredMachine(program, fallback, executor, begins_in_python)
