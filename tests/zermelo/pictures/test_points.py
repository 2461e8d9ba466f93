"""Points in rows: every point has its place on the board, men stand on their points, and nothing stands elsewhere."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest

from zermelo.pictures.boards import MOVED, OPEN
from zermelo.pictures.marks import BLACK, WHITE, Disc, Lettering, Polygon, Rectangle, Spot
from zermelo.pictures.pieces import Piece, stone_colour
from zermelo.pictures.points import OnPoint, PointsLook, points_marks

LOOKS = [
    pytest.param(count, has_two_rows, has_bar, is_flipped, id=f"{count}-{has_two_rows}-{has_bar}-{is_flipped}")
    for count, has_two_rows, has_bar, is_flipped in product((1, 6, 7), (False, True), (False, True), (False, True))
]


def drawn(count, has_two_rows, has_bar, is_flipped, on=None):
    men = (Piece("", WHITE, "disc", 2), Piece("", BLACK, "disc", 3))
    points = [on if on is not None and k == count // 2 else OnPoint(str(k + 1)) for k in range(count)]
    bar, off = (men, men) if has_bar else (None, None)
    return points_marks(PointsLook(points, has_two_rows, bar, off, is_flipped=is_flipped))


def spots_of(marks):
    """The points by their names; the bar and the men who are off have spots, too."""
    return {mark.name: mark for mark in marks if isinstance(mark, Spot) and mark.name not in ("bar", "off")}


@pytest.mark.parametrize(("count", "has_two_rows", "has_bar", "is_flipped"), LOOKS)
def test_every_point_has_its_place_on_the_board(count, has_two_rows, has_bar, is_flipped):
    marks = drawn(count, has_two_rows, has_bar, is_flipped)
    frame, wood, *others = [mark for mark in marks if isinstance(mark, Rectangle)]
    spots = spots_of(marks)
    assert list(spots) == [str(k + 1) for k in range(count)]
    left, top, right, bottom = wood.box.left, wood.box.top, wood.box.right, wood.box.bottom
    for rim in (left - frame.box.left, top - frame.box.top, frame.box.right - right, frame.box.bottom - bottom):
        assert rim == left - frame.box.left > 0
    boxes = [spot.box for spot in spots.values()]
    bars = [each.box for each in others if each.style.fill != "none"]
    assert len(bars) == has_bar
    assert not any(one.overlaps(other) for one, other in combinations([*boxes, *bars], 2))
    per_row = (count + 1) // 2 if has_two_rows else count
    assert wood.width == pytest.approx(sum(box.width for box in [*boxes[:per_row], *bars]))
    for box in boxes:
        assert left <= box.left and box.right <= right and top <= box.top and box.bottom <= bottom
    for box in bars:
        assert (box.top, box.bottom) == (top, bottom) and left <= box.left and box.right <= right
        assert abs(len([b for b in boxes[:per_row] if b.right <= box.left]) - per_row / 2) < 1
    # The first row goes from the right to the left, the second one back above it; from the other end all is turned.
    places = [(box.left, box.bottom == bottom) for box in boxes]
    if is_flipped:
        places = [(-x, is_below if not has_two_rows else not is_below) for x, is_below in places]
    assert all(is_below == (k < per_row) for k, (_, is_below) in enumerate(places))
    assert all(one[0] > other[0] for one, other in pairwise(places[:per_row]))
    assert all(one[0] < other[0] for one, other in pairwise(places[per_row:]))


@pytest.mark.parametrize(("count", "has_two_rows", "has_bar", "is_flipped"), LOOKS)
def test_triangles_and_names_stand_at_the_edge_of_their_points(count, has_two_rows, has_bar, is_flipped):
    marks = drawn(count, has_two_rows, has_bar, is_flipped)
    frame, wood = [mark for mark in marks if isinstance(mark, Rectangle)][:2]
    names = {mark.text: mark for mark in marks if isinstance(mark, Lettering) and not mark.is_bold}
    triangles = [mark for mark in marks if isinstance(mark, Polygon)]
    for shape, (name, spot) in zip(triangles, spots_of(marks).items(), strict=True):
        (a, base), (b, other), (tip, end) = shape.points
        is_below = spot.box.bottom == wood.box.bottom
        assert base == other == (wood.box.bottom if is_below else wood.box.top)
        assert spot.box.left < a < b < spot.box.right and (a + b) / 2 == tip == (spot.box.left + spot.box.right) / 2
        assert abs(end - base) > 0.9 * spot.height and spot.box.top <= end <= spot.box.bottom
        word = names[name]
        assert word.anchor == "middle" and word.x == tip
        assert word.box.top > frame.box.bottom - 1 if is_below else word.box.bottom < frame.box.top + 1
        assert abs(word.y - base) < 25
    fills = [shape.style.fill for shape in triangles]
    assert all(one != other for one, other in pairwise(fills)), "dark and light ones alternate"


@pytest.mark.parametrize(("count", "has_two_rows", "has_bar", "is_flipped"), LOOKS)
@pytest.mark.parametrize("men", [1, 5, 7])
def test_men_stand_upon_each_other_on_their_point(count, has_two_rows, has_bar, is_flipped, men):
    """The marks of a move are on the point, too."""
    point = OnPoint("here", (Piece("", WHITE, "disc", men),), is_moved=True, is_open=True)
    plain = drawn(count, has_two_rows, has_bar, is_flipped)
    marks = drawn(count, has_two_rows, has_bar, is_flipped, point)
    wood = [mark for mark in marks if isinstance(mark, Rectangle)][1]
    spot = spots_of(marks)["here"]
    middle, base = spot.x + spot.width / 2, wood.box.bottom if spot.box.bottom == wood.box.bottom else wood.box.top
    elsewhere = [mark for mark in plain if isinstance(mark, Disc)]
    stack = [mark for mark in marks if isinstance(mark, Disc) and mark not in elsewhere]
    assert len(stack) == min(men, 5)
    assert all(man.x == middle and spot.box.top <= man.box.top and man.box.bottom <= spot.box.bottom for man in stack)
    heights = [abs(man.y - base) for man in stack]
    assert stack[0].radius <= heights[0] < 1.3 * stack[0].radius
    assert all(0 <= two - one - 2 * stack[0].radius < 3 for one, two in pairwise(heights))
    numbers = [mark.text for mark in marks if isinstance(mark, Lettering) and mark not in plain and mark.is_bold]
    assert numbers == ["7"] * (men == 7)
    (yellow,) = (mark for mark in marks if isinstance(mark, Polygon) and mark.style.fill == MOVED)
    assert yellow.points in [mark.points for mark in marks if isinstance(mark, Polygon) and mark is not yellow]
    assert yellow.points[2][0] == middle
    (line,) = (mark for mark in marks if isinstance(mark, Rectangle) and mark.style.fill == OPEN)
    assert line.x + line.width / 2 == middle and 0 < line.width < spot.width
    near = line.box.top if base == wood.box.bottom else line.box.bottom
    assert abs(near - base) <= 1 and not spot.box.overlaps(line.box), "beside the point, on the frame"


@pytest.mark.parametrize("is_flipped", [False, True])
def test_men_on_the_bar_and_off_the_board(is_flipped):
    """Off the board those of the first player are below, beside the first point, and on the bar they are above."""
    marks = drawn(6, True, True, is_flipped)
    wood, bar, place = [mark for mark in marks if isinstance(mark, Rectangle)][1:4]
    first = spots_of(marks)["1"]
    assert place.box.left > wood.box.right if first.x > wood.width / 2 else place.box.right < wood.box.left
    assert (first.x > wood.width / 2) != is_flipped
    middle = wood.box.bottom / 2
    for where, is_inward in ((bar, True), (place, False)):
        for number, colour in enumerate((WHITE, BLACK)):
            (man,) = (
                mark
                for mark in marks
                if isinstance(mark, Disc) and mark.style.fill == stone_colour(colour) and where.box.overlaps(mark.box)
            )
            assert man.x == where.x + where.width / 2
            assert where.box.top <= man.box.top and man.box.bottom <= where.box.bottom
            assert (man.y > middle) == ((number == 0) ^ is_flipped ^ is_inward)
            assert min(man.box.top - wood.box.top, wood.box.bottom - man.box.bottom) < 10
    (word,) = (mark for mark in marks if isinstance(mark, Lettering) and mark.text == "off")
    assert word.x == place.x + place.width / 2 and 0 < word.box.top - place.box.bottom < 15
    empty = points_marks(PointsLook([OnPoint("1")], bar=(Piece("", WHITE, "disc", 0),), off=()))
    assert not any(isinstance(mark, Disc) for mark in empty)
    counted = points_marks(PointsLook([OnPoint("1")], bar=(Piece("", WHITE, "disc", 4),)))
    assert [mark.text for mark in counted if isinstance(mark, Lettering)] == ["4", "1"]
