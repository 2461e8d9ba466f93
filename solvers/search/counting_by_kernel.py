"""Plays counted by a kernel.

The kernel walks the tree, and where the history of the play is no part of a position it remembers how many plays go on
from each position that it has left. To share the work among threads, the positions after the first few moves are
found first, each with the number of ways to it; each is walked from by whoever is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.kernels import walk as kernel
from zermelo.solvers.running.growing_table import table_size
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel, PathSearch
from zermelo.solvers.running.slices import Slices
from zermelo.solvers.running.threads import run
from zermelo.solvers.search.counting_exactly import Count, beginning, one_move_later

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.go_on, ("plays",))

_PARTS_EACH: Final = 8
"""Parts of the work for each thread, so that none is left with a large one at the end."""


def count_plays(
    machine: LoweredMachine, root: LoweredState, length: int, progress: Progress, limits: Limits, threads: int
) -> Count:
    """As :func:`zermelo.solvers.search.counting_exactly.count_plays`, for at least one move. ``progress`` is told plays
    counted."""

    def count(kernels: Kernels) -> Count:
        team = threads if kernels.is_compiled else 1
        ways, to_come = beginning(machine, root), length
        while 0 < len(ways) < _PARTS_EACH * team and to_come > 1 and team > 1:
            ways, to_come = one_move_later(machine, ways), to_come - 1
        parts = iter(list(ways.values()))
        counted: dict[int, int] = {}
        finished: list[int] = []

        def work(mine: Kernels) -> Iterator[None]:
            width = mine.words_of(kernel.Search, "table")
            size = 0 if machine.program.model.history else table_size(limits, width * team, mine)
            walk = PathSearch(KERNEL, LoweredBackend(machine), mine, limits, ignore_progress, table=size)
            walk.search.length = to_come
            for state, count in parts:
                walk.start(state)
                slices = Slices(mine.is_compiled)
                while walk.go_on(state, slices.next()) >= 0:
                    counted[id(mine)] = count * walk.search.plays
                    yield
                counted.pop(id(mine), None)
                finished.append(count * walk.search.plays)

        def so_far() -> int:
            return sum(finished) + sum(list(counted.values()))

        def is_over() -> bool:
            progress(so_far())
            return limits.is_over

        run(kernels, team, work, is_over)
        return Count(so_far(), limits.stopped_by_time if len(finished) < len(ways) else "")

    return machine.run(KERNEL.source(), count)
