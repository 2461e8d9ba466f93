"""Bounds of games in which players choose at once and plays go round: closed forms, and the referee."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random
from textwrap import dedent
from typing import Literal

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs, write_graph
from referee.exploring import explored
from referee.positions import EarnsForEver as NoTotal
from referee.positions import count_policies, lasting, numbers, read
from referee.rounds import round_intervals, round_numbers
from written_games import model_of

import zermelo
from zermelo.interpreter.machine import Payoff
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.graph import (
    DRAWS,
    PAYS,
    ROOT,
    Contest,
    EarnsForEver,
    NeedsEndless,
    PositionGraph,
    find_components,
)
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.positions.stochastic_games.enclosures import Enclosures, enclosures
from zermelo.solvers.positions.stochastic_games.stochastic_game import BOTH, step_of
from zermelo.solvers.solution import Certainty

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
AGAIN = None
"""An entry of a matrix by which the play comes back to it."""

Matrix = list[list[int | None]]


def repeated(matrix: Matrix, endless: int | None = None, discount: Fraction = ONE) -> PositionGraph:
    """A matrix game that is played until an entry is paid."""
    amounts: list[Payoff] = [(ZERO, ZERO)]
    rows, columns = len(matrix), len(matrix[0])
    kinds, firsts, targets = [0, *[3] * rows], [0, rows], list(range(1, rows + 1))
    for row in matrix:
        for entry in row:
            if entry is None:
                targets.append(ROOT)
                continue
            amounts.append((Fraction(entry), Fraction(-entry)))
            kinds.append(PAYS - len(amounts) + 1)
            targets.append(len(kinds) - 1)
        firsts.append(firsts[-1] + columns)
    firsts += [firsts[-1]] * (len(kinds) - len(firsts) + 1)
    paid = None if endless is None else (Fraction(endless), Fraction(-endless))
    return PositionGraph(("A", "B"), kinds, firsts, targets, None, None, amounts, discount, paid)


def enclosed(graph: PositionGraph, digits: int = 12, wants: tuple[int, ...] = (1, -1)) -> Enclosures:
    return enclosures(Contest(graph, wants), find_components(graph, Limits()), digits, Limits())


ONE_MORE = [[AGAIN, 2, -1], [-1, AGAIN, 2], [2, -1, AGAIN]]
"""Stone, paper, scissors until somebody wins, where A gets 2 and loses 1."""

HIDE_OR_RUN: Matrix = [[1, AGAIN], [0, 1]]
"""Kumar and Shiau 1981: A hides or runs, B throws the only snowball or waits. A gets home with a probability as near to
1 as they like, and not with 1."""


@pytest.mark.parametrize(
    ("matrix", "endless", "discount", "value"),
    [
        ([[AGAIN, 1, -1], [-1, AGAIN, 1], [1, -1, AGAIN]], 0, ONE, ZERO),
        ([[AGAIN, 1, -1], [-1, AGAIN, 1], [1, -1, AGAIN]], 7, ONE, ZERO),  # either can see to it that it ends
        (ONE_MORE, 0, ONE, HALF),
        (ONE_MORE, None, ONE, HALF),
        (ONE_MORE, None, HALF, Fraction(2, 5)),  # v = (v / 2 + 1) / 3
        (HIDE_OR_RUN, 0, ONE, ONE),
        ([[AGAIN, AGAIN], [AGAIN, -1]], 0, ONE, ZERO),  # A waits for ever
        ([[AGAIN, AGAIN], [AGAIN, -1]], -5, ONE, Fraction(-5)),  # B does
        ([[AGAIN, 3], [4, AGAIN]], 0, ONE, Fraction(3)),  # B can wait for ever only where A lets them
    ],
)
@pytest.mark.parametrize("digits", [6, 40])
def test_matrix_games_that_are_played_again(
    matrix: Matrix, endless: int | None, discount: Fraction, value: Fraction, digits: int
) -> None:
    low, high = enclosed(repeated(matrix, endless, discount), digits).interval(ROOT)
    assert low <= value <= high <= low + Fraction(1, 10**digits)


def test_an_irrational_value() -> None:
    """v = 2 / (3 - v / 2), so that v = 3 - the root of 5."""
    low, high = enclosed(repeated([[AGAIN, 1], [2, 0]], None, HALF), 50).interval(ROOT)
    assert (3 - high) ** 2 <= 5 <= (3 - low) ** 2
    assert high - low <= Fraction(1, 10**50)


def test_more_digits_bring_bounds_nearer() -> None:
    for digits in (3, 30, 300):
        low, high = enclosed(repeated(ONE_MORE), digits).interval(ROOT)
        assert low <= HALF <= high <= low + Fraction(1, 10**digits)


def test_what_endless_plays_are_worth_may_matter() -> None:
    with pytest.raises(NeedsEndless) as raised:
        enclosed(repeated([[AGAIN, AGAIN], [AGAIN, -1]]))
    assert raised.value.position == ROOT
    with pytest.raises(NeedsEndless):
        enclosed(repeated([[AGAIN, AGAIN], [AGAIN, AGAIN]]))


def test_earning_for_ever_is_refused() -> None:
    """Each time that both choose the same, A gets 1 of B, and they choose again."""
    graph = repeated([[AGAIN, 0], [0, AGAIN]], 0)
    rewards = [0, 0, 1, 0, 0, 1]
    amounts = [(ZERO, ZERO), (ONE, -ONE), *graph.amounts[1:]]
    kinds = [kind if kind > PAYS else kind - 1 for kind in graph.kinds]
    paying = evolve(graph, kinds=kinds, rewards=rewards, amounts=amounts)
    with pytest.raises(EarnsForEver) as raised:
        enclosed(paying)
    assert rewards[raised.value.edge] == 1
    low, high = enclosed(evolve(paying, discount=HALF)).interval(ROOT)
    # The same choices bring 1 + v / 2, others 0; so v is half of the former, and 2 / 3.
    assert low <= Fraction(2, 3) <= high < low + Fraction(1, 10**12)


@st.composite
def wanted(draw: st.DrawFn, **changes: object) -> Wish:
    """Graphs of two players against each other, of which the referee knows bounds."""
    discount = draw(st.sampled_from((ONE, ONE, HALF)))
    earns = "anywhere" if discount < 1 else "never"
    endless = draw(st.sampled_from(("low", "middle", "high")))
    return evolve(Wish(rounds=True, most=5, earns=earns, discount=discount, endless=endless), **changes)


@given(wanted(), st.data())
@settings(max_examples=many(120), deadline=None)
def test_the_bounds_of_the_referee_overlap(wish: Wish, data: st.DataObject) -> None:
    hold_against_the_referee(data.draw(graphs(wish)))


@pytest.mark.parametrize(("seed", "endless"), [(3, "middle"), (4, "low"), (25, "high"), (34, "low")])
def test_bounds_are_near_each_other_in_all_positions_of_a_circle(
    seed: int, endless: Literal["low", "middle", "high"]
) -> None:
    """One of them may be known long before the others."""
    graph = write_graph(Random(seed), Wish(rounds=True, most=5, earns="never", endless=endless))
    found = enclosed(graph, 12)
    bounds = [each for each in map(found.interval, range(len(graph))) if each is not None]
    assert bounds and all(low <= high <= low + Fraction(1, 10**12) for low, high in bounds)


def test_positions_that_lack_bounds_behind_a_root_that_has_some() -> None:
    """Of these graphs a few earn for ever where no play needs to go: the root has bounds all the same."""
    wish = Wish(rounds=True, most=5, chance=True, earns="anywhere", discount=HALF, endless="low")
    assert sum(hold_against_the_referee(write_graph(Random(seed), wish)) for seed in range(120, 130)) > 0


def hold_against_the_referee(graph: PositionGraph) -> int:
    """Holds bounds against those of the referee; how many positions have none."""
    try:
        found = enclosed(graph)
    except EarnsForEver as refusal:
        assert refusal.edge in range(len(graph.targets))
        assert ROOT in may_earn_for_ever(graph)
        return 0
    lacking = 0
    for position, between in enumerate(round_intervals(graph, (1, -1), 40)):
        assert (between is None) == graph.is_within_round(position)
        if between is not None and (bounds := found.interval(position)) is not None:
            low, high = bounds
            assert low <= between[1]
            assert between[0] <= high
            assert low <= high
        elif between is not None:
            assert isinstance(found.refusals[position], EarnsForEver)
            assert position in may_earn_for_ever(graph)
            lacking += 1
    return lacking


def may_earn_for_ever(graph: PositionGraph) -> set[int]:
    """The positions from which a play may come to where chance alone goes round, and takes no discount off what is
    earned there."""
    nodes = read(graph)
    found = {p for p, number in lasting(nodes) if nodes[p].steps[number].earned}
    while more := {p for p, node in enumerate(nodes) if found & {step.target for step in node.steps}} - found:
        found |= more
    return found


@given(wanted(circles=False), st.data())
@settings(max_examples=many(50), deadline=None)
def test_without_circles_numbers_are_exact(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    found = enclosed(graph)
    for position, number in enumerate(round_numbers(graph, (1, -1))):
        if number is not None:
            assert found.interval(position) == (number, number)


@given(wanted(rounds=False, earns="once"), st.data())
@settings(max_examples=many(120), deadline=None)
def test_without_rounds_the_referee_knows_the_numbers(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    assume(count_policies(graph) <= 200)
    try:
        right = numbers(graph, (1, -1))
    except NoTotal:
        return
    found = enclosed(graph)
    for position, number in enumerate(right):
        assert number is not None
        low, high = found.interval(position)
        assert low <= number <= high <= low + Fraction(1, 10**12)


def answering(graph: PositionGraph, found: Enclosures, side: int) -> PositionGraph:
    """The graph in which one side chooses as in its proof, and the other one answers: chance takes its place, and draws
    after the other one has chosen. Positions keep their numbers; those within rounds lead nowhere."""
    contest = Contest(graph, (1, -1))
    kinds, edges = list(graph.kinds), [[(target, 1) for target in graph.targets[a:b]] for a, b in _slices(graph)]
    for position, kind in enumerate(graph.kinds):
        if graph.is_within_round(position):
            kinds[position], edges[position] = PAYS, []
        elif kind != DRAWS and kind > PAYS:
            step, choice = step_of(contest, position), found.choices[position]
            targets = [there for _, _, there in step.ways]
            mine = side * (1 if step.sign == BOTH else step.sign)
            if step.sign == BOTH:
                kinds[position] = 1 if side > 0 else 0
                own, other = (choice.rows, step.columns) if side > 0 else (choice.columns, len(choice.rows))
                edges[position] = []
                for answer in range(other):
                    at = [k * step.columns + answer if side > 0 else answer * step.columns + k for k in range(len(own))]
                    kinds.append(DRAWS)
                    edges[position].append((len(kinds) - 1, 1))
                    edges.append(_drawn(own, [targets[k] for k in at]))
            elif mine > 0:
                kinds[position], edges[position] = DRAWS, _drawn(choice.chances(), targets)
        elif kind == DRAWS:
            edges[position] = _drawn(graph.probabilities(position), [there for there, _ in edges[position]])
    firsts = [0]
    for some in edges:
        firsts.append(firsts[-1] + len(some))
    flat = [edge for some in edges for edge in some]
    return evolve(
        graph, kinds=kinds, firsts=firsts, targets=[there for there, _ in flat], weights=[weight for _, weight in flat]
    )


def _slices(graph: PositionGraph) -> list[tuple[int, int]]:
    return [(graph.firsts[p], graph.firsts[p + 1]) for p in range(len(graph))]


def _drawn(chances: list[Fraction] | tuple[Fraction, ...], targets: list[int]) -> list[tuple[int, int]]:
    scale = lcm(*(chance.denominator for chance in chances))
    return [(there, int(chance * scale)) for there, chance in zip(targets, chances, strict=True) if chance]


@given(wanted(discount=ONE, earns="never"), st.data())
@settings(max_examples=many(120), deadline=None)
def test_choices_guarantee_the_bounds_against_every_answer(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    found = enclosed(graph)
    for side in (1, -1):
        answered = answering(graph, found, side)
        assume(count_policies(answered) <= 100)
        brought = numbers(answered, (1, -1))
        for position, number in enumerate(brought[: len(graph)]):
            if not graph.is_within_round(position):
                assert number is not None
                bound = found.interval(position)[0 if side > 0 else 1]
                assert side * (number - bound) >= 0


UNDECIDED = """
    game "Stone, paper, scissors until somebody is two ahead"
    players One, Two
    type Throw = rock | paper | scissors
    param ahead: -1..1 = 0
    var lead: -2..2 = 0
    endless draw
    setup: lead := ahead
    start at throw
    define beats(a: Throw, b: Throw) = (a, b) in {(rock, scissors), (scissors, paper), (paper, rock)}
    phase throw:
        if lead == 2: end win One
        if lead == -2: end win Two
        together:
            move show(t in Throw)
        then:
            if beats(show[One].t, show[Two].t): lead += 1
            if beats(show[Two].t, show[One].t): lead -= 1
            go throw
