"""Waiting for LLVM.

Python hears an interrupt in its main thread, between two steps of Python. LLVM may take a second for one, so where that
would be noticed it works in a thread of its own, and the main thread waits for it, which an interrupt ends at once.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Final, TypeVar

_TICK: Final = 0.05
"""Seconds of waiting at a time: an interrupt that comes just before it begins is heard when it ends."""

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result]) -> Result:
    """What ``work`` makes. After an interrupt its thread goes on to the end, and nobody asks for the result."""
    if current_thread() is not main_thread():
        return work()
    from concurrent.futures import ThreadPoolExecutor, wait

    pool = ThreadPoolExecutor(1)
    try:
        task = pool.submit(work)
        while not wait([task], _TICK).done:
            pass
        return task.result()
    finally:
        pool.shutdown(wait=False)
