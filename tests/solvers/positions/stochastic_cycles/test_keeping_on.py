"""Who can keep a play going for ever where chance draws: against all policies of small graphs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs
from referee.positions import Node, chain_values, count_policies, numbers, policies, read

import zermelo
from zermelo import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import ROOT, Contest, PositionGraph, find_components
from zermelo.solvers.positions.retrograde import solve, who_sustains
from zermelo.solvers.positions.stochastic_cycles.sustaining import who_keeps_from_ending, who_keeps_on


def may_end(nodes: Sequence[Node], policy: dict[int, int]) -> bool:
    """Whether the play may come from the root to an end by a policy of all who decide."""
    seen, waiting = {ROOT}, [ROOT]
    while waiting:
        position = waiting.pop()
        node = nodes[position]
        if node.is_end:
            return True
        steps = node.steps if node.player is None else [node.steps[policy[position]]]
        for step in steps:
            if step.target not in seen:
                seen.add(step.target)
                waiting.append(step.target)
    return False


def can(nodes: Sequence[Node], wants: Sequence[int], side: int, right: list[Fraction], endless: Fraction) -> bool:
    """Whether some policy of a side gets what the root is worth against all of the others, and lets no play end against
    those that give nothing away."""
    for ours in policies(nodes, wants, side):
        is_safe = is_lasting = True
        for theirs in policies(nodes, wants, -side):
            policy = {**ours, **theirs}
            fair = all(right[nodes[p].steps[k].target] == right[p] for p, k in theirs.items())
            is_lasting = is_lasting and not (fair and may_end(nodes, policy))
            is_safe = is_lasting and side * (chain_values(nodes, policy, endless)[ROOT] - right[ROOT]) >= 0
            if not is_safe:
                break
        if is_safe:
            return True
    return False


def wished(chance: st.SearchStrategy[bool]) -> st.SearchStrategy[tuple[Wish, PositionGraph]]:
    wishes = st.builds(
        Wish,
        chance=chance,
        aim=st.sampled_from(("alone", "against", "against", "common")),
        most=st.integers(2, 7),
        earns=st.just("never"),
        endless=st.sampled_from(("low", "middle", "high")),
    )
    return wishes.flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish)))


def known(graph: PositionGraph, wants: tuple[int, ...]) -> Contest:
    """A contest with the numbers of the referee."""
    contest = Contest(graph, wants[: len(graph.players)])
    contest.numbers[:] = numbers(graph, wants)
    return contest


@given(wished(st.just(True)))
@settings(max_examples=many(400), deadline=None)
def test_against_all_policies(wished: tuple[Wish, PositionGraph]) -> None:
    wish, graph = wished
    assume(count_policies(graph) <= 300 and graph.endless is not None)
    contest, nodes = known(graph, wish.wants), read(graph)
    right = [number for number in contest.numbers if number is not None]
    assert contest.endless is not None
    able = {side: can(nodes, contest.wants, side, right, contest.endless) for side in set(contest.wants)}
    assert who_keeps_on(contest, Limits()) == tuple(p for p, want in enumerate(contest.wants) if able[want])


TINY = Fraction(1, 10**60)
"""Less than by what any two numbers of a small graph differ, and any two slopes of them."""


@given(wished(st.just(True)))
@settings(max_examples=many(400), deadline=None)
def test_who_keeps_a_play_from_ending_gets_more_if_that_pays_a_little_more(wished: tuple[Wish, PositionGraph]) -> None:
    """By how much more is the probability with which the play goes on for ever, and 1 if that is certain."""
    wish, graph = wished
    assume(count_policies(graph) <= 300 and graph.endless is not None)
    assert graph.endless is not None
    contest = known(graph, wish.wants)
    before = contest.numbers[ROOT]
    chances = {}
    for side in set(contest.wants):
        endless = (graph.endless[0] + side * TINY, *graph.endless[1:])
        after = numbers(evolve(graph, endless=endless), wish.wants)[ROOT]
        assert before is not None and after is not None
        chances[side] = side * (after - before) / TINY
    assert all(0 <= chance <= 1 for chance in chances.values())
    able = tuple(p for p, want in enumerate(contest.wants) if chances[want] > 0)
    assert who_keeps_from_ending(contest, Limits()) == able
    assert who_keeps_on(contest, Limits()) == tuple(p for p in able if chances[contest.wants[p]] == 1)


@given(wished(st.just(False)))
@settings(max_examples=many(200), deadline=None)
def test_without_chance_it_is_what_retrograde_analysis_finds(wished: tuple[Wish, PositionGraph]) -> None:
    wish, graph = wished
    assume(count_policies(graph) <= 300)
    contest = known(graph, wish.wants)
    values = solve(Contest(graph, contest.wants), find_components(graph, Limits()), Limits())
    assert who_keeps_on(contest, Limits()) == who_sustains(values, Limits()).players(ROOT)


RULES = """game "Storm"
players Ann, Bob
endless draw
start at sail(Ann)
phase sail(p: Player):
    turn p:
        move on: go weather(p)
        move land: end {landing}
        move sink: end win other p
phase weather(p: Player):
    chance:
        outcome calm prob 1/3: go sail(p)
        outcome storm prob 2/3: {storm}
phase drift:
    chance:
        outcome harbour prob 1/2: end draw
        outcome ocean prob 1/2: go lost
phase lost:
    turn Ann:
        move row: go lost
        move drown: end win Bob
"""


@pytest.mark.parametrize(
    ("landing", "storm", "able", "perhaps"),
    [
        ("win other p", "go sail(other p)", (0, 1), (0, 1)),  # to land loses: both sail on, whatever the weather
        ("draw", "go sail(other p)", (), ()),  # whoever wants may land, and gives nothing away
        ("win other p", "end draw", (), ()),  # chance ends the play sooner or later
        ("win other p", "go drift", (), (0, 1)),  # chance ends the play, or it goes on for ever
        ("draw", "go drift", (), (0,)),  # Ann may land before, so that Bob cannot
        ("win p", "go sail(other p)", (), ()),  # Ann wins
    ],
)
def test_who_sails_on(landing: str, storm: str, able: tuple[int, ...] | None, perhaps: tuple[int, ...] | None) -> None:
    solution = zermelo.solve(zermelo.loads(RULES.format(landing=landing, storm=storm)), "positions")
    assert (solution.lasting, solution.perhaps_lasting) == (able, perhaps)
    assert solution.value == ((1, -1) if landing == "win p" else (0, 0))


def test_one_can_and_the_other_cannot() -> None:
    """If Bob may land in peace, and Ann only in defeat, Bob alone need not go on, and he can."""
    text = RULES.format(landing="win other p", storm="go sail(other p)")
    text = text.replace("    turn p:\n", "    turn p:\n        move moor if p == Bob: end draw\n")
    solution = zermelo.solve(zermelo.loads(text), "positions")
    assert solution.lasting == solution.perhaps_lasting == (1,)


def test_memory_is_asked_for() -> None:
    graph = PositionGraph(("A",), [0], [0, 1], [0], None, None, ((Fraction(0),),), endless=(Fraction(0),))
    for who in (who_keeps_on, who_keeps_from_ending):
        with pytest.raises(ZermeloError) as raised:
            who(known(graph, (1,)), Limits(memory=10))
        assert raised.value.code == "out-of-memory"
