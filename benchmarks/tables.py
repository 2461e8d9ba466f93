"""Tables of all positions: made on disk beside in memory, verified, and looked up."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import zermelo
from benchmarks.measure import REPEATS, Measurement, seconds_of
from benchmarks.report import Delay, Row
from zermelo.tables import Table

_LITTLE: Final = 1 << 30
_ENOUGH: Final = 4 << 30
_LEAST: Final = 256 << 20
"""Memory in which a table of connect four 5x5 is made on disk and verified at once, is made in memory, and is verified
span by span."""

_LOOKUPS: Final = 200
_AFTER: Final = "drop(3), drop(3), drop(2)"


def connect_four(rows: int = 5, columns: int = 5) -> list[Row | Delay]:
    """A table of connect four, of one of each two mirrored positions: made in memory, then on disk, verified at once
    and span by span, and looked up."""
    game = zermelo.load("connect_four", rows=rows, columns=columns)
    with TemporaryDirectory() as folder:
        in_memory, on_disk = Path(folder, "memory"), Path(folder, "disk")
        by_disk = seconds_of(lambda: Table.build(game, on_disk, memory=_LITTLE))
        by_memory = seconds_of(lambda: Table.build(game, in_memory, memory=_ENOUGH))
        table = Table.open(on_disk)
        count, task = len(table), f"a table of connect four {rows}x{columns}"
        at_once = seconds_of(lambda: table.verify(memory=_LITTLE))
        in_spans = seconds_of(lambda: table.verify(memory=_LEAST))
        return [
            Row(
                task=f"{task}, made with 1 GB",
                unit="positions/s",
                ours=Measurement(count, by_disk),
                peer="ours, in memory",
                theirs=Measurement(count, by_memory),
                target=0.5,
                note=f"{count:,} positions, {table.files.bytes / count:.2f} bytes each",
            ),
            Row(
                task=f"{task}, verified span by span in 256 MB",
                unit="positions/s",
                ours=Measurement(count, in_spans),
                peer="ours, at once",
                theirs=Measurement(count, at_once),
            ),
            *_look_ups(table, task),
            _command(on_disk, rows, columns),
        ]


def _look_ups(table: Table, task: str) -> list[Delay]:
    """Positions of random plays, one after another, in a process that has the table open."""
    random, waits = Random(1), []
    for _ in range(_LOOKUPS):
        state = table.game.initial
        for _ in range(random.randrange(2, 12)):
            state = state.after(random.choice(state.moves))
            if state.is_over:
                break
        begin = perf_counter()
        table.get(state)
        waits.append(perf_counter() - begin)
    waits.sort()
    return [
        Delay(task=f"{task}, a look-up", ours=waits[_LOOKUPS // 2], limit=0.02),
        Delay(task=f"{task}, the slowest of {_LOOKUPS}", ours=waits[-1], limit=0.02),
    ]


def _command(folder: Path, rows: int, columns: int) -> Row:
    """A fresh process that looks a position up, beside one that lists the moves there."""
    rules = ("connect_four", "-p", f"rows={rows}", "-p", f"columns={columns}")
    return Row(
        task="table query, a fresh process",
        unit="commands/s",
        ours=Measurement(1, _processor_seconds("table", "query", str(folder), "--after", _AFTER)),
        peer="ours, moves",
        theirs=Measurement(1, _processor_seconds("moves", *rules, "--after", _AFTER)),
        target=1,
    )


def _processor_seconds(*words: str) -> float:
    """The processor time of a command, the least of several runs; what is kept from one to the next is there."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = partial(
        subprocess.run, [sys.executable, "-m", "zermelo", *words], env=environment, capture_output=True, check=True
    )
    run()
    found = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)
