"""Shortest plays to positions of a graph, and from one back to itself.

The graph was found breadth first: the moves of one position come after those of the one before it, so the first edge
that leads to a position ends a shortest play to it (:mod:`zermelo.solvers.kernels.position_graph`). Edges are numbers;
the moves are those that a machine lists in the states along the way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Container
from typing import Any

from attrs import define

from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import Machine, Move
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph

Play = tuple[Move, ...]


@define(eq=False)
class ShortestPlays:
    """The plays of the game of a ``machine``, whose positions are a ``graph``."""

    machine: Machine[Any]
    graph: PositionGraph

    def to(self, position: int) -> Play:
        """A shortest play to a position. Cost: one look at the edges before it for each move."""
        return self.along(self._edges_to(position))

    def through(self, edge: int) -> Play:
        """A shortest play that ends with an edge: with the first that leads to its position, or to an end."""
        return self.along([*self._edges_to(self._source(edge)), edge])

    def back_to(self, position: int, within: Container[int]) -> Play:
        """The moves of a shortest play that leads from a position back to it, all ``within`` some positions, of which
        there must be one. Cost: one look at each of their edges."""
        targets = self.graph.targets
        by: dict[int, tuple[int, int]] = {}
        waiting = deque([position])
        while position not in by:
            here = waiting.popleft()
            for edge in self.graph.edges(here):
                there = targets[edge]
                if there in within and there not in by:
                    by[there] = here, edge
                    waiting.append(there)
        here, edge = by[position]
        edges = [edge]
        while here != position:
            here, edge = by[here]
            edges.append(edge)
        before = self._edges_to(position)
        return self.along([*before, *reversed(edges)])[len(before) :]

    def along(self, edges: list[int]) -> Play:
        """The moves of the edges of a play from the root."""
        state, here, play = self.machine.initial(), ROOT, list[Move]()
        for edge in edges:
            move = choices(self.machine, state)[edge - self.graph.firsts[here]]
            state, here = self.machine.after(state, move), self.graph.targets[edge]
            play.append(move)
        return tuple(play)

    def _edges_to(self, position: int) -> list[int]:
        targets = self.graph.targets
        edges = list[int]()
        while position != ROOT:
            edge = 0
            while targets[edge] != position:
                edge += 1
            edges.append(edge)
            position = self._source(edge)
        return edges[::-1]

    def _source(self, edge: int) -> int:
        """The position that an edge leaves."""
        return bisect_right(self.graph.firsts, edge, hi=len(self.graph)) - 1
