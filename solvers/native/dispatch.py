"""What is done by kernels, and when: the one place where an algorithm in Python takes over from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from interpreter.machine import Machine
from interpreter.native.machine import BeyondLimits, LoweredMachine, State
from solvers import aspiration, counting, enhanced_alphabeta, iterative_deepening, mtdf, random_plays
from solvers.limits import Limits
from solvers.native import walk
from solvers.native.alphabeta import alphabeta, alphabeta_table
from solvers.native.expectiminimax import expectiminimax
from solvers.native.maxn import maxn
from solvers.native.minimax import minimax
from solvers.native.plays import play_by_kernel
from solvers.native.window import windowed
from solvers.solution import Answer, Problem, Progress

_KERNELS: Final[Mapping[str, Callable[[LoweredMachine, Problem[State]], Answer]]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "alphabeta_table": alphabeta_table,
    "expectiminimax": expectiminimax,
    "maxn": maxn,
    "enhanced_alphabeta": windowed(enhanced_alphabeta.drive, deepens=False),
    "iterative_deepening": windowed(iterative_deepening.drive),
    "aspiration": windowed(aspiration.drive),
    "principal_variation": windowed(iterative_deepening.drive, scouts=True),
    "mtdf": windowed(mtdf.drive),
}

_DEEPENING: Final = {"iterative_deepening", "aspiration", "principal_variation", "mtdf"}
"""They look only so far ahead at a time, so they need no proof that every play ends."""


def solve(name: str, algorithm: Callable[[Problem[Any]], Answer], problem: Problem[Any]) -> Answer:
    """The answer of solver ``name``: by its kernel where the machine can run one and every play is known to end (or no
    search goes that far), and otherwise, or where the kernel comes to its limits, by ``algorithm``, which notices when
    a play goes round."""
    machine = problem.machine
    if problem.trace is not None:
        return algorithm(problem)
    is_safe = problem.facts.terminates.holds is True or name in _DEEPENING
    if isinstance(machine, LoweredMachine) and is_safe and name in _KERNELS:
        with suppress(BeyondLimits):
            return _KERNELS[name](machine, problem)
    return algorithm(problem)


def count_plays(machine: Machine[Any], length: int, progress: Progress, limits: Limits, threads: int) -> counting.Count:
    """The number of plays of ``length`` moves. ``progress`` is told how many plays a kernel has counted, or how many
    positions have been reached; where there are more plays than a kernel can count, it begins anew."""
    if isinstance(machine, LoweredMachine) and length > 0:
        with suppress(BeyondLimits):
            return walk.count_plays(machine, length, progress, limits, threads)
    return counting.count_plays(machine, length, progress, limits)


def play_at_random(
    machine: Machine[Any], plays: int, seed: int, progress: Progress, limits: Limits, threads: int
) -> random_plays.RandomPlays:
    """Random plays. The same seed gives the same plays for any number of threads, on the same kind of machine: kernels
    draw in their own way."""
    if isinstance(machine, LoweredMachine):
        with suppress(BeyondLimits):
            return play_by_kernel(machine, plays, seed, progress, limits, threads)
    return random_plays.random_plays(machine, plays, seed, progress, limits)
