"""The machines that a model can run on, as parameters of tests."""

from __future__ import annotations

from typing import Final

import pytest

from zermelo.interpreter.model import Model
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import WORTH_COMPILING, Executor
from zermelo.interpreter.native.running.machine import LoweredMachine, machine_over
from zermelo.interpreter.reference.machine import ReferenceMachine

needs_llvm = pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")


def python_machine(model: Model) -> LoweredMachine:
    """The machine that runs the lowered model as Python; raises
    :class:`~zermelo.interpreter.native.dialect.lowered_text.Unsupported`."""
    return machine_over(lower(model))


def native_machine(model: Model) -> LoweredMachine:
    """The machine that runs the lowered model as machine code; raises likewise."""
    program = lower(model)
    return machine_over(program, Executor(program, WORTH_COMPILING))


MAKERS: Final = [
    pytest.param(python_machine, id="python"),
    pytest.param(native_machine, id="native", marks=needs_llvm),
]
"""Makes a lowered machine of a model."""

MACHINES: Final = [pytest.param(ReferenceMachine, id="reference"), *MAKERS]

MACHINE_NAMES: Final = ("reference", "python", *(("native",) if is_available() else ()))
"""The available machines, by their names on the command line."""


def compiled(program: Program) -> Executor:
    """An executor that runs a program as machine code from the first call on."""
    return Executor(program, compiles_after=0)


def compiled_machine(model: Model) -> LoweredMachine:
    """A machine that runs as machine code from the first call on."""
    program = lower(model)
    return machine_over(program, compiled(program))


LOWERED_AT_ONCE: Final = [
    pytest.param(python_machine, id="python"),
    pytest.param(compiled_machine, id="compiled", marks=needs_llvm),
]
"""Makes a lowered machine of a model, of which the second does not begin in Python."""

AT_ONCE: Final = [pytest.param(ReferenceMachine, id="reference"), *LOWERED_AT_ONCE]
