"""Certified intervals hold the exact numbers, and are as narrow as asked for; what is proved is true of any policy."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pig import pig
from random_cases import many
from random_graphs import Wish, graphs, wishes
from referee.positions import count_policies, earns_for_ever, endless_number, lasting, numbers, read

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import (
    DRAWS,
    PAYS,
    Contest,
    EarnsForEver,
    NeedsEndless,
    PositionGraph,
    find_components,
)
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import (
    CertifiedNumbers,
    ExactSolver,
    certified_numbers,
    most,
)
from zermelo.solvers.positions.stochastic_cycles.intervals import Undecided, ball, flint, precision, rational
from zermelo.solvers.positions.stochastic_cycles.policy_iteration import Play, View, reply
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import Arena, ArenaMaker, Number, begin


def exact(graph: PositionGraph, wants: tuple[int, ...], endless: Fraction) -> Contest:
    """The contest, with its numbers in fractions."""
    contest = Contest(graph, wants)
    solver = ExactSolver(contest, endless, 100_000)
    for component in find_components(graph, Limits()):
        if graph.kinds[component[0]] <= PAYS:
            contest.numbers[component[0]] = graph.payoff(component[0])[0]
        else:
            solver.solve(component)
    return contest


def certified(graph: PositionGraph, wants: tuple[int, ...], digits: int) -> CertifiedNumbers:
    return certified_numbers(Contest(graph, wants), find_components(graph, Limits()), digits, Limits())


@given(wishes(rounds=False), st.sampled_from((6, 12, 30)), st.integers(1, 40), st.data())
@settings(max_examples=many(300), deadline=None)
def test_random_graphs(wish: Wish, most_positions: int, digits: int, data: st.DataObject) -> None:
    """Many ties, chance or not, one player and two, endless plays of all kinds."""
    graph = data.draw(graphs(evolve(wish, most=most_positions)))
    endless = endless_number(graph)
    try:
        found = certified(graph, wish.wants, digits)
    except EarnsForEver:
        assert earns_for_ever(graph)
        return
    except NeedsEndless:
        assert endless is None
        return
    for one in [endless] if endless is not None else [Fraction(-100), Fraction(100)]:
        contest = exact(graph, wish.wants, one)
        for p, number in enumerate(contest.numbers):
            interval = found.interval(p)
            assert number is not None
            assert interval is None or interval[0] <= number <= interval[1]
    interval = found.interval(0)
    assert interval is not None
    assert interval[1] - interval[0] <= Fraction(1, 10**digits)


def with_tolls(graph: PositionGraph, wants: tuple[int, ...], seed: int) -> PositionGraph:
    """The graph, in which the first player decides wherever plays may stay for ever, and staying costs them something:
    an integer, so that there are many ties, and seldom nothing."""
    random, sign = Random(seed), -1 if len(graph.players) > 1 and wants[1] < 0 else 1
    amounts, kinds = list(graph.amounts), list(graph.kinds)
    tolls = [len(amounts) + cost for cost in range(3)]
    amounts += [(Fraction(-cost), *[Fraction(-cost * sign)] * (len(graph.players) - 1)) for cost in (1, 2, 3)]
    rewards = [0] * len(graph.targets) if graph.rewards is None else list(graph.rewards)
    for p, step in lasting(read(graph)):
        kinds[p] = min(kinds[p], 0)
        rewards[graph.firsts[p] + step] = random.choice((*tolls, *tolls, *tolls, 0))
    return evolve(graph, kinds=kinds, rewards=rewards, amounts=tuple(amounts))


@given(wishes(rounds=False, earns="once", discount=Fraction(1), circles=True), st.integers(1, 40), st.data())
@settings(max_examples=many(300), deadline=None)
def test_tolls(wish: Wish, digits: int, data: st.DataObject) -> None:
    """Where staying costs those who decide: against brute force, and refused just where fractions are."""
    graph = with_tolls(data.draw(graphs(wish)), wish.wants, digits)
    try:
        found = certified(graph, wish.wants, digits)
    except EarnsForEver:
        with pytest.raises(EarnsForEver):
            solve(graph, Limits())
        return
    except NeedsEndless:
        assert endless_number(graph) is None
        return
    assume(count_policies(graph) <= 500)
    for p, number in enumerate(numbers(graph, wish.wants, with_tolls=True)):
        interval = found.interval(p)
        assert interval is None or number is None or interval[0] <= number <= interval[1]
        assert p > 0 or (interval is not None and interval[1] - interval[0] <= Fraction(1, 10**digits))


@given(st.integers(1, 30), st.fractions(Fraction(1, 10), Fraction(9, 10)), st.sampled_from((1, -1)))
def test_a_toll_for_each_try(cost: int, chance: Fraction, side: int) -> None:
    """A try that succeeds with probability q costs c / q on average, and a way that costs just as much is a tie; to
    wait is never best. By hand, for a player who wants more and for one who wants less."""
    mean, up = Fraction(cost) / chance, chance.numerator
    amounts = tuple((-side * amount, side * amount) for amount in (Fraction(0), Fraction(cost), mean, Fraction(1, 2)))
    player = 0 if side > 0 else 1
    graph = PositionGraph(
        ("A", "B"), [player, DRAWS, PAYS], [0, 3, 5, 5], [2, 1, 0, 2, 0], [1, 1, 1, up, chance.denominator - up],
        [2, 1, 3, 0, 0], amounts,
    )  # fmt: skip
    interval = certified(graph, (1, -1), 20).interval(0)
    assert interval is not None
    assert interval[0] <= -side * mean <= interval[1] <= interval[0] + Fraction(1, 10**20)


def test_no_bound_for_those_who_may_stay_at_a_cost_is_proved_by_a_group() -> None:
    """Were staying taken to be worth as much, because a toll is lost in the balls, nothing is proved."""
    little = Fraction(1, 10**40)
    graph = PositionGraph(
        ("A",), [0, 0, PAYS - 2], [0, 2, 3, 3], [1, 2, 0], None, [1, 0, 1],
        ((Fraction(0),), (-little,), (Fraction(1),)),
    )  # fmt: skip
    contest = Contest(graph, (1,))
    with precision(64):
        maker = ArenaMaker(contest, ball, lambda _: ball(Fraction(1)))
        arena = maker.arena([0, 1])
        view = reply(Play(arena, None), [1, 0], 1)
        assert view.ties
        with pytest.raises(Undecided):
            most(arena, [1, 0], view, 1, None)
    interval = certified(graph, (1,), 12).interval(0)
    assert interval is not None
    assert interval[0] <= 1 <= interval[1]


@pytest.mark.parametrize("digits", [1, 12, 30, 200])
def test_pig(digits: int) -> None:
    """Neller and Presser 2004."""
    interval = certified(pig(20), (1, -1), digits).interval(0)
    number = exact(pig(20), (1, -1), Fraction(0)).numbers[0]
    assert interval is not None
    assert number is not None
    assert interval[0] <= number <= interval[1] <= interval[0] + Fraction(1, 10**digits)


def arenas(contest: Contest) -> list[Arena]:
    """The components, in rationals."""

    def known(position: int) -> Number:
        number = contest.numbers[position]
        assert number is not None
        return rational(number)

    maker = ArenaMaker(contest, rational, known)
    components = find_components(contest.graph, Limits())
    return [maker.arena(component) for component in components if contest.graph.kinds[component[0]] > PAYS]


@given(wishes(rounds=False, earns="once"), st.integers(0, 1000), st.booleans(), st.data())
@settings(max_examples=many(300), deadline=None)
def test_bounds_hold_for_any_policy_and_whatever_they_begin_with(
    wish: Wish, seed: int, is_noisy: bool, data: st.DataObject
) -> None:
    """The bound of a free side against an arbitrary policy: never less than what its best reply gets."""
    graph = data.draw(graphs(wish))
    endless = endless_number(graph)
    if endless is None:
        endless = Fraction(0)
    contest = exact(graph, wish.wants, endless)
    for rows in arenas(contest):
        policy = [seed % len(choice) for choice in rows.rows]
        may_stay = begin(contest, rows, endless).may_stay
        for side in (1, -1):
            answer = list(policy)
            right = reply(Play(rows, rational(endless) if may_stay else None), answer, side).values
            with precision(80):
                balls = rows.mapped(flint().arb)
                view = reply(Play(balls, ball(endless) if may_stay else None), answer, side)
                if is_noisy:
                    values = [value + ball(Fraction(seed % 7, 10**25)) for value in view.values[:-1]] + [0]
                    view = View(values, view.better, view.ties)
                try:
                    bounds = most(balls, answer, view, side, ball(endless))
                except Undecided:
                    continue
            with precision(1000):
                assert all(side * bound >= side * number for bound, number in zip(bounds[:-1], right[:-1], strict=True))


def test_what_depends_on_endless_is_refused() -> None:
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, None, ((Fraction(0),),))
    with pytest.raises(NeedsEndless):
        certified(graph, (1,), 3)


def test_what_cannot_be_avoided_is_infinite() -> None:
    graph = PositionGraph(("A",), [0, PAYS, 0], [0, 2, 2, 3], [2, 1, 2], None, None, ((Fraction(0),),))
    with pytest.raises(NeedsEndless):
        certified(graph, (1,), 3)
