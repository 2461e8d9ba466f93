"""The picture of a position: boards by their shapes and legends, cards and dice as such, other variables listed.

A game need not say anything for it. A variable whose last index is a board is that board; cells that variables hold
have tokens; a value with the sign of a suit is a card, and the value of a variable
from 1 to 6 a die; what has to do with a player has their colour, and what is named as a colour has that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from textwrap import fill
from typing import Final

from attrs import frozen

from zermelo.boards import UNSEEN, Sign, by_variable, draw_variables, legend_of, sign_of
from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.grammar.names import shown
from zermelo.interpreter.machine import Move, PlayError, display_text
from zermelo.interpreter.model import Variable
from zermelo.interpreter.types import BoardType, NumberType, SetType, strip_none
from zermelo.interpreter.values import Cell, Member, OrderedSet, Value, display_value
from zermelo.pictures.boards import HEIGHT, SUITS, OnCell, board_marks, card, card_width, die
from zermelo.pictures.marks import (
    FAINT,
    INK,
    Lettering,
    Mark,
    Picture,
    colours_of,
    move_marks,
    named_colour,
    remark_marks,
    text_width,
)

# Tokens: variables that hold cells of a board, such as the place of a king, as they stand on that board.
#
# A game need not say anything for it. If no variable is the board itself, one board is drawn for all that hold its
# cells, and every one of them is a letter on it, the first of its name that tells it from the others.


_MOST: Final = 100
"""A board of more cells is not drawn for tokens alone."""


@frozen
class Token:
    """An entry of a ``variable`` on a board: its sign, the ``name`` of the entry, its indices, and the cells on which
    it stands; None if they are hidden."""

    sign: str
    variable: str
    name: str
    indices: tuple[Value, ...]
    cells: tuple[Cell, ...] | None


Shown = Mapping[str, Mapping[tuple[Value, ...], Value]]
"""The values that are seen, by the name of their variable and by their indices."""


def tokens_by_board(variables: Sequence[Variable], shown: Shown) -> dict[BoardType, list[Token]]:
    """The tokens on each board, unless some variable is drawn as that board or the board is too large."""
    drawn = {variable.indices[-1].base for variable in variables if variable.indices}
    holding: dict[BoardType, list[Variable]] = {}
    for variable in variables:
        board = _board_of(variable)
        if board is not None and board not in drawn and len(board.cells) <= _MOST and not variable.is_constant:
            holding.setdefault(board, []).append(variable)
    found = {board: [*_tokens(own, shown)] for board, own in holding.items()}
    return {board: own for board, own in found.items() if any(token.cells is not None for token in own)}


def _board_of(variable: Variable) -> BoardType | None:
    """The board whose cells a variable holds: one, perhaps none, or several."""
    kind = strip_none(variable.type)
    held = strip_none(kind.element if isinstance(kind, SetType) else kind).base
    return held if isinstance(held, BoardType) else None


def _tokens(variables: Sequence[Variable], shown: Shown) -> Iterator[Token]:
    """A token for every entry; entries of one variable differ in the beginnings of their indices."""
    starts = _starts([variable.name for variable in variables])
    for variable in variables:
        known = shown.get(variable.name, {})
        begins = [_starts([display_value(value) for value in index.members]) for index in variable.indices]
        for indices in product(*(index.members for index in variable.indices)):
            words = [display_value(value) for value in indices]
            sign = starts[variable.name] + "".join(begin[word] for begin, word in zip(begins, words, strict=True))
            of = f"[{', '.join(words)}]" if words else ""
            cells = _token_cells(known[indices]) if indices in known else None
            yield Token(sign, variable.name, f"{display_value(variable.name)}{of}", indices, cells)


def _token_cells(value: Value) -> tuple[Cell, ...]:
    held = value.items if isinstance(value, OrderedSet) else (value,)
    return tuple(each for each in held if isinstance(each, Cell))


def _starts(names: Sequence[str]) -> dict[str, str]:
    """The shortest beginning of each name that no other has, with a capital letter."""
    found: dict[str, str] = {}
    for name in names:
        others = [other.lower() for other in names if other != name]
        length = 1
        while length < len(name) and any(other.startswith(name[:length].lower()) for other in others):
            length += 1
        found[name] = name[0].upper() + name[1:length]
    return found


_GAP: Final = 28.0
_ROW: Final = 960.0
"""The width up to which boards stand side by side."""

_TITLE: Final = 64
"""The characters of a line of the title."""

_LINE: Final = 80
"""The characters of a line of the play so far."""

_LINES: Final = 3
"""The most such lines; of a longer play only the last moves are shown."""

_MOVES: Final = 100
"""The most moves that are tried to see which cells they change."""

Entries = Mapping[tuple[Value, ...], Value]


def draw_position(state: State, player: str | None, is_titled: bool = True) -> Picture:
    """A position as a player sees it or, if ``player`` is None, with all that is hidden; if ``is_titled``, with a title
    above and the meanings of its marks below. The cells that the last move names are yellow; those that a legal move
    names or changes are marked green.

    Raises ``ZermeloError`` (``unknown-player``)."""
    seen = state.game.machine.entries(state.machine_state) if player is None else state.view(player)
    entries = by_variable(seen)
    table = _Table(state, player)
    tokens = tokens_by_board(state.game.model.variables, entries)
    boards = [table.board_of_tokens(board, own) for board, own in tokens.items()]
    lines: list[list[Mark]] = [table.token(token) for own in tokens.values() for token in own]
    standing = {token.variable for own in tokens.values() for token in own}
    for variable in state.game.model.variables:
        known = entries.get(variable.name)
        if known is None or variable.is_constant or variable.name in standing:
            continue
        if variable.indices and _is_board(variable):
            boards += table.boards(variable, known)
        elif len(variable.indices) > 1 and not any(map(_cards, known.values())):
            lines.append(table.grid(variable, known))
        else:
            lines += [table.line(variable, indices, value) for indices, value in known.items()]
    title = picture_title(state if player is None else state.game.initial)  # moves may be hidden
    heading = table.heading() if is_titled else []
    top = Picture("", tuple(heading)).box.bottom if is_titled else 26.0
    marks = [*heading, *_in_rows(boards, top + 18)]
    y = Picture("", tuple(marks)).box.bottom + 14
    for line in lines:
        box = Picture("", tuple(line)).box
        marks += move_marks(line, 0, y - box.top)
        y += box.height + 6
    if is_titled:
        marks += remark_marks(table.meanings(marks), 0, y + 12)
    return Picture(title, tuple(marks), f"{table.status()}\n{draw_variables(state.game.model, seen)}")


class _Table:
    """The parts of the picture of a position, as a player sees it or, without a player, with all that is hidden."""

    def __init__(self, state: State, player: str | None) -> None:
        self.state = state
        if player is not None:
            player = state.game.players[state.game.number(player)]
        self.player = player
        self.colours = dict(zip(state.game.model.players, colours_of(state.game.players), strict=True))
        to_move = player is None or state.actor == player
        self.is_board = False
        self.open = _cells(state.moves if to_move else ()) | set(cells_changed(state).values() if to_move else ())
        self.moved = _cells(state.play[-1:] if player is None else ())

    def status(self) -> str:
        seen = "" if self.player is None else f", as {shown(self.player)} sees it"
        return f"{self.state.status}{seen}"

    def heading(self) -> list[Mark]:
        """The title, the play so far as far as it is no secret, and whose turn it is."""
        title = fill(picture_title(self.state.game.initial), _TITLE, break_long_words=False).split("\n")
        marks: list[Mark] = [Lettering(0, 20 * k, row, 16, is_bold=True) for k, row in enumerate(title)]
        y = 20.0 * len(title) - 2
        if self.player is None and self.state.play:
            rows = fill(f"after {', '.join(map(display_text, self.state.play))}", _LINE, break_long_words=False).split(
                "\n"
            )
            rows = rows if len(rows) <= _LINES else [f"... {rows[-_LINES]}", *rows[1 - _LINES :]]
            marks += [Lettering(0, y + 15 * k, row, 11, FAINT) for k, row in enumerate(rows)]
            y += 15 * len(rows)
        return [*marks, Lettering(0, y + 2, self.status(), 12, INK)]

    def meanings(self, marks: Iterable[Mark]) -> list[str]:
        """The meanings of the marks that occur on boards and in lines."""
        words = [mark.text for mark in marks if isinstance(mark, Lettering)]
        said = []
        if UNSEEN in words and self.player is not None:
            said.append(f"{UNSEEN} is hidden from {shown(self.player)}.")
        if self.is_board and self.moved:
            said.append("Yellow: the last move.")
        if self.is_board and self.open:
            said.append("Green: legal moves.")
        return [" ".join(said)] if said else []

    def board_of_tokens(self, board: BoardType, tokens: Iterable[Token]) -> list[Mark]:
        """A board with the tokens on their cells."""
        here: dict[Cell, list[Token]] = {}
        for token in tokens:
            for cell in token.cells or ():
                here.setdefault(cell, []).append(token)
        cells = {
            cell: OnCell(
                " ".join(token.sign for token in here.get(cell, ())),
                self._colour(tuple(index for token in here.get(cell, ()) for index in token.indices)),
                cell in self.moved,
                cell in self.open,
            )
            for cell in board.cells
        }
        self.is_board = True
        return board_marks(board, cells)

    def token(self, token: Token) -> list[Mark]:
        """What a token stands for, and where it stands."""
        colour = self._colour(token.indices)
        where = UNSEEN if token.cells is None else ", ".join(map(display_value, token.cells)) or "none"
        begin, end = text_width(token.sign, 12, is_bold=True) + 8, 8 + text_width(token.name, 12)
        return [
            Lettering(0, 0, token.sign, 12, colour, is_bold=True),
            Lettering(begin, 0, token.name, 12, colour),
            Lettering(begin + end + 4, 0, where, 12, FAINT if token.cells is None else INK, is_bold=True),
        ]

    def boards(self, variable: Variable, known: Entries) -> list[list[Mark]]:
        """A board for all values of the indices before the last one."""
        board = variable.indices[-1].base
        assert isinstance(board, BoardType), "asked before"
        sign = sign_of(variable.type, legend_of(self.state.game.model, variable))
        has_value = set(variable.indices[-1].members)  # some cells of the board, or all
        found: list[list[Mark]] = []
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            of = f"[{', '.join(map(display_value, prefix))}]" if prefix else ""
            cells = {
                cell: self._on_cell(cell, known, (*prefix, cell), sign) if cell in has_value else OnCell()
                for cell in board.cells
                if isinstance(cell, Cell)
            }
            self.is_board = True
            marks = board_marks(board, cells)
            box = Picture("", tuple(marks)).box
            found.append(
                [
                    Lettering(0, 0, f"{display_value(variable.name)}{of}", 11, FAINT),
                    *move_marks(marks, -box.left, 10 - box.top),
                ]
            )
        return found

    def _on_cell(self, cell: Cell, known: Entries, place: tuple[Value, ...], sign: Sign) -> OnCell:
        is_moved, is_open = cell in self.moved, cell in self.open
        if place not in known:
            return OnCell(UNSEEN, FAINT, is_moved, is_open)
        value = known[place]
        text = "" if value is None or value is False else "●" if value is True else sign(value)
        return OnCell("" if text == "." else text, self._colour(value), is_moved, is_open)

    def _colour(self, value: Value, else_: str = INK) -> str:
        """The colour of the player that a value is or names, or the colour that the name of a member says; ``else_`` if
        there is none, or if there are several."""
        parts = [part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, Member)]
        said = [self.colours[part] for part in parts if part in self.colours] or [
            colour for part in parts if not isinstance(part, Cell) and (colour := named_colour(part.name))
        ]
        return said[0] if len(said) == 1 else else_

    def grid(self, variable: Variable, known: Entries) -> list[Mark]:
        """A variable of several indices as a table: a column for each value of the last one, a row for all others."""
        heads = [display_value(value) for value in variable.indices[-1].members]
        rows: dict[tuple[Value, ...], list[tuple[str, str]]] = {}
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            places = [(*prefix, value) for value in variable.indices[-1].members]
            rows[prefix] = [
                (display_value(known[place]), self._colour(known[place])) if place in known else (UNSEEN, FAINT)
                for place in places
            ]
        widths = [
            12 + max(text_width(word, 12, is_bold=True) for word in (head, *(cells[k][0] for cells in rows.values())))
            for k, head in enumerate(heads)
        ]
        names = {prefix: ", ".join(map(display_value, prefix)) for prefix in rows}
        margin = 12 + max(text_width(word, 12) for word in (display_value(variable.name), *names.values()))
        edges = [margin + sum(widths[: k + 1]) for k in range(len(heads))]
        marks: list[Mark] = [Lettering(0, 0, display_value(variable.name), 11, FAINT)]
        marks += [Lettering(x, 0, head, 11, FAINT, "end") for x, head in zip(edges, heads, strict=True)]
        for k, (prefix, cells) in enumerate(rows.items()):
            y = (k + 1) * 18.0
            colour = self._colour(prefix, FAINT)
            marks.append(Lettering(0, y, names[prefix], 12, colour))
            marks += [
                Lettering(x, y, word, 12, ink, "end", is_bold=True) for x, (word, ink) in zip(edges, cells, strict=True)
            ]
        return marks

    def line(self, variable: Variable, indices: tuple[Value, ...], value: Value) -> list[Mark]:
        """A variable that is no board: its name, and its value as cards, as a die or in words."""
        of = f"[{', '.join(map(display_value, indices))}]" if indices else ""
        name = f"{display_value(variable.name)}{of}"
        colour = self._colour(indices, FAINT)
        marks: list[Mark] = [Lettering(0, 0, name, 12, colour)]
        x = text_width(name, 12) + 12
        cards = _cards(value)
        if cards:
            for sign in cards:
                marks += move_marks(card(sign), x, -HEIGHT * 0.65)
                x += card_width(sign) + 4
        elif _is_die(variable) and isinstance(value, int):
            marks += move_marks(die(value), x, -HEIGHT * 0.65)
        else:
            marks.append(Lettering(x, 0, display_value(value), 12, self._colour(value), is_bold=True))
        return marks


def cells_changed(state: State) -> dict[Move, Cell]:
    """For each move that names no cell, the cell of a board that it changes, if it changes only one, such as the cell
    where a disc comes to rest in a column. Empty if something may be hidden, or if there are many moves."""
    game = state.game
    on_boards = {each.name for each in game.model.variables if each.indices and _is_board(each)}
    moves = state.moves
    if not on_boards or game.facts.perfect_information.holds is not True or len(moves) > _MOVES:
        return {}
    before = set(game.machine.entries(state.machine_state))
    found: dict[Move, Cell] = {}
    for move in moves:
        if _cells([move]):
            continue
        with suppress(PlayError):  # the player who makes the move hears of it
            later = game.machine.entries(state.after(move).machine_state)
            changed = {entry.indices[-1] for entry in later if entry.variable in on_boards and entry not in before}
            if len(changed) == 1 and isinstance(cell := changed.pop(), Cell):
                found[move] = cell
    return found


def _is_board(variable: Variable) -> bool:
    return isinstance(variable.indices[-1].base, BoardType)


def _cards(value: Value) -> list[str]:
    """The signs of a card or of several; none if the value is something else."""
    several = list(value.items) if isinstance(value, OrderedSet) else [value]
    signs = [display_value(each) for each in several]
    return signs if signs and all(any(suit in sign for suit in SUITS) for sign in signs) else []


def _is_die(variable: Variable) -> bool:
    """Whether a variable holds the numbers of a die."""
    kind = strip_none(variable.type)
    return isinstance(kind, NumberType) and (kind.low, kind.high, kind.step) == (1, 6, 1)


def _cells(moves: Iterable[Move]) -> set[Member]:
    """The cells that moves name."""
    return {argument for move in moves for argument in move.arguments if isinstance(argument, Cell)}


def _in_rows(blocks: list[list[Mark]], y: float) -> list[Mark]:
    """Blocks side by side, in as many rows as they need, the first one at a height."""
    marks: list[Mark] = []
    x = height = 0.0
    for block in blocks:
        box = Picture("", tuple(block)).box
        if x and x + box.width > _ROW:
            x, y, height = 0.0, y + height + _GAP, 0.0
        marks += move_marks(block, x - box.left, y - box.top)
        x += box.width + _GAP
        height = max(height, box.height)
    return marks
