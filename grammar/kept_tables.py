"""The cache of the parser's tables.

Like byte code, they are made once from a text of the package and serve all games. So they are stored beside the byte
code; if none is written, or none can be, in the user's cache. Unlike byte code they are plain data, and reading them
runs nothing.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

from zermelo.grammar import disk_cache

_KIND: Final = "tables"


def load_tables(source: Path, *depends_on: str) -> bytes | None:
    """The tables made from ``source`` and the texts that they depend on, or None."""
    with suppress(OSError):
        key, stored = disk_cache.key_of(_KIND, *depends_on), _beside(source).read_bytes()
        if (tables := disk_cache.unsealed(key, stored)) is not None:
            return tables
    return disk_cache.load(_KIND, *depends_on)


def store_tables(source: Path, tables: bytes, *depends_on: str) -> None:
    """Store the tables in place of those made from ``source`` before."""
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            key = disk_cache.key_of(_KIND, *depends_on)
            _write(_beside(source), disk_cache.sealed(key, tables), source.stat().st_mode & 0o666)
            return
    disk_cache.store(_KIND, tables, *depends_on)


def _beside(source: Path) -> Path:
    return Path(cache_from_source(str(source))).with_suffix(".tables")


def _write(place: Path, content: bytes, mode: int) -> None:
    """Write a file atomically. Raises OSError, and then leaves the old one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, mode)
        os.replace(name, place)
    except OSError:
        os.unlink(name)
        raise
