"""Players are told apart by shape and colour, and what is named as a colour has it."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.drawing.positions import position_drawn
from zermelo.pictures.marks import INK, NAMED, PALE, Lettering, Picture, colours_of, named_colour, nth_colour, symbol
from zermelo.pictures.svg import svg

PIECES = """game "Pieces"
players Ann, Red
type Piece = white_king | black_king | red_or_blue | greenish
type Board = grid(5, 1)
var board[Board]: Piece? = none

setup:
    board := layout
        "wbrg."

legend board:
    "w" = white_king
    "b" = black_king
    "r" = red_or_blue
    "g" = greenish
    "." = none

start at p
phase p:
    turn Ann:
        move on:
            board[a1] := none
            end
"""


def test_a_name_says_a_colour():
    assert named_colour("Red") == NAMED["red"] and named_colour("yellow_2") == NAMED["yellow"]
    for name in ("Redmond", "Ann", "red_or_blue", ""):
        assert named_colour(name) is None


def test_players_have_the_colours_of_their_names():
    assert colours_of(("Red", "Blue")) == (NAMED["red"], NAMED["blue"])
    assert colours_of(("Ann", "Bob", "Cid")) == tuple(map(nth_colour, range(3)))
    assert colours_of(("Ann", "Blue")) == (nth_colour(1), NAMED["blue"]), "no two have one colour"
    assert len(set(colours_of(("light_red", "dark_red", "Bob")))) == 3


def test_the_shape_is_that_of_the_number():
    for number in range(2):
        assert symbol(number, ("Red", "White")).points == symbol(number, ("Ann", "Bob")).points


@pytest.mark.parametrize("colour", sorted({PALE.get(colour, colour) for colour in NAMED.values()}))
def test_thin_words_in_a_colour_can_be_read_on_paper(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    assert 1.05 / (luminance + 0.05) >= 4.5, "WCAG 2.2, 1.4.3"


@pytest.mark.parametrize("colour", PALE)
def test_pale_letters_have_an_edge_or_are_darker(colour):
    bold, thin = (svg(Picture("", (Lettering(0, 0, "W", 20, colour, is_bold=each),))) for each in (True, False))
    assert f'fill="{colour}" stroke="#000000"' in bold
    assert "stroke" not in thin and f'fill="{PALE[colour]}"' in thin


def test_pieces_have_the_colours_of_their_names():
    drawn = position_drawn(zermelo.loads(PIECES).initial, None)
    signs = {word.text: word.colour for word in drawn.words if word.is_bold}
    assert (signs["w"], signs["b"]) == (NAMED["white"], NAMED["black"])
    assert signs["r"] == signs["g"] == INK
    state = zermelo.load("connect_four").initial.after("drop(1)").after("drop(2)")
    signs = {word.text: word.colour for word in position_drawn(state, None).words}
    assert (signs["R"], signs["Y"]) == (NAMED["red"], NAMED["yellow"])
