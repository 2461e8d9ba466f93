"""The table of a game of two players: payoffs, best responses underlined, equilibria in frames."""

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
    Rectangle,
    Style,
    colour_of,
    line_colour,
    text_width,
)

_SIZE: Final = 14.0
_ROW: Final = 34.0
_PAD: Final = 14.0


@frozen
class MatrixCell:
    """What a profile pays both players, as text; to whom it is a best response; whether it is an equilibrium."""

    payoffs: tuple[str, str]
    is_best: tuple[bool, bool]
    is_equilibrium: bool


@frozen
class DrawnMatrix:
    """A table: the rows are strategies of the first player, the columns those of the second. ``remarks`` are sentences
    below it."""

    title: str
    players: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[MatrixCell, ...], ...]
    remarks: tuple[str, ...] = ()


def matrix_picture(matrix: DrawnMatrix) -> Picture:
    """The picture of a table."""
    margin = max(text_width(name, _SIZE, is_bold=True) for name in (matrix.players[0], *matrix.rows)) + _PAD
    words = [(name, *(_pair(row[k]) for row in matrix.cells)) for k, name in enumerate(matrix.columns)]
    widths = [max(text_width(word, _SIZE, is_bold=True) for word in column) + 2 * _PAD for column in words]
    lefts = [margin + sum(widths[:k]) for k in range(len(widths))]
    top = 80.0
    colours = [colour_of(player, matrix.players) for player in range(2)]
    marks: list[Mark] = [
        Lettering(0, 0, matrix.title, 16, is_bold=True),
        Lettering(0, top - 12, matrix.players[0], _SIZE, colours[0], is_bold=True),
        Lettering(margin + sum(widths) / 2, top - 36, matrix.players[1], _SIZE, colours[1], "middle", is_bold=True),
    ]
    for name, left, width in zip(matrix.columns, lefts, widths, strict=True):
        marks.append(Lettering(left + width / 2, top - 12, name, _SIZE, colours[1], "middle"))
    for k, (name, row) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
        y = top + k * _ROW
        marks.append(Lettering(margin - _PAD, y + _ROW / 2 + 5, name, _SIZE, colours[0], "end"))
        for cell, left, width in zip(row, lefts, widths, strict=True):
            marks.append(Rectangle(left, y, width, _ROW, Style("#8c959f", PAPER)))
            marks += _contents(cell, matrix.players, left + width / 2, y + _ROW / 2 + 5)
    for k, row in enumerate(matrix.cells):  # above the lines of the neighbours
        for cell, left, width in zip(row, lefts, widths, strict=True):
            if cell.is_equilibrium:
                y = top + k * _ROW
                marks.append(Rectangle(left + 3, y + 3, width - 6, _ROW - 6, Style("#b8860b", width=2.4), 4))
    below = top + len(matrix.rows) * _ROW + 26
    marks += [
        Lettering(0, below + k * 16, remark, 11, FAINT, is_italic=True) for k, remark in enumerate(matrix.remarks)
    ]
    return Picture(matrix.title, tuple(marks), " ".join(matrix.remarks))


def _pair(cell: MatrixCell) -> str:
    return ", ".join(cell.payoffs)


def _contents(cell: MatrixCell, players: tuple[str, str], x: float, y: float) -> list[Mark]:
    """Both payoffs side by side about x, the best ones underlined."""
    half = text_width(_pair(cell), _SIZE, is_bold=True) / 2
    (first, second), (is_first, is_second) = cell.payoffs, cell.is_best
    words = [
        Lettering(x - half, y, first, _SIZE, colour_of(0, players), "start", is_first),
        Lettering(x - half + text_width(first, _SIZE, is_bold=True), y, ",", _SIZE, INK),
        Lettering(x + half, y, second, _SIZE, colour_of(1, players), "end", is_second),
    ]
    best = [(player, word) for player, word, is_best in ((0, words[0], is_first), (1, words[2], is_second)) if is_best]
    lines = [_underline(word, line_colour(player, players)) for player, word in best]
    return [*words, *lines]


def _underline(word: Lettering, colour: str) -> Mark:
    box = word.box
    return Rectangle(box.left, word.y + 3, box.width, 1.6, Style(fill=colour))
