"""Counting plays (perft): by a kernel over lowered rules, and otherwise by layers of positions."""

from __future__ import annotations

from typing import Any

from zermelo.grammar.deadline import Passed, within
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.running.fallback import lowered_or
from zermelo.solvers.search import counting_by_kernel, counting_exactly
from zermelo.solvers.search.counting_exactly import Count


def count_plays(
    machine: Machine[Any], root: Any, length: int, progress: Progress, limits: Limits, threads: int
) -> Count:
    """The number of plays of ``length`` moves from ``root`` on. ``progress`` is told how many plays a kernel has
    counted, or how many positions have been reached; where there are more plays than a kernel can count, it begins
    anew."""

    def by_kernel(lowered: LoweredMachine) -> Count:
        return counting_by_kernel.count_plays(lowered, root, length, progress, limits, threads)

    def by_layers() -> Count:
        return counting_exactly.count_plays(machine, root, length, progress, limits)

    try:
        with within(limits.left):
            return lowered_or(machine, by_kernel, by_layers) if length > 0 else Count(1)
    except Passed:  # before anything could be counted
        return Count(0, limits.stopped_by_time)
