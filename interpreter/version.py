"""Which version of the interpreter this is: what it has worked out and kept is of use to this version alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path


@cache
def version() -> str:
    """A digest that changes with Python and with every file of ``grammar`` and ``interpreter``: their names, sizes and
    times, which takes a millisecond, while reading them would take many."""
    here = Path(__file__).parent
    seen = [sys.version]
    for folder in (here.parent / "grammar", here):
        seen += sorted(_files(str(folder)))
    return sha256("\n".join(seen).encode()).hexdigest()


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"
