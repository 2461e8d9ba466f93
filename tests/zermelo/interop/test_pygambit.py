"""Trees for Gambit: its information sets and its values are ours."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo

gambit = pytest.importorskip("pygambit")

gambit_game = pytest.importorskip("zermelo.interop.pygambit").gambit_game


def value_of(game, player):
    """What a player gets, by Gambit's linear program."""
    return Fraction(str(gambit.nash.lp_solve(game).equilibrium.payoffs[player]))


@pytest.mark.parametrize("name", ["kuhn_poker", "rock_paper_scissors", "goofspiel", "matching_pennies", "smuggler"])
def test_values_are_those_of_gambit(name):
    game = zermelo.load(name)
    assert value_of(gambit_game(game), game.players[0]) == game.solve().value[0]


@pytest.mark.parametrize(("name", "sets"), [("kuhn_poker", 12), ("rock_paper_scissors", 2), ("beer_or_quiche", 4)])
def test_information_sets_and_recall(name, sets):
    tree = gambit_game(zermelo.load(name))
    assert sum(len(list(tree.get_infosets(player))) for player in zermelo.load(name).players) == sets
    assert tree.is_perfect_recall


def test_what_is_left_of_a_game():
    """After a move that leaves two heaps of one, from which whoever moves loses."""
    game = zermelo.load("nim", heaps=2, smallest=1)
    state = game.initial.after("take(2, 1)")
    assert value_of(gambit_game(state), "Ann") == state.solve().value[0] == 1
