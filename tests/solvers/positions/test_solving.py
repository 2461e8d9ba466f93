"""Graphs of positions of every kind, solved by whatever fits, against brute force and certificates."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs, wishes
from referee.certificates import complaints, equilibrium_complaints
from referee.positions import EarnsForEver as NoTotal
from referee.positions import count_policies, may_last, numbers
from referee.rounds import round_numbers

from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, EarnsForEver, NeedsEndless, NeedsOneNumber, PositionGraph
from zermelo.solvers.positions.solved_positions import EquilibriumSolution, SolvedPositions
from zermelo.solvers.positions.solving import solve

ZERO, ONE = Fraction(0), Fraction(1)


def solved(graph: PositionGraph) -> SolvedPositions:
    return solve(graph, Limits(), ignore_progress)


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(400), deadline=None)
def test_contests(wish: Wish, data: st.DataObject) -> None:
    """The numbers of all positions are right, all edges that are said to be best prove them, and a refusal is true."""
    graph = data.draw(graphs(wish))
    assume(count_policies(graph) <= 300)
    try:
        right = numbers(graph, wish.wants)
    except NoTotal:
        try:
            solved(graph)
        except EarnsForEver:
            return
        except NeedsEndless:
            pass
        right = numbers(graph, wish.wants, with_tolls=True)
    if right[0] is None:
        with pytest.raises(NeedsEndless):
            solved(graph)
        return
    found = solved(graph)
    payoffs = [found.payoff(p) for p in range(len(graph))]
    assert [None if payoff is None else payoff[0] for payoff in payoffs] == right
    if wish.aim == "against":
        assert len({sum(payoff) for payoff in payoffs if payoff is not None}) == 1
    if None not in right:
        assert not complaints(graph, wish.wants, right, [found.best(p) for p in range(len(graph))])


@given(wishes(rounds=True, circles=False, aim="against"), st.data())
@settings(max_examples=many(100), deadline=None)
def test_rounds(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    found = solved(graph)
    payoffs = [found.payoff(p) for p in range(len(graph))]
    assert [None if payoff is None else payoff[0] for payoff in payoffs] == round_numbers(graph, (1, -1))


@given(wishes(rounds=False, aim="any"), st.data())
@settings(max_examples=many(150), deadline=None)
def test_equilibria(wish: Wish, data: st.DataObject) -> None:
    """Without circles, a subgame-perfect equilibrium; with circles, a refusal, unless one number happens to count."""
    graph = data.draw(graphs(wish))
    try:
        found = solved(graph)
    except (NeedsEndless, EarnsForEver, NeedsOneNumber):
        assert may_last(graph) or wish.circles
        return
    if isinstance(found, EquilibriumSolution):
        payoffs = [found.payoff(p) for p in range(len(graph))]
        choices = [(found.best(p) or [-1])[0] for p in range(len(graph))]
        assert not equilibrium_complaints(graph, payoffs, choices)


AMOUNTS = ((ZERO, ZERO), (ONE, -ONE), (-ONE, ONE))


def test_chance_before_positions_without_a_number() -> None:
    """A may take 1, or let a coin decide whether B is to choose, who takes 1 from A or stays for ever: that is worth 0
    to A at most, whatever plays pay that never end."""
    kinds, firsts = [0, DRAWS, 1, PAYS - 1, PAYS - 2], [0, 2, 4, 6, 6, 6]
    graph = PositionGraph(("A", "B"), kinds, firsts, [3, 1, 2, 3, 2, 4], [1] * 6, None, AMOUNTS)
    found = solved(graph)
    assert found.payoff(0) == (1, -1)
    assert found.payoff(1) is None and found.payoff(2) is None
    assert found.best(0) == [0]


def test_a_round_before_positions_without_a_number() -> None:
    """The same, where A has the choice between 1 and a round, after which B may stay for ever."""
    kinds, firsts = [0, 0, 3, 3, 1, PAYS - 1, PAYS - 2], [0, 2, 4, 6, 8, 10, 10, 10]
    targets = [5, 1, 2, 3, 4, 5, 5, 6, 4, 6]
    graph = PositionGraph(("A", "B"), kinds, firsts, targets, None, None, AMOUNTS)
    found = solved(graph)
    assert found.payoff(0) == (1, -1)
    assert found.best(0) == [0]
    assert found.payoff(1) is None and found.mixtures(1) is None
    with pytest.raises(NeedsEndless):
        solved(PositionGraph(("A", "B"), [0, *kinds[1:]], [0, 1, *(first - 1 for first in firsts[2:])],
                             targets[1:], None, None, AMOUNTS))  # fmt: skip


def test_each_side_mixes_against_the_worst() -> None:
    """After one combination A may take 1/3, or leave it to B, who pays 4/3 or goes on for ever; else A gets 1/2. So it
    is B's second choice that makes sure of 1/2, and A's."""
    amounts = tuple((Fraction(n, d), -Fraction(n, d)) for n, d in ((0, 1), (1, 3), (4, 3), (1, 2)))
    kinds = [0, 3, 3, 0, 1, PAYS - 1, PAYS - 2, PAYS - 3]
    firsts = [0, 2, 4, 6, 8, 10, 10, 10, 10]
    targets = [1, 2, 3, 7, 7, 7, 5, 4, 4, 6]
    found = solved(PositionGraph(("A", "B"), kinds, firsts, targets, None, None, amounts))
    assert found.payoff(0) == (Fraction(1, 2), Fraction(-1, 2))
    mixed = found.mixtures(0)
    assert mixed is not None and mixed[1] == ((0, 1), (0, 1))
