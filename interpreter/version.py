"""The version of the program as a key of its caches: other versions must not read them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_ROOMS: Final = ("grammar", "interpreter", "solvers")
"""The rooms that make what is cached. What is around them reads and writes it, or shows it."""

_OTHERS: Final = ("lark", "llvmlite")
"""Packages on which cached results depend. A file beside their first one holds their version."""


@cache
def version() -> str:
    """A digest of the versions of Python, of our own files, those of commands excepted, and of :data:`_OTHERS`. It
    takes names, sizes and times of files (four milliseconds) instead of their contents (many)."""
    home = str(Path(__file__).parents[1])
    seen = [sys.version, *sorted(_files(home, deep=False))]
    for room in _ROOMS:
        seen += sorted(_files(os.path.join(home, room)))
    for name in _OTHERS:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            seen += sorted(_files(str(Path(found.origin).parent), deep=False))
    return sha256("\n".join(seen).encode(errors="surrogatepass")).hexdigest()


def _files(folder: str, deep: bool = True) -> Iterator[str]:
    """The files of a folder, if it exists, and of its subfolders if ``deep``."""
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if deep:
                    yield from _files(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"
