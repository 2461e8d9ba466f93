"""Boards that are graphs: their names have room, and their parts stand near each other."""

from __future__ import annotations

from itertools import combinations

import pytest

import zermelo
from zermelo.drawing.positions import position_drawn

LONG = "a_harbour_in_the_far_north"


def words_of(graph, cell):
    """The words on a board."""
    game = zermelo.loads(
        f'game "T"\nplayers A, B\ntype C = graph({graph})\nvar on[C]: Player? = none\nstart at play\n'
        f"phase play:\n    turn A:\n        move take(c in C):\n            on[c] := A\n            end\n"
    )
    words = position_drawn(game.initial, None, is_titled=False).words
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
