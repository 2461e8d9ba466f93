"""Random plays: by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from typing import Any

from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.running.fallback import lowered_or
from zermelo.solvers.search.random_plays_by_kernel import play_by_kernel
from zermelo.solvers.search.random_plays_exactly import RandomPlays, random_plays


def play_at_random(
    machine: Machine[Any], root: Any, plays: int, seed: int, progress: Progress, limits: Limits, threads: int
) -> RandomPlays:
    """Random plays from ``root`` on. The same seed gives the same plays for any number of threads, on the same kind of
    machine: kernels draw in their own way."""

    def by_kernel(lowered: LoweredMachine) -> RandomPlays:
        with limits.kept():
            return play_by_kernel(lowered, root, plays, seed, progress, limits, threads)

    return lowered_or(machine, by_kernel, lambda: random_plays(machine, root, plays, seed, progress, limits))
