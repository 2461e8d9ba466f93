"""Whole solutions: the gain by better search, and the waiting times for the benchmarks of the lectures."""

from __future__ import annotations

from functools import partial
from typing import Final

import zermelo
from benchmarks import ours
from benchmarks.facts import all_cores
from benchmarks.measure import Measurement, best_of_fixed, seconds_of
from benchmarks.report import Delay, Row
from benchmarks.search import measurement_or_reason
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Request

_PLAIN: Final = "Zermelo, alpha-beta with a table"

_THREADS: Final = 2

_LARGE: Final = 4 << 30
"""Bytes of the table for connect four 6x6."""


def connect_four() -> list[Row | Delay]:
    """Connect four on the 5 x 5 board, by fewer nodes; and on larger ones, where plain alpha-beta takes minutes."""
    game = zermelo.load("connect_four", rows=5, columns=5)
    machine = ours.machine_of("connect_four", rows=5, columns=5)
    nodes = {}

    def solve_counting(name: str) -> int:
        nodes[name] = solve(machine, game.facts, Request(name)).counts["nodes"]
        return 1

    row = Row(
        task="connect four 5x5, solved by enhanced alpha-beta",
        unit="games/s",
        ours=measurement_or_reason(lambda: best_of_fixed(lambda: solve_counting("enhanced_alphabeta"))),
        peer=_PLAIN,
        theirs=measurement_or_reason(lambda: best_of_fixed(lambda: solve_counting("alphabeta_table"))),
        target=5,
        note=" and ".join(f"{count:,}" for count in nodes.values()) + " nodes",
    )
    delays = [
        Delay(
            task=f"connect four {columns}x{rows}, solved",
            ours=_seconds(Limits(memory=1 << 30), rows=rows, columns=columns),
            limit=120,
        )
        for columns, rows in ((5, 6), (6, 5))
    ]
    return [row, *delays]


def threads() -> list[Row | Delay]:
    """Connect four with 6 columns and 6 rows by two threads, beside one; on all cores."""
    parameters = {"rows": 6, "columns": 6}
    with all_cores():
        alone, together = (_seconds(Limits(memory=_LARGE, threads=number), **parameters) for number in (1, _THREADS))
    task = "connect four 6x6, solved"
    row = Row(
        task=task,
        unit="games/s",
        ours=Measurement(1, together),
        peer="one thread",
        theirs=Measurement(1, alone),
        target=1.7,
        note=f"{_THREADS} threads",
    )
    return [row, Delay(task=task, ours=together, limit=60)]


def chess() -> list[Delay]:
    """Eight plies from the beginning with the file's estimate, exact to that depth and with forward pruning."""
    game = zermelo.load("chess")
    machine = ours.machine_of("chess")
    delays: list[Delay] = []
    for name, limit in (("principal_variation", 300.0), ("late_moves", 60.0)):
        task = f"chess, 8 plies by {find_solver(name).title}"
        seconds = seconds_of(partial(solve, machine, game.facts, Request(name, Limits(depth=8))))
        delays.append(Delay(task=task, ours=seconds, limit=limit))
    return delays


def _seconds(limits: Limits, **parameters: int) -> float:
    """The time of enhanced alpha-beta for a board of connect four."""
    game = zermelo.load("connect_four", **parameters)
    machine = ours.machine_of("connect_four", **parameters)
    return seconds_of(lambda: solve(machine, game.facts, Request("enhanced_alphabeta", limits)))
