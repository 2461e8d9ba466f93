"""Pictures of trees: no words upon others, whatever the tree."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.machine import CHANCE, END
from zermelo.pictures.curves import axis
from zermelo.pictures.marks import (
    NARROW,
    Box,
    Curve,
    Disc,
    Lettering,
    Picture,
    Polygon,
    Rectangle,
    Style,
    stack_pictures,
)
from zermelo.pictures.svg import _number, svg
from zermelo.pictures.trees import DrawnNode, DrawnTree, places, tree_picture

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


def of_boards(families: int, leaves: int, sets=()) -> DrawnTree:
    """A tree of two plies, each node of which is a board; the last leaf of each parent is best."""
    board = (Rectangle(-30, -30, 60, 60, Style("#000000")),)
    nodes = [DrawnNode(None, 0, value="1", board=board)]
    nodes += [DrawnNode(0, 1, (f"to {k}",), "1", board=board) for k in range(families)]
    for parent in range(1, families + 1):
        for k in range(leaves):
            nodes.append(DrawnNode(parent, 0, (f"on to {k}",), "1/2", (), k == leaves - 1, is_leaf=True, board=board))
    return DrawnTree("Boards", PLAYERS, tuple(nodes), sets)


@pytest.mark.parametrize(("families", "leaves"), [(9, 8), (5, 20), (3, 40)])
def test_boards_at_leaves_stand_in_lines_that_fit_on_a_slide(families, leaves):
    tree = of_boards(families, leaves)
    picture = tree_picture(tree)
    assert overlaps(picture) == []
    assert picture.box.width < 1400 and picture.box.height < 1.6 * picture.box.width
    spots = {int(spot.name): spot.box for spot in picture.spots}
    assert spots.keys() == set(range(len(tree.nodes)))
    assert not [pair for pair in combinations(spots.values(), 2) if pair[0].overlaps(pair[1])]
    for parent in range(1, families + 1):
        boxes = [spots[number] for number, node in enumerate(tree.nodes) if node.parent == parent]
        read = sorted(boxes, key=lambda box: (box.top, box.left))
        assert boxes == read and min(box.left for box in boxes) > spots[parent].right


def test_edges_to_boards_in_lines_end_above_them_and_those_of_best_moves_are_on_top():
    tree = of_boards(4, 30)
    marks = tree_picture(tree).marks
    edges = [mark for mark in marks if isinstance(mark, Polygon) and len(mark.points) == 5]
    spots = [spot.box for spot in tree_picture(tree).spots]
    ends = {edge.points[-1] for edge in edges}
    assert len(edges) == len(ends) == 120
    assert all(any(box.left < x < box.right and 0 < box.top - y < 30 for box in spots) for x, y in ends)
    assert [edge.style.width > 2 for edge in edges] == [False] * 116 + [True] * 4


def test_boards_in_information_sets_stand_one_below_the_other():
    picture = tree_picture(of_boards(9, 8, ((0, (10, 11)),)))
    tops = [spot.y for spot in picture.spots if int(spot.name) >= 10]
    assert tops == sorted(set(tops))


def test_an_information_set_is_a_dotted_line_in_the_colour_of_its_player():
    nodes = (
        DrawnNode(None, 2),
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
    root = DrawnNode(None, 2)  # the order of what chance draws is free
    level = [DrawnNode(0, 0, (str(k),)) for k in range(1, 8)]
    leaves = [DrawnNode(parent, END, ("on",), "1") for parent in range(1, 8)]
    return tree_picture(DrawnTree("Sets", PLAYERS, (root, *level, *leaves), tuple((0, nodes) for nodes in sets)))


def is_line(mark):
    return isinstance(mark, Polygon)


def test_deals_stand_in_an_order_in_which_information_sets_are_short():
    """Kuhn poker: the sets of both players reach over fewer deals than in the order of the rules, JQ, JK, QJ, QK, KJ,
    KQ, in which those of Alice have neighbours and those of Bob reach over 2, 2 and 5; with two sets of each kind, as
    few as in the best of all 720 orders."""
    cards = list(permutations("JQK", 2))
    deals = [DrawnNode(0, 0, ("".join(each),)) for each in cards]
    moves = [DrawnNode(parent, 1, ("check",)) for parent in range(1, 7)]
    ends = [DrawnNode(parent, END, ("call",), "1") for parent in range(7, 13)]
    of_alice = [(0, tuple(k for k, each in enumerate(cards, 1) if each[0] == card)) for card in "JQK"]
    of_bob = [(1, tuple(k + 6 for k, each in enumerate(cards, 1) if each[1] == card)) for card in "JQK"]
    nodes = (DrawnNode(None, CHANCE), *deals, *moves, *ends)
    picture = tree_picture(DrawnTree("Kuhn", PLAYERS, nodes, (*of_alice, *of_bob)))
    places = {word.text: word.x for word in picture.words if word.text in {"".join(each) for each in cards}}

    def length(order):
        return sum(abs(order.index(one) - order.index(other)) for one in order for other in order if one != other and
                   (one[0] == other[0] or one[1] == other[1])) // 2  # fmt: skip

    drawn = sorted(places, key=places.__getitem__)
    assert length(drawn) == min(map(length, permutations(places))) < length(["".join(each) for each in cards])


def test_an_order_of_moves_stays_as_it_is():
    """Only the order of what chance draws says nothing."""
    moves = [DrawnNode(0, 1, (name,)) for name in ("a", "b", "c", "d")]
    picture = tree_picture(DrawnTree("Moves", PLAYERS, (DrawnNode(None, 0), *moves), ((1, (1, 4)), (1, (2, 3)))))
    places = {word.text: word.x for word in picture.words}
    assert places["a"] < places["b"] < places["c"] < places["d"]


def test_long_titles_and_remarks_do_not_make_a_picture_wider():
    title, remark = "A tree with a title of very many words " * 4, "And a remark that says even more than that. " * 9
    node = DrawnNode(None, 0, folded="goes on")
    picture = tree_picture(DrawnTree(title, PLAYERS, (node,), (), (remark,)))
    assert picture.box.width <= NARROW and overlaps(picture) == []
    assert " ".join(word.text for word in picture.words if word.size == 16) == title.strip()
    assert " ".join(word.text for word in picture.words if word.is_italic) == remark.strip()


def test_a_level_has_room_for_all_the_lines_that_hang_from_it():
    heights = [joined(sets).box.height for sets in ([(1, 6)], [(1, 6), (2, 4)], [(1, 6), (2, 4), (3, 7)])]
    assert heights[0] < heights[1] < heights[2]


def test_the_description_says_what_is_shown():
    assert tree_picture(broad(3)).description.startswith("Ann is to move at the root, worth 1. 4 nodes are shown.")


# The layout of trees, against its conditions: of random trees with nodes of random widths.


GAP = 5.0


@st.composite
def trees(draw):
    """The children of each node, and how far each reaches to both sides."""
    count = draw(st.integers(1, 30))
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[draw(st.integers(0, node - 1))].append(node)
    widths = st.floats(0, 40)
    return children, draw(st.lists(st.tuples(widths, widths), min_size=count, max_size=count))


def levels_of(children):
    """The nodes of each level, from the left to the right."""
    level = [0]
    while level:
        yield level
        level = [child for node in level for child in children[node]]


@given(trees())
def test_what_stands_side_by_side_keeps_apart(tree):
    children, extents = tree
    x = places(children, extents, GAP)
    for level in levels_of(children):
        for one, other in pairwise(level):
            assert x[one] + extents[one][1] + GAP <= x[other] - extents[other][0] + 1e-6


@given(trees())
def test_a_parent_stands_over_the_middle_of_its_children(tree):
    children, extents = tree
    x = places(children, extents, GAP)
    for node, below in enumerate(children):
        if below:
            assert x[node] == pytest.approx((x[below[0]] + x[below[-1]]) / 2, abs=1e-6)


@given(trees())
def test_the_mirror_image_of_a_tree_is_drawn_as_its_mirror_image(tree):
    children, extents = tree
    x = places(children, extents, GAP)
    mirrored = places([below[::-1] for below in children], [(right, left) for left, right in extents], GAP)
    assert [-place for place in mirrored] == pytest.approx(x, abs=1e-6)


@given(trees())
def test_equal_subtrees_are_drawn_alike(tree):
    """Under a new root the tree stands twice: all places of one are those of the other, moved."""
    children, extents = tree
    count = len(children)
    twice = [[1, count + 1]] + [[child + first for child in below] for first in (1, count + 1) for below in children]
    x = places(twice, [(1, 1), *extents, *extents], GAP)
    apart = x[count + 1] - x[1]
    assert x[count + 1 :] == pytest.approx([place + apart for place in x[1 : count + 1]], abs=1e-6)


def test_a_small_tree_between_large_ones_stands_in_the_middle():
    """A leaf between two broad subtrees: pushed to one side it would lie beside one of them."""
    children = [[1, 2, 3], [4, 5, 6], [], [7, 8, 9], *([] for _ in range(6))]
    x = places(children, [(1, 1)] * 10, GAP)
    assert x[2] == pytest.approx((x[1] + x[3]) / 2)


def test_a_deep_tree_needs_no_deep_stack():
    children = [[k + 1] for k in range(1_000)] + [[]]
    assert set(places(children, [(1, 1)] * 1_001, GAP)) == {0}


# SVG: well formed, the same every time, and no words lost.


SPACE = {"svg": "http://www.w3.org/2000/svg"}
LINE = Style("#000000")


def parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg(picture))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), min_size=1))
def test_words_are_there_as_they_were(text):
    root = parsed(Picture(text, (Lettering(0, 0, text),), text))
    assert [each.text for each in root.findall("svg:text", SPACE)] == [text]
    assert [root.findtext(f"svg:{part}", namespaces=SPACE) for part in ("title", "desc")] == [text, text]


def test_all_marks_lie_within_the_view():
    marks = (
        Lettering(-30, 5, "far to the left", anchor="end"),
        Polygon(((0, 0), (90, -40), (10, 10)), LINE),
        Disc(100, 100, 20, LINE),
        Rectangle(-50, 60, 10, 200, LINE, 3),
        Curve(((0, 0), (0, 300), (50, 300), (50, 0)), Style("#000000", dash="1 5")),
    )
    picture = Picture("all", marks)
    left, top, width, height = map(float, parsed(picture).attrib["viewBox"].split())
    for mark in marks:
        box = mark.box
        assert left <= box.left and top <= box.top
        assert box.right <= left + width and box.bottom <= top + height


def test_nothing_comes_from_elsewhere():
    text = svg(Picture("a", (Lettering(0, 0, "a"), Disc(0, 0, 5, LINE))))
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text and "href" not in text


def test_pictures_below_each_other_do_not_overlap():
    one = Picture("one", (Rectangle(50, 50, 100, 40, LINE),))
    other = Picture("other", (Rectangle(-7, -9, 30, 300, LINE),))
    both = stack_pictures("both", [one, other, one])
    boxes = [mark.box for mark in both.marks]
    assert all(upper.bottom < lower.top for upper, lower in pairwise(boxes))
    assert {box.left for box in boxes} == {0}


def test_boxes_that_touch_do_not_overlap():
    box = Box(0, 0, 10, 10)
    assert box.overlaps(Box(9.5, 9.5, 20, 20)) and Box(9.5, 9.5, 20, 20).overlaps(box)
    for other in (Box(10, 0, 20, 10), Box(0, 10, 10, 20)):
        assert not box.overlaps(other) and not other.overlaps(box)


def test_what_rounds_to_0_has_no_sign():
    assert _number(-0.001) == "0" and _number(-0.01) == "-0.01"


# Axes with round numbers.


numbers = st.fractions(-(10**6), 10**6, max_denominator=1000)


@given(numbers, numbers)
def test_numbers_lie_on_the_axis_between_a_few_round_ones(one, other):
    least, most = sorted((one, other))
    found = axis(least, most, 100)
    assert found.low <= least <= most <= found.high and 3 <= len(found.ticks) <= 9
    assert found.ticks[0] == found.low and found.ticks[-1] == found.high
    assert 0 <= found.place(least) <= found.place(most) <= 100
    step = found.ticks[1] - found.ticks[0]
    digits = str(step.numerator * (10**9 // step.denominator)).strip("0")
    assert digits in ("1", "2", "5") and all(tick % step == 0 for tick in found.ticks)


def test_the_numbers_of_a_small_axis():
    assert axis(Fraction(0), Fraction(7), 70).ticks == (0, 2, 4, 6, 8)
    assert axis(Fraction(3), Fraction(3), 70).ticks[0] == 2
