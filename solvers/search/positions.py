"""The count of all positions, the longest play, and whether a play comes back to a position.

A depth-first search enters every position once, and leaves it with the length of the longest play from it; a move to a
position of the path that leads to the present one closes a cycle. Several threads do the same search over one table,
each from the beginning and along a path of its own, in an order of its own. A thread that comes to a position which
another has left takes over what is known of it. A thread that comes to one where another is still at work enters it as
well: there it helps, for positions below that have been left are not searched again. So the threads share out the work
without speaking to each other, and hardly any position is searched twice.

Why that is exact. Exactly one thread claims the row of a position, and counts it. A position is left when every
position one move further has been entered, and once every thread has left the beginning all that was entered has been
left: nothing is missing. If plays do not come back, every search that leaves a position leaves it with the same number.
If some do, take the first position of a cycle that is left, and the thread that leaves it. This thread has looked at
the next position of the cycle, which was not left yet and was on the thread's path, since otherwise the thread would
have gone there and left that one first. So it has noticed the cycle.

The table without locks is that of Laarman, van de Pol and Weber (Boosting multi-core reachability performance with
shared hash tables, 2010), the search that of the same with Langerak and Wijs (Multi-core nested depth-first search,
2011). Cost: one visit for each position, one step for each move of each, and a row for each position; as many
paths as threads.

The table begins small and grows, since a large one takes longer to lay out than a small game to count. Until it grows
for the first time one thread is at work: most games end there, where threads would not pay. A play that comes back is
always the first that one thread finds, the same for any number of threads. Where the team is the first to find one, one
thread begins anew; that is rare, since such plays are found soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from time import sleep
from typing import Any, Final

from attrs import define, field

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.interpreter.checks.game_facts import Loop
from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import Stopped
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import Size
from zermelo.solvers.kernels import positions as kernel
from zermelo.solvers.kernels.answers import COMES_BACK, DONE
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel, PathSearch, Slices, run_in_threads

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.go_on)

Walk = PathSearch[kernel.Search]
"""What one thread does."""

_LEAST: Final = 4
_FIRST: Final = 1 << 18
_LARGEST: Final = 1 << 31
"""Rows of any table at least, of the first one at most, and of any at most."""

_GROWTH: Final = 8
"""How many times as many rows the next table has."""

_CHUNK: Final = 1 << 17
"""Rows that are moved to a larger table at a time."""

_WAIT: Final = 0.001
"""Seconds until a thread looks again whether others have left room."""


def measure(
    machine: LoweredMachine,
    limit_positions: float,
    limits: Limits,
    progress: Progress,
    threads: int = 1,
    stops_at_loop: bool = False,
) -> Size:
    """Count the positions of a game whose rules do not look at the history of the play; if it ``stops_at_loop``, until
    a play is found that comes back. A finished count is the same for any number of threads."""
    if machine.program.model.history:
        return Size(0, 0, None, "since the history of the play is part of every position")

    def count(kernels: Kernels) -> Size:
        counting = _Count(machine, kernels, limit_positions, limits, progress, threads, stops_at_loop)
        size = counting.run()
        if counting.wants_loop and not limits.is_over:
            del counting  # with its table
            return _Count(machine, kernels, limit_positions, limits, progress, 1).run()
        return size

    try:
        with time_limit(limits.left):
            return machine.run(source(), count)
    except DeadlinePassed:  # before anything could be counted
        return Size(0, 0, None, limits.stopped_by_time)


def source() -> kernel_source.Kernel:
    """The kernel that the machine runs."""
    return kernel_source.kernel(kernel.start, kernel.go_on, kernel.move_rows, kernel.take_over)


@define(eq=False)
class _Room:
    """How many positions may still be entered, shared out among threads in steps."""

    left: int
    team: int
    lent: int = 0
    lock: Lock = field(factory=Lock)

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left, and nothing will be given back."""
        with self.lock:
            return self.left == self.lent == 0

    def lend(self, steps: int) -> int:
        """So many steps, or fewer where others need room as well."""
        with self.lock:
            steps = min(steps, -(-self.left // self.team))
            self.left -= steps
            self.lent += steps
        return steps

    def take_back(self, steps: int, entered: int) -> None:
        """Take back steps that have been made; only those that ``entered`` a position use up room."""
        with self.lock:
            self.left += steps - entered
            self.lent -= steps


@define(eq=False)
class _Count:
    """One count, by a ``team`` of threads over a table of so many ``rows``. ``loop`` is the first play that comes back,
    where one thread has found it."""

    machine: LoweredMachine
    kernels: Kernels
    limit_positions: float
    limits: Limits
    progress: Progress
    team: int
    stops_at_loop: bool = False
    rows: int = 0
    table: list[kernel.Row] = field(factory=list)
    walks: list[Walk] = field(factory=list)
    unfinished: list[Walk] = field(factory=list)
    comes_back: bool = False
    loop: Loop | None = None

    @property
    def wants_loop(self) -> bool:
        """Whether a play comes back, and one thread has to find the first that does."""
        return self.comes_back and self.loop is None

    def run(self) -> Size:
        """Count, as far as the limits allow."""
        try:
            stopped = self._fill_tables()
        except LimitReached:
            stopped = self.limits.stopped_by_memory  # which paths alone have taken
        except DeadlinePassed:
            stopped = self.limits.stopped_by_time
        longest = None if stopped or self.comes_back else self.walks[0].search.path[0].longest
        return Size(self._entered, sum(walk.search.terminals for walk in self.walks), longest, stopped, self.loop)

    def _fill_tables(self) -> str:
        """Count with one table after another; returns what ended the count early, in words."""
        for rows in self._sizes():
            self._move_to(rows)
            for number in range(len(self.walks), self.team if self.walks else 1):
                self._add_walk(number)
            if not self._go_on():
                if not self.unfinished:
                    return ""
                return self.limits.stopped_by_time if self.limits.is_over else "at a play that comes back"
            if (positions := self._entered) == self.limit_positions:
                return f"at {positions:,}"
        return self.limits.stopped_by_memory

    def _go_on(self) -> bool:
        """Go on counting; returns whether there was too little room to come to the end."""
        root = self.machine.initial()
        most = int(min(self.limit_positions, self.rows * 3 // 4))
        room = _Room(most - self._entered, len(self.unfinished))
        waiting = iter(list(self.unfinished))

        def work(_: Kernels) -> Iterator[None]:
            walk = next(waiting)
            slices = Slices(walk.kernels.is_compiled)
            while not room.is_gone:
                if steps := room.lend(slices.steps):
                    entered = walk.search.nodes
                    try:
                        answer = walk.go_on(root, steps)
                    except (Stopped, DeadlinePassed):  # what it entered last means nothing
                        walk.search.nodes = entered
                        raise
                    room.take_back(steps, walk.search.nodes - entered)
                    slices.next()
                    if answer == DONE:
                        self.unfinished.remove(walk)
                        return
                    if answer == COMES_BACK:
                        self._note_loop(walk, root)
                else:
                    sleep(_WAIT)
                yield

        run_in_threads(self.kernels, len(self.unfinished), work, self._is_over)
        return room.is_gone

    def _note_loop(self, walk: Walk, root: LoweredState) -> None:
        self.comes_back = True
        if len(self.walks) == 1:
            self.loop = walk.loop(root)

    def _is_over(self) -> bool:
        self.progress(self._entered)
        return self.limits.is_over or self.wants_loop or (self.stops_at_loop and self.comes_back)

    @property
    def _entered(self) -> int:
        """How many positions have been entered."""
        return sum(walk.search.nodes for walk in self.walks)

    # ------------------------------------------------------- tables

    @property
    def _row_length(self) -> int:
        return self.kernels.words_of(kernel.Search, "table")

    def _sizes(self) -> list[int]:
        """The rows of one table after another. While a table is moved the next one stands beside it, and memory has to
        hold both, with what every thread notes of each row."""
        bits = 8 * self.kernels.row_bytes(self._row_length) + self.team * 64 // kernel.FLAGS
        most = max(_LEAST, min(_LARGEST, 8 * self.limits.free // bits))
        if most <= _FIRST or not self.kernels.is_compiled:  # Python makes rows as they are used
            return [most]
        sizes = [most * _GROWTH // (_GROWTH + 1)]
        while sizes[-1] > _FIRST:
            sizes.append(max(_LEAST, sizes[-1] // _GROWTH))
        return sizes[::-1]

    def _move_to(self, rows: int) -> None:
        """Take a table of so many rows, and move the work of each thread to it."""
        table = self.kernels.elements(kernel.Row, rows, everywhere=True)
        for first in range(0, self.rows, _CHUNK):
            end = min(first + _CHUNK, self.rows)
            self.kernels.call(kernel.move_rows, self.table, table, first, end)
        self.table, self.rows = table, rows
        for walk in self.walks:
            before = walk.search
            walk.search = walk.kernels.new(kernel.Search, path=len(before.path), **self._lists())
            walk.kernels.call(kernel.take_over, walk.search, before)

    def _add_walk(self, number: int) -> None:
        """Add the walk of another thread, from the beginning."""
        kernels = self.kernels.another() if number else self.kernels
        walk = PathSearch(KERNEL, LoweredBackend(self.machine), kernels, self.limits, ignore_progress, **self._lists())
        walk.search.number = number
        walk.start(self.machine.initial())
        self.walks.append(walk)
        self.unfinished.append(walk)

    def _lists(self) -> dict[str, Any]:
        """The table, and flags for its rows."""
        return {"table": self.table, "on_path": self.rows // kernel.FLAGS + 1}
