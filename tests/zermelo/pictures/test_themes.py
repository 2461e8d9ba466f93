"""Pictures on one paper, in black and white, and in other sizes."""

from __future__ import annotations

import re

import pytest

import zermelo
from zermelo.drawing.pictures import draw
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import BLACK, DARK, PALE, PAPER, WHITE, Disc, Lettering, Picture, Polygon, Style
from zermelo.pictures.svg import dark_rules, element, svg
from zermelo.pictures.themes import styled

RULE = re.compile(r'(text|:not\(text\))?\[((?:fill|stroke)="#\w+")\](:not\(text\))?(\[font-weight\])?\{(.*)\}')


def by_style_sheet(mark) -> dict[str, str]:
    """The attributes of a mark after the rules for dark paper; of several that fit the last holds."""
    text = element(mark)
    has = dict(re.findall(r'(fill|stroke)="([^"]*)"', text))
    for rule in dark_rules("").splitlines():
        before, given, after, bold, style = RULE.fullmatch(rule.strip()).groups()
        wanted = [kind == "text" for kind in (before, after) if kind]
        if given in text and all(each is text.startswith("<text") for each in wanted) and (not bold or "bold" in text):
            has |= dict(part.split(":") for part in style.split(";"))
    return has


COLOURS = sorted({*DARK, BLACK, WHITE, *PALE, "#123456"})


@pytest.mark.parametrize("colour", COLOURS)
def test_a_dark_theme_has_the_colours_of_the_style_sheet(colour):
    marks = (
        Lettering(0, 0, "thin", colour=colour),
        Lettering(0, 0, "bold", colour=colour, is_bold=True),
        Disc(0, 0, 5, Style(colour, colour)),
        Polygon(((0, 0), (1, 1)), Style(colour), is_open=True),
    )
    dark = styled(Picture("", marks), theme="dark")
    for one, other in zip(marks, dark.marks, strict=True):
        sheet = by_style_sheet(one)
        own = dict(re.findall(r'(fill|stroke)="([^"]*)"', element(other, dark.paper)))
        assert {name: sheet.get(name) for name in own} == own


def test_a_theme_is_for_all_readers():
    picture = draw(zermelo.load("two_ply_tree").initial)
    assert "prefers-color-scheme" in svg(picture)
    for theme, paper in (("light", PAPER), ("dark", DARK[PAPER])):
        text = svg(styled(picture, theme))
        assert "<style" not in text and text.count(f'fill="{paper}"') >= 4, "the paper, and behind words"


@pytest.mark.parametrize("name", ["two_ply_tree", "hex", "connect_four", "chess", "kuhn_poker"])
def test_black_and_white_has_no_colour(name):
    picture = draw(zermelo.load(name).initial, "position" if name in ("hex", "chess") else "tree", plain=True, nodes=9)
    colours = set(re.findall(r"#[0-9a-f]{6}", svg(picture)))
    assert all(len({each[1:3], each[3:5], each[5:]}) == 1 for each in colours)
    assert {word.colour for word in picture.words} <= {BLACK, WHITE}


def test_things_of_different_colours_get_different_greys():
    """Red and blue are equally dark."""
    discs = tuple(Disc(9.0 * k, 0, 4, Style(fill=colour)) for k, colour in enumerate(("#c1121f", "#0072b2", "#c1121f")))
    one, other, same = (mark.style.fill for mark in styled(Picture("", discs), is_plain=True).marks)
    assert one == same and abs(int(one[1:3], 16) - int(other[1:3], 16)) > 64


def test_words_of_another_size_take_all_else_with_them():
    small, large = (draw(zermelo.load("kuhn_poker").initial, font_size=size) for size in (12, 18))
    assert large.box.width == pytest.approx(1.5 * small.box.width)
    assert [word.size for word in large.words] == [pytest.approx(1.5 * word.size) for word in small.words]
    assert {word.size for word in small.words} >= {12.0}
    assert large.marks[20].style.width == 1.5 * small.marks[20].style.width


def test_refusals():
    picture = draw(zermelo.load("two_ply_tree").initial)
    with pytest.raises(ZermeloError, match="black and white is for light paper"):
        styled(picture, "dark", is_plain=True)
    with pytest.raises(ZermeloError, match="there is no theme 'sepia'"):
        styled(picture, "sepia")
