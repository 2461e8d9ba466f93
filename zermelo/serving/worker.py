"""The inside of a process that works on questions. Importing this module imports what every process needs; the server
has it imported once, in a process from which the others are forked."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from multiprocessing.connection import Connection
from types import FrameType
from typing import Final

from zermelo.foundation.memory import address_space_bytes, resident_bytes
from zermelo.serving.answers import Answers
from zermelo.serving.processes import BESIDE, INTERRUPTED, PROGRESS, TAKEN_BACK

_ADDRESSES: Final = 2
"""Tables take twice as many addresses as they may come to use, while they grow."""

_FAT: Final = 256 << 20
"""A process that has grown by so many bytes ends after its answer; a new one takes its place."""

_MERCY: Final = 10
"""Seconds after the limit when the system ends a process that the server has not ended."""


def work(line: Connection, seconds: float, memory: int, niceness: int) -> None:
    """Answers questions until the server hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _set_interrupt_handler(signal.SIG_IGN)
    gc.freeze()  # what is imported stays
    os.environ.update(COLUMNS="72", NO_COLOR="1", OPENBLAS_NUM_THREADS="1")
    sys.set_int_max_str_digits(0)
    if hasattr(os, "nice"):
        os.nice(niceness)
    _limit_memory(memory)
    answers, begin = Answers(seconds, memory), resident_bytes()

    def say(words: str) -> None:
        _send(line, PROGRESS, False, words.encode())

    while question := _receive_question(line):
        name, _, data = question.partition(b"\n")
        _set_alarm(ceil(seconds) + _MERCY)
        try:
            _set_interrupt_handler(signal.default_int_handler)
            status, content = answers.answer(name.decode(), data, say)
            _set_interrupt_handler(signal.SIG_IGN)
        except KeyboardInterrupt:
            _set_interrupt_handler(signal.SIG_IGN)
            status, content = INTERRUPTED, b"{}"
            answers = Answers(seconds, memory)  # no game that is half made is kept
        _set_alarm(0)
        is_last = resident_bytes() - begin > _FAT
        _send(line, status, is_last, content)
        if is_last:
            return


def _receive_question(line: Connection) -> bytes:
    """The next question; empty if the server has hung up."""
    with suppress(EOFError, OSError):
        return line.recv_bytes()
    return b""


def _send(line: Connection, status: int, is_last: bool, content: bytes) -> None:
    with suppress(OSError):  # the server has hung up, as the next question will show
        line.send_bytes(b"%d %d\n%b" % (status, is_last, content))


def _set_interrupt_handler(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set what happens when the question is taken back: an interrupt, as by Ctrl-C, while it is worked on."""
    if TAKEN_BACK is not None:
        signal.signal(TAKEN_BACK, handler)


def _set_alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _limit_memory(memory: int) -> None:
    """Lets the system refuse memory beyond the limit, where it can."""
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIMIT_AS, RLIMIT_CORE, setrlimit

        setrlimit(RLIMIT_CORE, (0, 0))
        most = address_space_bytes() + _ADDRESSES * memory + BESIDE
        setrlimit(RLIMIT_AS, (most, most))
