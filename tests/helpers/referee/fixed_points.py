"""Numbers and distances of positions without chance as fixed points, for graphs that are too large for brute force.

Each is written down as the theory has it, and found by going through all positions until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph


def keeping(graph: PositionGraph, values: Sequence[Fraction]) -> list[list[int]]:
    """The edges of each position that keep its number."""
    return [
        [e for e in graph.edges(p) if graph.reward(e)[0] + values[graph.targets[e]] == values[p]]
        for p in range(len(graph))
    ]


def plain_distances(
    graph: PositionGraph, wants: Sequence[int], values: Sequence[Fraction], middle: Fraction
) -> list[int | None]:
    """From which positions play ends within 0, 1, 2, ... edges: those who hurry need one edge for it that keeps the
    number, and those who delay can help it if all are so."""
    kept = keeping(graph, values)
    found: list[int | None] = [0 if graph.kinds[p] <= PAYS else None for p in range(len(graph))]
    for count in range(1, len(graph) + 1):
        before = list(found)
        for p, kind in enumerate(graph.kinds):
            if kind >= 0 and before[p] is None:
                hurries = wants[kind] * (values[p] - middle) >= 0
                ends = [before[graph.targets[e]] is not None for e in kept[p]]
                if any(ends) if hurries else all(ends):
                    found[p] = count
        if found == before:
            break
    return found


def plain_numbers(graph: PositionGraph, wants: Sequence[int]) -> list[Fraction]:
    """What is worth at least each amount, where nothing is earned on the way: if that is more than staying pays, the
    least set from which it can be forced, and else the greatest one that need not be left for less."""
    assert graph.rewards is None and graph.endless is not None
    amounts = sorted({payoff[0] for payoff in graph.amounts} | {graph.endless[0]})
    found = [amounts[0]] * len(graph)
    for amount in amounts:
        enough = {p for p, kind in enumerate(graph.kinds) if kind <= PAYS and graph.payoff(p)[0] >= amount}
        others = [p for p, kind in enumerate(graph.kinds) if kind >= 0]
        if graph.endless[0] >= amount:
            enough |= set(others)
        while True:
            next_ones = {
                p
                for p in others
                if (any if wants[graph.kinds[p]] == 1 else all)(graph.targets[e] in enough for e in graph.edges(p))
            }
            next_ones |= enough - set(others)
            if next_ones == enough:
                break
            enough = next_ones
        for p in enough:
            found[p] = amount
    return found
