"""The small games of the lecture: trees, tables, poker, nim, tic-tac-toe."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import ceil, floor
from operator import xor

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import count_information_sets, survey
from zermelo.interpreter.machine import END


def test_two_ply_tree_is_worth_3(start):
    assert start("two_ply_tree").value() == 3


def test_coin_flips_average(start):
    play = start("coin_flip_tree").then("left", "tails")
    assert play.actor == "MIN"
    assert play.then("b").payoff == (4, -4)


def test_three_player_tree_pays_tuples(start):
    assert start("three_player_tree").then("left", "l").payoff == (4, 3, 2)
    assert start("three_player_tree").then("right", "r").payoff == (7, 7, 1)


def test_the_traveller_does_not_know_the_fork(start):
    machine = start("forked_roads").machine
    states = [start("forked_roads").then(world, "road_B").state for world in ("jewels_left", "jewels_right")]
    assert machine.information_state(states[0], 0) == machine.information_state(states[1], 0)
    assert start("forked_roads").then("jewels_right", "road_B", "left").payoff == (-1000,)


def test_kuhn_poker_has_12_information_sets(start):
    found = count_information_sets(start("kuhn_poker").machine, limit=1000)
    assert found.count == 12
    assert found.finished
    assert found.confusion is not None


@pytest.mark.parametrize(
    ("line", "payoff"),
    [
        (("deal(K, Q)", "check", "check"), (1, -1)),
        (("deal(J, Q)", "check", "check"), (-1, 1)),
        (("deal(J, Q)", "bet", "fold"), (1, -1)),
        (("deal(J, Q)", "bet", "call"), (-2, 2)),
        (("deal(K, J)", "check", "bet", "call"), (2, -2)),
        (("deal(K, J)", "check", "bet", "fold"), (-1, 1)),
    ],
)
def test_kuhn_poker_pays(start, line, payoff):
    assert start("kuhn_poker").then(*line).payoff == payoff


def test_throws_beat_each_other_in_a_circle(start):
    throws = ("rock", "scissors", "paper")
    for k, throw in enumerate(throws):
        assert start("rock_paper_scissors").then(f"show({throw})", f"show({throws[(k + 1) % 3]})").payoff == (1, -1)
        assert start("rock_paper_scissors").then(f"show({throws[(k + 1) % 3]})", f"show({throw})").payoff == (-1, 1)
        assert start("rock_paper_scissors").then(f"show({throw})", f"show({throw})").payoff == (0, 0)


def test_the_second_prisoner_does_not_see_the_first_choice(start):
    play = start("prisoners_dilemma")
    machine = play.machine
    assert machine.information_state(play.then("defect").state, 1) == machine.information_state(
        play.then("cooperate").state, 1
    )
    assert play.then("cooperate", "defect").payoff == (0, 4)


def test_tic_tac_toe_has_5478_positions(start):
    found = survey(start("tic_tac_toe").machine, limit_positions=10_000, limit_seconds=600)
    assert (found.positions, found.terminals, found.longest) == (5478, 958, 9)


def test_tic_tac_toe_has_549946_nodes(start):
    """In the full tree of minimax, counted by position, so that each is expanded once."""
    nodes: dict = {}

    def size(play) -> int:
        position = play.machine.position(play.state)
        if position not in nodes:
            nodes[position] = 1 + sum(size(play.go_on(move)) for move in (() if play.ended else play.moves))
        return nodes[position]

    assert size(start("tic_tac_toe")) == 549_946


def test_tic_tac_toe_ends_with_a_row_or_a_full_board(start):
    row = ("a1", "b1", "a2", "b2", "a3")
    full = ("b2", "a1", "b1", "b3", "a2", "c2", "a3", "c1", "c3")
    assert start("tic_tac_toe").then(*(f"mark({cell})" for cell in row)).payoff == (1, -1)
    assert start("tic_tac_toe").then(*(f"mark({cell})" for cell in full)).payoff == (0, 0)
    assert start("tic_tac_toe").count(5) == 15120
    assert start("tic_tac_toe", size=2).value() == 1


def test_blind_marks_are_not_perceived(start):
    play, machine = start("blind_tic_tac_toe"), start("blind_tic_tac_toe").machine
    asked = [play.then(f"mark({cell})").state for cell in ("a1", "b2")]
    assert machine.information_state(asked[0], 1) == machine.information_state(asked[1], 1)
    taken = play.then("mark(b2)", "mark(b2)")
    assert taken.actor == "O"
    assert "mark(b2)" not in taken.legal
    assert len(taken.legal) == 8
    assert taken.then("mark(a1)").actor == "X"


@pytest.mark.parametrize(("heaps", "smallest"), [(1, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 1)])
def test_nim_follows_the_xor_rule(start, heaps, smallest):
    sizes = range(smallest, smallest + heaps)
    assert start("nim", heaps=heaps, smallest=smallest).value() == (1 if reduce(xor, sizes) else -1)


def test_nim_follows_the_xor_rule_in_all_positions(start):
    """After every possible first move from 3, 4, 5: Bob is to move."""
    for heap, size in enumerate((3, 4, 5)):
        for taken in range(1, size + 1):
            left = [3, 4, 5]
            left[heap] -= taken
            assert start("nim").then(f"take({heap + 1}, {taken})").value() == (-1 if reduce(xor, left) else 1)


def test_the_template_is_treblecross(start):
    assert {length: start("template", length=length).value() for length in range(3, 10)} == {
        length: 1 if treblecross_is_won(length) else -1 for length in range(3, 10)
    }


def treblecross_is_won(length: int) -> bool:
    """By the theory of Sprague and Grundy. A stone within two squares of another lets the opponent complete three in a
    row, so players avoid that; then a stone takes three squares out of a strip that is longer by one square at each
    end, and a player who can take no more loses (the octal game 0.007)."""
    numbers: list[int] = []
    for n in range(length + 3):
        reachable = {numbers[k] ^ numbers[n - 3 - k] for k in range(n - 2)}
        numbers.append(next(g for g in range(n + 1) if g not in reachable))
    return numbers[length + 2] != 0


# Examples of search from lectures, as games: pruning, monotone transformations, the horizon, infinite trees.


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
