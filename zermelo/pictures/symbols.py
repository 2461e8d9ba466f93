"""How players, chance and ends are told apart: by shape and by colour, so that either is enough.

The first two players are the triangles of the textbooks, for MAX upwards and for MIN downwards. The colours are near
those of Okabe and Ito, which people who see few colours can tell apart; they are darker, for words on paper.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from zermelo.interpreter.machine import CHANCE
from zermelo.pictures.marks import FAINT, PAPER, Disc, Lettering, Mark, Point, Polygon, Style, moved
from zermelo.pictures.text_width import text_width

RADIUS: Final = 10.0
"""How far a symbol reaches from its middle."""

_COLOURS: Final = ("#0072b2", "#c44e00", "#00805e", "#a8518a", "#3182b0", "#9a6a00")

_SHAPES: Final[tuple[tuple[Point, ...], ...]] = (
    ((0, -1), (1, 0.8), (-1, 0.8)),
    ((0, 1), (1, -0.8), (-1, -0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
    tuple((sin(2 * pi * k / 5), -cos(2 * pi * k / 5)) for k in range(5)),
    tuple((sin(2 * pi * k / 6), -cos(2 * pi * k / 6)) for k in range(6)),
)


def colour_of(actor: int) -> str:
    """The colour of a player, by number, or of chance."""
    return _COLOURS[actor % len(_COLOURS)] if actor >= 0 else FAINT


def symbol(actor: int) -> Mark:
    """The symbol of a player, by number, or of chance, about (0, 0)."""
    if actor == CHANCE:
        return Disc(0, 0, RADIUS * 0.8, Style(colour_of(actor), PAPER, 1.5))
    points = tuple((x * RADIUS, y * RADIUS) for x, y in _SHAPES[actor % len(_SHAPES)])
    return Polygon(points, Style(colour_of(actor), PAPER, 1.8))


def key(named: list[tuple[int, str]], size: float) -> tuple[Mark, ...]:
    """Symbols with their names beside them, in a row that begins at (0, 0)."""
    marks: list[Mark] = []
    x = RADIUS
    for actor, name in named:
        marks += moved([symbol(actor)], x, 0)
        marks.append(Lettering(x + RADIUS + 5, size * 0.35, name, size, colour_of(actor), is_bold=True))
        x += 3 * RADIUS + 13 + text_width(name, size, is_bold=True)
    return tuple(marks)
