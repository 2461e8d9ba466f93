"""Bundled games from position files that leave out what the rest of the position says: who is off, or has few cards."""

from __future__ import annotations

import pytest

import zermelo

LAST_MEN = """\
setup:
    men_on := 0
    men_on[White, 1] := 1
    men_on[Black, 1] := 1
start at roll(White)
"""

LAST_CARDS = """\
setup:
    hand[North] := {(two, clubs)}
    hand[East] := {(three, clubs)}
start at lead(North)
"""

LAST_CARDS_OF_THREE = """\
setup:
    hand[P1] := {(two, clubs)}
    hand[P2] := {(three, clubs)}
    hand[P3] := {(two, diamonds)}
    said[P2] := 1
start at lead(P1)
"""

LAST_CARDS_OF_FOUR = """\
setup:
    hand[North] := {(ace, spades)}
    hand[East] := {(king, spades)}
    laid := {(queen, spades)}
    hand[West] := {(jack, spades)}
    contract := (1, spades)
    declarer := North
    tricks[north_south] := 2
start at lead(North)
"""


@pytest.mark.parametrize(
    ("name", "position", "play", "payoff"),
    [
        ("backgammon", LAST_MEN, ["rolled(1, 2)", "step(1, 2)"], (1, -1)),
        ("hypergammon", LAST_MEN, ["rolled(1, 2)", "step(1, 2)"], (1, -1)),
        ("four_card_whist", LAST_CARDS, ["lead((two, clubs))", "follow((three, clubs))"], (-1, 1)),
        ("german_whist", LAST_CARDS, ["lead((two, clubs))", "follow((three, clubs))"], (-1, 1)),
        (
            "oh_hell",
            LAST_CARDS_OF_THREE,
            ["lead((two, clubs))", "follow((three, clubs))", "follow((two, diamonds))"],
            (0, 11, 0),
        ),
        (
            "bridge",  # a bid of one spade, made: 30, and 50 for a part score
            LAST_CARDS_OF_FOUR,
            [
                "lead((ace, spades))",
                "follow((king, spades))",
                "follow((queen, spades))",
                "follow((jack, spades))",
            ],
            (80, -80, 80, -80),
        ),
        ("wildcatter", "setup:\n    ground := dry\n    report := dry\nstart at decide\n", ["leave"], (-1,)),
        ("pirates", "setup:\n    share[P2] := 3\nstart at vote(P1, P1, 2)\n", ["nay"] * 4, (1, 3, 0, 0)),
    ],
)
def test_what_the_position_says_need_not_be_said_again(name, position, play, payoff):
    state = zermelo.load_position(name, position).initial
    for move in play:
        state = state.after(move)
    assert state.payoff == payoff


def test_players_may_find_their_own_stones():
    begin = zermelo.load_position("dark_hex", "setup:\n    stone[b2] := Red\n").initial
    view = begin.after("place(b2)").view("Red")
    assert {str(seen.indices[-1]): str(seen.value) for seen in view if seen.variable == "known"}["b2"] == "Red"


FOUR_MEN = """\
setup:
    board := layout
        "W.W"
        ".B."
        "WBW"
start at put(White)
"""


def test_more_men_than_a_player_has_are_not_put_on_the_board():
    assert {move.name for move in zermelo.load_position("three_mens_morris", FOUR_MEN).initial.moves} == {"slide"}
