"""The region of payoffs, held against brute force, another program's hull, and the textbooks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, QhullError

import zermelo
from zermelo.drawing.tables import draw_payoffs, front, hull
from zermelo.pictures.marks import Disc, Polygon
from zermelo.pictures.matrices import region_picture
from zermelo.solvers.common.limits import Limits

places = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
fractions = st.lists(places.map(lambda pair: (Fraction(pair[0]), Fraction(pair[1], 2))), min_size=1, max_size=14)


def region(game, **parameters):
    return draw_payoffs(zermelo.load(game, **parameters).initial, Limits(), lambda _: None)


@given(fractions)
def test_the_hull_is_that_of_another_program(points):
    corners = hull(points)
    assert set(corners) <= set(points)
    try:
        other = ConvexHull(np.array(points, dtype=float))
    except (QhullError, ValueError):  # all on a line, or too few
        assert len(corners) <= 2
        return
    assert set(corners) == {points[k] for k in other.vertices}


@given(fractions)
def test_nothing_in_the_hull_is_better_than_the_front(points):
    """Held against all mixtures of two corners in quarters: one of the front is at least as good for both; and nothing
    is better than a point of the front."""
    corners = hull(points)
    best = front(corners)
    shares = [Fraction(k, 4) for k in range(5)]
    mixtures = {
        tuple(s * x + (1 - s) * y for x, y in zip(a, b, strict=True))
        for a, b in product(corners, repeat=2)
        for s in shares
    }
    for mixed in mixtures:
        assert any(above(a, b, mixed) for a, b in zip(best, best[1:] or best, strict=False))
    for one, other in best:
        assert not any(x >= one and y >= other and (x, y) != (one, other) for x, y in mixtures)


def above(a, b, point):
    """Whether some point between a and b, b to the right and below, is at least as good as a point for both."""
    if a[0] == b[0] or point[0] <= a[0]:
        return a[0] >= point[0] and a[1] >= point[1]
    if point[0] > b[0]:
        return False
    return a[1] + (b[1] - a[1]) * (point[0] - a[0]) / (b[0] - a[0]) >= point[1]


def test_chicken():
    """Osborne and Rubinstein's game of correlated equilibria (Aumann 1974): two pure equilibria and (14/3, 14/3)."""
    found = region("chicken")
    assert [each.payoffs for each in found.equilibria] == [(2, 7), (Fraction(14, 3), Fraction(14, 3)), (7, 2)]
    assert found.front == ((2, 7), (6, 6), (7, 2)) and found.secure == (2, 2)
    assert set(found.hull) == {(0, 0), (2, 7), (6, 6), (7, 2)}


SURE = """
game "Sure"
players Ann, Bob
table:
    Ann \\ Bob | left | right
    up        | 1, 2 | 1, 3
    down      | 0, 0 | 5, 4
"""


def test_broken_lines_go_through_what_the_players_secure():
    """Ann is sure of 1, whatever Bob does, if she goes up; Bob of 3 by his right column."""
    found = draw_payoffs(zermelo.loads(SURE).initial, Limits(), lambda _: None)
    marks = region_picture(found).marks
    discs = [mark for mark in marks if isinstance(mark, Disc)][: len(found.outcomes)]
    (there,) = [(disc.x, disc.y) for disc, paid in zip(discs, found.outcomes, strict=True) if paid == (1, 3)]
    upright, level = [mark for mark in marks if isinstance(mark, Polygon) and mark.style.dash]
    assert {x for x, _ in upright.points} == {there[0]} and {y for _, y in level.points} == {there[1]}


def test_the_prisoners_leave_their_front():
    """Their equilibrium is not efficient: both would get more."""
    found = region("prisoners_dilemma")
    ((paid, _),) = [(each.payoffs, each.name) for each in found.equilibria]
    assert paid == found.secure and any(x > paid[0] and y > paid[1] for x, y in found.front)


def test_opponents_are_on_a_line():
    """Kuhn poker is worth -1/18 to the first player, in every equilibrium."""
    found = region("kuhn_poker")
    assert len(found.hull) == 2 and all(one + other == 0 for one, other in found.outcomes)
    assert [each.payoffs for each in found.equilibria] == [(Fraction(-1, 18), Fraction(1, 18))]


@pytest.mark.parametrize(
    "game", ["chicken", "battle_of_the_sexes", "stag_hunt", "kuhn_poker", "beer_or_quiche", "morra"]
)
def test_no_words_lie_on_others(game):
    picture = region_picture(region(game))
    words = picture.words
    for k, word in enumerate(words):
        assert not any(word.box.overlaps(other.box) for other in words[k + 1 :]), word.text
    discs = [mark for mark in picture.marks if isinstance(mark, Disc)]
    assert not any(word.box.overlaps(disc.box) for word in words if word.text.startswith("(") for disc in discs)


def test_the_command(run, tmp_path):
    file = tmp_path / "payoffs.svg"
    assert run("draw", "chicken", "payoffs", "-o", str(file)).code == 0
    assert "(14/3, 14/3)" in file.read_text(encoding="utf-8")
    refused = run("draw", "three_player_tree", "payoffs")
    assert refused.code == 1 and "error[needs-two-players]" in refused.err
    assert "bad-usage" in run("draw", "chicken", "payoffs", "--depth", "2").err
