"""Which version of the programs this is: what they have worked out and kept is of use to this version alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_OTHERS: Final = ("lark", "llvmlite")
"""Packages that read, or make, what is kept. Their version stands in one of the files beside their first one."""


@cache
def version() -> str:
    """A digest that changes with Python, with every file of our packages and with the packages that they read and
    compile with: names of files, their sizes and times, which takes two milliseconds, while reading them would take
    many."""
    seen = [sys.version, *sorted(_files(str(Path(__file__).parents[1])))]
    for name in _OTHERS:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            seen += sorted(_files(str(Path(found.origin).parent), deep=False))
    return sha256("\n".join(seen).encode(errors="surrogatepass")).hexdigest()


def _files(folder: str, deep: bool = True) -> Iterator[str]:
    """The files of a folder, and of those in it if ``deep``; of a folder that is not there, none."""
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
