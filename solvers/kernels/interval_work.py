"""The state of interval iteration (:mod:`zermelo.solvers.kernels.interval_iteration`), and what its stages share."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.certificates import Drift, drift, least_edge
from zermelo.solvers.kernels.end_components import Ends
from zermelo.solvers.kernels.position_arrays import Graph, Side, is_boundless, is_finite, is_free, magnitude, most

BEGIN = 0
PRUNE = 1
DIVIDE = 2
GUESS = 3
CLIMB = 4
CHECK = 5
DONE = 6
UNPROVED = 7
EARNS_FOR_EVER = 8
"""What is done next, or why nothing is."""


class Work:
    """The state of the iteration. The positions of component c are ``order[starts[c]]`` to ``order[starts[c + 1]]``
    (exclusive), those behind come before; there are ``count``, and ``component`` is the one at work, in ``stage``.
    ``is_lower`` is 1 while its lower bounds are looked for, and ``circles`` is 1 if a play may stay in it for ever.
    ``sweeps`` have been made in this stage, ``total`` in all; a pass visits ``size`` positions and edges. ``staged``
    are the values that end components will have after the sweep, ``before`` those of all positions before it or
    before a leap, ``change`` is by how much the last sweep has changed the most (0 if there is none), ``share`` by how
    many times what the one before did, and ``scale`` is the largest number around, ``steady`` before a leap.

    In most games plays cannot stay. So ``staged`` and the lists of ``ends``, apart from labels and choices, may be
    empty until end components are to be divided."""

    graph: Graph
    upper: Side
    lower: Side
    ends: Ends
    drift: Drift
    order: list[half]
    starts: list[half]
    count: int
    staged: list[float]
    before: list[float]
    component: int
    stage: int
    is_lower: int
    circles: int
    descends: int
    leapt: int
    sweeps: int
    total: int
    size: int
    tries: int
    patience: int
    change: float
    share: float
    scale: float
    steady: float
    slack: float
    killing: float
    width: float


def turn_to(work: Work, stage: int) -> None:
    """Begin with a stage."""
    work.stage = stage
    work.sweeps = 0
    work.leapt = 0
    work.change = 0.0
    work.share = 1.0


def count_sweep(work: Work) -> None:
    """Another sweep has been made."""
    work.sweeps += 1
    work.total += 1


def see(work: Work, number: float) -> None:
    """Make the scale at least the absolute value of a number, if it is finite."""
    size: float = magnitude(number)
    work.scale = size if size > work.scale and is_finite(size) != 0 else work.scale


def fill(work: Work, side: Side, value: float, first: int, end: int) -> None:
    """Give all positions the same value."""
    for i in range(first, end):
        side.values[work.order[i]] = value


def improved(work: Work, side: Side, position: int) -> float:
    """What the edges say that a position is worth, with the doubt of chance, and as much again for the next sum."""
    graph = work.graph
    if graph.kinds[position] < 0:
        found = work.drift
        drift(graph, side, position, found)
        if found.weight == 0.0 or is_boundless(side.values[position]) != 0:
            return side.values[position]
        return side.values[position] + (found.sum + 2.0 * found.doubt) / found.weight
    if is_free(graph, side, position) != 0:
        return largest(graph, side, position)
    if work.ends.chosen != 0:
        return most(graph, side, position, work.ends.choices[position])
    return most(graph, side, position, least_edge(graph, side, position))


def largest(graph: Graph, side: Side, position: int) -> float:
    """The most that the edges of a position are worth."""
    best: float = most(graph, side, position, graph.firsts[position])
    for edge in range(graph.firsts[position] + 1, graph.firsts[position + 1]):
        best = max(best, most(graph, side, position, edge))
    return best


def choose(work: Work, side: Side, position: int) -> None:
    """Let ours choose what is best by the values."""
    if work.graph.kinds[position] >= 0 and is_free(work.graph, side, position) == 0:
        work.ends.choices[position] = least_edge(work.graph, side, position)
