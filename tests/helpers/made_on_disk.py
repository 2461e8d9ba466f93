"""Tables that are made on disk though they would fit into memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy
import pytest
from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.tables import building, dataset, external_building, shards
from zermelo.solvers.tables.shards import Job, Shard

SMALL = 1 << 20
"""A memory of a megabyte."""


@contextmanager
def on_disk(*counts: int, few: int = 1 << 16) -> Iterator[None]:
    """Tables are made on disk, in so many shards: in the last number of them only if one of fewer has more than ``few``
    positions."""

    def refuse(*_: Any) -> None:
        raise ZermeloError("out-of-memory", "this is a test", "none")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_content_in_memory", refuse)
        patch.setattr(external_building, "SHARDS", counts)
        patch.setattr(external_building, "FEW", few)
        yield


@contextmanager
def small_files(groups: int = 2, rows: int = 5) -> Iterator[None]:
    """Files of tables have so many row groups, of so many rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "FILE_GROUPS", groups)
        patch.setattr(dataset, "GROUP_ROWS", rows)
        yield


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ---------------------------------------------------------------- processes that are killed


@frozen
class Dying:
    """A job that kills its process on one of its shards: before it, after it, or in the middle of writing a file."""

    job: Job
    shard: int
    moment: str

    def __call__(self, shard: Shard, given: Any) -> Any:
        if shard.number != self.shard:
            return self.job(shard, given)
        if self.moment == "before":
            kill_self()
        if self.moment == "within":
            shards.append = self._append
        found = self.job(shard, given)
        if self.moment == "after":
            kill_self()
        return found

    def _append(self, path: Path, records: Any) -> int:
        data = numpy.ascontiguousarray(records).view("uint8")
        with path.open("ab") as file:
            file.write(data[: len(data) // 2].data)
        kill_self()


def kill_self() -> NoReturn:
    """End this process, so that it can do nothing about it."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("it goes on")
