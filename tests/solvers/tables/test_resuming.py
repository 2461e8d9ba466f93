"""A build of a table on disk that is ended at any moment goes on later, and makes the same table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from made_on_disk import SMALL, contents, on_disk
from written_games import COIN

import zermelo
from zermelo.game import Game
from zermelo.solvers.tables import shards
from zermelo.tables import Table

pytest.importorskip("pyarrow")

GAMES: dict[str, Callable[[], Game]] = {
    "connect four": lambda: zermelo.load("connect_four", rows=3, columns=3, run=3),
    "rook ending": lambda: zermelo.load("rook_ending", size=3),
    "coin": lambda: zermelo.loads(COIN),
    "nim": lambda: zermelo.load("nim"),
}


class Killed(BaseException):
    """The process has been killed."""


# ---------------------------------------------------------------- a process that ends in the middle of a change


@contextmanager
def ending_at(moment: int) -> Iterator[list[str]]:
    """A block that ends at so many changes of files, with the last one half done; the names of all changes."""
    changes: list[str] = []

    def is_the_end(name: str) -> bool:
        changes.append(name)
        return len(changes) == moment

    def append(path: Path, records: Any) -> int:
        if is_the_end("append"):
            data = numpy.ascontiguousarray(records).view("uint8")
            plain_append(path, data[: len(data) // 2])
            raise Killed
        return plain_append(path, records)

    def change(records: Any, places: Any, others: Any) -> None:
        if isinstance(records, numpy.memmap) and is_the_end("change"):
            plain_put(records, places[: len(places) // 2], others[: len(places) // 2])
            raise Killed
        plain_put(records, places, others)

    def whole(name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def do(*given: Any, **named: Any) -> Any:
            if is_the_end(name):
                raise Killed
            return does(*given, **named)

        return do

    plain_append, plain_put = shards.append, shards.put
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "append", append)
        patch.setattr(shards, "put", change)
        patch.setattr(os, "truncate", whole("truncate", os.truncate))
        for name in ("unlink", "replace", "write_text"):
            patch.setattr(Path, name, whole(name, getattr(Path, name)))
        yield changes


def attempts(game: Game, folder: Path, random: Random, most: int) -> int:
    """Build a table on disk, ended again and again at one of ``most`` changes, until it is there; how often."""
    for count in range(10_000):
        with ending_at(random.randrange(1, most)):
            try:
                Table.build(game, folder, memory=SMALL, resume=True)
            except Killed:
                continue
        return count
    raise AssertionError("it does not come to an end")


@pytest.mark.random
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_ended_in_the_middle_of_any_change(name: str, seed: int, tmp_path: Path) -> None:
    game = GAMES[name]()
    Table.build(game, tmp_path / "memory")
    with on_disk(3):
        count = attempts(game, tmp_path / "table", Random(seed), 60)
    assert count > 0
    assert contents(tmp_path / "table") == contents(tmp_path / "memory")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory", "table"]
