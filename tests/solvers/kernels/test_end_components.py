"""End components are those that the referee finds by trying what is reached from where."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from random_graphs import Wish, graphs
from referee.positions import lasting, read

from zermelo.solvers.kernels.interval_iteration import divide, earns, prune, relabel, stays
from zermelo.solvers.positions.graph.graph import PositionGraph

OURS, FREE = 0, 1


def found_in(graph: PositionGraph, chosen: bool, choices: list[int]) -> tuple[Any, Any, Any]:
    """The arrays after all passes over the whole graph."""
    size = len(graph)
    arrays = SimpleNamespace(
        kinds=graph.kinds, firsts=graph.firsts, targets=graph.targets, weights=graph.weights, rewards=graph.rewards,
        earning=[int(any(amount)) for amount in graph.amounts], earns=int(graph.rewards is not None),
        discount=float(graph.discount),
    )  # fmt: skip
    side = SimpleNamespace(frees=[OURS, FREE])
    ends = SimpleNamespace(labels=[1] * size, choices=choices, visits=0, depth=0, count=0, chosen=int(chosen))
    for name in ("places", "lows", "edges", "fresh", "path", "waiting"):
        setattr(ends, name, [0] * size)
    changed = True
    while changed:
        while sum(prune(arrays, side, ends, p) for p in range(size)):
            pass
        for p in range(size):
            if ends.labels[p] and not ends.fresh[p]:
                divide(arrays, side, ends, p)
        changed = sum(relabel(ends, p) for p in range(size) if ends.labels[p]) > 0
        ends.visits = 0
    assert not any(ends.places + ends.fresh)
    return arrays, side, ends


@given(st.data())
def test_edges_that_stay_are_those_of_end_components(data: st.DataObject) -> None:
    graph = data.draw(graphs(Wish(most=6, earns="anywhere", discount=data.draw(st.sampled_from((1, 0.5))))))
    chosen = data.draw(st.booleans())
    choices = [data.draw(st.integers(a, max(a, b - 1))) for a, b in zip(graph.firsts, graph.firsts[1:], strict=False)]
    arrays, side, ends = found_in(graph, chosen, choices)
    nodes = read(graph)
    allowed = [
        [choices[p] - graph.firsts[p]] if chosen and node.player == OURS else list(range(len(node.steps)))
        for p, node in enumerate(nodes)
    ]
    expected = lasting(nodes, allowed)
    found = {
        (p, edge - graph.firsts[p])
        for p in range(len(graph))
        if ends.labels[p]
        for edge in graph.edges(p)
        if stays(arrays, side, ends, p, edge)
    }
    assert found == expected
    assert {p for p in range(len(graph)) if ends.labels[p]} == {p for p, _ in expected}
    for p, k in expected:
        target = graph.targets[graph.firsts[p] + k]
        assert ends.labels[target] == ends.labels[p], "they go round together"
        earning = any(any(graph.reward(graph.firsts[q] + j)) for q, j in expected if q == p)
        assert earns(arrays, side, ends, p) == earning
    for label in set(ends.labels) - {0}:
        assert ends.labels[label - 1] == label, "named for one of its positions"
