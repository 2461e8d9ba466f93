"""Points in rows, as on a board for backgammon: triangles with stacks of men, a bar, and men that are off the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, field, frozen

from zermelo.pictures.boards import EDGE, MOVED, OPEN, WOOD
from zermelo.pictures.marks import BLACK, FAINT, WHITE, Lettering, Mark, Polygon, Rectangle, Spot, Style, move_marks
from zermelo.pictures.pieces import Piece, piece_marks, shade

_PITCH: Final = 34.0
"""How wide a point is."""

_MAN: Final = 34.0
"""The room of a man."""

_STEP: Final = 27.0
"""How far apart the men of a stack are."""

_MOST: Final = 5
"""The most men of a stack that are drawn: the last one has a number if there are more."""

_HEIGHT: Final = _STEP * _MOST + 8
_GAP: Final = 26.0
"""Between the tips of points that face each other."""

_FRAME: Final = 6.0


@frozen
class OnPoint:
    """A point with its name; the men on it, whether the last move, or a legal one, is about it, and the entries of
    variables that it shows."""

    name: str
    pieces: tuple[Piece, ...] = ()
    is_moved: bool = False
    is_open: bool = False
    entries: tuple[str, ...] = ()


@frozen
class PointsLook:
    """The points of a board in the order in which they are counted. If it ``has_two_rows``, the second half faces the
    first. ``bar`` and ``off`` are the men there, a stack for each player, or None where there is no such place;
    ``entries`` of variables are shown at these two. If it ``is_flipped``, the board is seen from the other end."""

    points: Sequence[OnPoint]
    has_two_rows: bool = False
    bar: Sequence[Piece] | None = None
    off: Sequence[Piece] | None = None
    colour: str = ""
    is_flipped: bool = False
    entries: Mapping[str, tuple[str, ...]] = field(factory=dict)


def points_marks(look: PointsLook) -> list[Mark]:
    """The marks of such a board, its upper left corner near (0, 0). The first point is below on the right, beside what
    is off the board."""
    per_row = (len(look.points) + 1) // 2 if look.has_two_rows else len(look.points)
    width = per_row * _PITCH + (_PITCH if look.bar is not None else 0)
    height = 2 * _HEIGHT + _GAP if look.has_two_rows else _HEIGHT + 10
    wood = look.colour or WOOD
    marks: list[Mark] = [
        Rectangle(-_FRAME, -_FRAME, width + 2 * _FRAME, height + 2 * _FRAME, Style(fill=shade(wood, BLACK, 0.35)), 5),
        Rectangle(0, 0, width, height, Style(fill=shade(wood, WHITE, 0.72))),
    ]
    middle = per_row // 2
    if look.bar is not None:
        marks.append(Rectangle(_left(middle, look) - _PITCH, 0, _PITCH, height, Style(fill=shade(wood, BLACK, 0.35))))
        marks += _apart(look.bar, _left(middle, look) - _PITCH / 2, height, look.is_flipped, is_inward=True)
        marks.append(Spot(_left(middle, look) - _PITCH, 0, _PITCH, height, "bar", look.entries.get("bar", ())))
    for number, on in enumerate(look.points):
        is_upper = look.has_two_rows and number >= per_row
        place = number - per_row if is_upper else per_row - 1 - number
        if look.is_flipped:
            is_upper, place = look.has_two_rows and not is_upper, per_row - 1 - place
        x = _left(place, look) + _PITCH / 2
        marks += _point(on, x, 0 if is_upper else height, 1 if is_upper else -1, wood, number % 2 == 0)
    if look.off is not None:
        side = -_FRAME - 8 - _PITCH / 2 if look.is_flipped else width + _FRAME + 8 + _PITCH / 2
        marks.append(Rectangle(side - _PITCH / 2, -_FRAME, _PITCH, height + 2 * _FRAME, Style("#8c959f", "none"), 5))
        marks += _apart(look.off, side, height, look.is_flipped, is_inward=False)
        marks.append(Lettering(side, height + _FRAME + 18, "off", EDGE, FAINT, "middle"))
        marks.append(Spot(side - _PITCH / 2, 0, _PITCH, height, "off", look.entries.get("off", ())))
    return marks


def _left(place: int, look: PointsLook) -> float:
    """Where a point begins, by its place in its row from the left: the bar is in the middle."""
    count = (len(look.points) + 1) // 2 if look.has_two_rows else len(look.points)
    return place * _PITCH + (_PITCH if look.bar is not None and place >= count // 2 else 0)


def _point(on: OnPoint, x: float, base: float, way: int, wood: str, is_dark: bool) -> list[Mark]:
    """A triangle on its base, with the men on it; ``way`` is 1 if it points downwards, else -1."""
    half = _PITCH / 2
    tip = base + way * (_HEIGHT - 6)
    colour = shade(wood, BLACK, 0.12) if is_dark else shade(wood, WHITE, 0.35)
    shape = ((x - half + 1, base), (x + half - 1, base), (x, tip))
    marks: list[Mark] = [Polygon(shape, Style(fill=colour))]
    if on.is_moved:
        marks.append(Polygon(shape, Style(fill=MOVED, opacity=0.7)))
    if on.is_open:
        marks.append(Rectangle(x - half + 4, base - (3 if way > 0 else -1), _PITCH - 8, 3, Style(fill=OPEN)))
    marks += _stack(on.pieces, x, base + way * (_MAN / 2 - 2), way)
    marks.append(Spot(x - half, min(base, base + way * _HEIGHT), _PITCH, _HEIGHT, on.name, on.entries))
    name = base - way * (_FRAME + (18 if way < 0 else 5))
    marks.append(Lettering(x, name, on.name, EDGE, FAINT, "middle"))
    return marks


def _stack(pieces: Sequence[Piece], x: float, y: float, way: int) -> list[Mark]:
    """Men upon each other; of more than there is room for, the last one has the number."""
    marks: list[Mark] = []
    for piece in pieces:
        for k in range(min(piece.count, _MOST)):
            is_last = k == _MOST - 1 and piece.count > _MOST
            man = evolve(piece, count=1, face=str(piece.count) if is_last else piece.face)
            marks += move_marks(piece_marks(man, _MAN), x, y)
            y += way * _STEP
    return marks


def _apart(pieces: Sequence[Piece], x: float, height: float, is_flipped: bool, is_inward: bool) -> list[Mark]:
    """The men of the first player at one end of a place, those of the other at the other end: below and above or, if
    what they are on its way to is across, the other way round."""
    marks: list[Mark] = []
    for number, piece in enumerate(pieces):
        if piece.count:
            is_below = (number == 0) ^ is_flipped ^ is_inward
            y = height - _MAN / 2 if is_below else _MAN / 2
            marks += move_marks(piece_marks(evolve(piece, face=""), _MAN), x, y)
    return marks
