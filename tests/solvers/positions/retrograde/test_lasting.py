"""Who can see to it that a play never ends: against brute force, and a plain fixed point."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from random_graphs import Wish, graphs
from referee.positions import count_policies, numbers

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, Contest, NeedsEndless, PositionGraph, find_components
from zermelo.solvers.positions.retrograde import solve, who_sustains

LITTLE = Fraction(1, 10**9)
BEYOND = Fraction(10**9)
ZERO, ONE = Fraction(0), Fraction(1)


def who_lasts(graph: PositionGraph, wants: tuple[int, ...]) -> list[tuple[int, ...]]:
    contest, components = Contest(graph, wants[: len(graph.players)]), find_components(graph, Limits())
    values = solve(contest, components, Limits())
    found = who_sustains(values, Limits())
    return [found.players(p) for p in range(len(graph))]


def plainly(graph: PositionGraph, wants: tuple[int, ...], side: int, endless: Fraction) -> set[int]:
    """Where a side can keep out of all ends that pay it no more than ``endless``: what is left when the positions have
    been taken out, again and again, where it cannot."""
    kept = set(range(len(graph)))
    kept -= {p for p, kind in enumerate(graph.kinds) if kind <= PAYS and side * (graph.payoff(p)[0] - endless) <= 0}
    while True:
        out = set()
        for p in kept:
            stays = [graph.targets[e] in kept for e in graph.edges(p)]
            if stays and not (any(stays) if wants[graph.kinds[p]] == side else all(stays)):
                out.add(p)
        if not out:
            return kept
        kept -= out


wished = st.builds(
    Wish,
    chance=st.just(False),
    aim=st.sampled_from(("alone", "against", "against", "common")),
    most=st.integers(1, 7),
    earns=st.sampled_from(("never", "once")),
    endless=st.sampled_from(("low", "middle", "high")),
).flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish)))


@given(wished)
def test_against_brute_force(wished: tuple[Wish, PositionGraph]) -> None:
    wish, graph = wished
    assume(count_policies(graph) <= 1000)
    assert graph.endless is not None
    found, endless = who_lasts(graph, wish.wants), graph.endless[0]
    right = numbers(graph, wish.wants)
    for side in (1, -1):
        nudged = (endless + side * LITTLE,) * len(graph.players)
        better = numbers(evolve(graph, endless=nudged), wish.wants)
        for p in range(len(graph)):
            mine = [player for player in range(len(graph.players)) if wish.wants[player] == side]
            assert [player for player in found[p] if player in mine] == (mine if better[p] != right[p] else [])
        if graph.rewards is None:
            can = plainly(graph, wish.wants, side, endless)
            assert all(right[p] != endless or (p in can) == (better[p] != right[p]) for p in range(len(graph)))


def test_one_can_go_on_and_the_other_cannot() -> None:
    """Ann may go on or end a draw; Bob only passes the move back, or gives up."""
    amounts = ((ZERO, ZERO), (ONE, -ONE))
    graph = PositionGraph(
        ("Ann", "Bob"), [0, 1, PAYS, PAYS - 1], [0, 2, 4, 4, 4], [1, 2, 0, 3], None, None, amounts, endless=(ZERO, ZERO)
    )
    assert who_lasts(graph, (1, -1)) == [(0,), (0,), (), ()]


@given(
    st.builds(
        Wish,
        chance=st.just(False),
        aim=st.sampled_from(("alone", "against", "against", "common")),
        most=st.integers(1, 7),
        earns=st.sampled_from(("never", "once")),
        endless=st.just("missing"),
    ).flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish)))
)
def test_who_is_named_in_a_refusal(wished: tuple[Wish, PositionGraph]) -> None:
    """Where the rules do not say what endless plays pay: who can keep out of all ends."""
    wish, graph = wished
    wants = wish.wants[: len(graph.players)]
    try:
        solve(Contest(graph, wants), find_components(graph, Limits()), Limits())
    except NeedsEndless as refusal:
        for player, want in enumerate(wants):
            can = refusal.position in plainly(graph, wants, want, want * BEYOND)
            assert (player in refusal.keepers) == can
    else:
        assume(False)
