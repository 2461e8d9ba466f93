"""Plays, positions and information sets by ply, held against published numbers, counts of plays, and the tree."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.counting import count_plays, plies
from zermelo.solvers.tree_building.building import build_tree


def counted(name, most=10_000, **parameters):
    game = zermelo.load(name, **parameters)
    is_hidden = game.facts.perfect_information.holds is not True
    return [*plies(game.machine, game.machine.initial(), is_hidden, most, Limits())]


def test_tic_tac_toe():
    """The numbers that everybody knows: 255,168 plays, 549,946 histories, 5,478 positions."""
    found = counted("tic_tac_toe")
    assert [ply.positions for ply in found] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(ply.ended for ply in found) == 255_168 and sum(ply.plays for ply in found) == 549_946
    assert sum(ply.positions for ply in found) == 5_478


def test_connect_four():
    """The positions after n moves: sequence A212693 of the encyclopedia of integer sequences."""
    assert [ply.positions for ply in counted("connect_four", 5_000)] == [1, 7, 49, 238, 1120, 4263]


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "goofspiel", "four_card_hand", "rock_paper_scissors", "beer_or_quiche"]
)
def test_where_something_is_hidden_the_tree_has_as_many(name):
    """Each information set is met at one ply in these games."""
    game = zermelo.load(name)
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), lambda _: None)
    found = counted(name)
    assert sum(ply.plays for ply in found) == tree.histories
    assert sum(ply.information_sets for ply in found) == len(tree.information_sets)


@pytest.mark.parametrize("name", ["kuhn_poker", "nim", "pig", "dark_hex", "backgammon", "three_player_tree"])
def test_plays_are_those_that_are_counted_one_by_one(name):
    game = zermelo.load(name)
    for ply in counted(name, 500)[:5]:
        plays = count_plays(game.machine, game.machine.initial(), ply.number, lambda _: None, Limits(), 1).plays
        assert ply.plays == plays


def test_a_ply_that_is_too_large_is_left_out_whole():
    assert counted("tic_tac_toe", 300) == counted("tic_tac_toe")[:4]
