"""The cache on disk, in a private folder, with files that are whole or not there."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EBUSY
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import time
from typing import Any, BinaryIO, Final

from attrs import frozen

from zermelo.foundation.records import ByValue

# A folder that only its user can write to, opened once and used by its descriptor.
#
# The threat is another user of the same computer: a user who can change the files of the cache can change the program,
# and ``ZERMELO_CACHE`` may name a folder below one that everybody can write to, such as ``/tmp``. So the folder is
# opened, and the *open* folder must belong to the user and be writable by nobody else; an access control list that lets
# others in shows in the same bits. Its files are then reached by its descriptor alone, so that it does not matter who
# exchanges the folder, or one above it, under its name. What is in such a folder was put there by the user.
#
# Windows has neither such owners nor opening inside a folder; there a folder in the profile of a user is private by
# default. Python in a browser has no users at all.


UNFINISHED: Final = ".part"
"""The ending of a file that is being written."""

_CAN_OPEN_INSIDE: Final = hasattr(os, "geteuid") and {os.open, os.stat, os.unlink} <= os.supports_dir_fd

# A system without one of these flags has no need of it.
_AS_IT_IS: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_READING: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _AS_IT_IS
_WRITING: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _AS_IT_IS


class UnsafeFolderError(OSError):
    """Others may have written here; the message says how."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.strerror = message


class PrivateFolder:
    """An open folder. ``handle`` is its descriptor, None on systems without relative opening. All methods raise
    OSError."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def names(self) -> list[str]:
        return os.listdir(self.path if self._handle is None else self._handle)

    def status(self, name: str) -> os.stat_result:
        return os.stat(self._at(name), follow_symlinks=False, **self._inside)

    def read(self, name: str, most: int) -> bytes:
        """The content of a file of at most ``most`` bytes; reading it updates the time of its last use."""
        with os.fdopen(os.open(self._at(name), _READING, **self._inside), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > most:
                raise OSError(f"{self.path / name} is not a file of this cache")
            content = file.read()
            with suppress(OSError):
                os.utime(file.fileno() if os.utime in os.supports_fd else self._at(name))
            return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file atomically; if that fails, the old one is left."""
        part = f"{name}.{os.urandom(8).hex()}{UNFINISHED}"
        with os.fdopen(os.open(self._at(part), _WRITING, 0o600, **self._inside), "wb") as file:
            try:
                file.write(content)
                file.close()
                both = {} if self._handle is None else {"src_dir_fd": self._handle, "dst_dir_fd": self._handle}
                os.replace(self._at(part), self._at(name), **both)
            except OSError:
                self.remove(part)
                raise

    def remove(self, name: str) -> None:
        os.unlink(self._at(name), **self._inside)

    def _at(self, name: str) -> str | Path:
        return self.path / name if self._handle is None else name

    @property
    def _inside(self) -> dict[str, Any]:
        return {} if self._handle is None else {"dir_fd": self._handle}


@contextmanager
def open_private_folder(path: Path, make: bool = False) -> Iterator[PrivateFolder]:
    """A private folder of the user; if it is missing and ``make`` is set, it is made.

    Raises :class:`UnsafeFolderError` if others can write to it, and OSError, FileNotFoundError among them.
    """
    if make and not path.is_dir():
        with suppress(FileExistsError):  # another process was quicker
            os.makedirs(path, mode=0o700)
    if not _CAN_OPEN_INSIDE:
        yield PrivateFolder(path, None)
        return
    handle = os.open(path, _FOLDER)
    try:
        _check(handle, path)
        yield PrivateFolder(path, handle)
    finally:
        os.close(handle)


