"""Rules with counts beside their lines: how often plays use each, as a bar and a number."""

from __future__ import annotations

from math import ceil, log
from typing import Final

from attrs import frozen

from zermelo.pictures.marks import (
    FAINT,
    INK,
    Lettering,
    Mark,
    Picture,
    Polygon,
    Rectangle,
    Rows,
    Style,
    move_marks,
    remark_marks,
    text_width,
)

_SIZE: Final = 11.0
_ROW: Final = 17.0
_BAR: Final = 60.0
"""The longest bar."""

_GAP: Final = 36.0
_MOST_ROWS: Final = 64
"""A longer listing has several columns, as high as each other."""

_USED, _UNUSED, _HALF = "#9ec9e6", "#c44e00", "#9a6a00"


@frozen
class Underlined:
    """A note about a stretch of a line, from one column to another; columns count from 0."""

    begin: int
    end: int
    words: str


@frozen
class ListedLine:
    """A line of rules: its text, how often it was used (None if nothing in it can be), and its notes."""

    number: int
    text: str
    count: int | None
    notes: tuple[Underlined, ...] = ()


@frozen
class DrawnListing:
    """Lines of rules with their counts. ``remarks`` are sentences below."""

    title: str
    lines: tuple[ListedLine, ...]
    remarks: tuple[str, ...] = ()


def listing_picture(listing: DrawnListing) -> Picture:
    """The picture of a listing: bars are as long as the logarithms of the counts."""
    rows = [len(line.notes) + 1 for line in listing.lines]
    columns = ceil(sum(rows) / _MOST_ROWS)
    height = ceil(sum(rows) / columns)
    most = max((line.count or 0 for line in listing.lines), default=0)
    room = max([text_width(f"{most:,}", _SIZE), text_width("never", _SIZE, is_bold=True)])
    marks: list[Mark] = [Lettering(0, 0, listing.title, 16, is_bold=True)]
    left, lowest, at, column = 0.0, 0.0, 0, list[Mark]()
    for line, taken in zip(listing.lines, rows, strict=True):
        if at and at + taken > height:
            marks += move_marks(column, left, 0)
            left, at, column = left + Picture("", tuple(column)).box.right + _GAP, 0, []
        column += _line(line, 32 + at * _ROW, room, most)
        at += taken
        lowest = max(lowest, 32 + at * _ROW)
    marks += move_marks(column, left, 0)
    marks += remark_marks(listing.remarks, 0, lowest + 16)
    counted = [
        (line.number, line.text, line.count, "; ".join(note.words for note in line.notes) or None)
        for line in listing.lines
    ]
    kinds = {"line": "int64", "text": "string", "uses": "int64", "note": "string"}
    return Picture(listing.title, tuple(marks), " ".join(listing.remarks), rows=Rows(kinds, tuple(counted)))


def _line(line: ListedLine, y: float, room: float, most: int) -> list[Mark]:
    """A line with its notes below."""
    text, marks = _BAR + room + 42, list[Mark]()
    if line.count is not None:
        marks.append(_bar(line.count, most, y))
        words, colour = (f"{line.count:,}", INK) if line.count else ("never", _UNUSED)
        marks.append(Lettering(_BAR + 8 + room, y, words, _SIZE, colour, "end", is_bold=not line.count))
    marks.append(Lettering(text - 8, y, str(line.number), _SIZE, FAINT, "end"))
    if line.text.strip():
        colour = _UNUSED if line.count == 0 else INK
        marks.append(Lettering(text, y, line.text, _SIZE, colour, is_code=True))
    for k, note in enumerate(line.notes, start=1):
        begin, end = (text + text_width(" " * column, _SIZE, is_code=True) for column in (note.begin, note.end))
        marks.append(Polygon(((begin, y + 3), (end, y + 3)), Style(_HALF, width=1.4, dash="3 2"), is_open=True))
        marks.append(Lettering(begin, y + k * _ROW, note.words, _SIZE - 1, _HALF, is_italic=True))
    return marks


def _bar(count: int, most: int, y: float) -> Mark:
    """How often a line was used; an empty frame where it never was."""
    if not count:
        return Rectangle(0, y - 9, _BAR, 11, Style(_UNUSED, width=1, dash="2 2"))
    length = _BAR * max(0.04, log(count + 1) / log(most + 1))
    return Rectangle(_BAR - length, y - 9, length, 11, Style(fill=_USED))
