"""A picture in another look: on light or dark paper only, in black and white, with larger words.

SVG is light or dark as its reader prefers, by its style sheet (:func:`zermelo.pictures.svg.dark_rules`). Whatever has
no style sheet, or is to look the same for everybody, has the colours of one paper in its marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final

from attrs import evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import (
    AREAS,
    BLACK,
    DARK,
    PALE,
    PAPER,
    TEXT_SIZE,
    THEMES,
    WHITE,
    Lettering,
    Mark,
    Picture,
    Spot,
    Style,
    scale_marks,
)

_GREY_WORDS: Final = "#9aa3ad"
_GREY_LINES: Final = "#7d8794"
"""What is black on light paper and stands on dark paper."""


def styled(
    picture: Picture, theme: str | None = None, is_plain: bool = False, font_size: float | None = None
) -> Picture:
    """A picture with the colours of a theme, in black and white, or with the words of branches and the like in this
    size in pixels, and all else as much larger or smaller.

    Raises ``ZermeloError`` (``bad-usage``) for black and white on dark paper, for a theme that is unknown, and for
    no size."""
    if theme is not None and theme not in THEMES:
        raise ZermeloError("bad-usage", f"there is no theme '{theme}'", f"the themes are {', '.join(THEMES)}")
    if font_size is not None and not 0 < font_size < inf:
        raise ZermeloError("bad-usage", f"words cannot be of the size {font_size:g}", "the size is above 0, in pixels")
    if is_plain and theme == "dark":
        raise ZermeloError(
            "bad-usage", "argument --plain: black and white is for light paper", "leave out --theme dark"
        )
    if font_size is not None:
        picture = evolve(picture, marks=scale_marks(picture.marks, font_size / TEXT_SIZE))
    if is_plain:
        return evolve(picture, marks=_plain(picture.marks), paper=PAPER)
    if theme == "dark":
        return evolve(picture, marks=tuple(map(_darkened, picture.marks)), paper=DARK[PAPER])
    return picture if theme is None else evolve(picture, paper=PAPER)


# Dark paper: by the same rules as the style sheet.


def _darkened(mark: Mark) -> Mark:
    """A mark on dark paper. Stones and cards keep their colours, as do black and white words, which get an edge."""
    match mark:
        case Spot():
            return mark
        case Lettering():
            colour = mark.colour if mark.is_bold else PALE.get(mark.colour, mark.colour)
            if colour == BLACK:
                return evolve(mark, edge=WHITE) if mark.is_bold else evolve(mark, colour=_GREY_WORDS)
            return evolve(mark, colour=colour if colour == PAPER else DARK.get(colour, colour))
    fill, stroke = mark.style.fill, mark.style.stroke
    is_ground = fill == PAPER or fill in AREAS
    return evolve(
        mark,
        style=evolve(
            mark.style,
            fill=DARK[fill] if is_ground else fill,
            stroke=_GREY_LINES if stroke == BLACK else DARK.get(stroke, stroke),
        ),
    )


# Black and white: words and lines black, areas grey. Things of different colours get different greys.


_LIGHT: Final = 0.85
"""Bold words as light as this stand on something dark, or have an edge, and are white."""

_FAINT: Final = 0.7
"""Lines as light as this stay grey."""

_BROAD: Final = 4.0
"""Lines as broad as this are areas."""

_DARKEST, _LIGHTEST = 0.25, 0.8
"""The greys of coloured things."""


def _plain(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    marks = tuple(marks)
    styles = [mark.style for mark in marks if not isinstance(mark, Lettering | Spot)]
    seen = {style.fill for style in styles} | {style.stroke for style in styles if style.width >= _BROAD}
    coloured = sorted((each for each in seen if _is_coloured(each)), key=lambda each: (_lightness(each), each))
    step = (_LIGHTEST - _DARKEST) / max(1, len(coloured) - 1)
    greys = {each: _grey(_DARKEST + k * step) for k, each in enumerate(coloured)} if len(coloured) > 1 else {}
    return tuple(_in_black_and_white(mark, greys) for mark in marks)


def _in_black_and_white(mark: Mark, greys: dict[str, str]) -> Mark:
    match mark:
        case Spot():
            return mark
        case Lettering():
            is_white = mark.is_bold and _lightness(mark.colour) >= _LIGHT
            return evolve(mark, colour=WHITE if is_white else BLACK, edge="")
    style: Style = mark.style
    fill = style.fill if style.fill == "none" else greys.get(style.fill) or _grey(_lightness(style.fill))
    stroke = style.stroke
    if stroke != "none":
        is_area = style.width >= _BROAD and stroke in greys
        light = _lightness(stroke)
        stroke = greys[stroke] if is_area else _grey(light) if light >= _FAINT else BLACK
    return evolve(mark, style=evolve(style, fill=fill, stroke=stroke))


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _lightness(colour: str) -> float:
    """How light a colour is, from 0 to 1."""
    red, green, blue = _parts(colour)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def _is_coloured(colour: str) -> bool:
    return colour != "none" and max(_parts(colour)) - min(_parts(colour)) > 40


def _grey(lightness: float) -> str:
    return f"#{round(lightness * 255):02x}" + 2 * f"{round(lightness * 255):02x}"
