"""What subgame-perfect equilibria pay, for any number of players: against max^n, and by deviations in one position."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many, seeds
from random_games.small import write_small
from random_graphs import Wish, graphs
from referee.exploring import explored
from referee.histories import TooLarge
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing.registry import SOLVERS, unmet_needs
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    NeedsMixing,
    PositionGraph,
    begins_round,
    find_components,
    goes_round,
)
from zermelo.solvers.positions.stochastic_games.matrix_rounds import (
    Shares,
    expected_payoffs,
    round_at,
    stage_equilibrium,
    stage_table,
    subgame_perfect_shares,
)

ZERO, ONE = Fraction(0), Fraction(1)


def solved(graph: PositionGraph) -> Shares:
    order = [position for component in find_components(graph, Limits()) for position in component]
    return subgame_perfect_shares(graph, order, Limits())


@given(st.data(), st.booleans(), st.sampled_from((ONE, Fraction(2, 3))))
@settings(max_examples=many(200), deadline=None)
def test_nobody_gains_by_deviating_in_one_position(data: st.DataObject, rounds: bool, discount: Fraction) -> None:
    """Without circles that is all of subgame perfection."""
    graph = data.draw(graphs(Wish("any", circles=False, rounds=rounds, discount=discount)))
    try:
        shares = solved(graph)
    except NeedsMixing:
        assert rounds
        return
    for position, reported in enumerate(shares.reported):
        assert (reported is None) == graph.is_within_round(position)
        if reported is None or graph.kinds[position] <= PAYS:
            continue
        if begins_round(graph, position):
            round = round_at(graph, position)
            table = stage_table(shares, round)
            mixtures = stage_equilibrium(round, table)
            assert expected_payoffs(round, table, mixtures) == reported
            for k, player in enumerate(round.choosers):
                for choice in range(round.counts[k]):
                    pure = tuple(Fraction(choice == other) for other in range(round.counts[k]))
                    instead = expected_payoffs(round, table, (*mixtures[:k], pure, *mixtures[k + 1 :]))
                    assert instead[player] <= reported[player]
            assert shares.reachable[position] is None
            assert shares.has_stages
        elif graph.kinds[position] >= 0:
            player = graph.actor(position)
            worths = [shares.worth(position, edge) for edge in graph.edges(position)]
            assert max(worth[player] for worth in worths) == reported[player]
            assert shares.best(position) == [
                edge
                for edge, worth in zip(graph.edges(position), worths, strict=True)
                if worth[player] == reported[player]
            ]
        else:
            chances = graph.probabilities(position)
            worths = [shares.worth(position, edge) for edge in graph.edges(position)]
            for player in range(len(graph.players)):
                mean = sum(chance * worth[player] for chance, worth in zip(chances, worths, strict=True))
                assert mean == reported[player]
        reachable = shares.reachable[position]
        assert reachable is None or reported in reachable


def brute_force(graph: PositionGraph, position: int) -> set[tuple[Fraction, ...]]:
    """All tuples that subgame-perfect equilibria without mixtures pay: whatever is chosen behind each edge, an
    edge that is best by that."""
    kind = graph.kinds[position]
    if kind <= PAYS:
        return {graph.payoff(position)}
    sets = [
        {
            tuple(a + graph.factor(position, edge) * b for a, b in zip(graph.reward(edge), share, strict=True))
            for share in brute_force(graph, graph.targets[edge])
        }
        for edge in graph.edges(position)
    ]
    combinations = [()]
    for one in sets:
        combinations = [(*some, share) for some in combinations for share in one]
        assume(len(combinations) < 2000)
    if kind < 0:
        chances = graph.probabilities(position)
        return {
            tuple(sum(c * share[p] for c, share in zip(chances, some, strict=True)) for p in range(len(graph.players)))
            for some in combinations
        }
    return {share for some in combinations for share in some if share[kind] == max(other[kind] for other in some)}


@given(st.data())
@settings(max_examples=many(150), deadline=None)
def test_ties_are_broken_in_every_way(data: st.DataObject) -> None:
    graph = data.draw(graphs(Wish("any", circles=False)))
    assert solved(graph).reachable[ROOT] == brute_force(graph, ROOT)


@pytest.mark.random
def test_what_max_n_reports_is_reported() -> None:
    """On random games of any sum without rounds: the same tuple, the same alternatives."""
    compared = 0
    for seed in seeds(60):
        game = zermelo.loads(write_small(Random(seed)))
        if not game.facts.perfect_information.holds or unmet_needs(SOLVERS["maxn"], game.facts):
            continue
        try:
            graph, _ = explored(game.reference, 3_000)
            found = solve(game.searching, game.facts, "maxn")
        except (TooLarge, ZermeloError):
            continue
        if any(goes_round(graph, component) for component in find_components(graph, Limits())):
            continue
        shares = solved(graph)
        assert shares.reported[ROOT] == found.value
        reachable = shares.reachable[ROOT]
        assert (
            None if reachable is None else tuple(sorted(reachable - {found.value}, reverse=True)) == found.alternatives
        )
        compared += 1
    assert compared > 5


def at_once(payoffs: dict[tuple[int, ...], tuple[int, ...]]) -> PositionGraph:
    """All players choose at once; what each combination of choices pays."""
    players = len(next(iter(payoffs)))
    nodes = sorted({cell[:k] for cell in payoffs for k in range(players + 1)}, key=lambda node: (len(node), node))
    after = Counter(node[:-1] for node in nodes[1:])
    kinds = [len(node) + players * bool(node) for node in nodes if after[node]]
    kinds += [PAYS - k for k in range(1, len(payoffs) + 1)]
    amounts = [(ZERO,) * players, *(tuple(map(Fraction, payoffs[cell])) for cell in sorted(payoffs))]
    firsts = list(accumulate((after[node] for node in nodes), initial=0))
    return PositionGraph(tuple("ABC"[:players]), kinds, firsts, list(range(1, len(nodes))), None, None, amounts)


CHOICES = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]


@pytest.mark.parametrize("others", [(), ((9, -1), (0, -1))])
def test_two_who_have_to_mix(others: tuple[tuple[int, int], ...]) -> None:
    """By hand: A's choices are drawn with 1/3 and 2/3, so that B gets 2/3 by either, and B's with 1/4 and 3/4, so that
    A gets 3/4. A third choice of B is always worse than theirs."""
    payoffs = {(0, 0): (3, 0), (0, 1): (0, 2), (1, 0): (0, 1), (1, 1): (1, 0)}
    payoffs |= {(a, 2): paid for a, paid in enumerate(others)}
    assert solved(at_once(payoffs)).reported[ROOT] == (Fraction(3, 4), Fraction(2, 3))


def test_three_who_have_to_mix_are_refused() -> None:
    """A wants to be like B, B like C, and C unlike A."""
    graph = at_once({(a, b, c): (int(a == b), int(b == c), int(c != a)) for a, b, c in CHOICES})
    with pytest.raises(NeedsMixing):
        solved(graph)


def test_three_who_need_not_mix_are_not() -> None:
    graph = at_once({(a, b, c): (int(a == b == c),) * 3 for a, b, c in CHOICES})
    assert solved(graph).reported[ROOT] == (1, 1, 1)
    assert solved(graph).reported.count(None) == 6
