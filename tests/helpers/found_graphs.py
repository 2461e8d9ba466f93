"""Graphs of positions as the project finds them, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END, Machine
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.graph import PositionGraph

Maker = Callable[[Model], LoweredMachine]
AnyMaker = Callable[[Model], Machine[Any]]


def graph_of(machine: Machine[Any], model: Model, limits: Limits | None = None) -> PositionGraph:
    return exploring.explore(machine, facts(model), machine.initial(), limits or Limits(), ignore_progress)


def exact_graph(machine: Machine[Any], limits: Limits | None = None) -> PositionGraph:
    return exploring.explore_exactly(machine, machine.initial(), limits or Limits())


def kernel_graph(machine: LoweredMachine, limits: Limits | None = None) -> PositionGraph:
    """The graph by the kernel alone."""
    root, model = machine.initial(), machine.program.model
    return exploring.explore_by_kernel(machine, facts(model), root, limits or Limits(), ignore_progress)


def flat(graph: PositionGraph) -> tuple[object, ...]:
    """All that a graph says."""
    numbers = (graph.kinds, graph.firsts, graph.targets, graph.weights, graph.rewards)
    columns = tuple(None if column is None else list(column) for column in numbers)
    return (*columns, graph.players, tuple(graph.amounts), graph.discount, graph.endless, graph.rises)


def check_form(graph: PositionGraph) -> None:
    """What holds for every graph: it is breadth first, the ends come last, and it rises if that is said."""
    size, kinds = len(graph), list(graph.kinds)
    ends = [p for p in range(size) if graph.actor(p) == END]
    assert ends == list(range(size - len(ends), size))
    assert len(set(kinds[size - len(ends) :])) == len(ends)
    assert all((len(graph.edges(p)) == 0) == (p in ends) for p in range(size))
    met = 0
    for target in graph.targets:
        assert target <= met + 1 or graph.actor(target) == END
        met = max(met, target) if graph.actor(target) != END else met
    rises = all(target > p for p in range(size) for target in graph.targets[graph.firsts[p] : graph.firsts[p + 1]])
    assert graph.rises == rises
    assert not any(graph.amounts[0])
