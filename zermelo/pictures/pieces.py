"""What lies on boards and tables: discs, rings, squares, cards, dice, and texts such as the figures of chess.

Stones and cards have their own colours, on light paper and on dark; texts have those of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Final

from attrs import evolve, frozen

from zermelo.pictures.chessmen import chessman_marks
from zermelo.pictures.marks import (
    BLACK,
    FAINT,
    INK,
    NAMED,
    WHITE,
    Disc,
    Lettering,
    Mark,
    Picture,
    Polygon,
    Rectangle,
    Spot,
    Style,
    move_marks,
    text_width,
)


@frozen
class Piece:
    """A thing, or ``count`` of them: a ``shape`` with a text on it, its ``face``, or the text alone."""

    face: str = ""
    colour: str = INK
    shape: str = ""
    count: int = 1


_STONE: Final = {BLACK: "#262b31", INK: "#8a939d", FAINT: "#8a939d", WHITE: "#fbfbf8"}
"""The colours of things that words in these colours stand for."""

_OUTLINE: Final = "#6b7480"
"""Lines that are seen on light paper and on dark."""

_LIGHT, _DARK = "#fbfbf8", "#262b31"

SUITS: Final = dict.fromkeys("♠♣♤♧", _DARK) | dict.fromkeys("♥♦♡♢", "#c1131f")
"""The signs of suits, and their colours."""

_EYES: Final = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The eyes of a die, in a square of three by three places, numbered row by row."""

CROSSES: Final = ("\N{MULTIPLICATION X}", "\N{MULTIPLICATION SIGN}")
"""Figures that are two strokes, since few fonts have them."""

_SIDE_BY_SIDE: Final = 8
"""Of more things in a row only one is drawn, and their number."""


def stone_colour(colour: str) -> str:
    """The colour of a thing in the colour of words."""
    return _STONE.get(colour, colour)


