"""Strongly connected components, against what can be reached from where."""

from __future__ import annotations

from array import array
from fractions import Fraction
from random import Random

import pytest
from all_machines import needs_llvm
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph import graph as graph_module
from zermelo.solvers.positions.graph.graph import PAYS, POSITION_BYTES, PositionGraph, find_components, goes_round


def graph_of(edges: list[list[int]]) -> PositionGraph:
    """A graph in which a position leads to these others; what is paid does not matter."""
    firsts = [0]
    for targets in edges:
        firsts.append(firsts[-1] + len(targets))
    kinds = [0 if targets else PAYS for targets in edges]
    return PositionGraph(("A",), kinds, firsts, [to for each in edges for to in each], None, None, ((Fraction(0),),))


def reachable(edges: list[list[int]]) -> list[int]:
    """For each position, the set of all that plays come to from there, itself included, as bits."""
    found = [1 << p | sum(1 << to for to in set(edges[p]) - {p}) for p in range(len(edges))]
    for k in range(len(edges)):
        for p in range(len(edges)):
            if found[p] >> k & 1:
                found[p] |= found[k]
    return found


def check(edges: list[list[int]]) -> None:
    """All that is said about the components of a graph is true."""
    graph, found, reach = graph_of(edges), find_components(graph_of(edges), Limits()), reachable(edges)
    everybody = range(len(edges))
    for p in everybody:
        together = [q for q in everybody if reach[p] >> q & 1 and reach[q] >> p & 1]
        assert sorted(found[found.numbers[p]]) == together
        assert all(found.numbers[q] <= found.numbers[p] for q in edges[p])
        assert goes_round(graph, together) == any(reach[q] >> p & 1 for q in edges[p])
    assert [p for component in found for p in component] == list(found.members[: len(edges)])
    assert sorted(found.members[: len(edges)]) == list(everybody)
    assert found.starts[len(found)] == len(edges)
    assert [len(component) for component in found] == [found.starts[c + 1] - found.starts[c] for c in range(len(found))]


@st.composite
def random_edges(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(1, 12))
    return draw(st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size))


@given(random_edges())
def test_random_graphs(edges: list[list[int]]) -> None:
    check(edges)


@pytest.mark.parametrize(
    "edges",
    [
        [[]],
        [[0]],
        [[1], [0]],
        [[1, 2], [2], [1, 0]],
        [[1, 3], [2], [1, 4], [4], []],
        [[(p + 1) % 50] for p in range(50)],
        [[p + 1, max(0, p - 2)] for p in range(49)] + [[]],
    ],
)
def test_some_graphs(edges: list[list[int]]) -> None:
    check(edges)


def large(size: int, random: Random) -> list[list[int]]:
    """Rings of different lengths, of which later ones are reached from earlier ones, with chords."""
    edges: list[list[int]] = []
    while len(edges) < size:
        first, length = len(edges), min(random.choice((1, 1, 2, 5, 900)), size - len(edges))
        for k in range(length):
            targets = [first + (k + 1) % length, first + random.randrange(length)]
            edges.append(targets + [random.randrange(first, size) for _ in range(random.randrange(2))])
    return edges


@needs_llvm
def test_machine_code_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(large(30_000, Random(1)))
    monkeypatch.setattr(graph_module, "_CHUNK", 7_000)
    one, other = (find_components(graph, Limits(), compiled=compiled) for compiled in (True, False))
    assert list(one.numbers) == list(other.numbers)
    assert list(one.members) == list(other.members)
    assert list(one.starts[: len(one) + 1]) == list(other.starts[: len(other) + 1])
    assert len(one) > 100


def test_a_long_path_is_no_recursion() -> None:
    size = 200_000
    edges = [[p + 1] for p in range(size - 1)] + [[size // 2]]
    found = find_components(graph_of(edges), Limits())
    assert len(found) == size // 2 + 1
    assert list(found[0]) == list(range(size // 2, size))


@pytest.mark.parametrize("layers", [2, 5, 9])
def test_members_stand_before_those_to_which_they_lead(layers: int) -> None:
    """A circle of layers, in which only the last one leads back: to the one position of the first."""
    edges = [[1, 2, 3]]
    for layer in range(1, layers):
        edges += [[3 * layer + k for k in (1, 2, 3)] for _ in range(3)]
    edges += [[0] for _ in range(3)]
    found = find_components(graph_of(edges), Limits())
    place = {p: at for at, p in enumerate(found[0])}
    assert len(found) == 1
    assert all(place[p] < place[to] for p, targets in enumerate(edges) for to in targets if to != 0)


def test_a_graph_that_rises_needs_no_search() -> None:
    edges = [[1, 2], [3], [3], []]
    for rises in (False, True):
        found = find_components(evolve(graph_of(edges), rises=rises), Limits(memory=64))
        assert [list(component) for component in found] in ([[3], [2], [1], [0]], [[3], [1], [2], [0]])
        assert all(found.numbers[to] < found.numbers[p] for p, targets in enumerate(edges) for to in targets)


def test_numbers_in_memory_are_taken_as_they_are() -> None:
    edges = large(500, Random(2))
    graph = graph_of(edges)
    packed = evolve(graph, firsts=array("i", graph.firsts), targets=array("i", graph.targets))
    one, other = find_components(graph, Limits()), find_components(packed, Limits())
    assert list(one.members) == list(other.members)


def test_memory_is_asked_for_before_and_given_back() -> None:
    graph, limits = graph_of([[1], [0]]), Limits(memory=2 * POSITION_BYTES)
    found = find_components(graph, limits)
    assert limits.free == 0
    with pytest.raises(ZermeloError) as refused:
        find_components(graph, limits)
    assert refused.value.code == "out-of-memory"
    del found
    assert limits.free == 2 * POSITION_BYTES


def test_the_time_is_up() -> None:
    graph = graph_of([[p + 1] for p in range(5_000)] + [[]])
    with pytest.raises(ZermeloError) as refused:
        find_components(graph, Limits(seconds=0))
    assert refused.value.code == "out-of-time"
