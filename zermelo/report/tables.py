"""Text in columns, as wide as their content, and wrapped at blanks if a line is too long for the terminal. Words are
never broken: whoever reads or copies a number or a name has the whole of it.

rich has tables, too, but every command prints one, and importing them takes 22 milliseconds, an eighth of the time of
``show nim``, and using them 4 more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from zermelo.report.columns import clean, columns_of
from zermelo.report.paint import PLAIN, Paint

_GAP: Final = 2
"""Blanks between columns."""

_BLANK: Final = re.compile("(?<!≈) ")
"""Where a line may end: a sign of approximation stays with its number."""


def fact_lines(rows: Sequence[tuple[str, str]], width: int, paint: Paint = PLAIN) -> str:
    """Lines of a word, which is never wrapped, and a text about it, of at most ``width`` columns."""

    def painted(row: int, column: int, text: str) -> str:
        return paint("strong", text) if column == 0 else text

    cells = [[clean(cell) for cell in row] for row in rows]
    return _laid_out(cells, width, [max((_width(word) for word, _ in cells), default=0), 1], painted)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, paint: Paint = PLAIN) -> str:
    """Rows under heads, in lines of at most ``width`` columns; where words are too long for that, a block for each row,
    with a line for each cell that is not empty, after its head."""

    def painted(row: int, column: int, text: str) -> str:
        return paint("strong", text) if row == 0 else text

    cells = [[clean(cell) for cell in row] for row in (heads, *rows)]
    least = [max(map(_longest, column)) for column in zip(*cells, strict=True)]
    if len(heads) > 1 and _total(least) > width:
        blocks = ([pair for pair in zip(heads, row, strict=True) if pair[1]] for row in rows)
        return "\n\n".join(fact_lines(block, width, paint) for block in blocks)
    return _laid_out(cells, width, least, painted)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, broken at blanks to at most ``width`` columns; a longer word has a line of its own."""
    return [line for whole in text.split("\n") for line in _broken(whole, width)]


def _laid_out(
    cells: Sequence[Sequence[str]], width: int, least: Sequence[int], painted: Callable[[int, int, str], str]
) -> str:
    """Rows of equally many cells, in columns of ``least`` widths or more."""
    widths = _widths(cells, width, least)
    lines = []
    for number, row in enumerate(cells):
        for parts in zip_longest(*map(wrapped, row, widths), fillvalue=""):
            line = ""
            for k, (part, room) in enumerate(zip(parts, widths, strict=True)):
                line += painted(number, k, part) + " " * (room + _GAP - _width(part))
            lines.append(line.rstrip())
    return "\n".join(lines)


def _widths(cells: Sequence[Sequence[str]], width: int, least: Sequence[int]) -> list[int]:
    """The width of each column: that of its widest cell, reduced for the widest columns until lines fit or all columns
    have their ``least`` width."""
    widths = [max(_width(line) for cell in column for line in cell.split("\n")) for column in zip(*cells, strict=True)]
    for _ in range(_total(widths) - width):
        wide = [k for k in range(len(widths)) if widths[k] > least[k]]
        if not wide:
            break
        widths[max(wide, key=lambda k: (widths[k], k))] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    """The width of a line."""
    return sum(widths) + _GAP * (len(widths) - 1)


def _broken(line: str, width: int) -> Iterator[str]:
    """The pieces of a line, each of at most ``width`` columns where blanks allow it."""
    piece, *words = _BLANK.split(line)
    for word in words:
        if _width(piece) + 1 + _width(word) <= width:
            piece = f"{piece} {word}"
        else:
            yield piece
            piece = word
    yield piece


def _longest(cell: str) -> int:
    """The width of the longest word of a cell."""
    return max(_width(word) for line in cell.split("\n") for word in _BLANK.split(line))


def _width(text: str) -> int:
    """The width of a text in columns of the terminal."""
    return len(text) if text.isascii() else len(columns_of(text).columns)
