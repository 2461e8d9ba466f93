"""What the server and its processes tell each other besides questions and answers, and how much memory they have."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

# What the server and its processes tell each other besides questions and answers.


PROGRESS: Final = 100
"""The status of words about progress, after which more comes. All others are of HTTP."""


TAKEN_BACK: Final[signal.Signals | None] = getattr(signal, "SIGUSR1", None)
"""The signal that nobody waits for the answer any more; None on systems without such signals."""


INTERRUPTED: Final = 499
"""The status of an answer that was taken back."""


# How much memory a process has, where the system tells (Linux).


BESIDE: Final = 768 << 20
"""Bytes for Python, LLVM, libraries and the rules themselves, beside the memory for the tables of a game."""


def resident_bytes(process: int | str = "self") -> int:
    """The bytes of memory that a process uses; 0 if the system does not tell, or it has ended."""
    return _pages(process, 1)


def address_space_bytes() -> int:
    """The bytes of addresses that this process has taken, used or not; 0 if the system does not tell."""
    return _pages("self", 0)


def _pages(process: int | str, column: int) -> int:
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[column])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
