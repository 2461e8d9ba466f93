"""Two pictures of the table of a game of two players: payoffs with best responses, and all outcomes in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from attrs import frozen

from zermelo.pictures.curves import Axis, axis, axis_heads, axis_marks, double
from zermelo.pictures.marks import (
    INK,
    PAPER,
    Box,
    Disc,
    Lettering,
    Mark,
    Picture,
    Point,
    Polygon,
    Rectangle,
    Rows,
    Style,
    colour_of,
    line_colour,
    remark_marks,
    text_width,
)

# The table of a game of two players: payoffs, best responses underlined, equilibria in frames.


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
    marks += remark_marks(matrix.remarks, 0, below)
    said = " ".join(matrix.remarks)
    return Picture(matrix.title, tuple(marks), said, rows=_matrix_rows(matrix), tabular=_tabular(matrix))


def _tabular(matrix: DrawnMatrix) -> str:
    """The table in LaTeX, without any package: best responses are underlined, equilibria in boxes."""
    from zermelo.pictures.tikz import tex_text  # which few pictures need

    count = len(matrix.columns)
    heads = [f"\\multicolumn{{1}}{{c}}{{{tex_text(name)}}}" for name in matrix.columns]
    lines = [
        f"% {matrix.title}: best responses are underlined, equilibria in boxes.",
        "{\\renewcommand{\\arraystretch}{1.4}",
        f"\\begin{{tabular}}{{r|{'c|' * count}}}",
        f"\\multicolumn{{1}}{{c}}{{}} & \\multicolumn{{{count}}}{{c}}{{{tex_text(matrix.players[1])}}} \\\\",
        f"\\multicolumn{{1}}{{r}}{{{tex_text(matrix.players[0])}}} & {' & '.join(heads)} \\\\ \\cline{{2-{count + 1}}}",
    ]
    for name, row in zip(matrix.rows, matrix.cells, strict=True):
        cells = " & ".join(map(_tabular_cell, row))
        lines.append(f"{tex_text(name)} & {cells} \\\\ \\cline{{2-{count + 1}}}")
    return "\n".join([*lines, "\\end{tabular}}", ""])


def _tabular_cell(cell: MatrixCell) -> str:
    pays = [
        f"\\underline{{{amount}}}" if is_best else amount
        for amount, is_best in zip(cell.payoffs, cell.is_best, strict=True)
    ]
    both = f"${'$, $'.join(pays)}$".replace("≈", "\\approx ")
    return f"\\fbox{{{both}}}" if cell.is_equilibrium else both


def _matrix_rows(matrix: DrawnMatrix) -> Rows:
    """A row for each cell: a strategy and a payoff of each player, and whether it is an equilibrium, 1 or 0."""
    first, second = matrix.players
    names = (first, second, f"payoff of {first}", f"payoff of {second}")
    rows = [
        (row, column, *cell.payoffs, int(cell.is_equilibrium))
        for row, cells in zip(matrix.rows, matrix.cells, strict=True)
        for column, cell in zip(matrix.columns, cells, strict=True)
    ]
    return Rows({**dict.fromkeys(names, "string"), "equilibrium": "int64"}, tuple(rows))


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


# What two players can get: all outcomes as points of a plane, their hull, the Pareto front and the equilibria.


Payoffs: TypeAlias = tuple[Fraction, Fraction]
"""What the first player gets, and what the second one gets."""

_SIDE: Final = 360.0
_SMALL: Final = 11.0
_DOT, _STAR = 3.0, 6.0
_FRONT: Final = "#b8860b"


@frozen
class NamedPoint:
    """Payoffs with a text that is to stand beside them, if there is room."""

    payoffs: Payoffs
    name: str


@frozen
class DrawnRegion:
    """The payoffs of a game of two players: those of all ``outcomes``; the corners of their ``hull``, counterclockwise;
    those of the Pareto ``front``, from the best for the second player to the best for the first; those of the
    ``equilibria``; what each player can be ``secure`` of. ``remarks`` are sentences below."""

    title: str
    players: tuple[str, str]
    outcomes: tuple[Payoffs, ...]
    hull: tuple[Payoffs, ...]
    front: tuple[Payoffs, ...]
    equilibria: tuple[NamedPoint, ...]
    secure: Payoffs
    remarks: tuple[str, ...] = ()


def region_picture(region: DrawnRegion) -> Picture:
    """The picture of what two players can get."""
    across, up = (
        axis(min(each[p] for each in region.outcomes), max(each[p] for each in region.outcomes), _SIDE)
        for p in range(2)
    )

    def at(payoffs: Payoffs) -> Point:
        return across.place(payoffs[0]), -up.place(payoffs[1])

    hull = [at(each) for each in region.hull]
    marks: list[Mark] = [
        *axis_marks(across, up),
        Polygon(tuple(hull), Style("#8c959f", "#eaeef2", 1.2)),
        *_levels(region, across, up),
        Polygon(tuple(at(each) for each in region.front), Style(_FRONT, width=3), is_open=True),
        *(Disc(*at(each), _DOT, Style(INK, PAPER, 1.2)) for each in region.outcomes),
        *(Disc(*at(each.payoffs), _STAR, Style(INK, _FRONT, 1.2)) for each in region.equilibria),
    ]
    taken = [mark.box for mark in marks if isinstance(mark, Disc | Lettering)]
    marks += _names(region.equilibria, [at(each.payoffs) for each in region.equilibria], taken)
    names = (f"{region.players[0]} gets", f"{region.players[1]} gets")
    colours = [colour_of(player, region.players) for player in range(2)]
    marks += axis_heads(across, up, region.title, names, region.remarks, colours)
    return Picture(region.title, tuple(marks), " ".join(region.remarks), rows=_rows(region, names))


def _rows(region: DrawnRegion, names: tuple[str, str]) -> Rows:
    """All points that have a meaning: what profiles of pure strategies pay, the corners of the Pareto front, what
    equilibria pay, and what the players secure."""
    named = (
        *(("outcome", each) for each in region.outcomes),
        *(("front", each) for each in region.front),
        *(("equilibrium", each.payoffs) for each in region.equilibria),
        ("secured", region.secure),
    )
    rows = tuple((kind, double(one), double(other)) for kind, (one, other) in named)
    return Rows({"kind": "string", names[0]: "double", names[1]: "double"}, rows)


def _levels(region: DrawnRegion, across: Axis, up: Axis) -> list[Mark]:
    """Broken lines at what the players secure."""
    x, y = across.place(region.secure[0]), -up.place(region.secure[1])
    return [
        Polygon(((x, 0), (x, -_SIDE)), Style(line_colour(0, region.players), width=1.4, dash="5 4"), is_open=True),
        Polygon(((0, y), (_SIDE, y)), Style(line_colour(1, region.players), width=1.4, dash="5 4"), is_open=True),
    ]


def _names(named: Sequence[NamedPoint], places: Sequence[Point], taken: list[Box]) -> list[Mark]:
    """The names of points beside them, where nothing else is; a name without room is left out."""
    found: list[Mark] = []
    for each, (x, y) in zip(named, places, strict=True):
        half = text_width(each.name, _SMALL, is_bold=True) / 2
        beside = [(x + 10 + half, y - 6), (x + 10 + half, y + 14), (x - 10 - half, y - 6), (x - 10 - half, y + 14)]
        for middle, line in [*beside, (x, y - 11), (x, y + 19)]:
            word = Lettering(middle, line, each.name, _SMALL, INK, "middle", is_bold=True)
            if not any(word.box.overlaps(box) for box in taken):
                taken.append(word.box)
                found.append(word)
                break
    return found
