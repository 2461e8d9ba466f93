"""Boards: squares, hexagons, rings and graphs, with what lies on their cells.

Grids and hexagonal boards have their coordinates beside them, other boards the names of their cells. The cells of a
graph get places by stress majorization (Gansner, Koren and North, "Graph drawing by stress majorization", 2004): cells
that are k steps apart should be k units apart, which matters most for cells that are near.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import cos, pi, sin, sqrt
from string import ascii_lowercase, digits
from typing import Final

from attrs import frozen

from zermelo.interpreter.types import BoardType
from zermelo.interpreter.values import Cell
from zermelo.pictures.marks import (
    FAINT,
    INK,
    PAPER,
    Disc,
    Lettering,
    Mark,
    Point,
    Polygon,
    Rectangle,
    Spot,
    Style,
    text_width,
)

_PITCH: Final = 40.0
"""How far apart the middles of neighbouring cells are."""

_SIGN: Final = 20.0
_NAME: Final = 10.0
_LINES: Final = "#8c959f"
_SHADE: Final = "#f1f3f5"
_MOVED: Final = "#fff3bf"

OPEN: Final = "#57ab5a"
"""The colour of the marks on cells that a legal move is about."""


@frozen
class OnCell:
    """What is shown on a cell: the ``sign`` of its value in a ``colour``; whether the last move was about it, and
    whether a legal move is."""

    sign: str = ""
    colour: str = INK
    is_moved: bool = False
    is_open: bool = False


def board_marks(board: BoardType, shown: Mapping[Cell, OnCell]) -> list[Mark]:
    """The marks of a board, its upper left corner near (0, 0); every cell is a spot with its name."""
    match board.shape:
        case "grid":
            return _grid(board, shown)
        case "hex":
            return _hexagons(board, shown)
        case "ring":
            count = len(board.cells)
            radius = max(_PITCH, 1.3 * _PITCH * count / (2 * pi))
            turns = [2 * pi * k / count for k in range(count)]
            return _graph(board, shown, [(radius * sin(turn), -radius * cos(turn)) for turn in turns])
        case _:
            places = _place_cells(board.links)
            unit = _unit([text_width(cell.name, _NAME) for cell in board.cells], places)
            return _graph(board, shown, [(x * unit, y * unit) for x, y in places])


def _grid(board: BoardType, shown: Mapping[Cell, OnCell]) -> list[Mark]:
    top = max(cell.y for cell in board.cells)
    marks: list[Mark] = []
    for cell in board.cells:
        x, y = cell.x * _PITCH, (top - cell.y) * _PITCH
        on = shown[cell]
        fill = _MOVED if on.is_moved else _SHADE if (cell.x + cell.y) % 2 == 0 else PAPER
        marks.append(Rectangle(x, y, _PITCH, _PITCH, Style(_LINES, fill)))
        marks += _content(on, x + _PITCH / 2, y + _PITCH / 2)
        marks.append(Spot(x, y, _PITCH, _PITCH, cell.name))
    edge = _PITCH - 8
    ranks = {cell.y: _rank(cell) for cell in board.cells}
    files = {cell.x: _file(cell) for cell in board.cells}
    marks += [Lettering(edge, (top - y + 0.5) * _PITCH + 4, name, _NAME, FAINT, "end") for y, name in ranks.items()]
    marks += [
        Lettering((x + 0.5) * _PITCH, (top - min(ranks) + 1) * _PITCH + 16, name, _NAME, FAINT, "middle")
        for x, name in files.items()
    ]
    return marks


def _hexagons(board: BoardType, shown: Mapping[Cell, OnCell]) -> list[Mark]:
    """Every rank is half a cell to the right of the one below, so that neighbours touch."""
    side = _PITCH / sqrt(3)
    corners = [(side * sin(pi * k / 3), side * cos(pi * k / 3)) for k in range(6)]
    marks: list[Mark] = []
    for cell in board.cells:
        x, y = (cell.x + cell.y / 2) * _PITCH, -cell.y * _PITCH * sqrt(3) / 2
        on = shown[cell]
        shape = tuple((x + a, y + b) for a, b in corners)
        marks.append(Polygon(shape, Style(_LINES, _MOVED if on.is_moved else PAPER)))
        marks += _content(on, x, y)
        marks.append(_cell_spot(x, y, _PITCH / 2, _PITCH * sqrt(3) / 4, cell))
        if cell.x == 1:
            marks.append(Lettering(x - _PITCH / 2 - 8, y + 4, _rank(cell), _NAME, FAINT, "end"))
        if cell.y == 1:
            marks.append(Lettering(x, y + side + 14, _file(cell), _NAME, FAINT, "middle"))
    return marks


def _file(cell: Cell) -> str:
    return cell.name.rstrip(digits)


def _rank(cell: Cell) -> str:
    return cell.name.lstrip(ascii_lowercase)


def _graph(board: BoardType, shown: Mapping[Cell, OnCell], places: Sequence[Point]) -> list[Mark]:
    """Circles with lines between neighbours, and the names below."""
    radius = _PITCH * 0.38
    marks: list[Mark] = []
    for cell, near in zip(board.cells, board.links, strict=True):
        here = places[cell.index]
        lines = [Polygon((here, places[other]), Style(_LINES), is_open=True) for other in near if other > cell.index]
        marks += lines
    for cell in board.cells:
        x, y = places[cell.index]
        on = shown[cell]
        marks.append(Disc(x, y, radius, Style(_LINES, _MOVED if on.is_moved else PAPER, 1.5)))
        marks += _content(on, x, y)
        marks.append(_cell_spot(x, y, radius, radius, cell))
        marks.append(Lettering(x, y + radius + 11, cell.name, _NAME, FAINT, "middle", is_framed=True))
    return marks


def _cell_spot(x: float, y: float, across: float, down: float, cell: Cell) -> Spot:
    """The spot of a cell whose middle is at (x, y), from half of its width and height."""
    return Spot(x - across, y - down, 2 * across, 2 * down, cell.name)


def _content(on: OnCell, x: float, y: float) -> list[Mark]:
    """What lies on a cell about (x, y); if a legal move is about the cell, also a ring, or a dot if it is empty."""
    marks: list[Mark] = []
    if on.is_open:
        ring = Style(OPEN, "none", 1.5) if on.sign else Style(fill=OPEN, opacity=0.6)
        marks.append(Disc(x, y, _PITCH * 0.42 if on.sign else 4, ring))
    if on.sign:
        size = min(_SIGN, _SIGN * (_PITCH - 8) / max(1.0, text_width(on.sign, _SIGN, is_bold=True)))
        marks.append(Lettering(x, y + size * 0.36, on.sign, size, on.colour, "middle", is_bold=True))
    return marks


def _place_cells(links: Sequence[Sequence[int]]) -> list[Point]:
    """Places for the cells of a graph, neighbours about 1 apart: all begin on a circle, so places never vary."""
    import numpy

    count = len(links)
    apart = numpy.array(_distances(links), dtype=float)
    weights = 1 / numpy.where(apart > 0, apart, 1) ** 2
    numpy.fill_diagonal(weights, 0)
    laplacian = numpy.diag(weights.sum(axis=1)) - weights
    inverse = numpy.linalg.pinv(laplacian)
    turns = 2 * pi * numpy.arange(count) / count
    places = numpy.stack([numpy.cos(turns), numpy.sin(turns)], axis=1) * apart.max(initial=1) / 2
    for _ in range(_ROUNDS):
        gaps = numpy.linalg.norm(places[:, None] - places[None], axis=2)
        pull = -weights * apart / numpy.where(gaps > 0, gaps, 1)
        numpy.fill_diagonal(pull, 0)
        numpy.fill_diagonal(pull, -pull.sum(axis=1))
        places = inverse @ pull @ places
    return [(float(x), float(y)) for x, y in places]


def _unit(widths: Sequence[float], places: Sequence[Point]) -> float:
    """How far apart neighbours are to stand, so that no name lies upon another: for every two cells there is room side
    by side or one below the other, unless that would take more than twice the widest name."""
    needed = [
        min((one + other + _NAME) / 2 / max(abs(a - c), _NEAR), 2 * _NAME / max(abs(b - d), _NEAR))
        for (one, (a, b)), (other, (c, d)) in combinations(zip(widths, places, strict=True), 2)
    ]
    return max(_PITCH * 1.6, min(max(needed, default=0.0), 2 * max(widths)))


_NEAR: Final = 0.01
"""Cells that are nearer than this are at the same place."""

_ROUNDS: Final = 200
"""How often the places of a graph are improved: after so many times pictures no longer change."""


def _distances(links: Sequence[Sequence[int]]) -> list[list[int]]:
    """The number of steps from each cell to each. Between parts of the graph that are not connected it is one more than
    the most within a part, which keeps the parts separate, but not far."""
    reached: list[dict[int, int]] = []
    for begin in range(len(links)):
        steps = {begin: 0}
        waiting = [begin]
        for cell in waiting:
            for near in links[cell]:
                if near not in steps:
                    steps[near] = steps[cell] + 1
                    waiting.append(near)
        reached.append(steps)
    farther = 1 + max(max(steps.values()) for steps in reached)
    return [[steps.get(cell, farther) for cell in range(len(links))] for steps in reached]


# What lies on a table: cards and dice.


HEIGHT: Final = 30.0
"""The height of a card and of a die."""

SUITS: Final = {"♠": INK, "♣": INK, "♥": "#c1121f", "♦": "#c1121f", "♤": INK, "♧": INK, "♡": "#c1121f", "♢": "#c1121f"}
"""The signs of suits, and their colours."""

_EYES: Final = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The eyes of a die, in a square of three by three places, numbered row by row."""


def card_width(sign: str) -> float:
    return max(22.0, text_width(sign, 14, is_bold=True) + 8)


def card(sign: str) -> list[Mark]:
    """A card that shows a sign, its upper left corner at (0, 0)."""
    colour = next((SUITS[character] for character in sign if character in SUITS), INK)
    width = card_width(sign)
    return [
        Rectangle(0, 0, width, HEIGHT, Style("#6e7781", PAPER), 3),
        Lettering(width / 2, HEIGHT / 2 + 5, sign, 14, colour, "middle", is_bold=True),
    ]


def die(number: int) -> list[Mark]:
    """A die that shows a number from 1 to 6, its upper left corner at (0, 0)."""
    side = HEIGHT - 4
    places = [((k % 3 + 1) * side / 4, (k // 3 + 1) * side / 4) for k in map(int, _EYES[number])]
    return [
        Rectangle(0, 2, side, side, Style("#6e7781", PAPER), 4),
        *(Disc(x, 2 + y, 2.4, Style(fill=INK)) for x, y in places),
    ]
