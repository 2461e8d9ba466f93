"""Interruptible waiting for LLVM, and for rules that may run long.

Python handles interrupts in the main thread, between two of its instructions. A call of LLVM may take a second, and a
rule with long loops hours, so such work runs in a thread of its own. The main thread waits for it, and an interrupt or
the deadline ends the wait at once.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread, current_thread, main_thread
from typing import Final, TypeVar

from zermelo.grammar.deadline import look

_TICK: Final = 0.05
"""Seconds of waiting at a time: an interrupt just before a wait begins is handled when it ends."""

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """The result of ``work``, interruptible in the main thread; raises :class:`zermelo.grammar.deadline.Passed` if the
    time is up.

    After an interrupt ``stop`` is called until the work has ended; without it, the work goes on to its end, and nobody
    waits. In other threads the work is simply done: their owner has to stop it."""
    if current_thread() is not main_thread():
        return work()
    made: list[Result] = []
    failed: list[BaseException] = []
    done = Event()

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:  # raised in the waiting thread
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
