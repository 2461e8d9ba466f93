"""Who can keep a play from ending: against all positional strategies of the keepers, tried one by one."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.machine import END
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph
from zermelo.solvers.validation.questions import sustainable_positions


@st.composite
def graphs(draw: st.DrawFn) -> PositionGraph:
    """Small graphs of two players and chance, whose last position is the end."""
    size = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from([DRAWS, 0, 1])) for _ in range(size)]
    firsts, targets = [0], list[int]()
    for _ in kinds:
        targets += draw(st.lists(st.integers(0, size), min_size=1, max_size=3))
        firsts.append(len(targets))
    return PositionGraph(("A", "B"), [*kinds, PAYS], [*firsts, len(targets)], targets, None, None, [])


def by_trying(graph: PositionGraph, keepers: Collection[int]) -> set[int]:
    """In a finite graph keepers who can avoid the end need no memory: they have a move for each position after which
    no play, whatever the others do, comes to the end."""
    positions = range(len(graph) - 1)
    choices = [
        [[edge] for edge in graph.edges(position)]
        if graph.actor(position) in keepers
        else [list(graph.edges(position))]
        for position in positions
    ]
    found = set[int]()
    for chosen in product(*choices):
        for begin in positions:
            met, waiting = {begin}, [begin]
            while waiting:
                here = waiting.pop()
                for edge in [] if graph.actor(here) == END else chosen[here]:
                    there = graph.targets[edge]
                    if there not in met:
                        met.add(there)
                        waiting.append(there)
            if len(graph) - 1 not in met:
                found.add(begin)
    return found


@given(graphs(), st.sampled_from([(), (0,), (1,), (0, 1)]))
def test_against_all_strategies(graph, keepers):
    assert sustainable_positions(graph, keepers) == by_trying(graph, keepers)
