"""The parser's tables, kept from one run to the next.

They belong to this package as its byte code does: made once from a text of it, and the same for all games. So they are
kept beside it, and only where no byte code is written, or none can be, in the user's cache.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

from grammar import disk_cache


def load(source: Path, *depends_on: str) -> bytes | None:
    """The tables that were made from ``source`` under these circumstances, or None."""
    with suppress(OSError):
        key, stored = _key(depends_on), _beside(source).read_bytes()
        if stored.startswith(key) and (tables := disk_cache.unsealed(stored[len(key) :])) is not None:
            return tables
    return disk_cache.load("tables", *depends_on)


def store(source: Path, tables: bytes, *depends_on: str) -> None:
    """Keep the tables, in place of those that were made from ``source`` before."""
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            place = _beside(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            disk_cache.write(place, _key(depends_on) + disk_cache.sealed(tables), source.stat().st_mode & 0o666)
            return
    disk_cache.store("tables", tables, *depends_on)


def _beside(source: Path) -> Path:
    return Path(cache_from_source(str(source))).with_suffix(".tables")


def _key(depends_on: tuple[str, ...]) -> bytes:
    return sha256("\0".join(depends_on).encode(errors="surrogateescape")).digest()
