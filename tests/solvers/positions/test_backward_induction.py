"""Backward induction in contests, with and without rounds, against the referee and against the sequence form."""

from __future__ import annotations

from fractions import Fraction
from textwrap import dedent

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, graphs, wishes
from referee.exploring import explored
from referee.rounds import round_numbers
from solving import solve
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, Contest, PositionGraph, find_components, goes_round
from zermelo.solvers.positions.solving import Induction
from zermelo.solvers.positions.stochastic_games.matrix_rounds import solved_stage

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
    assert solved_stage(contest, 0).mixtures == ((0, 1), (0, 1))


def test_whoever_chooses_first_may_want_less() -> None:
    """B chooses, and A without knowing what: the entry is paid to A."""
    amounts = tuple((Fraction(k), Fraction(-k)) for k in (0, 3, -1, -2, 4))
    kinds = [1, 2, 2, PAYS - 1, PAYS - 2, PAYS - 3, PAYS - 4]
    graph = PositionGraph(("A", "B"), kinds, [0, 2, 4, 6, 6, 6, 6, 6], [1, 2, 3, 4, 5, 6], None, None, amounts)
    contest = solved(graph, (1, -1))
    stage = solved_stage(contest, 0)
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
