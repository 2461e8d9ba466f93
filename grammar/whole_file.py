"""Atomic writing: a file is replaced only once the new one is complete."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import EBUSY
from pathlib import Path
from typing import BinaryIO


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
    with _opened_alone(beside) as file:
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


def _opened_alone(path: Path) -> BinaryIO:
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
