"""Trees for Gambit: its information sets and its values are ours."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

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


ENDLESS = """\
game "Endless"
players Ann, Bob
discount 9/10

phase play(p: Player):
    turn p:
        move more:
            earn p: 1
            go play(other p)
        move stop: end

start at play(Ann)
"""


def test_plays_without_end_are_not_followed_far():
    """A play of 1,000 moves has earned a fraction of 1,000 digits."""
    game = zermelo.loads(ENDLESS)
    with pytest.raises(ZermeloError, match="more than 1,000 nodes"):
        gambit_game(game, nodes=1000)
    with pytest.raises(ZermeloError, match="more than 1,000 digits") as refused:
        gambit_game(game)
    assert refused.value.code == "number-too-large"


def test_a_large_tree_is_refused():
    with pytest.raises(ZermeloError, match="more than 1,000 nodes") as refused:
        gambit_game(zermelo.load("tic_tac_toe"), nodes=1000)
    assert refused.value.code == "out-of-nodes"
