"""Tables that are made on disk by several processes."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import zermelo
from benchmarks.facts import all_cores
from benchmarks.measure import Measurement
from benchmarks.report import Row
from zermelo.tables import Table

_MEMORY: Final = 1 << 30
_WORKERS: Final = 2


def workers() -> list[Row]:
    """The table of connect four 5x5 by two workers of a Ray cluster beside one, on all cores; from the command to the
    last byte. The tables are the same."""
    with all_cores():
        (count, one, first), (_, several, second) = (_built(number) for number in (1, _WORKERS))
    assert first == second, "the tables are the same, byte for byte"
    return [
        Row(
            task="connect four 5x5, a table on disk",
            unit="positions/s",
            ours=Measurement(count, several),
            peer="one worker",
            theirs=Measurement(count, one),
            target=1.5,
            note=f"{_WORKERS} workers on {os.cpu_count()} cores, {count:,} positions up to symmetry",
        )
    ]


def _built(number: int) -> tuple[int, float, str]:
    """The positions of a table that so many workers make, the seconds, and a digest of its files."""
    game = zermelo.load("connect_four", rows=5, columns=5)
    with TemporaryDirectory() as scratch:
        folder, begin = Path(scratch, "table"), perf_counter()
        table = Table.build(game, folder, workers=number, memory=_MEMORY)
        seconds, digest = perf_counter() - begin, sha256()
        for path in sorted(folder.iterdir()):
            digest.update(path.read_bytes())
        return len(table), seconds, digest.hexdigest()
