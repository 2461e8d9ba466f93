"""Shares of a whole as bars, one below the other, each divided into coloured parts."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.pictures.marks import (
    FAINT,
    INK,
    PAPER,
    Lettering,
    Mark,
    Picture,
    Polygon,
    Rectangle,
    Style,
    remark_marks,
    text_width,
)

_LENGTH: Final = 420.0
_THICKNESS: Final = 24.0
_APART: Final = 12.0
_SIZE: Final = 12.0


@frozen
class BarPart:
    """A part of a bar: its share, between 0 and 1, and its interval, if it has one."""

    share: float
    interval: tuple[float, float] | None = None


@frozen
class DrawnBars:
    """Bars by their names, with a part for each of the ``kinds``, in the same order; a kind has a colour. ``remarks``
    are sentences below."""

    title: str
    kinds: tuple[tuple[str, str], ...]
    bars: tuple[tuple[str, tuple[BarPart, ...]], ...]
    remarks: tuple[str, ...] = ()


def bars_picture(drawn: DrawnBars) -> Picture:
    """The picture of some bars. A fine line shows the interval in which the end of the first part lies."""
    left = -14 - max(text_width(name, _SIZE) for name, _ in drawn.bars)
    marks: list[Mark] = [Lettering(left, -58, drawn.title, 16, is_bold=True)]
    x = 0.0
    for name, colour in drawn.kinds:
        marks.append(Rectangle(x, -32, 12, 12, Style(INK, colour, 0.7)))
        marks.append(Lettering(x + 18, -22, name, _SIZE, is_bold=True))
        x += 34 + text_width(name, _SIZE, is_bold=True)
    for row, (name, parts) in enumerate(drawn.bars):
        y = row * (_THICKNESS + _APART)
        marks.append(Lettering(-10, y + _THICKNESS / 2 + 4, name, _SIZE, anchor="end"))
        x = 0.0
        for part, (_, colour) in zip(parts, drawn.kinds, strict=True):
            if part.share:
                marks += _part_marks(x, y, part.share, colour)
            x += part.share * _LENGTH
        if parts[0].interval is not None:
            marks += _interval_marks(y, *parts[0].interval)
    marks += remark_marks(drawn.remarks, left, len(drawn.bars) * (_THICKNESS + _APART) + 14)
    return Picture(drawn.title, tuple(marks), " ".join(_in_words(drawn)))


def _part_marks(x: float, y: float, share: float, colour: str) -> list[Mark]:
    """A part that begins at x, and how large it is, if there is room."""
    width, text = share * _LENGTH, f"{share:.0%}"
    marks: list[Mark] = [Rectangle(x, y, width, _THICKNESS, Style(INK, colour, 0.7))]
    if text_width(text, 11, is_bold=True) + 12 < width:
        marks.append(Rectangle(x + 4, y + 4, text_width(text, 11, is_bold=True) + 6, 16, Style(fill=PAPER), 3))
        marks.append(Lettering(x + 7, y + 16, text, 11, is_bold=True))
    return marks


def _interval_marks(y: float, low: float, high: float) -> list[Mark]:
    """A line from one bound to the other below a bar, with ends."""
    below, style = y + _THICKNESS + 4, Style(FAINT, width=1.5)
    ends = [Polygon(((x * _LENGTH, below - 3), (x * _LENGTH, below + 3)), style, is_open=True) for x in (low, high)]
    return [Polygon(((low * _LENGTH, below), (high * _LENGTH, below)), style, is_open=True), *ends]


def _in_words(drawn: DrawnBars) -> list[str]:
    """The bars, for those who cannot see them."""
    told = [
        f"{name}: {', '.join(f'{kind} {part.share:.0%}' for (kind, _), part in zip(drawn.kinds, parts, strict=True))}."
        for name, parts in drawn.bars
    ]
    return [*told, *drawn.remarks]
