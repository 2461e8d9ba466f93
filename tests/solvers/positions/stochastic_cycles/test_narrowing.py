"""What bounds leave open of a contest is worth the same, whatever true bounds these are, and its choices keep what is
promised."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import pytest
from attrs import frozen
from hypothesis import assume, given
from hypothesis import strategies as st
from pig import pig
from random_graphs import Wish, graphs, wishes
from referee.positions import EarnsForEver, count_policies, numbers, response_numbers

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import solving
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, ROOT, Contest, PositionGraph, find_components
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import ExactSolver, certified_numbers
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import bounds, narrow, widen

AGAINST = (1, -1)

Interval = tuple[Fraction, Fraction] | None


@frozen
class Given:
    """Some bounds."""

    intervals: Sequence[Interval]
    choices: Sequence[int]

    def interval(self, position: int) -> Interval:
        return self.intervals[position]


def around(number: Fraction | None, slack: tuple[int, int] | None) -> Interval:
    """True bounds of a number; none where it depends on endless plays."""
    if number is None or slack is None:
        return None
    return number - Fraction(slack[0], 4), number + Fraction(slack[1], 4)


@given(wishes(rounds=False), st.data())
def test_what_is_left_is_worth_the_same(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    wants = wish.wants[: len(graph.players)]
    assume(count_policies(graph) <= 500)
    try:
        exact = numbers(graph, wants)
    except EarnsForEver:
        assume(False)
    slacks = st.one_of(st.none(), st.just((0, 0)), st.tuples(st.integers(0, 4), st.integers(0, 4)))
    known = Given([around(number, data.draw(slacks)) for number in exact], [-1] * len(graph))
    left = narrow(Contest(graph, wants), known, Limits())
    assert left.positions[ROOT] == ROOT
    assert numbers(left.contest.graph, wants) == [exact[position] for position in left.positions]
    for place, position in enumerate(left.positions):
        assert left.places[position] == place + 1
        for edge in left.contest.graph.edges(place):
            assert left.edges[edge] in graph.edges(position)
            assert left.positions[left.contest.graph.targets[edge]] == graph.targets[left.edges[edge]]


@given(st.sampled_from(("low", "middle", "high")), st.data())
def test_choices_keep_what_the_bounds_promise(endless: str, data: st.DataObject) -> None:
    graph = data.draw(graphs(Wish(most=6, endless=endless)))
    assume(count_policies(graph) <= 500)
    contest = Contest(graph, AGAINST)
    known = bounds(contest, find_components(graph, Limits(), compiled=False), Limits(), compiled=False)
    left = narrow(contest, known, Limits())
    inner = find_components(left.contest.graph, Limits(), compiled=False)
    found = widen(left, certified_numbers(left.contest, inner, 30, Limits()))
    root = found.interval(ROOT)
    assert root is not None
    assert root[1] - root[0] <= Fraction(1, 10**30)
    for side in AGAINST:
        policy = {
            p: found.choices[p] - graph.firsts[p]
            for p, kind in enumerate(graph.kinds)
            if kind >= 0 and AGAINST[kind] == side
        }
        for p, number in enumerate(response_numbers(graph, AGAINST, side, policy)):
            interval = found.interval(p)
            assert interval is not None
            assert number >= interval[0] if side == 1 else number <= interval[1]


def test_ties_stay_open_and_worse_edges_do_not() -> None:
    """A chooses between 1, 1 and a draw that is worth a little less."""
    kinds = [0, PAYS - 1, PAYS - 1, DRAWS, PAYS]
    amounts = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1)))
    firsts, targets, weights = [0, 3, 3, 3, 5, 5], [1, 2, 3, 1, 4], [1, 1, 1, 999, 1]
    graph = PositionGraph(("A", "B"), kinds, firsts, targets, weights, None, amounts)
    contest = Contest(graph, AGAINST)
    known = bounds(contest, find_components(graph, Limits()), Limits(), compiled=False)
    left = narrow(contest, known, Limits())
    assert list(left.positions) == [0, 1, 2]
    assert list(left.edges) == [0, 1]


@pytest.fixture
def without_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers have too many digits for fractions."""
    monkeypatch.setattr(solving, "ExactSolver", partial(ExactSolver, digits=0))


@pytest.mark.usefixtures("without_fractions")
@pytest.mark.parametrize("digits", [12, 30, 200])
def test_pig(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fraction, found with no bounds, lies within bounds for which hardly any positions had to be solved."""
    graph = pig(20)
    found = solving.solve(graph, Limits(), digits=digits).bounds(ROOT)
    monkeypatch.undo()
    payoff = solving.solve(graph, Limits()).payoff(ROOT)
    assert found is not None
    assert payoff is not None
    assert found[0] <= payoff[0] <= found[1] <= found[0] + Fraction(1, 10**digits)


@pytest.mark.usefixtures("without_fractions")
def test_slow_mixing_is_bounded_as_narrowly_as_anything() -> None:
    """A fair ruin with 200 states, where sweeps bring bounds 1e-9 apart: half of it is lost at once."""
    size = 200
    kinds = [DRAWS] * (size - 1) + [PAYS, PAYS - 1]
    edges = [(p - 1 if p else size - 1, p + 1 if p < size - 2 else size) for p in range(size - 1)]
    order = [size // 2 - 1, *(p for p in range(size + 1) if p != size // 2 - 1)]
    place = {p: k for k, p in enumerate(order)}
    targets = [place[to] for p in order if p < size - 1 for to in edges[p]]
    firsts = [min(2 * k, len(targets)) for k in range(size + 2)]
    amounts = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1)))
    graph = PositionGraph(("A", "B"), [kinds[p] for p in order], firsts, targets, [1] * len(targets), None, amounts)
    found = solving.solve(graph, Limits()).bounds(ROOT)
    assert found is not None
    assert found[0] <= Fraction(1, 2) <= found[1] <= found[0] + Fraction(1, 10**12)


def test_memory_is_asked_for() -> None:
    graph = pig(5)
    known = Given([None] * len(graph), [-1] * len(graph))
    with pytest.raises(ZermeloError, match="the numbers of"):
        narrow(Contest(graph, AGAINST), known, Limits(memory=100))
    with pytest.raises(ZermeloError, match="what bounds leave of"):
        narrow(Contest(graph, AGAINST), known, Limits(memory=4 * len(graph) + 10))
