"""Where the root leads if nothing is given away: the positions that the proofs about endless plays are about
(:mod:`.keeping_on`, :mod:`.keeping_from_ending`)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import ROOT

Ways = dict[int, list[int]]
"""Positions, each with where it may lead."""

_EDGE_BYTES: Final = 250
"""The bytes of an edge that is kept with its position, about."""

_CHECK_EVERY: Final = 1024
"""Positions between two checks of the limits."""


def ways_from_root(onward: Callable[[int], Collection[int]], limits: Limits) -> Ways:
    """The root, and the positions to which it leads if each leads ``onward`` to some. Raises ``ZermeloError``
    (``out-of-memory``, ``out-of-time``)."""
    ways: Ways = {}
    waiting, edges = [ROOT], 0
    while waiting:
        position = waiting.pop()
        if position in ways:
            continue
        if len(ways) % _CHECK_EVERY == 0:
            limits.check({"nodes": len(ways)})
            limits.require(_EDGE_BYTES * (1 + len(ways) + edges), f"where {len(ways):,} positions lead")
        ways[position] = [*onward(position)]
        edges += len(ways[position])
        waiting += ways[position]
    return ways
