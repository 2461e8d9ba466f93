"""Pictures of how large games are, and of the rules that plays use."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.drawing.sizes import coverage_drawn, sizes_drawn
from zermelo.pictures.curves import curves_picture
from zermelo.pictures.listings import listing_picture
from zermelo.solvers.common.limits import Limits

HALF_USED = """game "Half used"
players A, B

start at first
phase first:
    turn A:
        move left: end win A
        move right: go second(1)

phase second(n: 1..2):
    if n == 2:
        end draw
    turn B:
        move left: end win B
"""


def sizes(name, most=10_000, depth=100):
    return sizes_drawn(zermelo.load(name).initial, most, depth, Limits(), lambda _: None)


def coverage(game, most=None):
    return coverage_drawn(game.initial, most, Limits(), lambda _: None)


def apart(picture):
    words = picture.words
    return [
        (word.text, other.text)
        for k, word in enumerate(words)
        for other in words[k + 1 :]
        if word.box.overlaps(other.box)
    ]


def test_the_lines_of_a_size():
    drawn = sizes("kuhn_poker")
    lines = {curve.name: [(ply, int(number)) for ply, number in curve.points] for curve in drawn.curves}
    assert lines["plays"] == [(0, 1), (1, 6), (2, 12), (3, 24), (4, 12)]
    assert lines["ended plays"] == [(3, 18), (4, 12)]
    assert lines["information sets"] == [(1, 3), (2, 6), (3, 3)]
    assert drawn.remarks == ("To ply 4: 30 plays end, 55 histories, 12 information sets.",)


def test_a_game_that_goes_on_says_so():
    assert "a ply has more than 50 states; --nodes allows more" in sizes("tic_tac_toe", 50).remarks[1]
    assert sizes("tic_tac_toe", depth=2).remarks[1] == "There is more after ply 2."


def test_what_no_play_uses_is_told():
    drawn = coverage(zermelo.loads(HALF_USED))
    counts = {line.number: line.count for line in drawn.lines}
    assert counts[7] == 1 and counts[12] == 0 and counts[2] is None
    (note,) = (note for line in drawn.lines for note in line.notes)
    assert HALF_USED.split("\n")[10][note.begin : note.end] == "n == 2" and note.words.startswith("never true")
    words = [word.text for word in listing_picture(drawn).words]
    assert words.count("never") == 1 and note.words in words


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "connect_four", "pig", "two_ply_tree"])
def test_no_words_of_a_size_lie_on_others(name):
    assert not apart(curves_picture(sizes(name, 1_000)))


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "crosswords", "chess"])
def test_no_words_of_a_listing_lie_on_others(name):
    """The longer ones have several columns."""
    picture = listing_picture(coverage(zermelo.load(name), 20))
    assert not apart(picture) and picture.box.height < 64 * 17 + 150


def test_the_commands(run, tmp_path):
    for kind, said in (("sizes", "255,168 plays end"), ("coverage", "Lines: 9 of 9 (100 %)")):
        file = tmp_path / f"{kind}.svg"
        assert run("draw", "tic_tac_toe", kind, "-o", str(file)).code == 0
        assert said in file.read_text(encoding="utf-8")
    assert "coverage is that of all plays" in run("draw", "tic_tac_toe", "coverage", "--after", "mark(b2)").err
    assert "error[too-many-outcomes]" in run("draw", "four_card_whist", "sizes").err
