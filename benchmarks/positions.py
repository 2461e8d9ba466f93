"""Every position once: the time to find all positions of a game and what they are worth, with a proof."""

from __future__ import annotations

from time import perf_counter
from typing import Final

import zermelo
from benchmarks import ours
from benchmarks.measure import REPEATS, Measurement
from benchmarks.peers import cpp
from benchmarks.report import Delay, Row
from benchmarks.search import measured
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.positions.graph.components import find_components
from zermelo.solvers.positions.graph.contest import contest_of
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.retrograde.retrograde import solve
from zermelo.solving import solve_knowing

_MEMORY: Final = 4 << 30
_GOAL: Final = 100
"""The points of pig as it is played."""


def pig() -> list[Row]:
    """Pig to 100 points, with certified bounds, beside value iteration that proves nothing. Positions per second are
    those in which one of the players decides, on both sides: ours solves those of the other one, and the throws, too,
    which are eight times as many."""
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
        Delay(task="pig to 20 points, the exact value", ours=_solving("pig", target=20), limit=1),
        Delay(task="three men's morris, all positions", ours=_solving("three_mens_morris"), limit=1),
        Delay(task="rook and king against king, 8x8, all positions", ours=_solving("rook_ending", size=8), limit=30),
        *_connect_four(),
    ]


def _connect_four() -> list[Delay]:
    """All 50.7 million positions of a 5x5 board, found at 1 million a second, and solved at 3 million."""
    machine, limits = ours.machine_of("connect_four", rows=5, columns=5), Limits(memory=_MEMORY)
    begin = perf_counter()
    graph = explore(machine, zermelo.load("connect_four").facts, machine.initial(), limits, ignore_progress)
    found = perf_counter()
    contest = contest_of(graph)
    assert contest is not None, "the payoffs have a constant sum"
    solve(contest, find_components(graph, limits), limits)
    solved = perf_counter()
    millions = len(graph) / 1e6
    return [
        Delay(task=f"connect four 5x5, {millions:.1f} million positions found", ours=found - begin, limit=millions),
        Delay(task="connect four 5x5, all positions solved", ours=solved - found, limit=millions / 3),
    ]


def _solving(name: str, **parameters: int) -> float:
    game = zermelo.load(name, **parameters)
    begin = perf_counter()
    solve_knowing(game.facts, game, None, "positions", None, Limits(memory=_MEMORY))
    return perf_counter() - begin
