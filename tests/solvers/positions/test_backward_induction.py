"""Backward induction in contests, with and without rounds, against the referee and against the sequence form."""

from __future__ import annotations

from fractions import Fraction
from textwrap import dedent

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs, wishes
from referee.certificates import complaints
from referee.exploring import explored
from referee.matrix_games import conceded, guaranteed, matrix_game
from referee.positions import (
    EarnsForEver,
    chain_values,
    count_policies,
    endless_number,
    numbers,
    policies,
    read,
    response_numbers,
)
from referee.rounds import round_intervals, round_numbers
from solving import solve
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, Contest, PositionGraph, find_components, goes_round
from zermelo.solvers.positions.solving import Induction
from zermelo.solvers.positions.stochastic_games.matrix_rounds import solve_stage_at

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def solved(graph: PositionGraph, wants: tuple[int, ...]) -> Contest:
    components = find_components(graph, Limits())
    assert not any(goes_round(graph, component) for component in components)
    contest = Contest(graph, wants)
    induction = Induction(contest)
    for component in components:
        induction.step(component[0])
    return contest


@given(wishes(circles=False), st.data())
@settings(max_examples=many(200), deadline=None)
def test_numbers_are_those_of_the_referee(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    contest = solved(graph, wish.wants)
    assert contest.numbers == round_numbers(graph, wish.wants)
    for position, edge in enumerate(contest.choices):
        if edge >= 0:
            assert contest.worth(position, edge) == contest.numbers[position]


@given(wishes(circles=False), st.data())
@settings(max_examples=many(50), deadline=None)
def test_it_goes_on_from_numbers_that_are_known(wish: Wish, data: st.DataObject) -> None:
    """Position by position, each time anew, as where circles lie between."""
    graph = data.draw(graphs(wish))
    whole, parts = solved(graph, wish.wants), Contest(graph, wish.wants)
    for component in find_components(graph, Limits()):
        Induction(parts).step(component[0])
    assert parts.numbers == whole.numbers
    assert parts.choices == whole.choices


def test_what_follows_a_round_is_discounted_once() -> None:
    """Both choose, then A decides and is paid 1: half of it is left, not a quarter."""
    kinds = [0, 3, 0, PAYS - 1]
    graph = PositionGraph(("A", "B"), kinds, [0, 1, 2, 3, 3], [1, 2, 3], None, None, ((ZERO, ZERO), (ONE, -ONE)), HALF)
    assert solved(graph, (1, -1)).numbers == [HALF, None, 1, 1]


def test_moves_that_depend_on_secret_choices_are_refused() -> None:
    amounts = ((ZERO, ZERO), (ONE, -ONE))
    kinds = [0, 3, 3, PAYS, PAYS - 1]
    graph = PositionGraph(("A", "B"), kinds, [0, 2, 3, 5, 5, 5], [1, 2, 3, 3, 4], None, None, amounts)
    with pytest.raises(ZermeloError) as raised:
        solved(graph, (1, -1))
    assert raised.value.code == "moves-differ"
    assert "what B may choose depends on what others choose" in raised.value.message


def test_a_common_payoff_is_agreed_upon() -> None:
    """Both would lose by going apart; they meet at the better place."""
    amounts = ((ZERO, ZERO), (ONE, ONE), (HALF, HALF))
    kinds = [0, 3, 3, PAYS, PAYS - 1, PAYS - 2]
    graph = PositionGraph(("A", "B"), kinds, [0, 2, 4, 6, 6, 6, 6], [1, 2, 5, 3, 3, 4], None, None, amounts)
    contest = solved(graph, (1, 1))
    assert contest.numbers[0] == 1
    assert solve_stage_at(contest, 0).mixtures == ((0, 1), (0, 1))


def test_whoever_chooses_first_may_want_less() -> None:
    """B chooses, and A without knowing what: the entry is paid to A."""
    amounts = tuple((Fraction(k), Fraction(-k)) for k in (0, 3, -1, -2, 4))
    kinds = [1, 2, 2, PAYS - 1, PAYS - 2, PAYS - 3, PAYS - 4]
    graph = PositionGraph(("A", "B"), kinds, [0, 2, 4, 6, 6, 6, 6, 6], [1, 2, 3, 4, 5, 6], None, None, amounts)
    contest = solved(graph, (1, -1))
    stage = solve_stage_at(contest, 0)
    assert contest.numbers[0] == stage.number == 1
    assert stage.mixtures == ((Fraction(3, 5), Fraction(2, 5)), (HALF, HALF))


def test_other_sequences_of_numbers_serve_as_well() -> None:
    """Kernels have arrays of their own."""
    graph = PositionGraph(("A",), (DRAWS, PAYS, PAYS - 1), (0, 2, 2, 2), (1, 2), (1, 3), None, ((ZERO,), (ONE,)))
    assert solved(graph, (1,)).numbers[0] == Fraction(3, 4)
    assert solved(evolve(graph, weights=[1, 1]), (1,)).numbers[0] == HALF


# ------------------------------------------------------------------- games

OSHI_ZUMO = """
    game "Oshi-Zumo"                      # each bids coins; who bids more pushes the wrestler one step
    players Left, Right
    param coins: 1..9 = 3
    param size: 1..3 = 1
    param least: 0..1 = 0
    var at: -size - 1..size + 1 = 0
    var left[Player]: 0..coins = coins
    start at bid
    phase bid:
        if at > size or at < -size or max(left[Left], left[Right]) < max(least, 1):
            if at > 0: end win Left
            if at < 0: end win Right
            end draw
        together p in Player:
            move bid(n in least..coins) if n <= left[p]
            move nothing if left[p] < least
        then:
            let l = bid[Left].n
            let r = bid[Right].n
            let a = if l is none then 0 else l
            let b = if r is none then 0 else r
            left[Left] -= a
            left[Right] -= b
            if a > b: at += 1
            if b > a: at -= 1
            if a == 0 and b == 0: end draw
            go bid
"""


def value_of(model: Model) -> Fraction:
    graph, _ = explored(ReferenceMachine(model))
    number = solved(graph, (1, -1)).numbers[0]
    assert number is not None
    return number


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("colonel_blotto", {}),
        ("goofspiel", {"open": True}),
        ("goofspiel", {"open": True, "shuffled": True}),
        ("goofspiel", {"open": True, "cards": 4}),
        ("morra", {"fingers": 3}),
        ("rock_paper_scissors_lizard_spock", {}),
    ],
)
def test_bundled_games_are_worth_what_the_sequence_form_says(name: str, parameters: dict[str, object]) -> None:
    game = zermelo.load(name, **parameters)
    assert game.facts.public_between_rounds.holds
    found = solve(game.searching, game.facts, "sequence_form")
    assert value_of(bundled_model(name, **parameters)) == found.value[0]


