"""Work on kernels shared among threads.

Machine code leaves Python's lock alone, so threads on as many cores run kernels side by side. What has to come out the
same whatever their number must not depend on who does which part of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

from interpreter.native.kernels import Kernels

_TICK = 0.05
"""Seconds between two looks at the work of threads."""

Work = Callable[[Kernels], Iterator[None]]
"""What one thread does, on kernels of its own: it yields between slices, where it can be stopped."""


def run(kernels: Kernels, threads: int, work: Work, is_over: Callable[[], bool]) -> None:
    """Do work in so many threads, or in the present one where kernels are not compiled.

    ``is_over`` is called in the present thread, every now and then, to show progress; when it returns true, or when
    something goes wrong, all stop at the end of their slices. The first error is raised when they have."""
    if threads == 1 or not kernels.is_compiled:
        for _ in work(kernels):
            if is_over():
                return
        return
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    stopped = Event()

    def do(mine: Kernels) -> None:
        for _ in work(mine):
            if stopped.is_set():
                return

    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(do, kernels.another()) for _ in range(threads)]
        try:
            while True:
                done, running = wait(tasks, _TICK, FIRST_EXCEPTION)
                if not running or is_over() or any(task.exception() for task in done):
                    break
        finally:
            stopped.set()
    for task in tasks:
        task.result()
