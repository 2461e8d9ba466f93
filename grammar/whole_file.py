"""A file that is written whole or not at all: what was there before is there until the new one is complete."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import EBUSY
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place at once, and safely on the disk. It is written beside, with ``.part`` behind its name, and
    then moved; what a killed process has left there is written over. What is no file, as a pipe or a terminal, is
    written to as it is; a link is followed.

    Raises ``OSError``; what was there before is then left as it was. So it is where another process is writing the same
    file at this moment."""
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
                file.close()  # there nothing can be moved that is open
            beside.replace(target)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


def _opened_alone(path: Path) -> BinaryIO:
    """The file, open for writing and, where the system knows such locks, by nobody else who asks for this: a lock ends
    with its process. Where somebody has moved it on meanwhile, another one is opened."""
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