@pytest.mark.parametrize(
    "parameters", [{}, {"least": 1}, {"coins": 4}, {"coins": 5, "least": 1}, {"coins": 4, "size": 2, "least": 1}]
)
def test_oshi_zumo_is_worth_what_the_sequence_form_says(parameters: dict[str, object]) -> None:
    """Buro 2003 solved the game position by position; it is symmetric, so that the values of later positions matter."""
    text = OSHI_ZUMO.replace("at: -size - 1..size + 1 = 0", "at: -size - 1..size + 1 = min(1, size - 1)")
    uneven = text.replace("0..coins = coins", "0..coins = coins\n    setup:\n        left[Left] := coins - 1")
    for written in (OSHI_ZUMO, text, uneven):
        game = zermelo.loads(dedent(written), **parameters)
        found = solve(game.searching, game.facts, "sequence_form")
        assert value_of(model_of(written, **parameters)) == found.value[0]


# The referee of graphs of positions, on games whose values are known, and against itself.


ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def test_gamblers_ruin() -> None:
    """With 1 of 4 and a fair coin, all is won with probability 1/4; with 2/3 per toss, 8/15 (Huygens)."""
    amounts = ((ZERO,), (ONE,))
    for win, lose, right in ((1, 1, Fraction(1, 4)), (2, 1, Fraction(8, 15))):
        kinds, weights = [DRAWS, DRAWS, DRAWS, PAYS, PAYS - 1], [lose, win] * 3
        graph = PositionGraph(("A",), kinds, [0, 2, 4, 6, 6, 6], [3, 1, 0, 2, 1, 4], weights, None, amounts)
        assert numbers(graph, (1,))[0] == right


def test_waiting_pays_what_endless_says() -> None:
    """One may leave for 0 or stay: it depends on what staying pays."""
    for endless, right in ((Fraction(-1), ZERO), (ONE, ONE)):
        graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, None, ((ZERO,),), endless=(endless,))
        assert numbers(graph, (1,))[0] == right
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, None, ((ZERO,),))
    assert numbers(graph, (1,)) == [None, 0]


def test_earning_for_ever_has_no_total() -> None:
    amounts = ((ZERO,), (ONE,))
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, [1, 0], amounts, endless=(ZERO,))
    with pytest.raises(EarnsForEver):
        numbers(graph, (1,))
    halved = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, [1, 0], amounts, HALF)
    assert numbers(halved, (1,))[0] == 2  # 1 + 1/2 + 1/4 + ...


