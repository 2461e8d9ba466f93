"""How much memory solvers may take if nobody says: a quarter of that of the machine.

That leaves room for the system and for other work, and is enough for whatever an exact solution on that machine is
likely to need. It decides only between an answer and a refusal, never what the answer is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

LEAST: Final = 256 << 20
"""The default on a machine that has little or does not tell, in bytes."""

_PART: Final = 4

_CONTAINER: Final = Path("/sys/fs/cgroup/memory.max")
"""Where Linux tells how much memory a container may take."""


@cache
def quarter() -> int:
    """A quarter of the memory of the machine, or of the container, in bytes; :data:`LEAST` if it is less."""
    return measured()


def measured() -> int:
    """The same, as it is at this moment."""
    return max(LEAST, min(_installed(), _granted()) // _PART)


def _installed() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows has no such call, and some systems no such name
        return _PART * LEAST


def _granted() -> int:
    with suppress(OSError, ValueError):  # no container, or one without a limit, which says so in a word
        return int(_CONTAINER.read_text())
    return 1 << 62
