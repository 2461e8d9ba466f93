"""Compiling with care in the background, while code that was compiled in a hurry is at work.

LLVM's passes leave Python's lock alone, and so does machine code, so the two get in each other's way only where there
is one core. What is at work is a kernel that keeps its state in arrays of the caller between its slices, and both codes
come from the same text: so the one may begin a search and the other go on with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Lock, Thread
from time import perf_counter
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.llvm.engine import Library

_PAYS_AFTER: Final = 0.1
"""Seconds after which work that is not done yet is taken to go on for long."""


@define(eq=False)
class Optimising:
    """Library ``make()``, to take over from one that was made in a hurry, which is begun when it is worth while, and
    made in a thread of its own."""

    hurried: Library
    make: Callable[[], Library]
    begin: float = field(factory=perf_counter)
    _thread: Thread | None = None
    _made: Library | None = None
    _lock: Lock = field(factory=Lock)

    def library(self) -> Library | None:
        """The library, as soon as there is one."""
        if self._made is None and self._thread is None and perf_counter() - self.begin > _PAYS_AFTER:
            with self._lock:
                if self._thread is None:
                    self._thread = Thread(target=self._work)
                    self._thread.start()
        return self._made

    def join(self) -> None:
        """Wait until it is made."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        _at_work.add(self)
        self._made = self.make()
        _at_work.discard(self)


_at_work = set[Optimising]()
"""What is being made. Until then it holds on to the code that is at work: to dispose of that has to wait for LLVM, and
an interrupt would wait with it."""


def _finish() -> None:
    for each in tuple(_at_work):
        each.join()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish)  # a lock that a thread of LLVM's held would never be free in the child
