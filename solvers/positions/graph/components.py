"""The strongly connected components of a graph of positions: sets of positions that plays go round in.

Found by Tarjan's algorithm (:mod:`zermelo.solvers.kernels.components`), unless every edge leads to a higher number:
then every position is a component by itself, and the last one comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.components import (
    Search,
    go_on,
    start,
    write_end,
    write_members,
    write_starts,
)
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.running.slices import Slices

POSITION_BYTES: Final = 12
"""The bytes of a position while components are found, and in the result."""

_FEW: Final = 1 << 14
"""The edges of a graph that is searched in Python sooner than machine code can be loaded."""

_CHUNK: Final = 1 << 20
"""Positions of the result that are written at a time."""


@define(eq=False)
class Components:
    """The components in reverse topological order: an edge leads to a position of the same component or of an earlier
    one. Component ``c`` has the positions ``members[starts[c]:starts[c + 1]]`` in *reverse postorder*: each stands
    before those to which it leads, unless that closes a circle. ``numbers[p]`` is the component of position ``p``.
    Kernels read these lists as they are; ``starts`` may be longer than needed."""

    numbers: Sequence[int]
    members: Sequence[int]
    starts: Sequence[int]
    count: int

    def __len__(self) -> int:
        """The number of components."""
        return self.count

    def __getitem__(self, component: int) -> Sequence[int]:
        """The positions of a component."""
        return self.members[self.starts[component] : self.starts[component + 1]]

    def __iter__(self) -> Iterator[Sequence[int]]:
        """One component after another."""
        return (self[component] for component in range(self.count))


def goes_round(graph: PositionGraph, component: Sequence[int]) -> bool:
    """Whether a play can come back to a position of a component."""
    first = component[0]
    return len(component) > 1 or any(graph.targets[edge] == first for edge in graph.edges(first))


def find_components(
    graph: PositionGraph, limits: Limits, progress: Progress = ignore_progress, compiled: bool = True
) -> Components:
    """The components of a graph; ``compiled`` says whether machine code may be used. ``progress`` is told how many
    edges and positions have been looked at.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    size = len(graph)
    if graph.rises:
        backwards = range(size - 1, -1, -1)
        return Components(backwards, backwards, range(size + 1), size)
    limits.require(POSITION_BYTES * size, f"the order of {size:,} positions")
    functions = kernel(start, go_on, write_members, write_starts, write_end)
    kernels = load(functions, compiled and len(graph.targets) > _FEW)
    firsts, targets = kernels.as_halves(graph.firsts), kernels.as_halves(graph.targets)
    numbers, members, starts = kernels.halves(size), kernels.halves(size), kernels.halves(size + 1)
    search = kernels.new(Search, firsts=firsts, targets=targets, lows=numbers, stack=members, following=starts)
    slices = Slices(kernels.is_compiled)
    kernels.call(start, search, size)
    while kernels.call(go_on, search, slices.next()) != DONE:
        progress(search.steps)
        limits.check({"nodes": size})
    ranges = [(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
    for write in (write_members, write_starts):
        for first, end in ranges:
            kernels.call(write, search, first, end)
            limits.check({"nodes": size})
    kernels.call(write_end, search)
    found = Components(numbers, members, starts, search.count)
    limits.hold(found, POSITION_BYTES * size)
    return found


def together(graph: PositionGraph, size: int) -> Components:
    """All the first ``size`` positions as if they were one component, and each of the others as one by itself: for what
    does not need components to be strongly connected, where it would cost too much to find them. They are told by
    ``starts`` alone, which is all that retrograde analysis reads."""
    others = len(graph) - size
    return Components((), (), [*range(others + 1), len(graph)], others + 1)
