"""Numbers of components in fractions, compared with the referee's brute force, and with closed forms."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_graphs import Wish, graphs, wishes
from referee.positions import EarnsForEver as NoTotal
from referee.positions import count_policies, endless_number, numbers, read
from referee.certificates import complaints
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.positions.contest import Contest
from zermelo.solvers.positions.exact_numbers import solve
from zermelo.solvers.positions.graph import PAYS, PositionGraph
from zermelo.solvers.positions.refusals import EarnsForEver
from graph_components import strong_components


def solved(graph, wants, endless):
    contest = Contest(graph, wants)
    for component in strong_components(graph):
        if graph.kinds[component[0]] <= PAYS:
            contest.numbers[component[0]] = graph.payoff(component[0])[0]
        else:
            solve(contest, component, endless)
    return contest

@given(wishes(rounds=False, most=st.integers(1,7)), st.data())
@settings(max_examples=1500, deadline=None)
def test_brute_force(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    assume(count_policies(graph) <= 300)
    try:
        right = numbers(graph, wish.wants)
    except NoTotal:
        try:
            endless = endless_number(graph)
            solved(graph, wish.wants, endless if endless is not None else -INFINITE)
        except EarnsForEver: return
        assert 0
    endless = endless_number(graph)
    if endless is not None:
        c = solved(graph, wish.wants, endless)
        assert c.numbers == right
        assert not complaints(graph, wish.wants, c.numbers, [[e] if e>=0 else [] for e in c.choices])
    else:
        low = solved(graph, wish.wants, -INFINITE)
        high = solved(graph, wish.wants, INFINITE)
        assert [a if a==b else None for a,b in zip(low.numbers, high.numbers)] == right
