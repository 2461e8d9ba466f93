"""Plays through a graph of positions: where a machine says what the numbers of edges mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Generic

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph
from zermelo.solvers.positions.solved import SolvedPositions


@frozen
class Guide(Generic[State]):
    """A machine, and the state that is the root of a graph."""

    machine: Machine[State]
    root: State
    graph: PositionGraph

    def moves(self, state: State) -> tuple[Move, ...]:
        """The moves or outcomes that the edges of a state's position stand for, in their order."""
        if self.machine.actor(state) == CHANCE:
            return tuple(outcome for outcome, _ in self.machine.outcomes(state))
        return self.machine.moves(state)

    def play(self, edges: Iterable[int]) -> tuple[Move, ...]:
        """The moves on a path of edges from the root."""
        state, position, made = self.root, ROOT, list[Move]()
        for edge in edges:
            made.append(self.moves(state)[edge - self.graph.firsts[position]])
            state, position = self.machine.after(state, made[-1]), self.graph.targets[edge]
        return tuple(made)


def best_play(guide: Guide[Any], solved: SolvedPositions) -> tuple[Move, ...]:
    """Best play from the root: to the end, to the first draw of chance or round, or to where a position comes again."""
    position, edges, met = ROOT, list[int](), set[int]()
    while position not in met and (best := solved.best(position)):
        met.add(position)
        edges.append(best[0])
        position = solved.graph.targets[best[0]]
    return guide.play(edges)


def shortest_path(graph: PositionGraph, position: int) -> list[int]:
    """The edges of a shortest path from the root to a position that is no end. Positions have been numbered as they
    were found, breadth first, so the first edge to each is on such a path, and leads to the least number that is new.
    """
    found = [-1]
    for edge, target in enumerate(graph.targets):
        if len(found) > position:
            break
        if target == len(found):
            found.append(edge)
    path: list[int] = []
    while position != ROOT:
        path.append(found[position])
        position = source(graph, path[-1])
    return path[::-1]


def source(graph: PositionGraph, edge: int) -> int:
    """The position that an edge leaves."""
    return bisect_right(graph.firsts, edge) - 1


def before_the_root(machine: Machine[State], root: State) -> tuple[Payoff, Fraction]:
    """What has been earned before a state, and by what the payments of the next move count."""
    factor, state = Fraction(1), machine.initial()
    for move in machine.play(root):
        is_decision = machine.actor(state) != CHANCE
        state = machine.after(state, move)
        if is_decision and machine.actor(state) != END and not machine.is_within_round(state):
            factor *= machine.discount
    return machine.earned(root), factor
