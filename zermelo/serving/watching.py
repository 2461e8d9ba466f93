"""A search to watch on the page: the pictures of its steps, with what is said about them."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.drawing.frames import QUESTION, Frame, search_frames
from zermelo.drawing.game_trees import NODES
from zermelo.game import State
from zermelo.pictures.marks import sheet
from zermelo.pictures.svg import svg
from zermelo.report.console import Shown
from zermelo.solvers.common.limits import Limits


def watch(state: State, depth: int | None, solver: str | None, limits: Limits, report: Shown) -> dict[str, Any]:
    """The steps of a search below a state. A picture is given by the numbers of its ``lines``, most of which it has in
    common with others.

    Raises ``ZermeloError`` as :func:`~zermelo.drawing.frames.search_frames` does."""
    with limits.enforce():
        found = search_frames(state, solver, depth or inf, NODES, limits, report)
    lines: dict[str, int] = {}
    frames = [
        {
            "lines": [lines.setdefault(line, len(lines)) for line in svg(frame.picture, has_style=False).split("\n")],
            "said": frame.said,
            "cut": list(frame.cut),
            "at": _place_of_work(frame),
        }
        for frame in found
    ]
    return {"title": found[0].picture.title, "question": QUESTION, "lines": [*lines], "frames": frames}


def _place_of_work(frame: Frame) -> list[float] | None:
    """Where the node in work is, in shares of the picture, so that the page can bring it into view."""
    box = sheet(frame.picture)
    for spot in frame.picture.spots:
        if spot.name == frame.current:
            x, y = spot.x + spot.width / 2 - box.left, spot.y + spot.height / 2 - box.top
            return [round(x / box.width, 4), round(y / box.height, 4)]
    return None