def test_what_comes_after_a_decision_is_discounted() -> None:
    """Chance takes nothing off, nor does the decision itself of what it earns and of what it pays at the end."""
    amounts = ((ZERO,), (ONE,))
    decide = PositionGraph(("A",), [DRAWS, 0, PAYS - 1], [0, 1, 2, 2], [1, 2], [1, 1], None, amounts, HALF)
    assert numbers(decide, (1,)) == [1, 1, 1]
    draw = PositionGraph(("A",), [0, DRAWS, PAYS - 1], [0, 1, 2, 2], [1, 2], [1, 1], [1, 1], amounts, HALF)
    assert numbers(draw, (1,)) == [2, 2, 1]


def test_a_matrix_game_has_mixed_strategies() -> None:
    """Von Neumann's example of a game of three by three, stone, paper, scissors; and one of two by two by formula."""
    cyclic = [[Fraction((c - r + 1) % 3 - 1) for c in range(3)] for r in range(3)]
    assert matrix_game(cyclic)[:2] == (0, [Fraction(1, 3)] * 3)
    square = [[Fraction(3), Fraction(-1)], [Fraction(-2), Fraction(4)]]
    assert matrix_game(square)[0] == Fraction(3 * 4 - 2, 3 + 4 + 1 + 2)
    value, rows, columns = matrix_game([[ZERO, ZERO, ONE], [ZERO, ZERO, ZERO]])
    matrix = [[ZERO, ZERO, ONE], [ZERO, ZERO, ZERO]]
    assert guaranteed(matrix, rows) == value == conceded(matrix, columns) == 0


def test_a_round_is_a_matrix_game() -> None:
    """Matching pennies: both choose a side, and A wins 1 if they are the same."""
    amounts = ((ZERO, ZERO), (ONE, -ONE), (-ONE, ONE))
    kinds, firsts = [0, 3, 3, PAYS - 1, PAYS - 2], [0, 2, 4, 6, 6, 6]
    graph = PositionGraph(("A", "B"), kinds, firsts, [1, 2, 3, 4, 4, 3], None, None, amounts)
    assert round_numbers(graph, (1, -1)) == [0, None, None, 1, -1]


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(150), deadline=None)
def test_brute_force_and_certificates_agree(wish: Wish, data: st.DataObject) -> None:
    """Policies that guarantee the numbers prove them, and those that do not are found out; as are wrong numbers."""
    graph = data.draw(graphs(wish))
    assume(count_policies(graph) <= 60)
    try:
        right = numbers(graph, wish.wants)
    except EarnsForEver:
        return
    if endless_number(graph) is None:
        return
    nodes = read(graph)
    best = {}
    for side in (1, -1):
        for policy in policies(nodes, wish.wants, side):
            does_guarantee = response_numbers(graph, wish.wants, side, policy) == right
            if does_guarantee:
                best.setdefault(side, policy)
    for ours in policies(nodes, wish.wants, 1):
        policy = {**best[-1], **ours}
        choices = [[graph.firsts[p] + policy[p]] if p in policy else [] for p in range(len(nodes))]
        is_best = response_numbers(graph, wish.wants, 1, ours) == right
        assert (not complaints(graph, wish.wants, right, choices)) == is_best
        brought = chain_values(nodes, policy, endless_number(graph) or ZERO)
        if brought != right:
            assert complaints(graph, wish.wants, brought, choices)


@given(wishes(circles=False, rounds=False), st.data())
@settings(max_examples=many(100), deadline=None)
def test_without_circles_both_ways_agree(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    assume(count_policies(graph) <= 200)
    assert numbers(graph, wish.wants) == round_numbers(graph, wish.wants)


@given(wishes(circles=False), st.data())
@settings(max_examples=many(50), deadline=None)
def test_intervals_close_without_circles(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(evolve(wish, earns="never", endless="middle", aim="against")))
    right = round_numbers(graph, (1, -1))
    for number, between in zip(right, round_intervals(graph, (1, -1), 12), strict=True):
        assert (number is None) == (between is None)
        if number is not None and between is not None:
            low, high = between
            assert low <= number <= high < low + Fraction(1, 10**15)


def test_big_match() -> None:
    """Blackwell and Ferguson 1968 with a discount: A calls or not, B shows 1 or 0, and a call ends the game for ever.
    Discounted or not, B can hold A to 1/2, by tossing a coin, and A can get it."""
    amounts = ((ZERO, ZERO), (ONE, -ONE), (HALF, -HALF), (-HALF, HALF))
    # A calls: the play ends with what B shows. A waits: A earns 1 minus what B shows, halved as what comes is.
    kinds = [0, 3, 3, PAYS - 1, PAYS]
    graph = PositionGraph(
        ("A", "B"), kinds, [0, 2, 4, 6, 6, 6], [1, 2, 3, 4, 0, 0], None, [0, 0, 0, 0, 0, 2], amounts, HALF
    )
    low, high = round_intervals(graph, (1, -1), 80)[0] or (ZERO, ZERO)
    assert low <= HALF <= high < low + Fraction(1, 10**9)
