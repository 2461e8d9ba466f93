"""Subgame-perfect equilibria: incredible threats are excluded."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from referee.histories import histories
from referee.values import best_response, expected, subgames
from small_games import ENTRY
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.imperfect_information.subgame_perfect import stand_for_several, subgame_roots
from zermelo.solvers.tree_building.building import build_tree

TRIAL = Path(__file__).parents[2] / "trial"

REPEATED = """\
game "Repeated dilemma"
players Row, Column
param rounds: 1..6 = 3
type Choice = cooperate | defect
type Score = 0..24
var score[Player]: 0..24 = 0
start at meet(1)
phase meet(n: 1..rounds):
    together:
        move choose(c in Choice)
    then:
        let a = choose[Row].c
        let b = choose[Column].c
        score[Row] += if a == cooperate then (if b == cooperate then 3 else 0) else (if b == cooperate then 4 else 1)
        score[Column] += if b == cooperate then (if a == cooperate then 3 else 0) else (if a == cooperate then 4 else 1)
        if n == rounds: end payoff {p: score[p] for p in Player}
        go meet(n + 1)
"""


def tree_of(game):
    return build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)


def test_a_dilemma_that_is_repeated_a_known_number_of_times():
    """Nobody cooperates in the last round, so nobody does in the one before (Luce and Raiffa 1957)."""
    game = zermelo.loads(REPEATED, rounds=3)
    assert zermelo.solve(game).value == (3, 3)
    solution = zermelo.solve(game, "subgame_perfect")
    assert solution.value == (3, 3)
    assert solution.alternatives == ()
    assert solution.counts["subgames"] == 1 + 4 + 16
    for strategy in solution.strategies:
        assert all(dict(zip(map(str, d.moves), d.probabilities, strict=True))["choose(defect)"] == 1
                   for d in strategy.decisions)  # fmt: skip


def test_an_empty_threat_is_not_believed():
    """Staying out, for fear of a fight, is an equilibrium of the table, but not in the subgame after entry."""
    game = zermelo.loads(ENTRY)
    solution = zermelo.solve(game)
    assert solution.value == (2, 2)
    assert solution.alternatives == ()
    table = solve(game.searching, game.facts, "normal_form")
    assert (Fraction(0), Fraction(4)) in {table.value, *table.alternatives}


def test_where_a_subgame_has_several_equilibria_others_are_not_denied():
    """Ann's first word changes nothing, and the battle of the sexes follows: (2, 1), (1, 2), (2/3, 2/3)."""
    game = zermelo.load(TRIAL / "proofs" / "13_spe_alternatives.game")
    solution = solve(game.searching, game.facts, "subgame_perfect")
    assert solution.exact and solution.value in {(2, 1), (1, 2), (Fraction(2, 3), Fraction(2, 3))}
    assert solution.alternatives is None
    table = solve(game.searching, game.facts, "normal_form")
    assert {table.value, *table.alternatives} == {(2, 1), (1, 2), (Fraction(2, 3), Fraction(2, 3))}


@pytest.mark.parametrize(
    ("left", "right", "alternatives"),
    [("(1, 3)", "(1, 3)", ()), ("(1, 3)", "(9, 2)", ()), ("(1, 3)", "(2, 3)", None), ("(2, 3)", "(1, 3)", None)],
)
def test_ties_count_where_they_change_something(left, right, alternatives):
    """Bob decides alone after ``ask``; whether the better outcome for Ann results is up to him."""
    text = f"""\
game "Tie"
players Ann, Bob
tree:
    Ann:
        ask: Bob:
            left: {left}
            right: {right}
        guess: Bob @blind:
            up: (0, 0)
            down: (0, 0)
        wait: Bob @blind:
            up: (0, 0)
            down: (0, 0)
"""
    game = zermelo.loads(text)
    assert solve(game.searching, game.facts, "subgame_perfect").alternatives == alternatives


