"""The small games of the lecture: trees, tables, poker, nim, tic-tac-toe."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from zermelo.interpreter.checks.game_facts import count_information_sets, survey


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
