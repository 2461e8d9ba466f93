"""The exit codes of the command line, besides 0 for success and that of an interrupt (:mod:`zermelo.interrupts`)."""

from __future__ import annotations

from typing import Final

FOUND: Final = 1
"""There are findings, an expectation failed, or the game is refused."""


MISUSED: Final = 2
"""The command line is wrong, the output cannot be written, or the program has a fault."""


PIPE_CLOSED: Final = 141
"""Whatever reads the output has ended."""
