"""Which solvers have kernels, and when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from interpreter.native.machine import LoweredMachine, State
from solvers.native.alphabeta import alphabeta, alphabeta_table
from solvers.native.beyond import BeyondKernel
from solvers.native.expectiminimax import expectiminimax
from solvers.native.maxn import maxn
from solvers.native.minimax import minimax
from solvers.solution import Answer, Problem

_KERNELS: Final[Mapping[str, Callable[[LoweredMachine, Problem[State]], Answer]]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "alphabeta_table": alphabeta_table,
    "expectiminimax": expectiminimax,
    "maxn": maxn,
}


def solve(name: str, algorithm: Callable[[Problem[Any]], Answer], problem: Problem[Any]) -> Answer:
    """The answer of solver ``name``: by its kernel where the machine can run one and every play is known to end, and
    otherwise, or where the kernel comes to its limits, by ``algorithm``, which notices when a play goes round."""
    machine = problem.machine
    if isinstance(machine, LoweredMachine) and problem.facts.terminates.holds is True and name in _KERNELS:
        try:
            return _KERNELS[name](machine, problem)
        except BeyondKernel:
            pass
    return algorithm(problem)
