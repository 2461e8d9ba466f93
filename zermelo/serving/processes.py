"""What the server and its processes tell each other besides questions and answers, and how much memory they have."""

from __future__ import annotations

import signal
from typing import Final

# What the server and its processes tell each other besides questions and answers.


PROGRESS: Final = 100
"""The status of words about progress, after which more comes. All others are of HTTP."""


TAKEN_BACK: Final[signal.Signals | None] = getattr(signal, "SIGUSR1", None)
"""The signal that nobody waits for the answer any more; None on systems without such signals."""


INTERRUPTED: Final = 499
"""The status of an answer that was taken back."""


# How much memory a process has.


BESIDE: Final = 768 << 20
"""Bytes for Python, LLVM, libraries and the rules themselves, beside the memory for the tables of a game."""
