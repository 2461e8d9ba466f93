"""Certified bounds in floating point enclose what closed forms and the referee say, however hard the graph."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nextafter

import pytest
from all_machines import needs_llvm
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from random_graphs import Wish, graphs, wishes
from referee.positions import EarnsForEver, count_policies, numbers, response_numbers

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, Contest, PositionGraph, find_components
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import SMALL, Bounds, NoBounds, bounds, round_up

WIDTH = 1e-9
AGAINST = (1, -1)

Edges = Sequence[tuple[int, int, int]]
"""(weight, number of the reward, target)."""

sizes = st.sampled_from((0, 12, SMALL))
"""No component is copied, some are, or all."""


def graph_of(positions: Sequence[tuple[int, Edges]], amounts: Sequence[Fraction | int | str]) -> PositionGraph:
    """A graph of two players, of (kind, edges)."""
    firsts, weights, rewards, targets = [0], [], [], []
    for _, edges in positions:
        for weight, reward, target in edges:
            weights.append(weight)
            rewards.append(reward)
            targets.append(target)
        firsts.append(len(targets))
    paid = [(Fraction(amount), -Fraction(amount)) for amount in amounts]
    kinds = [kind for kind, _ in positions]
    return PositionGraph(("A", "B"), kinds, firsts, targets, weights, rewards if any(rewards) else None, paid)


def solved(graph: PositionGraph, patience: int = 20_000, small: int = SMALL, compiled: bool = False) -> Bounds:
    found, contest = find_components(graph, Limits(), compiled=False), Contest(graph, AGAINST[: len(graph.players)])
    return bounds(contest, found, Limits(), patience=patience, small=small, compiled=compiled)


def check(found: Bounds, exact: Sequence[Fraction | None], width: float = WIDTH) -> None:
    """The bounds enclose what positions are worth, and none is further apart than this."""
    for position, number in enumerate(exact):
        if number is not None:
            low, high = found.interval(position)
            assert low <= number <= high, position
            assert high - low <= width


# -------------------------------------------------------------- the referee


@given(st.data())
def test_bounds_enclose_what_the_referee_finds(data: st.DataObject) -> None:
    wish = data.draw(wishes(rounds=False))
    graph = data.draw(graphs(wish))
    wants = wish.wants[: len(graph.players)]
    assume(count_policies(graph) <= 500)
    components = find_components(graph, Limits(), compiled=False)
    small = data.draw(sizes)
    try:
        exact = numbers(graph, wants)
    except EarnsForEver:
        with pytest.raises(NoBounds, match="earns something again and again"):
            bounds(Contest(graph, wants), components, Limits(), small=small, compiled=False)
        return
    try:
        found = bounds(Contest(graph, wants), components, Limits(), small=small, compiled=False)
    except NoBounds:
        assert exact[0] is None
        return
    for position, number in enumerate(exact):
        if number is not None:
            assert found.lower[position] <= number <= found.upper[position]
            assert found.upper[position] - found.lower[position] <= WIDTH


@given(st.data())
def test_choices_keep_what_the_bounds_promise(data: st.DataObject) -> None:
    endless = data.draw(st.sampled_from(("low", "middle", "high")))
    graph = data.draw(graphs(Wish(most=5, endless=endless)))
    assume(count_policies(graph) <= 500)
    found = solved(graph, small=data.draw(sizes))
    for side in AGAINST:
        policy = {
            p: found.choices[p] - graph.firsts[p]
            for p, kind in enumerate(graph.kinds)
            if kind >= 0 and AGAINST[kind] == side
        }
        for p, number in enumerate(response_numbers(graph, AGAINST, side, policy)):
            assert number >= found.lower[p] if side == 1 else number <= found.upper[p]


@needs_llvm
@given(st.data())
def test_machine_code_finds_the_same_bits(data: st.DataObject) -> None:
    graph = data.draw(graphs(Wish(endless=data.draw(st.sampled_from(("low", "middle", "high"))))))
    plain, compiled = solved(graph), solved(graph, compiled=True)
    assert list(plain.lower) == list(compiled.lower)
    assert list(plain.upper) == list(compiled.upper)
    assert list(plain.choices) == list(compiled.choices)


@given(st.data())
def test_a_copy_of_a_component_finds_the_same_bits(data: st.DataObject) -> None:
    """Also where only some components are small enough; unless both bounds of a copy are tried at once."""
    wish = data.draw(wishes(rounds=False))
    graph = data.draw(graphs(wish))
    assume(graph.rewards is not None or graph.discount < 1)
    contest = Contest(graph, wish.wants[: len(graph.players)])
    found = [bits_of(contest, small) for small in (0, 12, SMALL)]
    assert found[0] == found[1] == found[2]


def bits_of(contest: Contest, small: int) -> object:
    components = find_components(contest.graph, Limits(), compiled=False)
    try:
        found = bounds(contest, components, Limits(), small=small, compiled=False)
    except NoBounds as refusal:
        return str(refusal)
    return list(found.lower), list(found.upper), list(found.choices)


# -------------------------------------------------------------- closed forms


def ruin(size: int, up: int, down: int) -> tuple[PositionGraph, list[Fraction]]:
    """The gambler's ruin, and the probabilities of winning it (Feller, Introduction to probability theory I, XIV)."""
    positions: list[tuple[int, Edges]] = [(PAYS, ())]
    positions += [(DRAWS, ((down, 0, k - 1), (up, 0, k + 1))) for k in range(1, size)]
    positions.append((PAYS - 1, ()))
    ratio = Fraction(down, up)
    exact = [Fraction(k, size) if up == down else (1 - ratio**k) / (1 - ratio**size) for k in range(size + 1)]
    return graph_of(positions, (0, 1)), exact