def shade(colour: str, other: str, part: float) -> str:
    """A colour with so much of another one in it."""
    mixed = (round(a + (b - a) * part) for a, b in zip(_parts(colour), _parts(other), strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def _is_dark(colour: str) -> bool:
    red, green, blue = _parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 150


def is_figure(face: str) -> bool:
    """Whether a text is a picture rather than letters and digits: ``♛``, ``✕``."""
    return bool(face) and not any(character.isalnum() or character.isascii() for character in face)


def piece_marks(piece: Piece, room: float) -> list[Mark]:
    """The marks of a piece about (0, 0), in a square whose sides are ``room``. Of several there is a number."""
    colour = stone_colour(piece.colour)
    face = piece.face
    if piece.count != 1 and not face and piece.shape not in ("card", "die"):
        face = str(piece.count)
    outline = Style(shade(colour, BLACK, 0.35) if not _is_dark(colour) else _OUTLINE, colour, max(1.0, room / 32))
    on_it = _LIGHT if _is_dark(colour) else _DARK
    match piece.shape:
        case "disc":
            return [Disc(0, 0, room * 0.38, outline), *_face(face, room * 0.62, on_it)]
        case "ring":
            return [Disc(0, 0, room * 0.31, Style(colour, "none", room * 0.1)), *_face(face, room * 0.5, piece.colour)]
        case "square":
            side = room * 0.84
            return [Rectangle(-side / 2, -side / 2, side, side, outline, room * 0.06), *_face(face, side * 0.9, on_it)]
        case "card":
            drawn = card(face, room * 0.84, piece.colour)
        case "die":
            drawn = die(int(face), room * 0.72) if face.isdecimal() and int(face) in _EYES else card(face, room * 0.72)
        case _:
            return _text(piece.face, room, piece.colour)
    box = Picture("", tuple(drawn)).box
    return list(move_marks(drawn, -box.width / 2, -box.height / 2))


def _text(face: str, room: float, colour: str) -> list[Mark]:
    """A text alone: letters in the colour of words, figures larger and with an edge."""
    if face in CROSSES:
        half, look = room * 0.27, Style(stone_colour(colour), width=room * 0.09)
        strokes = ((-half, -half), (half, half)), ((-half, half), (half, -half))
        return [Polygon(stroke, look, is_open=True) for stroke in strokes]
    if is_figure(face):
        stone = stone_colour(colour) if colour in (BLACK, WHITE) else colour
        edge = "#9aa3ad" if _is_dark(stone) else "#20252a"
        if figure := chessman_marks(face, room, Style(edge, stone, max(1.0, room / 40))):
            return figure
        size = min(room * 0.8, room * 0.8 * room / max(1.0, text_width(face, room * 0.8)))
        return [Lettering(0, size * 0.36, face, size, stone, "middle", edge=edge)]
    return _face(face, room - 8, colour, room / 2)


def _face(face: str, width: float, colour: str, size: float = 0.0) -> list[Mark]:
    """A text in the middle, in letters of this size, or as large as they can be in a disc of this width."""
    if not face:
        return []
    size = size or width * 0.72
    size = min(size, size * width / max(1.0, text_width(face, size, is_bold=True)))
    return [Lettering(0, size * 0.36, face, size, colour, "middle", is_bold=True)]


def pieces_marks(pieces: Sequence[Piece], room: float) -> list[Mark]:
    """The marks of all pieces in a square about (0, 0): several get smaller squares in it."""
    if len(pieces) <= 1:
        return [mark for piece in pieces for mark in piece_marks(piece, room)]
    across = ceil(sqrt(len(pieces)))
    down = ceil(len(pieces) / across)
    part = room / across * 0.94
    marks: list[Mark] = []
    for number, piece in enumerate(pieces):
        row, place = divmod(number, across)
        in_row = min(across, len(pieces) - row * across)
        x, y = (place - (in_row - 1) / 2) * part, (row - (down - 1) / 2) * part
        marks += move_marks(piece_marks(piece, part), x, y)
    return marks


def row_marks(pieces: Sequence[tuple[Piece, str]], room: float) -> list[Mark]:
    """Pieces in a row that begins at (0, 0), each in a square of this size; of many alike one with their number. A
    piece with a name beside it is a spot."""
    marks: list[Mark] = []
    x = 0.0
    for piece, name in pieces:
        begin = x
        is_long = piece.count > _SIDE_BY_SIDE
        for _ in range(1 if is_long else piece.count):
            drawn = piece_marks(evolve(piece, count=1), room)
            box = Picture("", tuple(drawn)).box
            marks += move_marks(drawn, x - box.left, 0)
            x += box.width + room * 0.1
        if is_long:
            text = f"{piece.count} in all"
            marks.append(Lettering(x + 2, room * 0.14, text, room * 0.4, INK, is_bold=True))
            x += text_width(text, room * 0.4, is_bold=True) + room * 0.2
        if name and x > begin:
            marks.append(Spot(begin - room * 0.05, -room / 2, x - begin, room, name, (name,)))
    return marks


def card(sign: str, height: float, colour: str = INK) -> list[Mark]:
    """A card that shows a sign, its upper left corner at (0, 0); a suit has its own colour."""
    said = next((SUITS[character] for character in sign if character in SUITS), stone_colour(colour))
    ink = _DARK if said in (_LIGHT, _STONE[INK]) else said
    size = height * 0.48
    width = max(height * 0.72, text_width(sign, size, is_bold=True) + height * 0.24)
    return [
        Rectangle(0, 0, width, height, Style(_OUTLINE, "#fdfcf7" if sign != "?" else "#c3ccd6"), height * 0.1),
        Lettering(width / 2, height / 2 + size * 0.36, sign, size, ink, "middle", is_bold=True),
    ]


def die(number: int, side: float) -> list[Mark]:
    """A die that shows a number from 1 to 6, its upper left corner at (0, 0)."""
    places = [((k % 3 + 1) * side / 4, (k // 3 + 1) * side / 4) for k in map(int, _EYES[number])]
    return [
        Rectangle(0, 0, side, side, Style(_OUTLINE, "#fdfcf7"), side * 0.15),
        *(Disc(x, y, side * 0.09, Style(fill=_DARK)) for x, y in places),
    ]


def ground_colour(name: str, otherwise: str) -> str:
    """The colour of a board by its name, else another one."""
    return NAMED.get(name, otherwise)
