"""Text in columns, as wide as their content, and wrapped if a line is too long for the terminal.

rich has tables, too, but every command prints one, and importing them takes 22 milliseconds, an eighth of the time of
``show nim``, and using them 4 more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from zermelo.report.columns import clean, columns_of
from zermelo.report.paint import PLAIN, Paint

_GAP: Final = 2
"""Blanks between columns."""


def fact_lines(rows: Sequence[tuple[str, str]], width: int, paint: Paint = PLAIN) -> str:
    """Lines of a word, which is never wrapped, and a text about it, of at most ``width`` columns."""

    def painted(row: int, column: int, text: str) -> str:
        return paint("strong", text) if column == 0 else text

    return _laid_out(rows, width, 1, [], painted)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, paint: Paint = PLAIN) -> str:
    """Rows under heads, in lines of at most ``width`` columns, unless words of the heads are longer, which are never
    broken."""

    def painted(row: int, column: int, text: str) -> str:
        return paint("strong", text) if row == 0 else text

    return _laid_out([heads, *rows], width, 0, [max(map(_width, clean(head).split(" "))) for head in heads], painted)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, broken at blanks to at most ``width`` columns, and within longer words."""
    return [line for whole in text.split("\n") for line in _broken(whole, width)]


def _laid_out(
    rows: Sequence[Sequence[str]],
    width: int,
    whole: int,
    least: Sequence[int],
    painted: Callable[[int, int, str], str],
) -> str:
    """Rows of equally many cells, of which the first ``whole`` are not wrapped, in columns of ``least`` widths."""
    cells = [[clean(cell) for cell in row] for row in rows]
    widths = _widths(cells, width, whole, least or [1] * max(map(len, cells), default=0))
    lines = []
    for number, row in enumerate(cells):
        for parts in zip_longest(*map(wrapped, row, widths), fillvalue=""):
            line = ""
            for k, (part, room) in enumerate(zip(parts, widths, strict=True)):
                line += painted(number, k, part) + " " * (room + _GAP - _width(part))
            lines.append(line.rstrip())
    return "\n".join(lines)


def _widths(cells: list[list[str]], width: int, whole: int, least: Sequence[int]) -> list[int]:
    """The width of each column: that of its widest cell, reduced for the widest columns until lines fit or all columns
    have their ``least`` width; words are broken only if that is not enough, or if they take more than their share of a
    line, as long paths do."""
    columns = list(zip(*cells, strict=True))
    longest = [max((_width(word) for cell in column for word in cell.split()), default=0) for column in columns]
    words = [min(length, width // len(columns)) for length in longest]
    widths = [max(_width(line) for cell in column for line in cell.split("\n")) for column in columns]
    excess = sum(widths) + _GAP * (len(widths) - 1) - width
    for _ in range(excess):
        wide = [k for k in range(whole, len(widths)) if widths[k] > least[k]]
        if not wide:
            break
        widths[max(wide, key=lambda k: (widths[k] > words[k], widths[k], k))] -= 1
    return widths


def _broken(line: str, width: int) -> Iterator[str]:
    """The pieces of a line, each of at most ``width`` columns where blanks allow it."""
    piece, *words = line.split(" ")
    for word in words:
        if _width(piece) + 1 + _width(word) <= width:
            piece = f"{piece} {word}"
        else:
            yield from _cut(piece, width)
            piece = word
    yield from _cut(piece, width)


def _cut(word: str, width: int) -> Iterator[str]:
    """A word in pieces of at most ``width`` columns."""
    if _width(word) <= width:
        yield word
        return
    piece = ""
    for character in word:
        if piece and _width(piece + character) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def _width(text: str) -> int:
    """The width of a text in columns of the terminal."""
    return len(text) if text.isascii() else len(columns_of(text).columns)
