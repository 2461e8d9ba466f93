"""Optimising in the background, while hurriedly compiled code runs.

Neither LLVM's passes nor machine code hold Python's global lock, so they run in parallel if there are two cores. A
kernel keeps its state in arrays of the caller between its slices, and both versions have the same text. So one may
begin a search, and the other continue it.
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
"""Seconds after which unfinished work is expected to take long."""


@define(eq=False, repr=False)
class Optimising:
    """The library ``make()``, to replace a hurried one. It is made in a thread of its own, as soon as that is
    worthwhile."""

    hurried: Library
    make: Callable[[], Library]
    begin: float = field(factory=perf_counter)
    _thread: Thread | None = None
    _made: Library | None = None
    _lock: Lock = field(factory=Lock)

    def library(self) -> Library | None:
        """The library, once it is made; None before."""
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
"""The libraries being made. They keep the running code alive: freeing it waits for LLVM, and would delay an
interrupt."""


def _finish() -> None:
    for each in tuple(_at_work):
        each.join()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish)  # a lock held by a thread of LLVM would never be released in the child
