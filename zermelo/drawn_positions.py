"""The picture of a position: boards by their shapes and legends, cards and dice as such, other variables listed.

A game need not say anything for it. A variable whose last index is a board is that board; a value with the sign of a
suit is a card, and the value of a variable from 1 to 6 a die; what has to do with a player has their colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from zermelo.boards import UNSEEN, Sign, draw_variables, sign_of
from zermelo.captions import titled
from zermelo.game import State
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Variable
from zermelo.interpreter.types import BoardType, NumberType, strip_none
from zermelo.interpreter.values import Cell, Member, OrderedSet, Value, shown_value
from zermelo.pictures.boards import OnCell, board_marks
from zermelo.pictures.marks import FAINT, INK, Lettering, Mark, Picture, moved
from zermelo.pictures.symbols import colour_of
from zermelo.pictures.table_marks import HEIGHT, SUITS, card, card_width, die
from zermelo.pictures.text_width import text_width

_GAP: Final = 28.0
_ROW: Final = 960.0
"""Boards stand side by side as far as this."""

Entries = Mapping[tuple[Value, ...], Value]


def position_drawn(state: State, player: str | None, is_titled: bool = True) -> Picture:
    """A position, as a player sees it or, if that is None, with all that is hidden; ``is_titled``: below its title.
    Cells with which the last move had to do are yellow, those with which a legal one has, marked green.

    Raises ``ZermeloError`` (``unknown-player``)."""
    seen = state.game.machine.entries(state.machine_state) if player is None else state.view(player)
    entries: dict[str, dict[tuple[Value, ...], Value]] = {}
    for entry in seen:
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    table = _Table(state, player)
    boards: list[list[Mark]] = []
    lines: list[list[Mark]] = []
    for variable in state.game.model.variables:
        known = entries.get(variable.name)
        if known is None or variable.is_constant:
            continue
        if variable.indices and isinstance(variable.indices[-1].base, BoardType):
            boards += table.boards(variable, known)
        elif len(variable.indices) > 1 and not any(map(_cards, known.values())):
            lines.append(table.grid(variable, known))
        else:
            lines += [table.line(variable, indices, value) for indices, value in known.items()]
    title = titled(state if player is None else state.game.initial)  # moves may be hidden
    heading: list[Mark] = []
    if is_titled:
        heading += [Lettering(0, 0, title, 16, is_bold=True), Lettering(0, 20, table.status(), 12, FAINT)]
    marks = [*heading, *_in_rows(boards, 44.0)]
    y = Picture("", tuple(marks)).box.bottom + 14
    for line in lines:
        box = Picture("", tuple(line)).box
        marks += moved(line, 0, y - box.top)
        y += box.height + 6
    return Picture(title, tuple(marks), f"{table.status()}\n{draw_variables(state.game.model, seen)}")


class _Table:
    """What is drawn of a position, for whom."""

    def __init__(self, state: State, player: str | None) -> None:
        self.state = state
        self.player = player
        self.players = state.game.model.players
        to_move = player is None or state.actor == player
        self.open = _cells(state.moves if to_move else ())
        self.moved = _cells(state.play[-1:] if player is None else ())

    def status(self) -> str:
        seen = "" if self.player is None else f", as {self.player} sees it"
        return f"{self.state.status}{seen}"

    def boards(self, variable: Variable, known: Entries) -> list[list[Mark]]:
        """A board for all values of the indices before the last one."""
        board = variable.indices[-1].base
        assert isinstance(board, BoardType), "asked before"
        legend = next((each for each in self.state.game.model.legends if each.variable is variable), None)
        sign = sign_of(variable.type, legend)
        has_value = set(variable.indices[-1].members)  # some cells of the board, or all
        found: list[list[Mark]] = []
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            of = f"[{', '.join(map(shown_value, prefix))}]" if prefix else ""
            cells = {
                cell: self._on_cell(cell, known, (*prefix, cell), sign) if cell in has_value else OnCell()
                for cell in board.cells
                if isinstance(cell, Cell)
            }
            marks = board_marks(board, cells)
            box = Picture("", tuple(marks)).box
            found.append([Lettering(0, 0, f"{variable.name}{of}", 11, FAINT), *moved(marks, -box.left, 10 - box.top)])
        return found

    def _on_cell(self, cell: Cell, known: Entries, place: tuple[Value, ...], sign: Sign) -> OnCell:
        is_moved, is_open = cell in self.moved, cell in self.open
        if place not in known:
            return OnCell(UNSEEN, FAINT, is_moved, is_open)
        value = known[place]
        text = "" if value is None or value is False else "●" if value is True else sign(value)
        return OnCell("" if text == "." else text, self._colour(value), is_moved, is_open)

    def _colour(self, value: Value) -> str:
        """The colour of the player that a value is or names; that of ink if there is none, or several."""
        named = [part for part in (value if isinstance(value, tuple) else (value,)) if part in self.players]
        return colour_of(self.players.index(named[0])) if len(named) == 1 else INK

    def grid(self, variable: Variable, known: Entries) -> list[Mark]:
        """A variable of several indices as a table: a column for each value of the last one, a row for all others."""
        heads = [shown_value(value) for value in variable.indices[-1].members]
        rows: dict[tuple[Value, ...], list[tuple[str, str]]] = {}
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            places = [(*prefix, value) for value in variable.indices[-1].members]
            rows[prefix] = [
                (shown_value(known[place]), self._colour(known[place])) if place in known else (UNSEEN, FAINT)
                for place in places
            ]
        widths = [
            12 + max(text_width(word, 12, is_bold=True) for word in (head, *(cells[k][0] for cells in rows.values())))
            for k, head in enumerate(heads)
        ]
        names = {prefix: ", ".join(map(shown_value, prefix)) for prefix in rows}
        margin = 12 + max(text_width(word, 12) for word in (variable.name, *names.values()))
        edges = [margin + sum(widths[: k + 1]) for k in range(len(heads))]
        marks: list[Mark] = [Lettering(0, 0, variable.name, 11, FAINT)]
        marks += [Lettering(x, 0, head, 11, FAINT, "end") for x, head in zip(edges, heads, strict=True)]
        for k, (prefix, cells) in enumerate(rows.items()):
            y = (k + 1) * 18.0
            colour = next((self._colour(part) for part in prefix if part in self.players), FAINT)
            marks.append(Lettering(0, y, names[prefix], 12, colour))
            marks += [
                Lettering(x, y, word, 12, ink, "end", is_bold=True) for x, (word, ink) in zip(edges, cells, strict=True)
            ]
        return marks

    def line(self, variable: Variable, indices: tuple[Value, ...], value: Value) -> list[Mark]:
        """A variable that is no board: its name, and its value as cards, as a die or in words."""
        of = f"[{', '.join(map(shown_value, indices))}]" if indices else ""
        name = f"{variable.name}{of}"
        colour = next((self._colour(index) for index in indices if index in self.players), FAINT)
        marks: list[Mark] = [Lettering(0, 0, name, 12, colour)]
        x = text_width(name, 12) + 12
        cards = _cards(value)
        if cards:
            for sign in cards:
                marks += moved(card(sign), x, -HEIGHT * 0.65)
                x += card_width(sign) + 4
        elif _is_die(variable) and isinstance(value, int):
            marks += moved(die(value), x, -HEIGHT * 0.65)
        else:
            marks.append(Lettering(x, 0, shown_value(value), 12, self._colour(value), is_bold=True))
        return marks


def _cards(value: Value) -> list[str]:
    """The signs of a card or of several; none if the value is something else."""
    several = list(value.items) if isinstance(value, OrderedSet) else [value]
    signs = [shown_value(each) for each in several]
    return signs if signs and all(any(suit in sign for suit in SUITS) for sign in signs) else []


def _is_die(variable: Variable) -> bool:
    """Whether a variable holds the numbers of a die."""
    kind = strip_none(variable.type)
    return isinstance(kind, NumberType) and (kind.low, kind.high, kind.step) == (1, 6, 1)


def _cells(moves: Iterable[Move]) -> set[Member]:
    """The cells with which moves have to do."""
    return {argument for move in moves for argument in move.arguments if isinstance(argument, Cell)}


def _in_rows(blocks: list[list[Mark]], y: float) -> list[Mark]:
    """Blocks side by side, in as many rows as they need, the first one at a height."""
    marks: list[Mark] = []
    x = height = 0.0
    for block in blocks:
        box = Picture("", tuple(block)).box
        if x and x + box.width > _ROW:
            x, y, height = 0.0, y + height + _GAP, 0.0
        marks += moved(block, x - box.left, y - box.top)
        x += box.width + _GAP
        height = max(height, box.height)
    return marks
