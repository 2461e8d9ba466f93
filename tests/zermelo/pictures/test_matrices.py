"""Tables and listings: words stand over, beside and in what they name, and nothing lies upon something else."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

from zermelo.pictures.curves import axis
from zermelo.pictures.listings import DrawnListing, ListedLine, Underlined, listing_picture
from zermelo.pictures.marks import Disc, Polygon, Rectangle, colour_of
from zermelo.pictures.matrices import DrawnMatrix, DrawnRegion, MatrixCell, NamedPoint, matrix_picture, region_picture

PLAYERS = ("Ann", "Bob")
ROWS, COLUMNS = ("up", "in the middle of it", "down"), ("left", "a way that is long", "to the right")
CELLS = tuple(
    tuple(MatrixCell((f"{k}{k}/7", f"{-m}"), (k == 2, k == m), k == m == 2) for m in range(3)) for k in range(3)
)


def test_a_table_has_its_payoffs_in_cells_and_its_names_beside_them():
    picture = matrix_picture(DrawnMatrix("A table", PLAYERS, ROWS, COLUMNS, CELLS, ("One remark.", "Another.")))
    marks, words = picture.marks, {mark.text: mark for mark in picture.words}
    cells = [mark for mark in marks if isinstance(mark, Rectangle) and mark.style.fill != "none" and mark.height > 5]
    assert len(cells) == 9 and not any(one.box.overlaps(other.box) for one, other in combinations(cells, 2))
    for (k, row), (m, column) in product(enumerate(ROWS), enumerate(COLUMNS)):
        cell = cells[3 * k + m]
        assert cell.x == cells[m].x and cell.y == cells[3 * k].y
        assert words[row].box.right <= cells[0].x and cell.box.top < words[row].y - 4 < cell.box.bottom
        assert words[column].x == cell.x + cell.width / 2 and words[column].anchor == "middle"
        assert words[column].box.bottom <= cells[0].y and words[column].box.width < cell.width
        inside = [word for word in picture.words if word.box.overlaps(cell.box)]
        assert [word.text for word in inside] == [CELLS[k][m].payoffs[0], ",", CELLS[k][m].payoffs[1]]
        first, comma, second = (word.box for word in inside)
        assert cell.box.left < first.left and first.right <= comma.left + 1e-6 and comma.right < second.left
        assert abs(first.left - cell.box.left - (cell.box.right - second.right)) < 1e-6
        assert abs(first.top + first.bottom - cell.box.top - cell.box.bottom) < 8
        lines = [
            mark for mark in marks if isinstance(mark, Rectangle) and mark.height < 5 and mark.box.overlaps(cell.box)
        ]
        assert len(lines) == sum(CELLS[k][m].is_best)
        for line in lines:
            (word,) = (word for word in inside if word.is_bold and word.box.left == line.box.left)
            assert line.width == word.box.width and word.y < line.y < cell.box.bottom
        assert [inside[0].is_bold, inside[2].is_bold] == list(CELLS[k][m].is_best)
    assert cells[0].box.bottom == cells[3].box.top and cells[0].box.right == cells[1].box.left
    (frame,) = (mark for mark in marks if isinstance(mark, Rectangle) and mark.style.fill == "none")
    last = cells[8].box
    assert (frame.x - last.left, frame.y - last.top) == (last.right - frame.box.right, last.bottom - frame.box.bottom)
    assert 0 < frame.x - last.left < 6
    ann, bob = words["Ann"], words["Bob"]
    assert ann.box.right <= cells[0].x and ann.box.bottom <= cells[0].y
    assert abs(bob.x - (cells[0].x + cells[2].box.right) / 2) < 1e-6 and bob.box.bottom <= words["left"].box.top
    assert {word.colour for word in picture.words if word.text in (*ROWS, "Ann")} == {colour_of(0, PLAYERS)}
    assert {word.colour for word in picture.words if word.text in (*COLUMNS, "Bob")} == {colour_of(1, PLAYERS)}
    remarks = [words["One remark."], words["Another."]]
    assert last.bottom < remarks[0].box.top < remarks[0].y < remarks[1].y
    assert not any(one.box.overlaps(other.box) for one, other in combinations(picture.words, 2))


def test_what_players_can_get_lies_where_the_axes_say():
    """A prisoner's dilemma: from the left to the right is what Ann gets, upwards what Bob gets."""
    amounts = [tuple(map(Fraction, each)) for each in ((-1, -1), (-9, 0), (0, -9), (-6, -6))]
    region = DrawnRegion(
        "What they get",
        PLAYERS,
        tuple(amounts),
        hull=tuple(amounts[k] for k in (1, 3, 2, 0)),
        front=tuple(amounts[k] for k in (1, 0, 2)),
        equilibria=(NamedPoint(amounts[3], "both confess"),),
        secure=amounts[3],
        remarks=("A remark.",),
    )
    picture = region_picture(region)
    scale = axis(Fraction(-9), Fraction(0), 360.0)

    def at(payoffs):
        return scale.place(payoffs[0]), -scale.place(payoffs[1])

    discs = [mark for mark in picture.marks if isinstance(mark, Disc)]
    assert [(disc.x, disc.y) for disc in discs] == [*map(at, amounts), at(amounts[3])]
    assert discs[-1].radius > discs[0].radius
    hull, front = (
        next(mark for mark in picture.marks if isinstance(mark, Polygon) and len(mark.points) == count)
        for count in (4, 3)
    )
    assert hull.points == tuple(map(at, region.hull)) and not hull.is_open
    assert front.points == tuple(map(at, region.front)) and front.is_open
    x, y = at(region.secure)
    levels = [mark.points for mark in picture.marks if isinstance(mark, Polygon) and mark.style.dash]
    assert levels == [((x, 0), (x, -360.0)), ((0, y), (360.0, y))]
    (word,) = (word for word in picture.words if word.text == "both confess")
    assert not any(word.box.overlaps(disc.box) for disc in discs)
    assert abs(word.y - y) < 20 and min(abs(word.box.left - x), abs(word.box.right - x)) < 12