def test_where_subgames_begin():
    """In Kuhn poker only the initial node is identifiable; in the entry game so are the nodes before both choose."""
    kuhn = subgame_roots(tree_of(zermelo.load("kuhn_poker")))
    assert [node for node, is_root in enumerate(kuhn) if is_root] == [len(kuhn) - 1]
    entry = tree_of(zermelo.loads(ENTRY))
    assert sum(subgame_roots(entry)) == 2


def test_no_subgame_begins_where_several_histories_are_one_node():
    """Of the initial node, number 1, two edges lead to node 0, which is an information set of two histories."""
    tree = SimpleNamespace(nodes=2, sets_of=[0, 1], children=[-1, -2, 0, 0], firsts=[0, 2, 4])
    assert subgame_roots(tree) == [False, True]


def test_a_game_without_subgames_is_solved_by_its_table():
    game = zermelo.load("two_robots")
    assert (
        solve(game.searching, game.facts, "subgame_perfect").value
        == solve(game.searching, game.facts, "normal_form").value
    )


def test_the_value_of_zero_sum_games_is_the_same():
    """Goofspiel with open bids: each round is a subgame."""
    game = zermelo.load("goofspiel", open=True, shuffled=True)
    found = solve(game.searching, game.facts, "subgame_perfect")
    assert found.value == (0, 0)
    assert found.counts["subgames"] > 100


def test_histories_that_nobody_tells_apart_lie_in_the_subgames_in_which_they_all_lie() -> None:
    """A toss that nobody sees makes one node of two histories; below it Ann decides where her plan does not lead."""
    solution = zermelo.solve(
        zermelo.loads("""\
game "An idle toss"
players Ann, Bob
var seen: 0..1 = 0  hidden
start at open
phase open:
    turn Ann:
        move stop: end payoff (5, 0)
        move go_on: go toss
        move pick(secret n in 0..1):
            seen := n
            go call
phase call:
    turn Bob:
        move head: end payoff (seen, -seen)
        move tail: end payoff (1 - seen, seen - 1)
phase toss:
    chance:
        outcome heads: go act
        outcome tails: go act
phase act:
    turn Ann:
        move bad: end payoff (-3, 0)
        move good: end payoff (seen, 0)
"""),
        "subgame_perfect",
    )
    assert solution.value == (5, 0)
    behind = solution.strategies[0].decisions[1]
    assert [str(move) for move in behind.support] == ["good"]
    assert behind.reached == 0


UNNOTICED_TOSS = """\
game "Entry behind a toss that leaves no trace"
players Ann, Bob
var x: 0..1 = 0 hidden
start at toss
phase toss:
    chance:
        outcome head: go b
        outcome tail: go b
phase b:
    turn Ann:
        move out: go d
        move enter: go c
phase c:
    turn Bob:
        move fight: end payoff (0, 0)
        move share: end payoff (2, 1)
phase d:
    chance:
        outcome h(n in 0..1):
            x := n
            go e
phase e:
    turn Bob:
        move guess(n in 0..1): end payoff (1, 3 + n * x)
"""


def test_nothing_is_said_of_others_where_histories_that_are_one_set_are_one_node() -> None:
    """Two histories, which Bob cannot tell apart, lead to his answer to an entry: no subgame begins there, and the
    threat to fight is an equilibrium in every subgame, since the whole is the only one. It pays (1, 7/2)."""
    game = zermelo.loads(UNNOTICED_TOSS)
    for machine in (game.reference, game.searching):
        tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
        several = stand_for_several(tree)
        assert tree.histories == 23 and several.count(True) == tree.nodes - 1
        solution = solve(machine, game.facts, "subgame_perfect")
        assert solution.value == (2, 1)
        assert solution.alternatives is None
    root = histories(game.reference)
    assert subgames(root) == [root]
    threat = {}
    for here in root.all():
        if here.actor >= 0:
            pick = {"b": 0, "c": 0, "e": 1}[here.state.phase.name]
            threat[here.set] = {move: Fraction(k == pick) for k, move in enumerate(here.moves)}
    assert expected(root, threat) == (1, Fraction(7, 2))
    assert [best_response(root, player, threat) for player in (0, 1)] == [1, Fraction(7, 2)]
