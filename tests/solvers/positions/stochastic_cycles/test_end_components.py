"""End components, and where one side can leave, against the referee."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs, wishes
from referee.positions import lasting, read

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, Contest, PositionGraph, find_components
from zermelo.solvers.positions.stochastic_cycles.intervals import rational
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import (
    Arena,
    ArenaMaker,
    end_components,
    where_to_leave,
)


def arenas(graph: PositionGraph, wants: tuple[int, ...]) -> list[Arena]:
    maker = ArenaMaker(Contest(graph, wants), rational, lambda _: rational(Fraction(0)))
    components = find_components(graph, Limits())
    return [maker.arena(component) for component in components if graph.kinds[component[0]] > PAYS]


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(200), deadline=None)
def test_rows_of_end_components_are_those_that_can_last(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    found = {
        (arena.positions[p], graph.targets[edge])
        for arena in arenas(graph, wish.wants)
        for members in end_components(arena, arena.every_row())
        for p, rows in members.items()
        for k in rows
        for edge in arena.edges_of(p, k)
    }
    right = {(p, graph.targets[graph.firsts[p] + k]) for p, k in lasting(read(graph))}
    assert found == right


@given(wishes(rounds=False), st.sampled_from((1, -1)), st.data())
@settings(max_examples=many(200), deadline=None)
def test_ways_out_lead_out(wish: Wish, side: int, data: st.DataObject) -> None:
    """By the ways out no play lasts among these positions; and no play comes to others. Where all end components belong
    to the side itself, it can leave from everywhere, unless no edge leads out."""
    graph = data.draw(graphs(wish))
    for arena in arenas(graph, wish.wants):
        found = where_to_leave(arena, side)
        rows = {p: [found.ways[p]] if p in found.ways else list(ks) for p, ks in found.rows.items()}
        assert end_components(arena, rows) == []
        kept = set(rows)
        assert all(there in kept or there < 0 for p, ks in rows.items() for k in ks for there, _ in arena.rows[p][k][1])
        is_alone = all(sign != -side for sign in arena.signs)
        leads_out = any(there < 0 for choice in arena.rows for _, shares in choice for there, _ in shares)
        if is_alone:
            assert len(rows) == (len(arena) if leads_out else 0)
