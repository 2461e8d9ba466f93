"""Trees for exercises: what is left out is nowhere in the file."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from zermelo.drawing.game_trees import HIDDEN

SPACE = {"svg": "http://www.w3.org/2000/svg"}


def words_of(text: str) -> list[str]:
    """The words of an SVG, but for the title and the remarks."""
    return [each.text or "" for each in ElementTree.fromstring(text).findall("svg:text", SPACE)]


def test_what_is_hidden_is_nowhere_in_the_file(run):
    """An exercise: MAX's value is 3 by A1, and 2 and 2 are those of A2 and A3."""
    ran = run("draw", "two_ply_tree", "--hide", "values", "--hide", "best")
    words = words_of(ran.out)
    assert [word for word in words if word.isdecimal()] == ["3", "12", "8", "2", "4", "6", "14", "5", "2"]
    assert not re.search(r'font-weight="bold">A\d', ran.out) and "Bold" not in ran.out and "worth" not in ran.out
    assert len(set(re.findall(r'<polyline[^>]*(stroke="#[^"]*" stroke-width="[^"]*")', ran.out))) == 1
    assert re.findall(r'font-weight="bold">(A\d+)<', run("draw", "two_ply_tree", "--hide", "values").out)
    assert "3" in words_of(run("draw", "two_ply_tree", "--hide", "best").out)[3:5], "the value of the root"


def test_what_numbers_mean_is_said_of_those_that_are_shown(run):
    """Numbers at the end of plays are no equilibrium's; those at triangles are, and so is what is bold."""
    ran = {hide: run("draw", "kuhn_poker", *(f"--hide={what}" for what in hide)).out for hide in HIDINGS}
    numbers = [re.search("Numbers: what Alice gets ([^.]*)[.]", text)[1] for text in ran.values()]
    assert numbers == ["in equilibrium", "at the end", "in equilibrium", "at the end"]
    assert ["in equilibrium" in text for text in ran.values()] == [True, True, True, False]
    assert "Bold: moves that are made in equilibrium." in ran["values",]
    folded = run("draw", "kuhn_poker", "--depth", "1", "--hide", "values", "--hide", "best").out
    assert "Numbers: what Alice gets in equilibrium." in folded


HIDINGS = [(), ("values",), ("best",), ("values", "best")]


def test_the_windows_and_values_of_a_search_can_be_hidden(run):
    drawn = {what: run("draw", "two_ply_tree", "--solver", "alphabeta", "--hide", what).out for what in HIDDEN}
    assert ["β" in text for text in drawn.values()] == [True, False, True]
    assert [bool(re.search(r'font-weight="bold">A\d', text)) for text in drawn.values()] == [True, True, False]
    values = [[word for word in words_of(text) if re.fullmatch(r"(≤ )?\d+", word)] for text in drawn.values()]
    assert [len(each) for each in values] == [7, 11, 11], "seven leaves are looked at, and four nodes above them"


def test_hidden_moves_hide_what_players_mix(run):
    """Alice bets a king three times as often as a jack; chance deals each pair with probability 1/6."""
    words = [words_of(run("draw", "kuhn_poker", *hide).out) for hide in ((), ("--hide", "best"))]
    assert [each.count("1/6") for each in words] == [6, 6]
    assert "1/3" in words[0] and "1/3" not in words[1]