@pytest.mark.parametrize(("size", "up", "down"), [(2, 1, 1), (40, 1, 1), (60, 18, 20), (30, 2, 1), (30, 1, 5)])
def test_gamblers_ruin(size: int, up: int, down: int) -> None:
    graph, exact = ruin(size, up, down)
    check(solved(graph), exact)


def test_sweeps_that_do_not_suffice_leave_wide_bounds_and_say_so() -> None:
    graph, exact = ruin(60, 1, 1)
    found = solved(graph, patience=5)
    check(found, exact, width=1.0)
    assert max(high - low for low, high in zip(found.lower, found.upper, strict=True)) > 0.1


def test_piglet() -> None:
    """Pig with a coin, to 2 points: Neller and Presser, Optimal play of the dice game Pig (2004), section 3."""
    win, lose = 0, 1
    places: dict[tuple[int, int, int, int], int] = {}
    positions: list[tuple[int, Edges]] = [(PAYS, ()), (PAYS - 1, ())]

    def at(mover: int, own: int, other: int, turn: int) -> int:
        key = (mover, own, other, turn)
        if own + turn >= 2:
            return (win, lose)[mover]
        if key not in places:
            place = places[key] = len(positions)
            positions.extend([(mover, ()), (DRAWS, ())])
            passed = at(1 - mover, other, own + turn, 0)
            positions[place] = (mover, ((1, 0, place + 1), (1, 0, passed)))
            positions[place + 1] = (
                DRAWS,
                ((1, 0, at(1 - mover, other, own, 0)), (1, 0, at(mover, own, other, turn + 1))),
            )
        return places[key]

    first = at(0, 0, 0, 0)
    paid = evolve(graph_of(positions, (1, 0)), endless=(Fraction(0), Fraction(0)))
    found = solved(paid)
    published = {
        (0, 0, 0): Fraction(4, 7), (0, 0, 1): Fraction(5, 7), (0, 1, 0): Fraction(2, 5),
        (0, 1, 1): Fraction(3, 5), (1, 0, 0): Fraction(4, 5), (1, 1, 0): Fraction(2, 3),
    }  # fmt: skip
    assert first == places[0, 0, 0, 0]
    for scores, number in published.items():
        low, high = found.interval(places[(0, *scores)])
        assert low <= number <= high <= low + Fraction(WIDTH)


# ------------------------------------------------------------------ hostile


RARE = (1 << 20) - 1


def test_a_loop_that_is_hardly_ever_left_by_itself() -> None:
    """Left with probability 2 ** -40: the draw that repeats is a position of its own, and so part of a circle."""
    graph = graph_of(
        [
            (DRAWS, ((RARE, 0, 0), (1, 0, 1))),
            (DRAWS, ((RARE, 0, 0), (1, 0, 2))),
            (DRAWS, ((1, 0, 3), (2, 0, 4))),
            (PAYS, ()),
            (PAYS - 1, ()),
        ],
        (0, 1),
    )
    check(solved(graph), [Fraction(2, 3)] * 3 + [Fraction(0), Fraction(1)])


def test_two_ways_out_that_are_hardly_ever_taken() -> None:
    """The bounds may be wide, but they are true."""
    graph = graph_of(
        [
            (DRAWS, ((RARE, 0, 1), (1, 0, 2))),
            (DRAWS, ((RARE, 0, 0), (1, 0, 3))),
            (DRAWS, ((RARE, 0, 0), (1, 0, 4))),
            (DRAWS, ((RARE, 0, 1), (2, 0, 5))),
            (PAYS, ()),
            (PAYS - 1, ()),
        ],
        (0, 1),
    )
    check(solved(graph, patience=500), numbers(graph, AGAINST), width=1.0)


