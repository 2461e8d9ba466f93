"""The layout of trees, against its conditions: of random trees with nodes of random widths."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.pictures.trees import places

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
