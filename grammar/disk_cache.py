"""The cache on disk, in the user's cache folder: whatever is lost is made again.

The *key* of an entry is the digest of its kind and of all texts that it depends on, so no entry is ever out of date;
the least recently used ones are removed when room is needed. A file is written under a temporary name and moved into
place, so that concurrent processes never see half of one. It ends with a digest of its key and its content: a damaged
file, or one under the wrong key, counts as missing. A cache that cannot be written or read only costs time.

The entries are programs: machine code, and rules that are run. Reading them runs nothing, but whoever can change them
can change the user's programs. So the folder is made for its user alone, and one that others can write to, or replace,
is not used (:mod:`.private_folder`). The digests guard against accidents, not against attacks.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.private_folder import UNFINISHED, PrivateFolder, Unsafe, opened

KINDS: Final = {"tables": "tables of the parser", "games": "checked games", "code": "machine code"}
"""The kinds of entries: the endings of their files, and what they hold."""

MOST_BYTES: Final = 256 << 20
"""The greatest size of the cache; beyond it the least recently used files are removed."""

_KEPT: Final = 0.9
"""The share of that size which is left when files are removed."""

_DIGEST: Final = sha256().digest_size
_ABANDONED_SECONDS: Final = 3600.0
"""After so many seconds an unfinished file is taken for abandoned."""


@frozen(eq=False, repr=False)
class Entry(ByValue):
    """A file of the cache: ``kind`` is one of :data:`KINDS`, ``used`` the time when it was last read or written."""

    path: Path
    kind: str
    bytes: int
    used: float


def folder() -> Path | None:
    """The folder of the cache: ``ZERMELO_CACHE``, or else ``zermelo`` in the user's cache folder; None for a user
    without a home."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    root = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(root or Path.home() / ".cache", "zermelo")
    except RuntimeError:
        return None


def trouble() -> str:
    """Why the cache cannot be used, in words; empty if it can."""
    where = folder()
    if where is None:
        return "there is no home folder"
    try:
        with opened(where):
            return "" if os.access(where, os.R_OK | os.W_OK | os.X_OK) else f"{where} cannot be read and written"
    except FileNotFoundError:
        return ""  # it is made with the first entry
    except Unsafe as error:
        return str(error)
    except OSError as error:
        return f"{where} cannot be used: {error.strerror}"


def load(kind: str, *depends_on: str) -> bytes | None:
    """The content stored under these texts, or None."""
    where, key = folder(), key_of(kind, *depends_on)
    if where is None:
        return None
    try:
        with opened(where) as here:
            return unsealed(key, here.read(_name(kind, key), MOST_BYTES))
    except OSError:
        return None


def holds(kind: str, *depends_on: str) -> bool:
    """Whether there is an entry under these texts, sound or not."""
    where = folder()
    if where is None:
        return False
    try:
        with opened(where) as here:
            return stat.S_ISREG(here.status(_name(kind, key_of(kind, *depends_on))).st_mode)
    except OSError:
        return False


def store(kind: str, content: bytes, *depends_on: str) -> None:
    """Store ``content`` under the texts that it depends on; nothing happens if the cache cannot be used."""
    where, key = folder(), key_of(kind, *depends_on)
    if where is None:
        return
    with suppress(OSError), opened(where, make=True) as here:
        here.write(_name(kind, key), sealed(key, content))
        _prune(here)


def key_of(kind: str, *depends_on: str) -> bytes:
    """The digest of a kind and of texts, each with its length, so that different lists of texts have different keys."""
    digest = sha256()
    for text in (kind, *depends_on):
        data = text.encode(errors="surrogatepass")  # the name of a file need not be valid text
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def sealed(key: bytes, content: bytes) -> bytes:
    """The content followed by a digest of it and of its key."""
    return content + sha256(key + content).digest()


def unsealed(key: bytes, stored: bytes) -> bytes | None:
    """The content sealed under this key; None if it is damaged or was sealed under another one."""
    content, digest = stored[:-_DIGEST], stored[-_DIGEST:]
    return content if sha256(key + content).digest() == digest else None


def entries() -> list[Entry]:
    """All entries, the most recently used last."""
    where = folder()
    with suppress(OSError):
        if where is not None:
            with opened(where) as here:
                return _entries(here)
    return []


def clear() -> list[Entry]:
    """Remove all entries, and return those removed."""
    where = folder()
    with suppress(OSError):
        if where is not None:
            with opened(where) as here:
                for name in here.names():
                    if name.endswith(UNFINISHED):
                        _removed(here, name)
                return [entry for entry in _entries(here) if _removed(here, entry.path.name)]
    return []


def _name(kind: str, key: bytes) -> str:
    return f"{key.hex()}.{kind}"


def _entries(here: PrivateFolder) -> list[Entry]:
    return sorted(_listed(here), key=lambda entry: (entry.used, entry.path))


def _listed(here: PrivateFolder) -> Iterator[Entry]:
    for name in here.names():
        kind = os.path.splitext(name)[1][1:]
        if kind in KINDS:
            with suppress(OSError):
                status = here.status(name)
                yield Entry(here.path / name, kind, status.st_size, status.st_mtime)


def _removed(here: PrivateFolder, name: str) -> bool:
    with suppress(OSError):
        here.remove(name)
        return True
    return False


def _prune(here: PrivateFolder) -> None:
    """Make room if there is too little, for the next entries as well, and remove the unfinished files of processes that
    were killed. Each file is looked at once: there may be tens of thousands."""
    total = 0
    abandoned = time() - _ABANDONED_SECONDS
    for name in here.names():
        with suppress(OSError):
            status = here.status(name)
            if not name.endswith(UNFINISHED):
                total += status.st_size
            elif status.st_mtime < abandoned:
                here.remove(name)
    if total <= MOST_BYTES:
        return
    for entry in _entries(here):
        if total <= MOST_BYTES * _KEPT:
            return
        if _removed(here, entry.path.name):
            total -= entry.bytes
