"""The page of `zermelo report`: what it says, held against published values, and that it is sound HTML."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo

VOID = {"meta"}
GOLDEN = Path(__file__).with_name("two_ply_tree.html")


class Outline(HTMLParser):
    """Checks that elements close in order; collects ids, headings and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.headings: list[str] = []
        self.elements: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        if re.fullmatch(r"h\d", tag):
            self.headings.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href"):
                self.addresses.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check(text: str) -> Outline:
    """The outline of a page that is sound and alone."""
    outline = Outline(text)
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.headings[0] == "h1" and set(outline.headings[1:]) == {"h2"}
    assert "script" not in outline.elements and outline.addresses == []
    assert "url(" not in text and "@import" not in text
    pictures = re.findall(r"<svg .*?</svg>", text, re.S)
    for picture in pictures:
        assert ElementTree.fromstring(picture).find("{http://www.w3.org/2000/svg}title") is not None
    assert pictures
    return outline


@pytest.mark.parametrize("game", zermelo.games())
def test_every_game_has_a_page(run, game):
    ran = run("report", game, "--depth", "1", "--nodes", "1000")
    assert ran.code == 0 and ran.err == ""
    check(ran.out)


def test_kuhn_poker_is_solved(run):
    """Worth -1/18 to the first player (Kuhn 1950)."""
    page = run("report", "kuhn_poker").out
    assert "<td>-1/18 ≈ -0.05556</td>" in page and "What Alice does" in page and "What Bob does" in page


def test_the_line_of_best_play_ends_in_a_leaf(run):
    """Russell and Norvig: MAX plays A1, MIN A11, and MAX gets 3."""
    page = run("report", "two_ply_tree").out
    assert re.findall(r"<figcaption>(.*)</figcaption>", page) == ["1. A1", "2. A11"]
    assert "<td>3</td>" in page


@pytest.mark.parametrize("game", ["chess", "hanabi", "four_card_whist"])
def test_a_large_game_is_told_as_such(run, game):
    page = run("report", game).out
    check(page)
    assert "Not solved: the game is large." in page


def test_a_refusal_is_on_the_page(run):
    page = run("report", "kuhn_poker", "--solver", "minimax").out
    check(page)
    refused = run("solve", "kuhn_poker", "--solver", "minimax").err
    said = re.search(r"Not solved: ([^(<]+)", page)
    assert said is not None and unescape(said[1]).strip() in refused.replace("\n", " ")


def test_a_depth_that_is_not_enough_is_no_best_play(run):
    page = run("report", "tic_tac_toe", "--solver", "minimax", "--depth", "2").out
    check(page)
    assert ">The best play that was found</h2>" in page and ">Best play</h2>" not in page
    assert ">Best play</h2>" in run("report", "two_ply_tree").out


def test_a_title_is_no_markup(run, tmp_path):
    file = tmp_path / "evil.game"
    file.write_text(
        'game "<script>alert(1)</script> & </title>"\n'
        "players Ann, Bob\nclaim zero_sum\n\ntree:\n    Ann:\n        left: 1\n        right: 2\n",
        encoding="utf-8",
    )
    ran = run("report", str(file))
    assert ran.code == 0, ran.err
    check(ran.out)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;/title&gt;" in ran.out


def test_the_plan_of_a_single_player(run):
    page = run("report", "wildcatter").out
    plan = re.search(r"<h3>The plan of Wildcatter</h3>\n<pre[^>]*>(.*?)</pre>", page, re.S)[1]
    assert plan.split("\n")[0] == "survey" and "report = wet: drill [ends: 5]" in plan


def test_the_same_bytes_for_the_same_game(run, tmp_path):
    file = tmp_path / "page.html"
    assert run("report", "tic_tac_toe", "-o", str(file)).out == ""
    assert file.read_text(encoding="utf-8") == run("report", "tic_tac_toe").out


def test_a_file_stays_if_there_is_no_page(run, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("before", encoding="utf-8")
    ran = run("report", "tic_tac_toe", "--after", "mark(z9)", "-o", str(file))
    assert ran.code == 1 and file.read_text(encoding="utf-8") == "before"


def test_a_whole_page(run):
    """To look at after a change: `zermelo report two_ply_tree -o tests/zermelo/handout/two_ply_tree.html`."""
    assert run("report", "two_ply_tree").out == GOLDEN.read_text(encoding="utf-8")


def test_a_misspelled_solver_makes_no_page(run):
    ran = run("report", "two_ply_tree", "--solver", "minmax")
    assert ran.code != 0 and ran.out == "" and "minmax" in ran.err
