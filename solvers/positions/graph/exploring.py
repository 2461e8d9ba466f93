"""The graph of positions of a game: found by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.positions.graph import exploring_by_kernel, exploring_exactly
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.running.fallback import lowered_or


def explore(
    machine: Machine[Any],
    facts: Facts,
    root: Any,
    limits: Limits,
    progress: Progress,
    most: int | None = None,
    watched: Sequence[int] = (),
    with_moves: bool = False,
) -> PositionGraph:
    """The graph of all positions that can be reached from ``root``, which is position 0, or, breadth first, of those
    that are met while the moves of the first ``most`` are made; with the first edges to what the witnesses of the file
    describe that are ``watched``, given by their numbers; and on request ``with_moves``. ``progress`` is told how many
    positions are known; where there are numbers that a kernel cannot hold, it begins anew.

    What has been earned before ``root``, and how many decisions have been made, is no part of the graph.

    Raises ``ZermeloError``: ``out-of-memory``, ``out-of-time``, ``out-of-nodes``, or an error of the rules, with a
    shortest play to it."""
    with limits.kept():
        return lowered_or(
            machine,
            lambda lowered: exploring_by_kernel.explore(
                lowered, facts, root, limits, progress, most, watched, with_moves
            ),
            lambda: exploring_exactly.explore(machine, root, limits, progress, most, watched, with_moves),
        )
