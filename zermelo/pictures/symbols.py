"""How players, chance and ends are told apart: by shape and by colour, so that either is enough.

The first two players are the triangles of the textbooks, for MAX upwards and for MIN downwards. The colours are near
those of Okabe and Ito, which people who see few colours can tell apart; they are darker, for words on paper. What is
named as a colour has that one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from zermelo.interpreter.machine import CHANCE
from zermelo.pictures.marks import FAINT, PALE, PAPER, YELLOW, Disc, Lettering, Mark, Point, Polygon, Style, moved
from zermelo.pictures.text_width import text_width

RADIUS: Final = 10.0
"""How far a symbol reaches from its middle."""

_COLOURS: Final = ("#0072b2", "#c44e00", "#00805e", "#a8518a", "#3182b0", "#9a6a00")

BLACK: Final = "#000000"
WHITE: Final = PAPER

NAMED: Final = {
    "black": BLACK, "white": WHITE, "grey": "#636c76", "gray": "#636c76", "silver": "#636c76", "red": "#c1121f",
    "blue": "#0072b2", "green": "#007a33", "yellow": YELLOW, "gold": YELLOW, "orange": "#bf4c00",
    "brown": "#7b4a21", "purple": "#7a3fa8", "violet": "#7a3fa8", "pink": "#c02672", "magenta": "#c02672",
    "cyan": "#00747d", "turquoise": "#00747d",
}  # fmt: skip
"""Colours for the words for them, dark enough for words on paper unless they are ``PALE``."""

_SHAPES: Final[tuple[tuple[Point, ...], ...]] = (
    ((0, -1), (1, 0.8), (-1, 0.8)),
    ((0, 1), (1, -0.8), (-1, -0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
    tuple((sin(2 * pi * k / 5), -cos(2 * pi * k / 5)) for k in range(5)),
    tuple((sin(2 * pi * k / 6), -cos(2 * pi * k / 6)) for k in range(6)),
)


def nth_colour(number: int) -> str:
    """The colour of one of several, by number."""
    return _COLOURS[number % len(_COLOURS)]


def named_colour(name: str) -> str | None:
    """The colour that a name says, as ``Red`` and ``white_pawn`` do; None if it says none, or several."""
    found = {NAMED[word] for word in re.split(r"[^a-z]+", name.lower()) if word in NAMED}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=16)
def colours_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The colours of players: what their names say, if no two say the same, and others for the rest."""
    said = [named_colour(name) for name in names]
    own = [colour if said.count(colour) == 1 else None for colour in said]
    free = [colour for colour in _COLOURS if colour not in own]
    rest = [number for number, colour in enumerate(own) if colour is None]
    return tuple(colour or free[rest.index(number) % len(free)] for number, colour in enumerate(own))


def colour_of(actor: int, players: Sequence[str]) -> str:
    """The colour of one of these players, by number, or of chance, for words."""
    return colours_of(tuple(players))[actor] if actor >= 0 else FAINT


def line_colour(actor: int, players: Sequence[str]) -> str:
    """The same for lines."""
    colour = colour_of(actor, players)
    return PALE.get(colour, colour)


def symbol(actor: int, players: Sequence[str]) -> Mark:
    """The symbol of one of these players, by number, or of chance, about (0, 0)."""
    if actor == CHANCE:
        return Disc(0, 0, RADIUS * 0.8, Style(FAINT, PAPER, 1.5))
    points = tuple((x * RADIUS, y * RADIUS) for x, y in _SHAPES[actor % len(_SHAPES)])
    return Polygon(points, Style(line_colour(actor, players), PAPER, 1.8))


def key(actors: Sequence[int], players: Sequence[str], size: float) -> tuple[Mark, ...]:
    """Symbols of players, by number, and of chance, with their names beside them, in a row that begins at (0, 0)."""
    marks: list[Mark] = []
    x = RADIUS
    for actor in actors:
        name = "chance" if actor == CHANCE else players[actor]
        marks += moved([symbol(actor, players)], x, 0)
        marks.append(Lettering(x + RADIUS + 5, size * 0.35, name, size, colour_of(actor, players), is_bold=True))
        x += 3 * RADIUS + 13 + text_width(name, size, is_bold=True)
    return tuple(marks)
