"""End components: the parts of a graph in which a play may stay for ever.

An *end component* is a set of positions, with edges that stay in it, such that from every position of it every other
can be reached by these edges, every outcome of chance stays, and wherever somebody decides there is an edge that stays.
Almost every play without end stays in one from some time on, and takes each of its edges again and again (de Alfaro,
"Formal verification of probabilistic systems", 1997). Edges with a discount below 1 are taken to leave, since a part of
the play ends with each.

The maximal ones are found among the positions of a strongly connected component, of the whole graph or of what is left
of it if ours choose one edge each:

1. remove positions with an outcome of chance that leaves, or without an edge that stays, until there are none
   (:func:`prune`, one pass; forwards and backwards in turn, so that a chain needs two);
2. divide what is left into its strongly connected components (:func:`divide`; Tarjan 1972), and begin again if that
   changes anything.

Every position has a *label*, the same for all positions of a part and 0 for those removed: the number of one of the
part, plus 1. So labels of different components of the graph never agree.

Cost: a pass visits every edge. Mostly the first passes remove everything.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.position_arrays import Graph, Side, is_discounted, is_free


class Ends:
    """The labels, and what Tarjan's algorithm remembers of each position, all 0 between two calls: the place in the
    order of visits, the least place known to be reached, the next edge, and the label to come. ``path`` are the
    positions being visited, and ``waiting`` those not yet in a component, ``depth`` and ``count`` many.

    ``chosen`` is 1 if ours take the edges ``choices``, and 0 if they are as free as the others."""

    labels: list[half]
    choices: list[half]
    places: list[half]
    lows: list[half]
    edges: list[half]
    fresh: list[half]
    path: list[half]
    waiting: list[half]
    depth: int
    count: int
    visits: int
    chosen: int


def stays(graph: Graph, side: Side, ends: Ends, position: int, edge: int) -> int:
    """Whether an edge may be taken, and leads to the same part."""
    target: int = graph.targets[edge]
    if ends.labels[target] != ends.labels[position] or is_discounted(graph, position, target) != 0:
        return 0
    if ends.chosen == 0 or graph.kinds[position] < 0 or is_free(graph, side, position) != 0:
        return 1
    return edge == ends.choices[position]


def prune(graph: Graph, side: Side, ends: Ends, position: int) -> int:
    """Remove a position if it cannot stay; whether it has been removed."""
    if ends.labels[position] == 0:
        return 0
    kept: int = 0
    count: int = graph.firsts[position + 1] - graph.firsts[position]
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        kept += stays(graph, side, ends, position, edge)
    if kept > 0 and (kept == count or graph.kinds[position] >= 0):
        return 0
    ends.labels[position] = 0
    return 1


def earns(graph: Graph, side: Side, ends: Ends, position: int) -> int:
    """Whether a position has an edge that stays and earns something."""
    if graph.earns == 0 or ends.labels[position] == 0:
        return 0
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        if graph.earning[graph.rewards[edge]] != 0 and stays(graph, side, ends, position, edge) != 0:
            return 1
    return 0


def divide(graph: Graph, side: Side, ends: Ends, root: int) -> None:
    """Write to ``fresh`` the new labels of all positions that are reached from ``root`` and have none yet."""
    ends.depth = 0
    ends.count = 0
    visit(graph, ends, root)
    while ends.depth > 0:
        position: int = ends.path[ends.depth - 1]
        if ends.edges[position] == graph.firsts[position + 1]:
            depart(ends, position)
            continue
        edge: int = ends.edges[position]
        ends.edges[position] = edge + 1
        target: int = graph.targets[edge]
        if stays(graph, side, ends, position, edge) == 0 or ends.fresh[target] != 0:
            continue
        if ends.places[target] == 0:
            visit(graph, ends, target)
        else:
            ends.lows[position] = min(ends.lows[position], ends.places[target])


def visit(graph: Graph, ends: Ends, position: int) -> None:
    """Begin the visit of a position."""
    ends.visits += 1
    ends.places[position] = ends.visits
    ends.lows[position] = ends.visits
    ends.edges[position] = graph.firsts[position]
    ends.path[ends.depth] = position
    ends.depth += 1
    ends.waiting[ends.count] = position
    ends.count += 1


def depart(ends: Ends, position: int) -> None:
    """End the visit of a position; if no earlier one is reached from it, those that wait since are a component."""
    ends.depth -= 1
    if ends.lows[position] == ends.places[position]:
        last: int = -1
        while last != position:
            ends.count -= 1
            last = ends.waiting[ends.count]
            ends.fresh[last] = position + 1
    if ends.depth > 0:
        above: int = ends.path[ends.depth - 1]
        ends.lows[above] = min(ends.lows[above], ends.lows[position])


def relabel(ends: Ends, position: int) -> int:
    """Give a position its new label, and forget the visit; whether it is another label."""
    changed: int = ends.fresh[position] != ends.labels[position]
    ends.labels[position] = ends.fresh[position]
    ends.fresh[position] = 0
    ends.places[position] = 0
    return changed
