"""What is kept from one run to the next, in the user's cache folder: nothing that could not be made again.

Everything is kept under the digest of all that it depends on, so nothing here is ever out of date; what is no longer
asked for goes when room is needed. A file is written under a name of its own and moved into place, so that processes
that run at the same time never see half of one, and ends with a digest of its content, so that a damaged one is not
taken for sound. A cache that cannot be written or read only costs time.

Some contents are pickles, and reading a pickle runs what it says. So the folder is made for its user alone, and one
that belongs to somebody else, or that others can write to, is not used: whoever can change what is kept there can
change the user's programs as well. The digest guards against accidents, not against attacks.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Final

from grammar.record import Record

KINDS: Final = {"tables": "tables of the parser", "games": "checked games", "code": "machine code"}
"""What is kept: the endings of the files, and what they hold."""

MOST_BYTES: Final = 64 << 20
"""The files unused for longest go when there is more than this."""

_DIGEST: Final = sha256().digest_size
_UNFINISHED: Final = ".part"
_ABANDONED_SECONDS: Final = 3600.0
"""A file that has been unfinished for so long will never be finished."""


class Entry(Record):
    """A file that is kept: ``kind`` is one of :data:`KINDS`, ``used`` when it was last read or written."""

    path: Path
    kind: str
    bytes: int
    used: float


def folder() -> Path | None:
    """Where things are kept: ``ZERMELO_CACHE``, or else ``zermelo`` in the user's cache folder; None for a user without
    a home."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    root = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(root or Path.home() / ".cache", "zermelo")
    except RuntimeError:
        return None


def trouble() -> str:
    """Why nothing can be kept, in words; empty where all is well."""
    where = folder()
    if where is None:
        return "there is no home folder"
    try:
        status = where.stat()
    except FileNotFoundError:
        return ""  # it is made when there is something to keep
    except OSError as error:
        return f"{where} cannot be used: {error.strerror}"
    if not stat.S_ISDIR(status.st_mode):
        return f"{where} is not a folder"
    if os.name == "posix" and status.st_uid != os.getuid():
        return f"{where} belongs to another user"
    if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write to {where}"
    if not os.access(where, os.R_OK | os.W_OK | os.X_OK):
        return f"{where} cannot be read and written"
    return ""


def load(kind: str, *depends_on: str) -> bytes | None:
    """What was stored under these texts, or None."""
    if trouble():
        return None
    path = _path(kind, depends_on)
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    content = unsealed(stored)
    if content is not None:
        with suppress(OSError):
            os.utime(path)
    return content


def holds(kind: str, *depends_on: str) -> bool:
    """Whether something is stored under these texts, sound or not."""
    return not trouble() and _path(kind, depends_on).is_file()


def store(kind: str, content: bytes, *depends_on: str) -> None:
    """Keep ``content`` under the texts that it depends on. Where that is not possible nothing is kept."""
    path = _path(kind, depends_on)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if trouble():
            return
        write(path, sealed(content))
        _prune()


def write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file so that nobody sees half of it. Raises OSError, and then leaves what was there."""
    handle, name = tempfile.mkstemp(_UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise


def sealed(content: bytes) -> bytes:
    """The content followed by its digest."""
    return content + sha256(content).digest()


def unsealed(stored: bytes) -> bytes | None:
    """What has been sealed, or None where it is damaged."""
    content, digest = stored[:-_DIGEST], stored[-_DIGEST:]
    return content if sha256(content).digest() == digest else None


def entries() -> list[Entry]:
    """All that is kept, what was used last at the end."""
    return sorted(_entries(_files()), key=lambda entry: (entry.used, entry.path))


def clear() -> list[Entry]:
    """Remove all that is kept, and return what is gone."""
    for path in _files():
        if path.suffix == _UNFINISHED:
            with suppress(OSError):
                path.unlink()
    return [entry for entry in entries() if _removed(entry)]


def _path(kind: str, depends_on: tuple[str, ...]) -> Path:
    digest = sha256("\0".join(depends_on).encode(errors="surrogateescape")).hexdigest()
    return (folder() or Path()) / f"{digest}.{kind}"


def _files() -> list[Path]:
    where = folder()
    try:
        return [] if where is None else list(where.iterdir())
    except OSError:
        return []


def _entries(files: list[Path]) -> Iterator[Entry]:
    for path in files:
        if path.suffix[1:] in KINDS:
            with suppress(OSError):
                status = path.stat()
                yield Entry(path, path.suffix[1:], status.st_size, status.st_mtime)


def _removed(entry: Entry) -> bool:
    with suppress(OSError):
        entry.path.unlink()
        return True
    return False


def _prune() -> None:
    """Make room, and tidy up after processes that were stopped while they wrote."""
    for path in _files():
        if path.suffix == _UNFINISHED:
            with suppress(OSError):
                if path.stat().st_mtime < time() - _ABANDONED_SECONDS:
                    path.unlink()
    kept = entries()
    total = sum(entry.bytes for entry in kept)
    for entry in kept:
        if total <= MOST_BYTES:
            return
        if _removed(entry):
            total -= entry.bytes
