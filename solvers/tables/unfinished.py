"""The folder of a table that is made on disk, which lies beside its own until it is finished, so that an interrupted
build goes on.

It has a *checkpoint*: the length of each file when a round had been finished. To come back to it, the old records of
what has been changed since are put back, files are shortened, and those that it does not name are deleted
(:mod:`.shards`). Until the next checkpoint is in its place, nothing is deleted that this one needs, so there is a whole
one at any moment. Whoever ends the process cannot break it; after a failure of the machine itself, a power cut, files
may lack what the system had not written yet.

Every process that writes there holds a lock that ends with it, so that nobody begins while others are still at work.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, BinaryIO, Final

from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.tables.dataset import unwritable

VERSION: Final = 1
"""The version of the folder, and of all files in it."""

_BUILD: Final = "build.json"
_CHECKPOINT: Final = "checkpoint.json"
_LOG: Final = "log.jsonl"
_LOCK: Final = "lock"

_PATIENCE: Final = 20.0
"""Seconds within which other processes should have ended."""


def unfinished_folder(folder: Path) -> Path:
    """The folder beside that of a table in which it is made."""
    return folder.parent / f"{folder.name}.unfinished"


@define(eq=False)
class Unfinished:
    """A folder at its checkpoint of a ``number``, which names ``files`` with their lengths. A ``token`` in the lock
    shows to other processes that they see the same folder."""

    folder: Path
    number: int = 0
    files: dict[str, int] = field(factory=dict)
    token: str = field(factory=lambda: os.urandom(16).hex())
    _lock: BinaryIO | None = None

    # ------------------------------------------------------------ beginning and going on

    @classmethod
    def is_in(cls, folder: Path) -> bool:
        """Whether a folder has a checkpoint."""
        return (folder / _CHECKPOINT).exists()

    @classmethod
    def begin(cls, folder: Path, made_of: Mapping[str, Any]) -> Unfinished:
        """Begin in a folder to make what ``made_of`` says. It is new, or left by a process that had not finished a
        round. Raises ``ZermeloError`` (``unfinished-table``, ``unwritable-file`` if what is there is of somebody else)
        and ``OSError``."""
        if folder.exists() and not _is_own(folder):
            raise unwritable(folder, "there is something already that is no unfinished table")
        folder.mkdir(parents=True, exist_ok=True)
        work = cls(folder)
        work._hold(0)
        if cls.is_in(folder):
            work.close()
            raise ZermeloError(
                "unfinished-table",
                f"there is an unfinished table in {folder}",
                "--resume goes on with it; to begin afresh, delete it first",
            )
        work.come_back()
        (folder / _BUILD).write_text(json.dumps({"version": VERSION, **made_of}, indent=1) + "\n")
        return work

    @classmethod
    def go_on(cls, folder: Path, made_of: Mapping[str, Any]) -> Unfinished:
        """Go on in a folder that has a checkpoint, at which everything is again as it was.

        Raises ``ZermeloError``: ``other-table`` if it is of something else, ``damaged-table``, ``unfinished-table`` if
        another process is at work there; and ``OSError``."""
        work = cls(folder)
        found = work._read(_BUILD)
        for name, value in {"version": VERSION, **made_of}.items():
            if found.get(name) != json.loads(json.dumps(value)):
                raise ZermeloError(
                    "other-table",
                    f"the unfinished table {folder} was begun with another {name}: {_shown(found.get(name))}, and not "
                    f"{_shown(value)}",
                    "delete it to begin afresh, or write to another folder",
                )
        work._hold(_PATIENCE)
        work.come_back()
        return work

    def _read(self, name: str) -> Any:
        try:
            return json.loads((self.folder / name).read_bytes())
        except FileNotFoundError as error:
            raise self._damaged(f"its file {name} is missing") from error
        except ValueError as error:
            raise self._damaged(f"its file {name} is damaged") from error

    def _damaged(self, why: str) -> ZermeloError:
        return ZermeloError(
            "damaged-table", f"the unfinished table {self.folder} cannot be used: {why}", "delete it to begin afresh"
        )

    def close(self) -> None:
        """Let others have the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """Delete the folder, with all that is in it, when others that work there have ended."""
        lock = self._lock
        if lock is not None:
            wait_for(lambda: is_alone(lock), _PATIENCE)
        with suppress(OSError):  # in this order, since this process may end in the middle
            (self.folder / _CHECKPOINT).unlink(missing_ok=True)
            self.files = {}
            self._delete_others(is_undone=False)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.close()

    def _hold(self, patience: float) -> None:
        """Lock the folder, when others that work there have ended, within some seconds."""
        lock = self._lock = (self.folder / _LOCK).open("ab")
        if not wait_for(lambda: is_alone(lock), patience):
            self.close()
            raise ZermeloError(
                "unfinished-table",
                f"another process is at work in {self.folder}",
                "wait for it, end it, or write to another folder",
            )
        lock.truncate(0)
        lock.write(self.token.encode())
        lock.flush()
        share(lock)

    # ------------------------------------------------------------ checkpoints

    @property
    def log(self) -> list[Any]:
        """What has been logged up to the checkpoint."""
        try:
            return [json.loads(line) for line in (self.folder / _LOG).read_bytes().splitlines()]
        except FileNotFoundError:
            return []
        except ValueError as error:
            raise self._damaged(f"its file {_LOG} is damaged") from error

    def keep(self, logged: Sequence[Any], files: Mapping[str, int], discarded: Sequence[str]) -> None:
        """Make a checkpoint: log more, and note the lengths of ``files`` that have been written to. Those that are
        ``discarded`` are deleted, if there are any. Raises ``OSError``."""
        with (self.folder / _LOG).open("ab") as log:
            log.write(b"".join(json.dumps(entry).encode() + b"\n" for entry in logged))
            length = log.tell()
        known = {**self.files, **files, _LOG: length}
        for name in {*discarded} - {_LOG}:
            known.pop(name, None)
        beside = self.folder / f"{_CHECKPOINT}.part"
        beside.write_text(json.dumps({"number": self.number + 1, "files": known}))
        beside.replace(self.folder / _CHECKPOINT)
        self.number, self.files = self.number + 1, known
        self._delete_others(is_undone=False)

    def come_back(self) -> None:
        """Undo what has been done since the checkpoint. Raises ``ZermeloError`` (``damaged-table``) and ``OSError``."""
        if (self.folder / _CHECKPOINT).exists():
            found = self._read(_CHECKPOINT)
            try:
                self.number, self.files = int(found["number"]), dict(found["files"])
            except (TypeError, KeyError, ValueError) as error:
                raise self._damaged(f"its file {_CHECKPOINT} is damaged") from error
        for name, length in self.files.items():
            path = self.folder / name
            if not path.exists() or path.stat().st_size < length:
                raise self._damaged(f"its file {name} is not whole")
        self._delete_others(is_undone=True)
        for name, length in self.files.items():
            if (self.folder / name).stat().st_size > length:
                os.truncate(self.folder / name, length)

    def _delete_others(self, is_undone: bool) -> None:
        """Delete the files that the checkpoint does not name, after old records have been put back, if it
        ``is_undone``."""
        from zermelo.solvers.tables.shards import undo

        others = [path for path in self.folder.iterdir() if path.name not in {*self.files, _BUILD, _CHECKPOINT, _LOCK}]
        if is_undone:
            for path in others:
                name, _, rest = path.name.partition(".undo.")
                if rest.partition(".")[0] == str(self.number) and name in self.files:
                    undo(path)
        for path in others:
            path.unlink()