@pytest.mark.parametrize("large", [10**6, 10**100, 2**499])
def test_huge_and_tiny_payoffs(large: int) -> None:
    """They do not disturb each other where they do not meet, and where they do the width is that of the huge ones."""
    graph = graph_of(
        [
            (0, ((1, 0, 1), (1, 0, 2))),
            (DRAWS, ((1, 0, 0), (1, 0, 3), (1, 0, 4))),
            (DRAWS, ((3, 0, 2), (1, 0, 4), (1, 0, 5))),
            (PAYS, ()),
            (PAYS - 1, ()),
            (PAYS - 2, ()),
        ],
        (-large, Fraction(1, 3 * large), Fraction(1, 7 * large)),
    )
    exact = numbers(graph, AGAINST)
    found = solved(graph)
    check(found, exact, width=large * 1e-12)
    assert found.upper[2] - found.lower[2] <= WIDTH / large


def test_a_long_chain() -> None:
    """In each of 3000 positions the play ends with probability 1/1000, for 1/3, or goes on; at last it pays -1."""
    size = 3000
    positions: list[tuple[int, Edges]] = [(DRAWS, ((999, 0, k + 1), (1, 0, size + 1))) for k in range(size)]
    positions += [(PAYS, ()), (PAYS - 1, ())]
    exact = [Fraction(1, 3) - Fraction(4, 3) * Fraction(999, 1000) ** (size - k) for k in range(size + 1)]
    check(solved(graph_of(positions, (-1, Fraction(1, 3)))), [*exact, Fraction(1, 3)], width=1e-12)


def test_a_circle_of_chance_with_earnings_is_worth_its_expected_total() -> None:
    """A third for each of 1000 laps on average, each with a tenth taken off at the end."""
    graph = graph_of(
        [(DRAWS, ((999, 1, 1), (1, 2, 2))), (DRAWS, ((1, 0, 0),)), (PAYS, ())],
        (0, Fraction(1, 3), Fraction(-1, 10)),
    )
    exact = 999 * Fraction(1, 3) - Fraction(1, 10)
    check(solved(graph), [exact, exact, Fraction(0)], width=1e-8)


def test_leaps_that_lead_astray_are_taken_back() -> None:
    """A circle in which the free change their minds from sweep to sweep: foreseen too often, numbers would grow beyond
    all bounds."""
    graph = graph_of(
        [
            (0, ((1, 1, 1), (1, 2, 2), (1, 2, 8))),
            (0, ((1, 0, 5), (1, 0, 6), (1, 5, 3))),
            (DRAWS, ((1, 0, 0), (2, 0, 5), (1, 0, 5))),
            (PAYS - 6, ()),
            (DRAWS, ((2, 0, 0), (1, 1, 0), (1, 0, 7), (2, 0, 0))),
            (PAYS - 4, ()),
            (0, ((1, 2, 8), (1, 0, 6), (1, 0, 6))),
            (PAYS - 7, ()),
            (DRAWS, ((1, 3, 4),)),
        ],
        (0, 1, 2, 3, -2, -1, -3, Fraction(-1, 2)),
    )
    paid = evolve(graph, endless=(Fraction(-7), Fraction(7)))
    check(solved(paid), numbers(paid, AGAINST))


def test_what_is_earned_in_a_circle_has_no_bounds_without_sweeps() -> None:
    graph = graph_of([(DRAWS, ((999, 1, 1), (1, 0, 2))), (DRAWS, ((1, 0, 0),)), (PAYS, ())], (0, 1))
    with pytest.raises(NoBounds, match="sweeps"):
        solved(graph, patience=1)


@pytest.mark.parametrize("payday", [0, 1, 2])
def test_wherever_a_circle_pays_again_and_again_there_are_no_bounds(payday: int) -> None:
    circle: list[tuple[int, Edges]] = [(0, ((1, int(k == payday), (k + 1) % 3), (1, 0, 3))) for k in range(3)]
    with pytest.raises(NoBounds, match="earns something again and again"):
        solved(graph_of([*circle, (PAYS, ())], (0, 1)))


def test_ties() -> None:
    """All edges are worth the same."""
    size = 20
    positions: list[tuple[int, Edges]] = [
        (k % 2, tuple((1, 0, there) for there in ((k + 1) % size, (k + 7) % size, size, size))) for k in range(size)
    ]
    graph = evolve(graph_of([*positions, (PAYS, ())], (Fraction(1, 3),)), endless=(Fraction(1, 3), Fraction(-1, 3)))
    check(solved(graph), [Fraction(1, 3)] * (size + 1), width=1e-14)


