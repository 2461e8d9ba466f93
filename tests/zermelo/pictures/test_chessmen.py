"""The figures of chess are shapes, whatever fonts there are."""

from __future__ import annotations

from itertools import combinations

import pytest

from zermelo.pictures.chessmen import chessman_marks
from zermelo.pictures.marks import BLACK, WHITE, Lettering, Picture, Style
from zermelo.pictures.pieces import Piece, piece_marks

FIGURES = "♟♜♞♝♛♚"


@pytest.mark.parametrize("sign", FIGURES + "♙♖♘♗♕♔")
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_figure_is_drawn_without_letters_and_stays_in_its_square(sign, colour):
    marks = piece_marks(Piece(sign, colour), 40)
    assert marks and not any(isinstance(mark, Lettering) for mark in marks)
    box = Picture("", tuple(marks)).box
    assert -20 <= box.left < -8 and 8 < box.right <= 20
    assert -20 <= box.top < -10 and 10 < box.bottom <= 20


def test_figures_differ_and_those_of_both_colours_have_one_shape():
    drawn = [chessman_marks(sign, 40, Style(BLACK, WHITE)) for sign in FIGURES]
    assert all(one != other for one, other in combinations(drawn, 2))
    assert drawn == [chessman_marks(sign, 40, Style(BLACK, WHITE)) for sign in "♙♖♘♗♕♔"]


@pytest.mark.parametrize("sign", ["", "K", "♠", "✿", "♟♟"])
def test_other_signs_are_letters(sign):
    assert chessman_marks(sign, 40, Style(BLACK, WHITE)) == []
