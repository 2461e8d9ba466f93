"""Retrograde analysis: against brute force over policies, plain fixed points, and a dynamic program for distances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from all_machines import needs_llvm
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from random_cases import seeds
from random_graphs import SUM, Wish, graphs
from referee.fixed_points import keeping, plain_distances, plain_numbers
from referee.positions import HUGE, count_policies, endless_number, numbers, read, response_numbers

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.kernels import retrograde as kernel
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions import retrograde
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    Components,
    Contest,
    NeedsEndless,
    PositionGraph,
    find_components,
)
from zermelo.solvers.positions.retrograde import EarnsInCircle, RetrogradeValues, solve, who_sustains

HALF = SUM / 2
MANY = 2000
"""The most policies to try."""


def solved(graph: PositionGraph, wants: tuple[int, ...], compiled: bool = True) -> RetrogradeValues:
    contest = Contest(graph, wants[: len(graph.players)])
    return solve(contest, find_components(graph, Limits()), Limits(), compiled=compiled)


def wishes_without_chance(**fixed: object) -> st.SearchStrategy[Wish]:
    free = {
        "aim": st.sampled_from(("alone", "against", "against", "common")),
        "most": st.integers(1, 7),
        "circles": st.sampled_from((True, True, False)),
        "earns": st.sampled_from(("never", "once")),
        "endless": st.sampled_from(("low", "middle", "high")),
    }
    given_ones = {name: st.just(value) for name, value in fixed.items()}
    return st.builds(Wish, chance=st.just(False), **{**free, **given_ones})


wished = st.deferred(lambda: wishes_without_chance().flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish))))
wished_open = wishes_without_chance(endless="missing").flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish)))


def with_endless(graph: PositionGraph, number: Fraction) -> PositionGraph:
    """The graph with this for the first player, if a play never ends."""
    return evolve(graph, endless=(number,) * len(graph.players))


# ---------------------------------------------------------------- small ones


@given(wished)
def test_numbers_and_distances(wished: tuple[Wish, PositionGraph]) -> None:
    wish, graph = wished
    assume(count_policies(graph) <= MANY)
    values, right = solved(graph, wish.wants), numbers(graph, wish.wants)
    everything = range(len(graph))
    assert [values.number(p) for p in everything] == right
    middle = endless_number(graph)
    assert middle is not None
    assert [values.distance(p) for p in everything] == plain_distances(graph, wish.wants, right, middle)


@given(wished)
def test_best_edges(wished: tuple[Wish, PositionGraph]) -> None:
    """They keep the number; where somebody wins, each is a step to the end; and whichever a side takes, they guarantee
    the number."""
    wish, graph = wished
    assume(count_policies(graph) <= MANY)
    values = solved(graph, wish.wants)
    right, everything = [values.number(p) or Fraction(0) for p in range(len(graph))], range(len(graph))
    kept = keeping(graph, right)
    for p in everything:
        best, distance = values.best(p), values.distance(p)
        assert set(best) <= set(kept[p])
        assert bool(best) == (graph.kinds[p] >= 0)
        if right[p] == endless_number(graph):
            assert best == kept[p]
        elif distance is not None:
            assert all(values.distance(graph.targets[e]) == distance - 1 for e in best)
    for side in (1, -1):
        mine = [p for p, node in enumerate(read(graph)) if node.player is not None and wish.wants[node.player] == side]
        for choose in (min, max):
            policy = {p: choose(values.best(p)) - graph.firsts[p] for p in mine}
            assert response_numbers(graph, wish.wants, side, policy) == right


@given(wished_open)
def test_without_endless(wished: tuple[Wish, PositionGraph]) -> None:
    """A number is known if it is the same for all that a play could be worth that never ends."""
    wish, graph = wished
    assume(count_policies(graph) <= MANY)
    worst, most = with_endless(graph, -HUGE), with_endless(graph, HUGE)
    low, high = numbers(worst, wish.wants), numbers(most, wish.wants)
    known = [p for p in range(len(graph)) if low[p] == high[p]]
    if ROOT not in known:
        with pytest.raises(NeedsEndless) as refused:
            solved(graph, wish.wants)
        at = ROOT
        for edge in refused.value.play:
            assert at not in known and edge in graph.edges(at)
            at = graph.targets[edge]
        assert at == refused.value.position and at not in known
        assert len(find_components(graph, Limits())) < len(graph) or at in [graph.targets[e] for e in graph.edges(at)]
        return
    values = solved(graph, wish.wants)
    assert [values.number(p) for p in range(len(graph))] == [low[p] if p in known else None for p in range(len(graph))]
    for side, other in ((1, worst), (-1, most)):
        mine = [p for p, kind in enumerate(graph.kinds) if kind >= 0 and wish.wants[kind] == side]
        policy = {p: max(values.best(p)) - graph.firsts[p] for p in mine}
        got = response_numbers(other, wish.wants, side, policy)
        assert all(got[p] == low[p] for p in known)
    if any(kind >= 0 for kind in graph.kinds) and values.low is values.high:
        middle = HALF if wish.aim == "against" else -HUGE
        assert [values.distance(p) for p in known] == plain_distances(graph, wish.wants, low, middle)
    for p in known:
        if values.low is not values.high:
            (middle, theirs) = (-HUGE, low) if low[p] >= HALF else (HUGE, high)
            assert values.distance(p) == plain_distances(graph, wish.wants, theirs, middle)[p]


def test_what_is_earned_in_a_circle_is_refused() -> None:
    amounts = ((Fraction(0),), (Fraction(1),))
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, [1, 0], amounts, endless=(Fraction(0),))
    with pytest.raises(EarnsInCircle):
        solved(graph, (1,))


# --------------------------------------------------------------- larger ones


def tangle(seed: int, size: int, payoffs: Sequence[Fraction], endless: Fraction) -> PositionGraph:
    """A random graph of two players with one large component, and many small ones behind it."""
    random = Random(seed)
    ends = len(payoffs)
    kinds = [random.randrange(2) for _ in range(size)] + [PAYS - k - 1 for k in range(ends)]
    firsts, targets = [0], list[int]()
    for p in range(size):
        for _ in range(random.choice((1, 2, 2, 3, 5))):
            first = 0 if p < size // 2 or random.random() < 0.02 else p + 1
            near = random.randrange(max(0, p - 20), min(size, p + 20)) if p < size // 2 else size
            there = near if random.random() < 0.7 else random.randrange(first, size + ends)
            targets.append(there if there < size else size + random.randrange(ends))
        firsts.append(len(targets))
    amounts = [(Fraction(0), Fraction(0)), *((payoff, -payoff) for payoff in payoffs)]
    firsts += [firsts[-1]] * ends
    return PositionGraph(("A", "B"), kinds, firsts, targets, None, None, amounts, endless=(endless, -endless))


LADDER = [Fraction(k, 3) for k in range(-6, 7)]
HUGE_LADDER = [payoff * 10**30 for payoff in LADDER]


@pytest.mark.parametrize("seed", seeds(12))
def test_larger_graphs(seed: int) -> None:
    steps, endless = seed % 4, Fraction(seed // 4 - 1, 3)
    graph = tangle(seed, 150, LADDER[6 - steps : 7 + steps], endless)
    values, right = solved(graph, (1, -1)), plain_numbers(graph, (1, -1))
    everything = range(len(graph))
    assert [values.number(p) for p in everything] == right
    assert [values.distance(p) for p in everything] == plain_distances(graph, (1, -1), right, endless)


@needs_llvm
@pytest.mark.parametrize("endless", [None, Fraction(0), Fraction(-1, 3)])
def test_all_executors_find_the_same(monkeypatch: pytest.MonkeyPatch, endless: Fraction | None) -> None:
    monkeypatch.setattr(retrograde, "_FEW", 0)
    for seed in range(8):
        graph = tangle(seed, 3000, LADDER, endless or Fraction(0))
        huge = evolve(tangle(seed, 3000, HUGE_LADDER, (endless or Fraction(0)) * 10**30))
        if endless is None:
            graph, huge = evolve(graph, endless=None), evolve(huge, endless=None)
        try:
            compiled = solved(graph, (1, -1))
        except NeedsEndless as refused:
            for other, is_compiled in ((graph, False), (huge, True)):
                with pytest.raises(NeedsEndless) as again:
                    solved(other, (1, -1), is_compiled)
                assert again.value.play == refused.play
            continue
        plain, exact = solved(graph, (1, -1), compiled=False), solved(huge, (1, -1))
        for theirs, factor in ((plain, 1), (exact, 10**30)):
            for p in range(len(graph)):
                number = compiled.number(p)
                assert theirs.number(p) == (None if number is None else number * factor)
                assert theirs.distance(p) == compiled.distance(p)
                assert theirs.best(p) == compiled.best(p)


def test_interrupted_after_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = tangle(5, 150, LADDER, Fraction(0))
    whole = solved(graph, (1, -1))
    monkeypatch.setattr("zermelo.solvers.running.path_search.Slices.next", lambda _: 1)
    steps = solved(graph, (1, -1))
    assert list(steps.low.numbers) == list(whole.low.numbers)
    assert list(steps.low.distances) == list(whole.low.distances)


def test_memory_and_time_are_limited() -> None:
    graph = tangle(1, 3000, LADDER, Fraction(0))
    components = find_components(graph, Limits())
    for limits, code in ((Limits(memory=30_000), "out-of-memory"), (Limits(seconds=0), "out-of-time")):
        with pytest.raises(ZermeloError) as raised:
            solve(Contest(graph, (1, -1)), components, limits)
        assert raised.value.code == code
    limits = Limits()
    values = solve(Contest(graph, (1, -1)), components, limits)
    assert limits.ledger.held > 12 * len(graph)
    del values
    assert limits.ledger.held == 0


# -------------------------------------------------------------- known games


def test_who_wins_hurries_and_who_loses_delays() -> None:
    """A chain: Ann can win at once or later, Bob can only choose when to lose."""
    amounts = ((Fraction(0),) * 2, (Fraction(1), Fraction(-1)))
    #    0 Ann: 1 or 4    1 Bob: 2 or 3    2 Ann: the end    3 Ann: 2    4 Bob: 1
    graph = PositionGraph(
        ("Ann", "Bob"), [0, 1, 0, 0, 1, PAYS - 1], [0, 2, 4, 5, 6, 7, 7], [1, 4, 2, 3, 5, 2, 1], None, None, amounts
    )
    values = solved(graph, (1, -1))
    assert [values.distance(p) for p in range(6)] == [4, 3, 1, 2, 4, 0]
    assert [values.best(p) for p in range(6)] == [[0], [3], [4], [5], [6], []]


@pytest.mark.parametrize("win", [1, -1])
def test_who_wins_hurries_in_a_circle_without_endless(win: int) -> None:
    """Ann and Bob may pass the move on or leave, which pays the same. So whoever wins leaves, and the other passes;
    but to be safe from going round for ever, both leave."""
    amounts = ((Fraction(0),) * 2, (Fraction(win), Fraction(-win)))
    graph = PositionGraph(("Ann", "Bob"), [0, 1, PAYS - 1], [0, 2, 4, 4], [1, 2, 0, 2], None, None, amounts)
    values = solved(graph, (1, -1))
    assert [values.number(p) for p in range(3)] == [win] * 3
    assert [values.distance(p) for p in range(3)] == ([1, 2, 0] if win == 1 else [2, 1, 0])
    assert [values.best(p) for p in range(3)] == [[1], [3], []]


def test_one_player_always_hurries() -> None:
    amounts = ((Fraction(0),), (Fraction(4),))
    graph = PositionGraph(("A",), [0, 0, PAYS], [0, 2, 3, 3], [1, 2, 2], None, None, amounts)
    assert solved(graph, (1,)).distance(ROOT) == 1


@pytest.mark.parametrize("steps", [1, 3, 9])
def test_what_never_ends_may_pay_for_all_that_is_lost_before(steps: int) -> None:
    """Ann has 2, or lets Bob choose: he pays 3, or gets 3 on each of some steps, after which Ann may go round for ever
    or get nothing. So if that pays enough, Bob rather pays 3."""
    amounts = tuple((Fraction(number), Fraction(-number)) for number in (0, 2, 3, -3))
    # 0 Ann, 1 Bob, then the steps, then the circle, then the ends that pay 0, 2 and 3
    circle = steps + 1
    ends = (circle + 1, circle + 2, circle + 3)
    edges = [[ends[1], 1], [ends[2], 2]] + [[p + 1] for p in range(2, circle)] + [[circle, ends[0]], [], [], []]
    firsts = [sum(map(len, edges[:p])) for p in range(len(edges) + 1)]
    rewards = [0, 0, 0, 3] + [3] * (steps - 1) + [0, 0]
    kinds = [0, 1] + [0] * steps + [PAYS, PAYS - 1, PAYS - 2]
    targets = [target for each in edges for target in each]
    graph = PositionGraph(("Ann", "Bob"), kinds, firsts, targets, None, rewards, amounts)
    with pytest.raises(NeedsEndless) as refused:
        solved(graph, (1, -1))
    assert refused.value.position == circle


@pytest.mark.parametrize("middle", range(5))
@pytest.mark.parametrize("seed", seeds(12))
def test_exits_come_off_the_heap_in_order(seed: int, middle: int) -> None:
    """First the farthest from the middle, then the nearest to the end."""
    random = Random(seed)
    exits = [(random.randrange(5), random.randrange(10)) for _ in range(random.randint(1, 34))]
    heap = SimpleNamespace(
        places=[0] * len(exits), numbers=[0] * len(exits), distances=[0] * len(exits), waiting=0, middle=[middle]
    )
    for place, (number, distance) in enumerate(exits):
        kernel.push(heap, place, number, distance)
    order = []
    while heap.waiting:
        order.append(exits[heap.places[0]])
        kernel.pop(heap)
    ranks = [(-abs(number - middle), distance) for number, distance in order]
    assert ranks == sorted(ranks) and sorted(order) == sorted(exits)


# Retrograde analysis of games whose values and distances have been published.


def solved_game(name: str, **parameters: Any) -> tuple[RetrogradeValues, Components]:
    game, limits = zermelo.load(name, **parameters), Limits()
    machine = game.searching
    graph = explore(machine, game.facts, machine.initial(), limits, ignore_progress)
    components = find_components(graph, limits)
    return solve(Contest(graph, (1, -1)), components, limits), components


@needs_llvm
def test_king_and_rook_against_king() -> None:
    """White mates in 16 moves at most, which is in 31 plies (Thompson's tables, and many since)."""
    values, _ = solved_game("rook_ending", size=8)
    graph = values.contest.graph
    assert values.number(ROOT) == 1
    found = zip(graph.kinds, values.low.distances, strict=True)
    distances = [(distance, kind) for kind, distance in found if distance < FOREVER]
    assert max(distances) == (32, 1)
    assert max(distance for distance, kind in distances if kind == 0) == 31


@pytest.mark.parametrize("middle", [True, False])
def test_three_mens_morris(middle: bool) -> None:
    """The first player wins by the point in the middle; if that is forbidden, both can go on for ever."""
    values, _ = solved_game("three_mens_morris", middle=middle)
    graph = values.contest.graph
    assert values.number(ROOT) == (1 if middle else 0)
    right = plain_numbers(graph, (1, -1))
    assert [values.number(p) for p in range(len(graph))] == right
    assert [values.distance(p) for p in range(len(graph))] == plain_distances(graph, (1, -1), right, Fraction(0))
    assert who_sustains(values, Limits()).players(ROOT) == (() if middle else (0, 1))


@pytest.mark.parametrize(("rows", "columns", "number"), [(4, 4, 0), (4, 5, 0), (5, 4, 0)])
def test_small_connect_four(rows: int, columns: int, number: int) -> None:
    """Draws, which end when the board is full (Tromp, the table of small boards)."""
    values, _ = solved_game("connect_four", rows=rows, columns=columns)
    assert values.number(ROOT) == number
    assert values.distance(ROOT) == rows * columns


# Who can see to it that a play never ends: against brute force, and a plain fixed point.


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


lasting_wish = st.builds(
    Wish,
    chance=st.just(False),
    aim=st.sampled_from(("alone", "against", "against", "common")),
    most=st.integers(1, 7),
    earns=st.sampled_from(("never", "once")),
    endless=st.sampled_from(("low", "middle", "high")),
).flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish)))


@given(lasting_wish)
def test_against_brute_force(lasting_wish: tuple[Wish, PositionGraph]) -> None:
    wish, graph = lasting_wish
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
def test_who_is_named_in_a_refusal(lasting_wish: tuple[Wish, PositionGraph]) -> None:
    """Where the rules do not say what endless plays pay: who can keep out of all ends."""
    wish, graph = lasting_wish
    wants = wish.wants[: len(graph.players)]
    try:
        solve(Contest(graph, wants), find_components(graph, Limits()), Limits())
    except NeedsEndless as refusal:
        for player, want in enumerate(wants):
            can = refusal.position in plainly(graph, wants, want, want * BEYOND)
            assert (player in refusal.keepers) == can
    else:
        assume(False)
