"""The inside of a process that works on questions. Importing this module imports what every process needs; the server
has it imported once, in a process from which the others are forked."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from zermelo.serving.answers import Answers

PROGRESS: Final = 100
"""The status of words about progress, after which more comes."""

_BESIDE: Final = 768 << 20
"""Bytes of addresses for Python, LLVM, libraries and the stacks of threads, beside the memory for a game."""

_FAT: Final = 256 << 20
"""A process that has grown by so many bytes ends after its answer; a new one takes its place."""

_MERCY: Final = 10
"""Seconds after the limit when the system ends a process that the server has not ended."""


def work(line: Connection, seconds: float, memory: int, niceness: int) -> None:
    """Answers questions until the server hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.update(COLUMNS="100", NO_COLOR="1", OPENBLAS_NUM_THREADS="1")
    sys.set_int_max_str_digits(0)
    if hasattr(os, "nice"):
        os.nice(niceness)
    _limit_memory(memory)
    answers, begin = Answers(seconds, memory), _resident()

    def say(words: str) -> None:
        _send(line, PROGRESS, False, words.encode())

    with suppress(EOFError, OSError):
        while True:
            name, _, data = line.recv_bytes().partition(b"\n")
            _alarm(ceil(seconds) + _MERCY)
            status, content = answers.answer(name.decode(), data, say)
            _alarm(0)
            is_last = _resident() - begin > _FAT
            _send(line, status, is_last, content)
            if is_last:
                return


def _send(line: Connection, status: int, is_last: bool, content: bytes) -> None:
    line.send_bytes(b"%d %d\n%b" % (status, is_last, content))


def _alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _limit_memory(memory: int) -> None:
    """Lets the system refuse memory beyond the limit, where it can."""
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIMIT_AS, RLIMIT_CORE, setrlimit

        setrlimit(RLIMIT_CORE, (0, 0))
        most = _pages(0) + memory + _BESIDE
        setrlimit(RLIMIT_AS, (most, most))


def _resident() -> int:
    """The bytes of memory that the process has."""
    with suppress(OSError):
        return _pages(1)
    return 0


def _pages(column: int) -> int:
    """Linux: a number of the process's memory, in bytes. Raises ``OSError`` elsewhere."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[column])
    return pages * os.sysconf("SC_PAGE_SIZE")
