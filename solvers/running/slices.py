"""Kernels in time slices, and shared among threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING

from attrs import define, field

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.interpreter.native.running.executor import Stopped
from zermelo.interpreter.native.running.kernels import Kernels

if TYPE_CHECKING:
    from concurrent.futures import Future

# Time slices of kernels.


_SLICE_SECONDS = 0.05
_PYTHON_SLICE_SECONDS = 0.004
_FIRST_SLICE = 64
_LAST_SLICE = 1 << 32
_FASTER = 2.0
"""By how much a slice may be longer than the one before, in steps."""


@define(eq=False, repr=False)
class Slices:
    """The number of steps in a slice, adapted so that machine code returns twenty times a second, and Python soon after
    its trial is over."""

    is_compiled: bool
    steps: int = _FIRST_SLICE
    begin: float = field(factory=perf_counter)

    def next(self) -> int:
        """The steps of the next slice, which begins now."""
        now = perf_counter()
        seconds, self.begin = now - self.begin, now
        wanted = _SLICE_SECONDS if self.is_compiled else _PYTHON_SLICE_SECONDS
        steps = int(self.steps * min(_FASTER, wanted / max(seconds, 1e-6)))
        self.steps = min(max(_FIRST_SLICE, steps), _LAST_SLICE)
        return self.steps


# Work on kernels shared among threads.
#
# Machine code runs without Python's lock, so threads run kernels in parallel. A result that must not depend on their
# number must not depend on which thread does which part of the work.


_TICK = 0.05
"""Seconds between two checks of the threads."""

_SLICE = 0.1
"""Seconds to wait for slices to end; longer ones are interrupted."""

Work = Callable[[Kernels], Iterator[None]]
"""What one thread does, on kernels of its own: it yields between slices, where it can be stopped."""


def run(kernels: Kernels, threads: int, work: Work, is_over: Callable[[], bool]) -> None:
    """Do work in so many threads, or in the calling one if kernels are not compiled.

    ``is_over`` is called in the present thread, every now and then, to show progress; when it returns true, or when
    something goes wrong, all stop at the end of their slices, or in the middle where a rule takes long. The first error
    is raised when they have."""
    if threads == 1 or not kernels.is_compiled:
        try:
            for _ in work(kernels):
                if is_over():
                    return
        except DeadlinePassed:
            if not is_over():
                raise
        return
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    stopped = Event()
    twins = [kernels.another() for _ in range(threads)]

    def do(mine: Kernels) -> None:
        for _ in work(mine):
            if stopped.is_set():
                return

    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(do, twin) for twin in twins]
        try:
            while True:
                done, running = wait(tasks, _TICK, FIRST_EXCEPTION)
                if not running or is_over() or any(task.exception() for task in done):
                    break
        finally:
            stopped.set()
            _stop(tasks, twins)
    for task in tasks:
        with suppress(Stopped):
            task.result()


def _stop(tasks: Sequence[Future[None]], twins: Sequence[Kernels]) -> None:
    """Stop the threads that still run, and leave kernels as they were."""
    from concurrent.futures import wait

    waits = _SLICE
    while wait(tasks, waits).not_done:
        for twin in twins:
            twin.stop()
        waits = _TICK
    for twin in twins:
        twin.go_on()