@pytest.mark.parametrize("endless", [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(2)])
def test_both_would_like_the_other_to_move(endless: Fraction) -> None:
    """A may leave for 0, B for 1; who stays hopes for ``endless``. A waits unless that is less than 0."""
    graph = graph_of([(0, ((1, 0, 1), (1, 0, 2))), (1, ((1, 0, 0), (1, 0, 3))), (PAYS, ()), (PAYS - 1, ())], (0, 1))
    number = min(max(endless, Fraction(0)), Fraction(1))
    found = solved(evolve(graph, endless=(endless, -endless)))
    check(found, [number, number, Fraction(0), Fraction(1)])


def test_what_endless_pays_is_only_asked_for_where_it_matters() -> None:
    """B can leave for 0, A for 1: without ``endless`` nobody knows; if B has to leave, everybody does."""
    stuck = graph_of([(0, ((1, 0, 1),)), (1, ((1, 0, 0), (1, 0, 2))), (PAYS, ())], (0,))
    with pytest.raises(NoBounds, match="do not say what that is worth"):
        solved(stuck)
    free = graph_of([(0, ((1, 0, 0), (1, 0, 1), (1, 0, 2))), (PAYS, ()), (PAYS - 1, ())], (0, 1))
    with pytest.raises(NoBounds, match="do not say what that is worth"):
        solved(free)
    avoided = graph_of([(0, ((1, 0, 1), (1, 0, 2))), (1, ((1, 0, 1), (1, 0, 2))), (PAYS, ())], (0,))
    with pytest.raises(NoBounds, match="do not say what that is worth"):
        solved(avoided)
    by_chance = graph_of([(DRAWS, ((1, 0, 0), (1, 0, 1))), (PAYS, ())], (1,))
    check(solved(by_chance), [Fraction(1)] * 2)


# ------------------------------------------------------------------- border


@pytest.mark.parametrize("pay", [1, -1])
@pytest.mark.parametrize("left", [Fraction(1, 10**20), Fraction(1, 2**54)])
def test_a_discount_that_is_nearly_1_counts(left: Fraction, pay: int) -> None:
    """The double nearest to it is 1."""
    chain = graph_of([(0, [(1, 0, 1)]), (0, [(1, 0, 2)]), (PAYS - 1, ())], (0, pay))
    check(solved(evolve(chain, discount=1 - left)), [(1 - left) * pay, Fraction(pay), Fraction(pay)])


def test_what_the_kernel_cannot_hold_is_left_to_others() -> None:
    end = [(0, ((1, 0, 1),)), (PAYS, ())]
    with pytest.raises(NoBounds, match="500 bits"):
        solved(graph_of(end, (2**500,)))
    at_once = [(0, ((1, 0, 1),)), (2 + 1, ((1, 0, 2),)), (PAYS, ())]
    with pytest.raises(NoBounds, match="at once"):
        solved(graph_of(at_once, (0,)))


def test_memory_is_asked_for() -> None:
    graph, _ = ruin(50, 1, 1)
    components = find_components(graph, Limits(), compiled=False)
    with pytest.raises(ZermeloError, match="the bounds of 51 positions"):
        bounds(Contest(graph, AGAINST), components, Limits(memory=1000), compiled=False)


def test_where_plays_may_stay_more_memory_is_asked_for() -> None:
    """The walk of a gambler, by chance alone, and where somebody may wait before each throw."""
    graph, exact = ruin(50, 1, 1)
    check(bounds_within(graph, 40 * len(graph)), exact)
    size = len(graph)
    waits = [(0, ((1, 0, p), (1, 0, size + p))) for p in range(size)]
    throws = [(graph.kinds[p], [(1, 0, graph.targets[edge]) for edge in graph.edges(p)]) for p in range(size)]
    patient = graph_of([*waits, *throws], [amount[0] for amount in graph.amounts])
    with pytest.raises(ZermeloError, match="the bounds of 102 positions"):
        bounds_within(evolve(patient, endless=(Fraction(0), Fraction(0))), 40 * len(patient))


def bounds_within(graph: PositionGraph, memory: int) -> Bounds:
    components = find_components(graph, Limits(), compiled=False)
    return bounds(Contest(graph, AGAINST), components, Limits(memory=memory), small=0, compiled=False)


def test_progress_is_told_of_positions() -> None:
    graph, exact = ruin(60, 1, 1)
    told: list[int] = []
    components = find_components(graph, Limits(), compiled=False)
    found = bounds(Contest(graph, AGAINST), components, Limits(), progress=told.append, compiled=False)
    check(found, exact)
    assert told == sorted(told)
    assert set(told) <= {components.starts[k] for k in range(len(components))}


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(-1, 3), Fraction(1), Fraction(1, 10**400), Fraction(0)])
def test_rounding_up(number: Fraction) -> None:
    above = round_up(number)
    assert Fraction(above) >= number
    assert Fraction(nextafter(above, -inf)) < number
