"""Waiting for machine code: for LLVM, which makes it, and for rules that may work for long.

Python hears an interrupt in its main thread, between two steps of Python. LLVM may take a second for one, and a rule
with long loops takes hours, so where that would be noticed they work in a thread of their own, and the main thread
waits for it, which an interrupt or the end of the time allowed ends at once.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread, current_thread, main_thread
from typing import Final, TypeVar

from zermelo.grammar.deadline import look

_TICK: Final = 0.05
"""Seconds of waiting at a time: an interrupt that comes just before it begins is heard when it ends."""

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """What ``work`` makes, in the main thread; raises :class:`zermelo.grammar.deadline.Passed` where the time is up.

    After an interrupt work that can be told to ``stop`` is told so until it has, and other work goes on to its end,
    which nobody waits for. In other threads it is simply done: who waits for them has to stop it."""
    if current_thread() is not main_thread():
        return work()
    made: list[Result] = []
    failed: list[BaseException] = []
    done = Event()

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:  # it is raised in the thread that waits
            failed.append(error)
        finally:
            done.set()

    Thread(target=run).start()
    try:
        while not done.wait(_TICK):
            look()
    finally:
        while stop is not None and not done.is_set():
            stop()
            done.wait(_TICK)
    if failed:
        raise failed[0]
    return made[0]
