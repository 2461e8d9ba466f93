"""Who can keep a play from ending.

A set of positions *lasts* for a keeper if it holds no end, each of its positions in which the keeper decides has a move
that stays in it, and every move of others and every outcome of chance stays in it. There is a largest such set, the
union of all. From its positions the keeper can go on for ever, whatever the others do and chance brings: by moves that
stay. From all other positions they cannot, against everybody else and the worst of luck: they have been taken away one
after another, each because it is an end, or because the others have a way to a position taken away before, or the
keeper no other way; so the others reach an end within as many steps.

With *all* players as keepers, together, the set is empty if and only if chance ends every play with probability 1,
whatever anybody does: in a finite graph, plays that avoid the ends with a positive probability come with the same
probability to stay for ever in a set that lasts (an end component; de Alfaro 1997).

The set is found by taking away positions from the ends back, with a count of the moves that are left to the keeper.
Cost: one step for each edge, and a list of the edges by their targets.

Players are taken to know the position and to choose one after the other; for other games only the result for all
players together means anything.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import END
from zermelo.solvers.positions.graph.graph import PositionGraph

_BETWEEN = 4096
"""Positions between two looks at the clock."""


def lasting(graph: PositionGraph, keepers: Collection[int]) -> set[int]:
    """The positions from which the ``keepers`` together can keep a play of a whole graph from ending, whatever all
    others and chance do."""
    sources, firsts = _backwards(graph)
    left = [0] * len(graph)
    ended = []
    for position in range(len(graph)):
        if graph.actor(position) == END:
            ended.append(position)
        elif graph.actor(position) in keepers:
            left[position] = len(graph.edges(position))
        else:
            left[position] = 1
    taken = bytearray(len(graph))
    for position in ended:
        taken[position] = 1
    for k, position in enumerate(ended):  # to which others are added on the way
        if k % _BETWEEN == 0:
            look()
        for source in sources[firsts[position] : firsts[position + 1]]:
            left[source] -= 1
            if left[source] == 0:
                taken[source] = 1
                ended.append(source)
    return {position for position in range(len(graph)) if not taken[position]}


def _backwards(graph: PositionGraph) -> tuple[list[int], list[int]]:
    """The positions that edges leave, in the order of those to which they lead, and where these begin."""
    edges = graph.firsts[len(graph)]
    counts = [0] * (len(graph) + 1)
    for edge in range(edges):
        counts[graph.targets[edge] + 1] += 1
    firsts = list(accumulate(counts))
    free = firsts[:]
    sources = [0] * edges
    for position in range(len(graph)):
        for edge in graph.edges(position):
            target = graph.targets[edge]
            sources[free[target]] = position
            free[target] += 1
    return sources, firsts
