"""Cycle detection in games whose plays are not proved to end (:mod:`zermelo.solvers.kernels.repetition`).

A kernel that searches to the end of all plays watches its path, and refuses the same games at the same node on both
backends.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.solution import Problem

_BUCKETS: Final = 4096


@frozen(eq=False, repr=False)
class Watch(ByValue):
    """Whether the path is to be watched."""

    is_on: bool

    @property
    def holes(self) -> dict[str, int]:
        """What fills the holes of ``kernels/repetition.py``."""
        return {"WATCHES": int(self.is_on)}

    def lengths(self, depth: int) -> dict[str, int]:
        """The lengths of the lists of a kernel's watch, for a path of a length."""
        return {"marks": depth, "buckets": _BUCKETS} if self.is_on else {"marks": 0, "buckets": 0}


UNWATCHED: Final = Watch(False)
WATCHED: Final = Watch(True)


def watch(machine: LoweredMachine, problem: Problem[LoweredState]) -> Watch:
    """How the path of a search to the end is to be watched."""
    program = machine.program
    never = problem.facts.terminates.holds or program.history.always_grows(program.model)
    return UNWATCHED if never else WATCHED
