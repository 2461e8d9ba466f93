"""Positions as text.

A variable with a legend, or whose last index is a board, is drawn: a grid with its last rank first and with
coordinates, a hexagonal board slanted, so that neighbours are adjacent, a ring or graph as a row. Other variables are
listed. A value that the reader does not see is a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import frozen

from zermelo.grammar.names import shown
from zermelo.interpreter.machine import Seen, display_text
from zermelo.interpreter.model import Legend, Model, Variable
from zermelo.interpreter.types import BoardType, MemberType, Type, strip_none
from zermelo.interpreter.values import Member, Value, display_value, format_value

UNSEEN = "?"
WIDTH = 78
"""Rows and lists are broken to this many columns."""

_COORDINATES = re.compile(r"([a-z]+)(\d+)")

Sign = Callable[[Value], str]
"""The character or short text for a value on a board."""

Entries = Mapping[tuple[Value, ...], Value]
"""The entries of a variable that are seen, by their indices."""


def by_variable(seen: Iterable[Seen]) -> dict[str, dict[tuple[Value, ...], Value]]:
    """The values that are seen, by the name of their variable and by their indices."""
    entries: dict[str, dict[tuple[Value, ...], Value]] = {}
    for entry in seen:
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    return entries


def legend_of(model: Model, variable: Variable) -> Legend | None:
    """The legend of a variable, if it has one."""
    return next((legend for legend in model.legends if legend.variable is variable), None)


@frozen
class Drawing:
    """Lines of text with a title."""

    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def draw_variables(model: Model, seen: Iterable[Seen]) -> str:
    """All entries of ``seen``: the drawings, then the list of other variables; without a line end."""
    entries = by_variable(seen)
    drawings: list[Drawing] = []
    listed: list[str] = []
    for variable in model.variables:
        known = entries.get(variable.name)
        if known is None:
            continue
        legend = legend_of(model, variable)
        if variable.indices and (legend is not None or isinstance(variable.indices[-1].base, BoardType)):
            drawings += _draw(variable, known, sign_of(variable.type, legend))
        else:
            listed += _wrap_texts(
                [display_text(Seen(variable.name, indices, value)) for indices, value in known.items()]
            )
    titled = len(drawings) > 1
    blocks = [f"{drawing.title}\n{drawing.text}" if titled else drawing.text for drawing in drawings]
    return "\n\n".join([*blocks, *(["\n".join(listed)] if listed else [])])


def short_entries(model: Model, seen: Iterable[Seen]) -> dict[str, str]:
    """All entries of ``seen`` by their names, each on one line: ``pile`` 3, ``board`` X.O/.X./..., a board by its
    ranks, the last first."""
    entries = by_variable(seen)
    found: dict[str, str] = {}
    for variable in model.variables:
        known = entries.get(variable.name)
        if known is None or variable.is_constant:
            continue
        legend = legend_of(model, variable)
        if len(variable.indices) == 1 and (legend is not None or isinstance(variable.indices[0].base, BoardType)):
            sign, cells = sign_of(variable.type, legend), variable.indices[0].members
            ranks: dict[int, str] = {}
            for cell in cells:
                place = _COORDINATES.fullmatch(format_value(cell))
                rank = int(place[2]) if place else 0
                ranks[rank] = ranks.get(rank, "") + (sign(known[cell,]) if (cell,) in known else sign(None))
            found[variable.name] = "/".join(ranks[rank] for rank in sorted(ranks, reverse=True))
        else:
            for indices, value in known.items():
                name, _, text = display_text(Seen(variable.name, indices, value)).partition(" = ")
                found[name] = text
    return found


def entries_line(model: Model, seen: Iterable[Seen]) -> str:
    """All entries of ``seen`` on one line: ``pile = 3, board = X.O/.X./...``."""
    return ", ".join(f"{name} = {text}" for name, text in short_entries(model, seen).items())


def sign_of(type: Type, legend: Legend | None = None) -> Sign:
    """Signs for the values of a type: those of the legend, else initials where they tell its members apart."""
    characters = {} if legend is None else legend.characters
    kind = strip_none(type).base
    members = kind.listed if isinstance(kind, MemberType) else ()
    has_initials = len({member.name[0] for member in members}) == len(members)

    def sign(value: Value) -> str:
        if value in characters:
            return characters[value]
        if value is None or value is False:
            return "."
        if value is True:
            return "#"
        is_initial = has_initials and isinstance(value, Member) and not value.sign
        return value.name[0] if is_initial else display_value(value)

    return sign


def _draw(variable: Variable, entries: Entries, sign: Sign) -> list[Drawing]:
    *outer, last = variable.indices

    def cells(prefix: tuple[Value, ...]) -> dict[Value, str]:
        return {cell: sign(entries[*prefix, cell]) if (*prefix, cell) in entries else UNSEEN for cell in last.members}

    if not outer:
        return [Drawing(shown(variable.name), _board(last, cells(())))]
    prefixes = list(dict.fromkeys(indices[:-1] for indices in entries))
    if isinstance(last.base, BoardType):
        return [Drawing(_entry(variable, prefix), _board(last, cells(prefix))) for prefix in prefixes]
    rows = [(", ".join(map(display_value, prefix)), list(cells(prefix).values())) for prefix in prefixes]
    return [Drawing(shown(variable.name), _table([display_value(value) for value in last.members], rows))]


def _entry(variable: Variable, indices: tuple[Value, ...]) -> str:
    return f"{shown(variable.name)}[{', '.join(map(display_value, indices))}]"


def _board(type: Type, signs: Mapping[Value, str]) -> tuple[str, ...]:
    """The cells of a board, or the members of another type, each with its sign."""
    board = type.base
    places = {cell: _COORDINATES.fullmatch(format_value(cell)) for cell in signs}
    if not isinstance(board, BoardType) or not all(places.values()):
        return _strips(signs)
    where = {(match[1], int(match[2])): signs[cell] for cell, match in places.items() if match}
    files = sorted({file for file, _ in where}, key=lambda file: (len(file), file))
    ranks = sorted({rank for _, rank in where}, reverse=True)
    return _grid(files, ranks, where, slanted=board.shape == "hex")


def _grid(
    files: Sequence[str], ranks: Sequence[int], where: Mapping[tuple[str, int], str], slanted: bool
) -> tuple[str, ...]:
    """The last rank first; a slanted board has every rank half a cell to the right of the one below it."""
    pitch = 1 + max(map(len, (*files, *where.values())))
    if slanted:
        pitch += pitch % 2
    margin = max(len(str(rank)) for rank in ranks)
    lines = []
    for height, rank in zip(range(len(ranks) - 1, -1, -1), ranks, strict=True):
        shift = " " * (height * pitch // 2 if slanted else 0)
        row = "".join(f"{where.get((file, rank), ''):>{pitch}}" for file in files)
        lines.append(f"{rank:>{margin}}{shift}{row}".rstrip())
    lines.append(" " * margin + "".join(f"{file:>{pitch}}" for file in files))
    return tuple(lines)


def _table(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """Rows with a name each, under the heads of their columns."""
    widths = [1 + max(len(head), *(len(row[k]) for _, row in rows)) for k, head in enumerate(heads)]
    margin = max(len(name) for name, _ in rows)
    return tuple(
        f"{name:<{margin}}" + "".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True))
        for name, row in [("", heads), *rows]
    )


def _strips(signs: Mapping[Value, str]) -> tuple[str, ...]:
    """Signs in a row over the names of their places, broken where it is full."""
    lines: list[str] = []
    above = below = ""
    for cell, sign in signs.items():
        name = display_value(cell)
        width = 1 + max(len(name), len(sign))
        if len(above) + width > WIDTH:
            lines += [above, below]
            above = below = ""
        above += f"{sign:>{width}}"
        below += f"{name:>{width}}"
    return (*lines, above, below)


def _wrap_texts(texts: Sequence[str]) -> list[str]:
    """Texts side by side, in as few lines as they need."""
    lines = [texts[0]]
    for text in texts[1:]:
        if len(lines[-1]) + 3 + len(text) > WIDTH:
            lines.append(text)
        else:
            lines[-1] += f"   {text}"
    return lines
