"""Folded graphs: as the kernel finds them, and a second time from the graph of all positions, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.positions.folding.folded_graph import FoldedGraph
from zermelo.solvers.positions.folding.folding import fold
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph


class ComesBack(Exception):
    """A turn comes back to a position."""


def kernel_fold(machine: LoweredMachine, limits: Limits | None = None) -> FoldedGraph:
    """The folded graph by the kernel."""
    return machine.with_room(lambda: fold(machine, machine.initial(), limits or Limits(), ignore_progress))


@define
class ByHand:
    """The kept positions of a graph, by their numbers in it, with their lists: for each outcome the player of the turn
    (0 if there is none) and where it may lead. ``numbers`` are the new ones."""

    graph: PositionGraph
    kept: list[int] = field(factory=list)
    lists: list[list[tuple[int, list[int]]]] = field(factory=list)
    numbers: dict[int, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.number(ROOT)
        for position in self.kept:
            kind, lists = self.graph.kinds[position], []
            self.lists.append(lists)
            if kind >= 0:
                lists.append((kind, self.turn(position)))
            elif kind > PAYS:
                lists += [self.behind(self.graph.targets[edge]) for edge in self.graph.edges(position)]

    def number(self, position: int) -> int:
        if position not in self.numbers:
            self.numbers[position] = len(self.kept)
            self.kept.append(position)
        return self.numbers[position]

    def behind(self, position: int) -> tuple[int, list[int]]:
        """What an outcome leads to."""
        kind = self.graph.kinds[position]
        return (kind, self.turn(position)) if kind >= 0 else (0, [self.number(position)])

    def turn(self, first: int) -> list[int]:
        """Where a turn may end, depth first, ends last."""
        graph, player = self.graph, self.graph.kinds[first]
        found: dict[int, None] = {}
        done: set[int] = set()

        def visit(position: int, path: tuple[int, ...]) -> None:
            if position in path:
                raise ComesBack
            if position in done:
                return
            for edge in graph.edges(position):
                there = graph.targets[edge]
                if graph.kinds[there] == player:
                    visit(there, (*path, position))
                else:
                    found[there] = None
            done.add(position)

        visit(first, ())
        return [self.number(p) for p in sorted(found, key=lambda p: graph.kinds[p] <= PAYS)]

    def folded(self) -> FoldedGraph:
        """The flat arrays."""
        graph = self.graph
        targets, firsts, draws, weights = list[int](), [0], list[int](), list[int]()
        for position, lists in zip(self.kept, self.lists, strict=True):
            for player, (head, *rest) in lists:
                targets += [-1 - 2 * head - player, *rest]
            firsts.append(len(targets))
            draws.append(len(weights))
            if graph.kinds[position] > PAYS:
                drawn = [1]
                if graph.kinds[position] < 0 and graph.weights is not None:
                    drawn = [graph.weights[edge] for edge in graph.edges(position)]
                weights += [len(drawn), *drawn]
        kinds = [graph.kinds[position] for position in self.kept]
        ends = [k for k, kind in enumerate(kinds) if kind <= PAYS]
        count = sum(map(len, self.lists))
        return FoldedGraph(
            graph.players, kinds, firsts, draws, weights, [*targets, -1], graph.amounts,
            len(kinds), count, len(targets), ends,
        )  # fmt: skip


def flat_fold(graph: FoldedGraph) -> tuple[Any, ...]:
    """All that a folded graph says, without the numbers of amounts and the places of weights."""
    inner = [p for p in range(len(graph)) if graph.kinds[p] > PAYS]
    drawn = [_drawn(graph, p) for p in inner]
    paid = [(end, graph.payoff(end)) for end in sorted(graph.ends)]
    kinds = [graph.kinds[p] for p in inner]
    entries = list(graph.targets[: graph.entries + 1])
    return graph.players, inner, kinds, drawn, list(graph.firsts[: len(graph) + 1]), entries, paid, graph.lists


def _drawn(graph: FoldedGraph, position: int) -> Sequence[int]:
    first = graph.draws[position]
    return list(graph.weights[first + 1 : first + 1 + graph.weights[first]])
