"""Boards that are graphs: their names have room, and their parts stand near each other."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import atan2, dist, pi

import pytest

import zermelo
from zermelo.drawing.positions import position_drawn
from zermelo.pictures.marks import Polygon

LONG = "a_harbour_in_the_far_north"


def drawn(shape):
    """The picture of an empty board."""
    game = zermelo.loads(
        f'game "T"\nplayers A, B\ntype C = {shape}\nvar on[C]: Player? = none\nstart at play\n'
        f"phase play:\n    turn A:\n        move take(c in C):\n            on[c] := A\n            end\n"
    )
    return position_drawn(game.initial, None, is_titled=False)


def words_of(graph, cell):
    """The words on a board that is a graph."""
    words = drawn(f"graph({graph})").words
    assert any(word.text == cell for word in words)
    return words


@pytest.mark.parametrize(
    "graph",
    [
        f"{LONG} - {LONG}_2 - {LONG}_3 - {LONG}_4 - {LONG}",
        f"{LONG} - {LONG}_2 - {LONG}_3 - {LONG}_4 - {LONG}_5 - {LONG}_6 - {LONG}",
        ", ".join(f"{LONG} - {LONG}_{k}" for k in range(2, 10)),
    ],
)
def test_long_names_do_not_lie_upon_each_other(graph):
    words = words_of(graph, LONG)
    assert not any(one.box.overlaps(other.box) for one, other in combinations(words, 2))


def test_parts_of_a_graph_stand_near_each_other():
    """However many cells they have: two stars of ten points each, whose cells are two steps apart at most."""
    stars = ", ".join(f"{star} - {star}{k}" for star in "ab" for k in range(1, 11))
    words = words_of(stars, "a10")
    across = max(word.x for word in words) - min(word.x for word in words)
    down = max(word.y for word in words) - min(word.y for word in words)
    assert max(across, down) < 500


@pytest.mark.parametrize("size", [3, 5, 12, 30])
def test_the_cells_of_a_ring_stand_on_a_circle_clockwise_from_the_top(size):
    """Neighbours have the same room everywhere, and a line joins them, once."""
    picture = drawn(f"ring({size})")
    places = {spot.name: (spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in picture.spots}
    middle = tuple(sum(place[k] for place in places.values()) / size for k in range(2))
    radius = middle[1] - places["0"][1]
    assert places["0"] == pytest.approx((middle[0], middle[1] - radius))
    around = [places[str(k)] for k in range(size)]
    assert [dist(middle, place) for place in around] == pytest.approx([radius] * size)
    turns = [atan2(y - middle[1], x - middle[0]) for x, y in around]
    assert [(after - turn) % (2 * pi) for turn, after in pairwise(turns)] == pytest.approx([2 * pi / size] * (size - 1))
    assert dist(*around[:2]) > picture.spots[0].width
    ends = [mark.points for mark in picture.marks if isinstance(mark, Polygon)]
    joined = [sorted(min(range(size), key=lambda k: dist(around[k], end)) for end in each) for each in ends]
    assert sorted(joined) == sorted(sorted((k, (k + 1) % size)) for k in range(size))


def test_hexagons_that_touch_are_as_far_apart_and_their_files_and_ranks_are_named_once():
    picture = drawn("hex(4, 3)")
    places = {spot.name: (spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in picture.spots}
    steps = [dist(places["b2"], places[other]) for other in ("a2", "c2", "b1", "b3", "c1", "a3")]
    assert steps == pytest.approx([steps[0]] * 6)
    assert places["b3"][1] < places["b2"][1] < places["b1"][1]
    words = [word.text for word in picture.words]
    assert all(words.count(name) == 1 for name in "abcd123")