"""


@pytest.mark.parametrize("first", [-1, 0, 1])
def test_a_game_with_circles_of_rounds(first: int) -> None:
    """With equal chances a lead of one is a gain of half."""
    graph, _ = explored(ReferenceMachine(model_of(UNDECIDED, ahead=first)))
    low, high = enclosed(graph).interval(ROOT)
    assert low <= Fraction(first, 2) <= high <= low + Fraction(1, 10**12)


def test_the_solver_says_what_it_has_proved() -> None:
    game = zermelo.loads(dedent(UNDECIDED), ahead=1)
    solution = zermelo.solve(game)
    assert (solution.solver, solution.certainty) == ("positions", Certainty.BOUNDED)
    assert solution.interval is not None
    low, high = solution.interval
    assert low <= HALF <= high <= low + Fraction(1, 10**12)


def test_solved_positions_tell_how_to_play() -> None:
    graph, _ = explored(ReferenceMachine(model_of(UNDECIDED)))
    found = solve(graph, Limits(), ignore_progress)
    third = Fraction(1, 3)
    for position in range(len(graph)):
        mixed = found.mixtures(position)
        assert (mixed is not None) == (graph.kinds[position] == 0)
        assert (found.payoff(position) is None) == graph.is_within_round(position)
        assert found.best(position) == []
        if mixed is not None:
            assert all(abs(chance - third) < Fraction(1, 10**6) for mixture in mixed[1] for chance in mixture)


def test_whoever_is_alone_is_told_a_move() -> None:
    """A chooses between the game of one half and a third, B between it and a payment of two thirds."""
    inner = repeated(ONE_MORE)
    count = len(inner)
    for player, outside, chosen in ((0, Fraction(1, 3), 0), (1, Fraction(1, 3), 1), (0, Fraction(2, 3), 1)):
        amounts = [*inner.amounts, (outside, -outside)]
        graph = evolve(
            inner,
            kinds=[player, *inner.kinds, PAYS - len(amounts) + 1],
            firsts=[0, *(first + 2 for first in inner.firsts), inner.firsts[-1] + 2],
            targets=[1, count + 1, *(target + 1 for target in inner.targets)],
            amounts=amounts,
        )
        found = solve(graph, Limits(), ignore_progress)
        assert found.best(ROOT) == [chosen]
        assert found.mixtures(ROOT) is None
        assert found.mixtures(1) is not None
        bounds, payoff = found.bounds(ROOT), found.payoff(ROOT)
        assert payoff is not None
        assert sum(payoff) == 0
        assert (bounds is None) == (chosen == 1)  # what is paid outside is exact


def test_partners_agree_in_circles() -> None:
    """Whoever both wait goes on; they agree to meet, which pays 1, and not to wait for ever, which pays nothing."""
    amounts = ((ZERO, ZERO), (ONE, ONE))
    kinds, firsts = [0, 3, 3, PAYS - 1, PAYS], [0, 2, 4, 6, 6, 6]
    graph = PositionGraph(("A", "B"), kinds, firsts, [1, 2, 0, 4, 4, 3], None, None, amounts, endless=(ZERO, ZERO))
    found = solve(graph, Limits(), ignore_progress)
    mixed, payoff = found.mixtures(ROOT), found.payoff(ROOT)
    assert mixed is not None
    assert mixed[1] == ((0, 1), (0, 1))
    assert payoff is not None
    assert payoff[0] == payoff[1]
    assert abs(payoff[0] - 1) < Fraction(1, 10**12)


SHOW_AND_WALK = """
    game "Show until both show the same, then walk"
    players A, B
    claim zero_sum
    endless draw
    var at: 0..3 = 1
    start at show
    phase show:
        together:
            move show(n in 1..2)
        then:
            if show[A].n == show[B].n: go walk
            go show
    phase walk:
        chance:
            outcome up:
                at += 1
                if at == 3: end win A
                go walk
            outcome down weight 2:
                at -= 1
                if at == 0: end win B
                go walk
"""


def test_circles_without_rounds_stay_exact_in_a_game_with_rounds() -> None:
    """The gambler's ruin: with odds of 2 to 1, A gets from 1 to 3 before 0 with probability 1/7."""
    graph, _ = explored(ReferenceMachine(model_of(SHOW_AND_WALK)))
    found = enclosed(graph)
    ruin = 2 * Fraction(1, 7) - 1
    walks = [found.interval(p) for p in range(len(graph)) if graph.kinds[p] == DRAWS]
    assert (ruin, ruin) in walks
    assert all(low == high for low, high in walks)
    low, high = found.interval(ROOT)
    assert low <= ruin <= high and high - low < 1e-12
