"""SVG: well formed, the same every time, and no words lost."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from zermelo.pictures.marks import Box, Curve, Disc, Lettering, Picture, Polygon, Rectangle, Style, stack_pictures
from zermelo.pictures.svg import _number, svg

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
