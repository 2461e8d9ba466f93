"""Places with names in pictures: every cell and every node has one, where it is drawn, and nobody sees it."""

from __future__ import annotations

from itertools import combinations

import pytest

import zermelo
from zermelo.drawing.game_trees import draw_game_tree
from zermelo.drawing.positions import position_drawn
from zermelo.pictures.marks import Disc, Lettering, Picture, Polygon, Rectangle, Spot
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture

RULES = "start at p\nphase p:\n    turn A:\n        move put(c in C):\n            on[c] := A\n            end\n"


def board(shape: str) -> Picture:
    game = zermelo.loads(f'game "x"\nplayers A, B\ntype C = {shape}\nvar on[C]: Player? = none\n{RULES}')
    return position_drawn(game.initial, None)


@pytest.mark.parametrize(
    ("shape", "count"), [("grid(4, 3)", 12), ("hex(4, 3)", 12), ("ring(7)", 7), ("graph(a - b - c - a, c - d)", 4)]
)
def test_every_cell_is_a_spot_about_its_shape(shape, count):
    """The legal moves are marked by a dot in the middle of each cell, which must be the middle of its spot."""
    drawn = board(shape)
    assert len(drawn.spots) == len({spot.name for spot in drawn.spots}) == count
    dots = {(round(mark.x, 6), round(mark.y, 6)) for mark in drawn.marks if isinstance(mark, Disc) and mark.radius == 4}
    assert {(round(s.x + s.width / 2, 6), round(s.y + s.height / 2, 6)) for s in drawn.spots} == dots
    for one, other in combinations(drawn.spots, 2):
        overlap = min(one.box.right, other.box.right) - max(one.box.left, other.box.left)
        above = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
        assert min(overlap, above) < 1e-6, "a click is about one cell"


def test_the_name_of_a_spot_is_that_of_its_cell():
    """On a grid files and ranks stand at the edges: a spot is above its file and beside its rank."""
    drawn = board("grid(3, 2)")
    at = {mark.text: mark for mark in drawn.marks if isinstance(mark, Lettering)}
    for spot in drawn.spots:
        file, rank = at[spot.name[0]], at[spot.name[1]]
        assert spot.box.left < file.x < spot.box.right and spot.box.top < rank.y < spot.box.bottom


def test_every_node_of_a_tree_is_a_spot():
    drawn = tree_picture(draw_game_tree(zermelo.load("kuhn_poker").initial))
    assert [spot.name for spot in drawn.spots] == [str(k) for k in range(55)]
    shapes = [mark.box for mark in drawn.marks if isinstance(mark, Polygon | Disc | Rectangle)]
    for spot in drawn.spots:
        assert any(spot.box.overlaps(shape) for shape in shapes)


def test_nobody_sees_a_spot():
    drawn = board("hex(2, 2)")
    others = tuple(mark for mark in drawn.marks if not isinstance(mark, Spot))
    assert svg(drawn) == svg(Picture(drawn.title, others, drawn.description))
    assert Picture("", (*others, Spot(-500, -500, 1, 1, "far"))).box == drawn.box
