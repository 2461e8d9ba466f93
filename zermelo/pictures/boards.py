"""Boards: squares, hexagons, rings and graphs, with what lies on their cells.

Grids and hexagonal boards have their coordinates beside them, other boards the names of their cells. The cells of a
graph get places by stress majorization (Gansner, Koren and North, "Graph drawing by stress majorization", 2004): cells
that are k steps apart should be k units apart, which matters most for cells that are near. A grid may look like wood or
cloth, which has its own colours on light paper and on dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import cos, pi, sin, sqrt
from string import ascii_lowercase, digits
from typing import Final

from attrs import field, frozen

from zermelo.interpreter.types import BoardType
from zermelo.interpreter.values import Cell
from zermelo.pictures.marks import (
    BLACK,
    FAINT,
    PAPER,
    WHITE,
    Box,
    Disc,
    Lettering,
    Mark,
    Point,
    Polygon,
    Rectangle,
    Spot,
    Style,
    move_marks,
    text_width,
)
from zermelo.pictures.pieces import Piece, pieces_marks, shade, stone_colour

PITCH: Final = 40.0
"""How far apart the middles of neighbouring cells are."""

_NAME: Final = 10.0
EDGE: Final = 14.0
"""The size of the names along the edges of a board, unless it is wide."""

_LETTERS: Final = 34.0
"""A picture is at most so many times as wide as its letters are large: a phone is 350 pixels wide, and 9 are read."""

_LINES: Final = "#8c959f"
_SHADE: Final = "#f1f3f5"

_SIDE: Final = 9.0
"""How wide the stripes along the sides of a board are, half of which its cells cover."""

MOVED: Final = "#f5d042"
"""The colour that lies over cells of the last move."""

_MOVED: Final = Style(fill=MOVED, opacity=0.5)

OPEN: Final = "#2f9147"
"""The colour of the marks on cells that a legal move is about."""

WOOD: Final = "#c79a66"
"""The usual colour of a board that has one."""


def legible(size: float, width: float) -> float:
    """The size of letters in a picture of this width: the usual one, or more where the picture is so wide that nobody
    would read them on a phone, which shows it smaller."""
    return max(size, width / _LETTERS)


@frozen
class OnCell:
    """What lies on a cell; whether the last move was about it, and whether a legal move is. A cell may look like
    something even where it ``is_empty``."""

    pieces: tuple[Piece, ...] = ()
    is_moved: bool = False
    is_open: bool = False
    is_empty: bool = False


@frozen
class BoardLook:
    """What a board looks like: for a grid a ``pattern``, ``squares``, ``checkerboard`` or ``lines``, and its colour; an
    empty one has none. ``sides`` are the colours of sides. If it ``is_flipped``, it is seen from the other end; if it
    ``has_names``, those of files, ranks and cells are beside them."""

    pattern: str = ""
    colour: str = ""
    sides: Mapping[str, str] = field(factory=dict)
    is_flipped: bool = False
    has_names: bool = True


PLAIN: Final = BoardLook()

_OPPOSITE: Final = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def board_marks(board: BoardType, shown: Mapping[Cell, OnCell], look: BoardLook = PLAIN) -> list[Mark]:
    """The marks of a board, its upper left corner near (0, 0); every cell is a spot with its name."""
    match board.shape:
        case "grid":
            return _grid(board, shown, look)
        case "hex":
            return _hexagons(board, shown, look)
        case "ring":
            count = len(board.cells)
            radius = max(PITCH, 1.3 * PITCH * count / (2 * pi))
            turns = [2 * pi * k / count for k in range(count)]
            places = [(radius * sin(turn), -radius * cos(turn)) for turn in turns]
        case _:
            places = _place_cells(board.links)
            unit = _unit([text_width(cell.name, _NAME) for cell in board.cells], places)
            places = [(x * unit, y * unit) for x, y in places]
    return _graph(board, shown, [(-x, -y) for x, y in places] if look.is_flipped else places, look.has_names)


def _columns_and_rows(board: BoardType, look: BoardLook) -> dict[Cell, tuple[int, int]]:
    """The column and the row of each cell as the board is seen, from the left and from below, both from 1."""
    if not look.is_flipped:
        return {cell: (cell.x, cell.y) for cell in board.cells}
    right, top = max(cell.x for cell in board.cells), max(cell.y for cell in board.cells)
    return {cell: (right + 1 - cell.x, top + 1 - cell.y) for cell in board.cells}


def _sides(look: BoardLook) -> dict[str, str]:
    """The colours of sides as the board is seen."""
    turned = _OPPOSITE if look.is_flipped else {side: side for side in _OPPOSITE}
    return {turned[side]: stone_colour(colour) for side, colour in look.sides.items()}


def _grid(board: BoardType, shown: Mapping[Cell, OnCell], look: BoardLook) -> list[Mark]:
    seen = _columns_and_rows(board, look)
    right, top = max(x for x, _ in seen.values()), max(y for _, y in seen.values())
    whole = Box(0, 0, right * PITCH, top * PITCH)
    marks: list[Mark] = [
        Polygon(ends, Style(colour, width=_SIDE), is_open=True) for ends, colour in _edges(whole, look)
    ]
    if look.pattern == "lines":
        marks += _crossing_lines(right, top, look)
    for cell, (column, row) in seen.items():
        x, y = (column - 1) * PITCH, (top - row) * PITCH
        on = shown[cell]
        if look.pattern != "lines":
            is_dark = (cell.x + cell.y) % 2 == 0
            marks.append(Rectangle(x, y, PITCH, PITCH, _square(look, is_dark)))
        if on.is_moved:
            marks.append(Rectangle(x, y, PITCH, PITCH, _MOVED))
        marks += _content(on, x + PITCH / 2, y + PITCH / 2)
        marks.append(Spot(x, y, PITCH, PITCH, cell.name))
    if not look.has_names:
        return marks
    ranks = {row: _rank(cell) for cell, (_, row) in seen.items()}
    files = {column: _file(cell) for cell, (column, _) in seen.items()}
    size = legible(EDGE, right * PITCH)
    marks += [Lettering(-8, (top - row + 0.5) * PITCH + 5, name, size, FAINT, "end") for row, name in ranks.items()]
    marks += [
        Lettering((column - 0.5) * PITCH, top * PITCH + 5 + size, name, size, FAINT, "middle")
        for column, name in files.items()
    ]
    return marks


def _square(look: BoardLook, is_dark: bool) -> Style:
    """What a square of a grid looks like."""
    match look.pattern:
        case "checkerboard":
            colour = look.colour or WOOD
            return Style(fill=shade(colour, BLACK, 0.08) if is_dark else shade(colour, WHITE, 0.62))
        case "squares" if look.colour:
            return Style(shade(look.colour, BLACK, 0.45), look.colour)
        case "squares":
            return Style(_LINES, PAPER)
        case _:
            return Style(_LINES, _SHADE if is_dark else PAPER)


def _crossing_lines(right: int, top: int, look: BoardLook) -> list[Mark]:
    """The lines of a board whose pieces stand where they cross."""
    colour = look.colour or shade(WOOD, WHITE, 0.35)
    ink = Style(shade(colour, BLACK, 0.55))
    half = PITCH / 2
    marks: list[Mark] = [Rectangle(0, 0, right * PITCH, top * PITCH, Style(fill=colour), 3)]
    for k in range(right):
        x = k * PITCH + half
        marks.append(Polygon(((x, half), (x, top * PITCH - half)), ink, is_open=True))
    for k in range(top):
        y = k * PITCH + half
        marks.append(Polygon(((half, y), (right * PITCH - half, y)), ink, is_open=True))
    return marks


def _edges(box: Box, look: BoardLook) -> list[tuple[tuple[Point, Point], str]]:
    """The sides of a rectangular board that have a colour."""
    corners = {
        "left": ((box.left, box.top), (box.left, box.bottom)),
        "right": ((box.right, box.top), (box.right, box.bottom)),
        "top": ((box.left, box.top), (box.right, box.top)),
        "bottom": ((box.left, box.bottom), (box.right, box.bottom)),
    }
    return [(corners[side], colour) for side, colour in _sides(look).items()]


_CORNERS: Final = tuple((sin(pi * k / 3) / sqrt(3), cos(pi * k / 3) / sqrt(3)) for k in range(6))
"""The corners of a hexagon whose sides are 1 apart, from the lowest one on, against the clock."""


def _hexagons(board: BoardType, shown: Mapping[Cell, OnCell], look: BoardLook) -> list[Mark]:
    """Every rank is half a cell to the right of the one below, so that neighbours touch."""
    seen = _columns_and_rows(board, look)
    right, top = max(x for x, _ in seen.values()), max(y for _, y in seen.values())
    middles = {cell: ((column + row / 2) * PITCH, -row * PITCH * sqrt(3) / 2) for cell, (column, row) in seen.items()}
    marks: list[Mark] = []
    for side, colour in _sides(look).items():
        for cell, place in seen.items():
            line = _outer_line(side, place, right, top)
            points = tuple((middles[cell][0] + x * PITCH, middles[cell][1] + y * PITCH) for x, y in line)
            if points:
                marks.append(Polygon(points, Style(colour, width=_SIDE), is_open=True))
    fill = look.colour or PAPER
    lines = shade(look.colour, BLACK, 0.45) if look.colour else _LINES
    size = legible(EDGE, (right + top / 2) * PITCH)
    for cell, (column, row) in seen.items():
        x, y = middles[cell]
        on = shown[cell]
        shape = tuple((x + a * PITCH, y + b * PITCH) for a, b in _CORNERS)
        marks.append(Polygon(shape, Style(lines, fill)))
        if on.is_moved:
            marks.append(Polygon(shape, _MOVED))
        marks += _content(on, x, y)
        marks.append(_cell_spot(x, y, PITCH / 2, PITCH * sqrt(3) / 4, cell))
        if column == 1 and look.has_names:
            marks.append(Lettering(x - PITCH / 2 - 8, y + 5, _rank(cell), size, FAINT, "end"))
        if row == 1 and look.has_names:
            marks.append(Lettering(x, y + PITCH / sqrt(3) + 3 + size, _file(cell), size, FAINT, "middle"))
    return marks


def _outer_line(side: str, place: tuple[int, int], right: int, top: int) -> list[Point]:
    """Where a hexagon in this column and row is at a side of the board, its corners about its middle. Two sides meet in
    the middle of the edge of a corner."""
    column, row = place
    at, corners, both = {
        "left": (column == 1, (3, 4, 5), row == top),
        "right": (column == right, (0, 1, 2), row == 1),
        "top": (row == top, (2, 3, 4), column == 1),
        "bottom": (row == 1, (5, 0, 1), column == right),
    }[side]
    if not at:
        return []
    line = [_CORNERS[k] for k in corners]
    shared = {"left": 0, "right": 0, "top": -1, "bottom": -1}[side]
    if both:
        (a, b), (c, d) = line[shared], line[1]
        line[shared] = ((a + c) / 2, (b + d) / 2)
    return line


def _file(cell: Cell) -> str:
    return cell.name.rstrip(digits)


def _rank(cell: Cell) -> str:
    return cell.name.lstrip(ascii_lowercase)


def _graph(board: BoardType, shown: Mapping[Cell, OnCell], places: Sequence[Point], has_names: bool) -> list[Mark]:
    """Circles with lines between neighbours, and the names below."""
    radius = PITCH * 0.38
    marks: list[Mark] = []
    for cell, near in zip(board.cells, board.links, strict=True):
        here = places[cell.index]
        lines = [Polygon((here, places[other]), Style(_LINES), is_open=True) for other in near if other > cell.index]
        marks += lines
    for cell in board.cells:
        x, y = places[cell.index]
        on = shown[cell]
        marks.append(Disc(x, y, radius, Style(_LINES, PAPER, 1.5)))
        if on.is_moved:
            marks.append(Disc(x, y, radius, _MOVED))
        marks += _content(on, x, y, 2 * radius)
        marks.append(_cell_spot(x, y, radius, radius, cell))
        if has_names:
            marks.append(Lettering(x, y + radius + 11, cell.name, _NAME, FAINT, "middle", is_framed=True))
    return marks


def _cell_spot(x: float, y: float, across: float, down: float, cell: Cell) -> Spot:
    """The spot of a cell whose middle is at (x, y), from half of its width and height."""
    return Spot(x - across, y - down, 2 * across, 2 * down, cell.name)


def _content(on: OnCell, x: float, y: float, room: float = PITCH) -> list[Mark]:
    """What lies on a cell about (x, y), in a square whose sides are ``room``; if a legal move is about the cell, also a
    ring, or a dot if it is empty."""
    marks: list[Mark] = list(move_marks(pieces_marks(on.pieces, room), x, y))
    if on.is_open:
        is_dot = on.is_empty or not on.pieces
        look = Style("#ffffff", OPEN, 0.8) if is_dot else Style(OPEN, "none", 2.2)
        marks.append(Disc(x, y, 4 if is_dot else PITCH * 0.44, look))
    return marks


def _place_cells(links: Sequence[Sequence[int]]) -> list[Point]:
    """Places for the cells of a graph, neighbours about 1 apart: all begin on a circle, so places never vary."""
    from zermelo.solvers.common.libraries import import_library

    numpy = import_library("numpy", "a picture of this board")
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
    return max(PITCH * 1.6, min(max(needed, default=0.0), 2 * max(widths)))


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
