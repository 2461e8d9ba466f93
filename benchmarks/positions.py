"""Every position once: the time to find what all positions of a game are worth, with a proof."""

from __future__ import annotations

from time import perf_counter
from typing import Final

import zermelo
from benchmarks.measure import REPEATS, Measurement
from benchmarks.peers import cpp
from benchmarks.report import Delay, Row
from benchmarks.search import measured

_GOAL: Final = 100
"""The points of pig as it is played."""


def pig() -> list[Row]:
    """Pig to 100 points, certified to 1e-9, beside value iteration that proves nothing. Both count the positions in
    which somebody decides, of one player: those of the other one are the same, and we solve them, too."""
    theirs = measured(lambda: cpp.run("pig", REPEATS, _GOAL))
    positions = theirs.amount if isinstance(theirs, Measurement) else 0
    seconds = _solving("pig", target=_GOAL)
    return [
        Row(
            task="pig to 100 points, the value",
            unit="positions/s",
            ours=Measurement(positions, seconds) if positions else f"{seconds:.2f} s",
            peer=f"{cpp.NAME}, value iteration",
            theirs=theirs,
            note=f"{positions:,} positions; ours with a proof",
        )
    ]


def solutions() -> list[Delay]:
    """Games that were refused as long as plays were counted, not positions."""
    return [
        Delay(task="pig to 20 points, the exact value", ours=_solving("pig", target=20), limit=10),
        Delay(task="rook and king against king, the exact value", ours=_solving("rook_ending"), limit=60),
        Delay(
            task="connect four 5x5, all positions",
            ours=_solving("connect_four", rows=5, columns=5),
            limit=60,
        ),
    ]


def _solving(name: str, **parameters: int) -> float:
    game = zermelo.load(name, **parameters)
    begin = perf_counter()
    zermelo.solve(game, "positions")
    return perf_counter() - begin