def _is_own(folder: Path) -> bool:
    """Whether what is at the place of a folder is one that has been begun, or an empty one."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else {""}
    return not names or not names.isdisjoint({_LOCK, _BUILD})


def _shown(value: Any) -> str:
    """A value of what a table is made of, in a few words."""
    return value if isinstance(value, str) else json.dumps(value)


# The lock: for one process alone, or shared with others. It ends with the process, where the system has one.


def lock_of(folder: Path) -> BinaryIO:
    """The lock of a folder, shared with others until it is closed. Raises ``OSError``."""
    lock = (folder / _LOCK).open("ab")
    share(lock)
    return lock


def is_left_by_all(folder: Path) -> bool:
    """Whether no process has the lock of a folder, when there was time to end. Raises ``OSError``."""
    with (folder / _LOCK).open("ab") as lock:
        return wait_for(lambda: is_alone(lock), _PATIENCE)


def token_in(folder: Path) -> str:
    """The token of the process that has the lock of a folder."""
    return (folder / _LOCK).read_text()


def is_alone(lock: BinaryIO) -> bool:
    """Whether this process has the lock alone from now on."""
    if os.name != "posix":
        return True
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(lock.fileno(), LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True


def share(lock: BinaryIO) -> None:
    """Let others have the lock, too."""
    if os.name == "posix":
        from fcntl import LOCK_SH, flock

        flock(lock.fileno(), LOCK_SH)


def wait_for(is_so: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so; False if it is not within so many seconds."""
    end = perf_counter() + seconds
    while not is_so():
        if perf_counter() > end:
            return False
        sleep(0.05)
    return True
