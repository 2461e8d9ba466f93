"""Cells that variables hold are tokens on their board, if no variable is drawn as it."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.drawing.positions import position_drawn, tokens_by_board
from zermelo.pictures.marks import Lettering

TWO_RUNNERS = """game "Two runners"
players Ann, Bob
type Track = graph(a - b - c - d, b - d)
var runner[Player]: Track? = none
var goal: Track = d   hidden
var left: set of Track = {a, c}
var rounds: 0..3 = 0

setup:
    runner[Ann] := a

start at run
phase run:
    turn Ann:
        move run(c in Track):
            runner[Ann] := c
            goal := b
            left := {}
            rounds += 1
            end
"""


def drawn(state, player=None):
    return position_drawn(state, player)


def words(picture):
    return [mark.text for mark in picture.marks if isinstance(mark, Lettering)]


def inside(picture, name):
    """The signs on a cell."""
    (spot,) = (each for each in picture.spots if each.name == name)
    return [
        mark.text
        for mark in picture.marks
        if isinstance(mark, Lettering)
        and mark.is_bold
        and spot.box.left < mark.x < spot.box.right
        and spot.box.top < mark.y < spot.box.bottom
    ]


def test_tokens_stand_on_their_cells():
    picture = drawn(zermelo.loads(TWO_RUNNERS).initial)
    assert len(picture.spots) == 4
    assert inside(picture, "a") == ["RA L"] and inside(picture, "d") == ["G"] and inside(picture, "c") == ["L"]
    assert inside(picture, "b") == []
    told = words(picture)
    assert told[told.index("runner[Bob]") + 1] == "none" and told[told.index("left") + 1] == "a, c"


def test_what_is_hidden_stands_nowhere():
    picture = drawn(zermelo.loads(TWO_RUNNERS).initial, "Bob")
    assert inside(picture, "d") == []
    told = words(picture)
    assert told[told.index("goal") + 1] == "?" and "? is hidden from Bob." in " ".join(told)


def test_a_board_that_is_drawn_gets_no_tokens():
    """The square that a pawn has jumped over is a variable of chess."""
    chess = zermelo.load("chess")
    entries = {}
    for entry in chess.machine.entries(chess.initial.machine_state):
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    assert not tokens_by_board(chess.model.variables, entries)
    assert "en_passant" in words(drawn(chess.initial))


@pytest.mark.parametrize("name", ["rook_ending", "pit_cave", "kriegspiel_ending", "two_taxis"])
def test_signs_differ(name):
    game = zermelo.load(name)
    entries = {}
    for entry in game.machine.entries(game.initial.machine_state):
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    for own in tokens_by_board(game.model.variables, entries).values():
        assert len({token.sign for token in own}) == len(own)


def test_a_long_play_is_told_in_lines_of_which_the_last_are_kept():
    state = zermelo.load("connect_four").initial
    for k in range(28):  # no four in a row
        state = state.after(f"drop({(1, 3, 5, 7, 2, 4, 6)[k % 7]})")
    rows = [text for text in words(drawn(state)) if "drop(" in text]
    assert len(rows) == 3 and rows[0].startswith("... ") and rows[-1].endswith(str(state.play[-1]))
    assert all(len(row) <= 90 for row in rows)


def test_marks_are_explained_where_there_are_some():
    begin = zermelo.load("tic_tac_toe").initial
    assert "Green: legal moves." in words(drawn(begin))
    assert "Yellow: the last move. Green: legal moves." in words(drawn(begin.after("mark(b2)")))
    assert not [word for word in words(drawn(zermelo.load("kuhn_poker").initial)) if "Green" in word]