def test_a_name_without_room_is_left_out():
    points = tuple((Fraction(k, 32), Fraction(m, 32)) for k in range(33) for m in range(33))
    crowded = DrawnRegion("x", PLAYERS, points, points[:3], points[:2], (NamedPoint(points[544], "n" * 20),), points[0])
    assert not any(word.text == "n" * 20 for word in region_picture(crowded).words)


def listed(count):
    """Lines with counts 0, 1, 2, ... and none, and a note below every seventh."""
    notes = [(Underlined(1, 3, f"note{k}"),) if k % 7 == 0 else () for k in range(count)]
    return [ListedLine(k, f"line{k}", None if k % 5 == 4 else k, notes[k]) for k in range(count)]


def test_a_listing_has_its_counts_beside_its_lines():
    picture = listing_picture(DrawnListing("A listing", tuple(listed(20)), ("A remark.",)))
    words = {word.text: word for word in picture.words if word.text not in map(str, range(20))}
    bars = [mark for mark in picture.marks if isinstance(mark, Rectangle)]
    assert not any(one.box.overlaps(other.box) for one, other in combinations([*picture.words, *bars], 2))
    heights = [words[f"line{k}"].y for k in range(20)]
    assert heights == sorted(heights) and len({words[f"line{k}"].x for k in range(20)}) == 1
    for k, (one, other) in enumerate(pairwise(heights)):
        assert (other - one) == (34 if k % 7 == 0 else 17), "a note has a line of its own"
    for k in range(20):
        line = words[f"line{k}"]
        beside = [word for word in picture.words if word.y == line.y and word is not line]
        told = [] if k % 5 == 4 else ["never" if k == 0 else str(k)]
        assert [word.text for word in beside] == [*told, str(k)]
        assert all(one.box.right <= other.box.left for one, other in pairwise([*beside, line]))
        here = [bar for bar in bars if bar.box.top < line.y < bar.box.bottom + 4 and bar.box.right <= line.box.left]
        assert len(here) == len(told)
        if told:
            assert here[0].box.right == bars[0].box.right <= beside[0].box.left, "bars end beside the counts"
    lengths = [bar.width for bar in bars[1:]]
    assert lengths == sorted(lengths) and len(set(lengths)) == len(lengths) and lengths[-1] <= bars[0].width
    assert bars[0].style.fill == "none", "an empty frame"
    note = words["note7"]
    (line,) = (m for m in picture.marks if isinstance(m, Polygon) and heights[7] < m.points[0][1] < heights[8] - 17)
    (begin, _), (end, _) = line.points
    letter = words["line7"].box.width / 5
    assert abs(begin - words["line7"].x - letter) < 1e-6 and abs(end - begin - 2 * letter) < 1e-6
    assert note.x == begin and note.y == heights[7] + 17
    assert words["A remark."].y > heights[-1] + 17


def test_a_long_listing_has_columns_that_are_as_high_as_each_other():
    picture = listing_picture(DrawnListing("A listing", tuple(listed(150))))
    lines = [next(word for word in picture.words if word.text == f"line{k}") for k in range(150)]
    lefts = sorted({line.x for line in lines})
    columns = [[line for line in lines if line.x == left] for left in lefts]
    assert [line for column in columns for line in column] == lines
    assert len(columns) == -(-(150 + 22) // 64)
    assert len({column[0].y for column in columns}) == 1
    assert max(column[-1].y for column in columns) - min(column[-1].y for column in columns) < 4 * 17
    assert not any(one.box.overlaps(other.box) for one, other in combinations(picture.words, 2))


def test_nothing_is_listed_of_no_lines():
    assert [word.text for word in listing_picture(DrawnListing("Nothing", (ListedLine(1, " ", None),))).words] == [
        "Nothing",
        "1",
    ]
