"""What kernels need to search games of which it is not proved that every play ends (``kernels/loops.py``).

A kernel that searches to the end of all plays watches its path as :class:`zermelo.solvers.search.search.Search` does,
and so refuses the same games at the same node.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.beyond import BeyondKernel
from zermelo.solvers.solution import Problem

_BUCKETS: Final = 4096


@frozen
class Watch:
    """``width`` is the length of the kernel's column ``U``: 1 where nothing need be watched."""

    width: int

    @property
    def text(self) -> str:
        """What the kernel's text begins with."""
        return f"WATCHED = {self.width}\n\n{kernel_text('loops')}\n\n" if self.width > 1 else kernel_text("no_loops")

    @property
    def is_on(self) -> bool:
        """Whether there is anything to be watched."""
        return self.width > 1

    @property
    def holes(self) -> dict[str, int]:
        """What fills the holes of ``kernels/repetition.py``."""
        return {"WATCHES": int(self.is_on)}

    def lengths(self, depth: int) -> dict[str, int]:
        """The lengths of the lists of a kernel's watch, for a path of a length."""
        return {"marks": depth, "buckets": _BUCKETS} if self.is_on else {"marks": 0, "buckets": 0}

    def buckets(self, kernels: Kernels) -> Array:
        """The kernel's array ``T``."""
        return kernels.numbers(_BUCKETS if self.width > 1 else 1)


UNWATCHED: Final = Watch(1)


def watch(machine: LoweredMachine, problem: Problem[LoweredState]) -> Watch:
    """How the path of a search to the end is to be watched. Raises :class:`~zermelo.solvers.native.beyond.BeyondKernel`
    where the key of a state does not tell whether its position comes back, since the past is part of the position."""
    program = machine.program
    if problem.facts.terminates.holds or program.history.always_grows(program.model):
        return UNWATCHED
    if program.model.history:
        raise BeyondKernel
    return Watch(program.layout.key_words + 2)
