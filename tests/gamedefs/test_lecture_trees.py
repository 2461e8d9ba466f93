"""Examples of search from lectures, as games: pruning, monotone transformations, the horizon, infinite trees."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END


@pytest.mark.parametrize(("width", "depth"), [(1, 4), (2, 1), (2, 5), (3, 4), (4, 3), (5, 2)])
def test_with_the_best_moves_first_alpha_beta_looks_at_the_fewest_leaves(solution, width, depth):
    """Knuth and Moore, An analysis of alpha-beta pruning, 1975: no method visits fewer."""
    every = solution("uniform_tree", "minimax", on="reference", width=width, depth=depth)
    fewest = solution("uniform_tree", "alphabeta", on="reference", width=width, depth=depth)
    assert every.counts["terminals"] == width**depth
    assert fewest.counts["terminals"] == width ** ceil(depth / 2) + width ** floor(depth / 2) - 1
    assert every.value == fewest.value == (0, 0)


@pytest.mark.parametrize(("width", "depth"), [(2, 5), (3, 4), (4, 3)])
def test_the_order_of_the_moves_decides_how_much_is_pruned(solution, width, depth):
    best, worst = (
        solution("uniform_tree", "alphabeta", on="reference", width=width, depth=depth, order=order)
        for order in ("best_first", "worst_first")
    )
    assert best.value == worst.value
    assert best.counts["terminals"] < worst.counts["terminals"] <= width**depth


@pytest.mark.parametrize(("stretched", "value"), [("false", 2), ("true", 20)])
def test_a_monotone_transformation_keeps_the_choice_of_minimax(solution, stretched, value):
    """The figure of Russell and Norvig's lectures: leaves 1 2 2 4 become 1 20 20 400."""
    found = solution("monotone_transformation", stretched=stretched)
    assert found.value == (value, -value)
    assert [str(move) for move in found.best] == ["right"]


@pytest.mark.parametrize(("stretched", "left", "right"), [("false", "2.1", "1.3"), ("true", "21", "40.9")])
def test_with_dice_a_monotone_transformation_changes_the_choice(start, solution, stretched, left, right):
    """Russell and Norvig, Artificial Intelligence, the figure of the order-preserving transformation: .9 and .1."""
    values = {"left": Fraction(left), "right": Fraction(right)}
    best = max(values, key=values.__getitem__)
    found = solution("monotone_transformation_with_dice", stretched=stretched)
    assert found.value[0] == values[best]
    assert [str(move) for move in found.best] == [best]
    play = start("monotone_transformation_with_dice", stretched=stretched)
    assert {move: expected(play.then(move)) for move in values} == values


def expected(play) -> Fraction:
    """The expectation over the two nodes of MIN below a chance node."""
    outcomes = play.machine.outcomes(play.state)
    return sum((probability * play.go_on(outcome).value() for outcome, probability in outcomes), Fraction(0))


# ------------------------------------------------------------------------------------------- the horizon


@pytest.mark.parametrize(("plies", "choice"), [(2, "give_pawn"), (4, "give_pawn"), (6, "wait"), (8, "wait")])
def test_a_delay_pushes_the_loss_beyond_the_horizon(start, plies, choice):
    assert best_move(start("horizon_effect"), plies, quiescence=False) == choice


@pytest.mark.parametrize("plies", [2, 4, 6, 8])
def test_quiescence_cures_it(start, plies):
    assert best_move(start("horizon_effect"), plies, quiescence=True) == "wait"


def best_move(play, plies: int, *, quiescence: bool) -> str:
    """The first best move of MAX by minimax to a depth of so many plies, deeper in unsettled positions."""
    return max(map(str, play.moves), key=lambda move: (cut_off_value(play.then(move), plies - 1, quiescence), move))


def cut_off_value(play, plies: int, quiescence: bool) -> Fraction:
    machine, model = play.machine, play.machine.model
    if machine.actor(play.state) == END:
        return play.payoff[0]
    if plies <= 0 and not (quiescence and machine.evaluate(play.state, model.unsettled)):
        return machine.evaluate(play.state, model.estimate, model.players[0])
    choose = max if play.actor == "MAX" else min
    return choose(cut_off_value(play.go_on(move), plies - 1, quiescence) for move in play.moves)


# ------------------------------------------------------------------------------------------- without an end


def test_minimax_is_refused_on_a_tree_without_an_end(solution):
    with pytest.raises(ZermeloError) as raised:
        solution("tug_of_war", "minimax", on="reference")
    assert raised.value.code == "needs-end"
    assert "lead back to the same position" in raised.value.message


def test_the_tug_of_war_can_go_on_for_ever(start):
    beginning = start("tug_of_war")
    later = beginning.then("pull(2)", "pull(2)")
    assert later.machine.position(later.state) == beginning.machine.position(beginning.state)
