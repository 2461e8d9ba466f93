"""Every bundled game can be played against ``best``."""

from __future__ import annotations

import re
from random import Random

import pytest

import zermelo
import zermelo.playing.seats
import zermelo.solvers.search.monte_carlo_tree_search
from zermelo import gamedefs
from zermelo.game import CHANCE
from zermelo.playing.seats import BestSeat, RandomSeat

SMALL = [
    ("battleship", {"columns": 2, "rows": 1}),
    ("bear_off", {"men": 1}),
    ("bear_off_race", {"men": 1}),
    ("blind_tic_tac_toe", {"width": 2, "height": 2, "run": 2}),
    ("breakthrough", {"columns": 2, "rows": 4, "deep": 1}),
    ("brinkmanship", {"steps": 5}),
    ("connect_four", {"columns": 3, "rows": 3, "run": 3}),
    ("dark_hex", {"size": 2}),
    ("dice_race", {"goal": 4}),
    ("domineering", {"columns": 3, "rows": 3}),
    ("dots_and_boxes", {"columns": 2, "rows": 1}),
    ("fireworks", {"turns": 2}),
    ("four_card_whist", {"each": 1}),
    ("goofspiel", {"open": True}),
    ("goofspiel", {"shuffled": True}),
    ("hanabi", {"colours": 1}),
    ("hex", {"size": 2}),
    ("horizon_effect", {"pawns": 1, "way": 2}),
    ("kalah", {"pits": 2, "seeds": 2}),
    ("liars_dice", {"sides": 2}),
    ("monotone_transformation", {"stretched": True}),
    ("n_person_nim", {"heaps": 2}),
    ("oh_hell", {"players": 2, "ranks": 2, "each": 1}),
    ("othello", {"size": 4}),
    ("pirates", {"gold": 2}),
    ("sealed_bid_auction", {"second_price": False}),
    ("subtraction_game", {"pile": 9, "most": 4}),
    ("template", {"length": 4}),
    ("tic_tac_toe", {"size": 2}),
    ("uniform_tree", {"width": 2, "depth": 3}),
]

NOBODY_DECIDES = {"gamblers_ruin", "snakes_and_ladders"}

FALLS_SHORT = (
    r"{0} has looked (1 move|\d+ moves) ahead\.",
    r"{0} has made (1 simulation|[\d,]+ simulations)\. It is a guess: .+\.",
    r"{0} plays at random: .+\.",
    r"{0} follows strategies from which the players gain .+ on average, at most\.",
)
"""What a player says who has not found the best move."""


@pytest.fixture
def beginning():
    """The first state of a game in which a player is to move."""

    def begin(name, **parameters):
        state, random = zermelo.load(name, **parameters).initial, Random(name)
        while state.actor == CHANCE:
            state = state.after(state.sample(random))
        return state

    return begin


@pytest.mark.parametrize("name", [name for name in gamedefs.names() if name not in NOBODY_DECIDES])
def test_within_few_nodes_the_best_moves_and_says_how_it_came_by_the_move(name, beginning, monkeypatch):
    monkeypatch.setattr(zermelo.playing.seats, "NODES", 1_000)
    monkeypatch.setattr(zermelo.playing.seats, "NODES_EXACTLY", 100)
    monkeypatch.setattr(zermelo.solvers.search.monte_carlo_tree_search, "SIMULATIONS", 20)
    state = beginning(name)
    move, remark = BestSeat(RandomSeat(Random(1))).choose(state)
    assert move in state.moves
    assert state.after(move).play[-1] == move
    assert not remark or any(re.fullmatch(words.format(state.actor), remark) for words in FALLS_SHORT)


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_in_a_small_game_it_finds_the_best_move(name, parameters, beginning):
    state = beginning(name, **parameters)
    move, remark = BestSeat(RandomSeat(Random(1))).choose(state)
    assert remark == ""
    if state.game.facts.perfect_information.holds:
        player = state.game.number(state.actor)
        assert zermelo.solve(state.after(move)).value[player] == zermelo.solve(state).value[player]