def _check(handle: int, path: Path) -> None:
    """Raise :class:`UnsafeFolderError` if somebody else may write to the open folder."""
    status = os.fstat(handle)
    if status.st_uid != os.geteuid():
        raise UnsafeFolderError(f"{path} belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnsafeFolderError(f"others can write to {path}, which `chmod go-w` ends")


# The cache on disk, in the user's cache folder: whatever is lost is made again.
#
# The *key* of an entry is the digest of its kind and of all texts that it depends on, so no entry is ever out of date;
# the least recently used ones are removed when room is needed. To see whether it is, all files are looked at, of which
# there may be tens of thousands; so only one new entry in sixteen looks. Its key says whether it is one: a digest is as
# good as a number drawn at random, and processes need not count together.
#
# A file is written under a temporary name and moved into place, so that concurrent processes never see half of one. It
# ends with a digest of its key and its content: a damaged file, or one under the wrong key, counts as missing. A cache
# that cannot be written or read only costs time.
#
# The entries are programs: machine code, and rules that are run. Reading them runs nothing, but a user who can change
# them can change the user's programs. So the folder is made for its user alone, and one that others can write to is not
# used. The digests guard against accidents, not against attacks.


KINDS: Final = {"tables": "tables of the parser", "games": "checked games", "code": "machine code"}
"""The kinds of entries: the endings of their files, and what they hold."""

MOST_BYTES: Final = 256 << 20
"""The greatest size of the cache, but for a few entries that have not looked; beyond it the least recently used files
are removed."""

ONE_IN: Final = 16
"""One entry in so many, in the mean, looks whether there is room."""

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
        with open_private_folder(where):
            return "" if os.access(where, os.R_OK | os.W_OK | os.X_OK) else f"{where} cannot be read and written"
    except FileNotFoundError:
        return ""  # it is made with the first entry
    except UnsafeFolderError as error:
        return str(error)
    except NotADirectoryError:
        return f"{where} is not a folder"
    except OSError as error:
        return f"{where} cannot be used: {error.strerror}"


@contextmanager
def _open_cache(make: bool = False) -> Iterator[PrivateFolder]:
    """The folder of the cache. Raises OSError if it cannot be used."""
    where = folder()
    if where is None:
        raise FileNotFoundError("there is no home folder")
    with open_private_folder(where, make) as here:
        yield here


def load(kind: str, *depends_on: str) -> bytes | None:
    """The content stored under these texts, or None."""
    key = key_of(kind, *depends_on)
    with suppress(OSError), _open_cache() as here:
        return unseal(key, here.read(_name(kind, key), MOST_BYTES))
    return None


def holds(kind: str, *depends_on: str) -> bool:
    """Whether there is an entry under these texts, sound or not."""
    with suppress(OSError), _open_cache() as here:
        return stat.S_ISREG(here.status(_name(kind, key_of(kind, *depends_on))).st_mode)
    return False


def store(kind: str, content: bytes, *depends_on: str) -> None:
    """Store ``content`` under the texts that it depends on; nothing happens if the cache cannot be used."""
    key = key_of(kind, *depends_on)
    with suppress(OSError), _open_cache(make=True) as here:
        here.write(_name(kind, key), seal(key, content))
        if key[0] % ONE_IN == 0:
            _prune(here)


def key_of(kind: str, *depends_on: str) -> bytes:
    """The digest of a kind and of texts, each with its length, so that different lists of texts have different keys."""
    digest = sha256()
    for text in (kind, *depends_on):
        data = text.encode(errors="surrogatepass")  # the name of a file need not be valid text
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def seal(key: bytes, content: bytes) -> bytes:
    """The content followed by a digest of it and of its key."""
    return content + sha256(key + content).digest()


def unseal(key: bytes, stored: bytes) -> bytes | None:
    """The content sealed under this key; None if it is damaged or was sealed under another one."""
    content, digest = stored[:-_DIGEST], stored[-_DIGEST:]
    return content if sha256(key + content).digest() == digest else None


def entries() -> list[Entry]:
    """All entries, the most recently used last."""
    with suppress(OSError), _open_cache() as here:
        return _entries(here)
    return []


def clear() -> list[Entry]:
    """Remove all entries, and return those removed."""
    with suppress(OSError), _open_cache() as here:
        for name in here.names():
            if name.endswith(UNFINISHED):
                _try_remove(here, name)
        return [entry for entry in _entries(here) if _try_remove(here, entry.path.name)]
    return []


def _name(kind: str, key: bytes) -> str:
    return f"{key.hex()}.{kind}"


def _entries(here: PrivateFolder) -> list[Entry]:
    return sorted(_scan_entries(here), key=lambda entry: (entry.used, entry.path))


def _scan_entries(here: PrivateFolder) -> Iterator[Entry]:
    for name in here.names():
        kind = os.path.splitext(name)[1][1:]
        if kind in KINDS:
            with suppress(OSError):
                status = here.status(name)
                yield Entry(here.path / name, kind, status.st_size, status.st_mtime)


def _try_remove(here: PrivateFolder, name: str) -> bool:
    with suppress(OSError):
        here.remove(name)
        return True
    return False


def _prune(here: PrivateFolder) -> None:
    """Make room if there is too little, for the next entries as well, and remove the unfinished files of processes that
    were killed."""
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
        if _try_remove(here, entry.path.name):
            total -= entry.bytes


# Atomic writing: a file is replaced only once the new one is complete.


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically and flush it to disk. It is written under its name with ``.part`` appended, over whatever
    a killed process has left there, and then moved into place. A pipe or a terminal is written to directly; a link is
    followed.

    Raises ``OSError``, also while another process is writing the same file; the old file is then left as it was."""
    target = Path(os.path.realpath(path))
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        target.write_bytes(data)
        return
    beside = target.with_name(f"{target.name}.part")
    with _open_exclusively(beside) as file:
        try:
            file.truncate(0)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            if os.name != "posix":
                file.close()  # an open file cannot be moved there
            beside.replace(target)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


def _open_exclusively(path: Path) -> BinaryIO:
    """The file, open for writing under an exclusive lock, where the system has one: a lock ends with its process. If
    another process has moved the file meanwhile, it is opened anew."""
    while True:
        file = path.open("ab")
        if os.name != "posix":
            return file
        from fcntl import LOCK_EX, LOCK_NB, flock

        try:
            flock(file.fileno(), LOCK_EX | LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
            file.close()
        except OSError as error:
            file.close()
            if isinstance(error, BlockingIOError):
                raise OSError(EBUSY, "another process is writing it") from error
            if not isinstance(error, FileNotFoundError):
                raise


# The version of the program as a key of its caches: other versions must not read them.


_CACHED_ROOMS: Final = ("foundation", "grammar", "interpreter", "solvers")
"""The rooms that compute what is cached. The others only read, write or show it."""

_PACKAGES: Final = ("lark", "llvmlite")
"""Packages on which cached results depend. A file at the top of each holds its version."""


@cache
def program_version() -> str:
    """A digest of the versions of Python, of our own files, those of commands excepted, and of :data:`_PACKAGES`. It
    takes names, sizes and times of files (four milliseconds) instead of their contents (many)."""
    home = str(Path(__file__).parents[1])
    seen = [sys.version, *sorted(_file_states(home, deep=False))]
    for room in _CACHED_ROOMS:
        seen += sorted(_file_states(os.path.join(home, room)))
    for name in _PACKAGES:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            seen += sorted(_file_states(str(Path(found.origin).parent), deep=False))
    return sha256("\n".join(seen).encode(errors="surrogatepass")).hexdigest()


def _file_states(folder: str, deep: bool = True) -> Iterator[str]:
    """The files of a folder, if it exists, and of its subfolders if ``deep``."""
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if deep:
                    yield from _file_states(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"
