"""Pictures of trees: no words upon others, whatever the tree."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.machine import CHANCE, END
from zermelo.pictures.marks import Picture, Polygon
from zermelo.pictures.trees import DrawnNode, DrawnTree, tree_picture

PLAYERS = ("Ann", "Bob", "Carol")
TEXTS = st.text("abcWM(), 0123/♠", min_size=1, max_size=25)


def overlaps(picture: Picture) -> list[tuple[str, str]]:
    """The words that lie upon each other."""
    return [(one.text, other.text) for one, other in combinations(picture.words, 2) if one.box.overlaps(other.box)]


@st.composite
def drawn_trees(draw):
    count = draw(st.integers(1, 25))
    nodes: list[DrawnNode] = []
    parents = [None] + [draw(st.integers(0, number - 1)) for number in range(1, count)]
    inner = {parent for parent in parents if parent is not None}
    for number, parent in enumerate(parents):
        actor = draw(st.sampled_from((0, 1, 2, CHANCE) if number in inner else (0, CHANCE, END)))
        is_folded = number not in inner and actor != END
        nodes.append(
            DrawnNode(
                parent,
                actor,
                () if parent is None else tuple(draw(st.lists(TEXTS, min_size=1, max_size=2))),
                draw(TEXTS),
                tuple(draw(st.lists(TEXTS, max_size=2))),
                draw(st.booleans()),
                actor == END and parent is not None and draw(st.booleans()),
                draw(TEXTS) if is_folded else None,
            )
        )
    return DrawnTree("A tree", PLAYERS, tuple(nodes), (), ("A remark.",))


@given(drawn_trees())
def test_no_words_lie_upon_others(tree):
    assert overlaps(tree_picture(tree)) == []


def broad(count: int) -> DrawnTree:
    leaves = tuple(DrawnNode(0, END, (f"a long name of a move, number {k}",), str(k)) for k in range(count))
    return DrawnTree("Broad", PLAYERS, (DrawnNode(None, 0, value="1"), *leaves))


@pytest.mark.parametrize("count", (3, 40))
def test_a_broad_tree_grows_to_the_right(count):
    picture = tree_picture(broad(count))
    assert overlaps(picture) == []
    assert (picture.box.width > picture.box.height) is (count == 3)


def test_an_information_set_is_a_dotted_line_in_the_colour_of_its_player():
    nodes = (
        DrawnNode(None, CHANCE),
        *(DrawnNode(0, player, (str(player),)) for player in (0, 1, 0)),
        *(DrawnNode(parent, END, ("on",), "1") for parent in (1, 2, 3)),
    )
    plain = tree_picture(DrawnTree("Two", PLAYERS, nodes))
    joined = tree_picture(DrawnTree("Two", PLAYERS, nodes, ((0, (1, 3)),)))
    added = [mark for mark in joined.marks if "0.1" in getattr(getattr(mark, "style", None), "dash", "")]
    assert len(added) == 1 and not isinstance(added[0], Polygon), "it passes below the node in between"
    assert not [mark for mark in plain.marks if "0.1" in getattr(getattr(mark, "style", None), "dash", "")]


@pytest.mark.parametrize(
    ("sets", "tracks"),
    [
        ([(1, 3), (2, 4)], [0, 1]),  # they cross
        ([(1, 5), (2, 4)], [0, 1]),  # one lies about the other
        ([(1, 3), (4, 6)], [0, 0]),
        ([(1, 4), (2, 6), (5, 7)], [0, 1, 0]),
        ([(1, 2), (3, 5), (4, 6)], [None, 0, 1]),  # nothing is between the first two: a straight line
        ([(1, 6), (2, 4), (3, 7)], [0, 1, 2]),
        ([(1, 3), (4, 6), (5, 7)], [0, 0, 1]),  # the second has taken the track of the first
    ],
)
def test_lines_of_sets_that_lie_above_one_another_hang_at_different_depths(sets, tracks):
    picture = joined(sets)
    dotted = [mark for mark in picture.marks if "0.1" in getattr(getattr(mark, "style", None), "dash", "")]
    hanging = {number: mark.points[1][1] - mark.points[0][1] for number, mark in enumerate(dotted) if not is_line(mark)}
    assert {k for k, track in enumerate(tracks) if track is not None} == set(hanging)
    depths = sorted(set(hanging.values()))
    assert [depths.index(hanging[k]) if k in hanging else None for k in range(len(sets))] == tracks
    lowest = max(spot.box.top for spot in picture.spots)
    assert all(mark.box.bottom < lowest for mark in dotted), "they hang above the next level"


def joined(sets):
    """The picture of seven nodes on one level, some of them joined, each with an end below."""
    root = DrawnNode(None, CHANCE)
    level = [DrawnNode(0, 0, (str(k),)) for k in range(1, 8)]
    leaves = [DrawnNode(parent, END, ("on",), "1") for parent in range(1, 8)]
    return tree_picture(DrawnTree("Sets", PLAYERS, (root, *level, *leaves), tuple((0, nodes) for nodes in sets)))


def is_line(mark):
    return isinstance(mark, Polygon)


def test_a_level_has_room_for_all_the_lines_that_hang_from_it():
    heights = [joined(sets).box.height for sets in ([(1, 6)], [(1, 6), (2, 4)], [(1, 6), (2, 4), (3, 7)])]
    assert heights[0] < heights[1] < heights[2]


def test_the_description_says_what_is_shown():
    assert tree_picture(broad(3)).description.startswith("Ann is to move at the root, worth 1. 4 nodes are shown.")
