"""A search to watch on the page: what the server answers."""

from __future__ import annotations

import json
import re

import pytest

import zermelo
from zermelo.drawing.frames import search_frames
from zermelo.gamedefs import path
from zermelo.pictures.svg import svg
from zermelo.serving.answers import Answers


def answered(name: str, **fields):
    question = {"source": path(name).read_text(encoding="utf-8"), "play": [], **fields}
    status, content = Answers(600.0, 200 << 20).answer("watch", json.dumps(question).encode(), lambda words: None)
    return status, json.loads(content)


def test_the_pictures_are_those_of_the_frames():
    status, found = answered("two_ply_tree", depth=None, solver="alphabeta")
    frames = search_frames(zermelo.load("two_ply_tree").initial, "alphabeta")
    drawn = ["\n".join(found["lines"][number] for number in frame["lines"]) for frame in found["frames"]]
    assert status == 200 and drawn == [svg(frame.picture, has_style=False) for frame in frames]
    assert [frame["cut"] for frame in found["frames"] if frame["cut"]] == [["A22", "A23"]]
    assert [frame["said"] for frame in found["frames"]] == [frame.said for frame in frames]
    places = [frame["at"] for frame in found["frames"]]
    assert places[-1] is None and all(0 < across < 1 and 0 < down < 1 for across, down in places[:-1])
    assert places[0] == places[14] and places[1][0] < places[0][0] < places[9][0], "A1 is left of the root, A3 right"


def test_a_play_leads_to_the_beginning_of_the_search():
    found = answered("two_ply_tree", play=["A2"], depth=None, solver=None)[1]
    assert found["frames"][0]["said"] == "The root: MIN is to move." and len(found["frames"]) == 6


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("kuhn_poker", {}, "needs-perfect-information"),
        ("tic_tac_toe", {"depth": 9, "solver": "minimax"}, "trace-too-large"),
        ("two_ply_tree", {"solver": "mtdf"}, "cannot-be-traced"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_words_of_the_page(name, fields, code):
    status, refusal = answered(name, **fields)
    assert (status, refusal["code"]) == (422, code)
    assert "--" not in re.sub(r"`zermelo [^`]*`", "", refusal["message"] + refusal["hint"])
