"""The picture of a position: boards by their shapes and legends, cards and dice as such, other variables listed.

A game need not say anything for it. A variable whose last index is a board is that board; cells that variables hold
have tokens; a value with the sign of a suit is a card, and the value of a variable
from 1 to 6 a die; what has to do with a player has their colour, and what is named as a colour has that one. What it
does say with ``drawn`` comes first (:mod:`zermelo.drawing.looks`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import product
from math import prod, sqrt
from textwrap import fill
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.boards import UNSEEN, by_variable, draw_variables
from zermelo.drawing.looks import Looks, looks_of
from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.machine import CHANCE, Move, PlayError, Seen, display_text
from zermelo.interpreter.model import Variable
from zermelo.interpreter.types import BoardType, BoolType, NumberType, SetType, strip_none
from zermelo.interpreter.values import Cell, Member, OrderedSet, Value, display_value
from zermelo.pictures.boards import EDGE, PITCH, BoardLook, OnCell, board_marks, legible
from zermelo.pictures.marks import (
    FAINT,
    INK,
    TEXT_SIZE,
    Lettering,
    Mark,
    Picture,
    Spot,
    move_marks,
    remark_marks,
    scale_marks,
    text_width,
)
from zermelo.pictures.pieces import Piece, piece_marks, row_marks
from zermelo.pictures.points import OnPoint, PointsLook, points_marks

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


def tokens_by_board(
    variables: Sequence[Variable], shown: Shown, looking: Collection[str] = ()
) -> dict[BoardType, list[Token]]:
    """The tokens on each board, unless the board is too large. Where some variable is drawn as that board, only those
    of the variables that are ``looking`` like something have tokens on it."""
    drawn = {variable.indices[-1].base for variable in variables if variable.indices}
    holding: dict[BoardType, list[Variable]] = {}
    for variable in variables:
        board = _board_of(variable)
        is_free = board not in drawn or variable.name in looking
        if board is not None and is_free and len(board.cells) <= _MOST and not variable.is_constant:
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


def draw_position(state: State, player: str | None, is_titled: bool = True, is_flipped: bool = False) -> Picture:
    """A position as a player sees it or, if ``player`` is None, with all that is hidden; if ``is_titled``, with a title
    above and the meanings of its marks below; if ``is_flipped``, with its boards seen from the other end. Yellow are
    the cells that the last move names or, if it names none, those that it changed; those that a legal move names or
    changes are marked green.

    Raises ``ZermeloError`` (``unknown-player``)."""
    seen = state.game.machine.entries(state.machine_state) if player is None else state.view(player)
    table = _Table(state, player, is_flipped)
    boards, lines = table.parts(by_variable(seen))
    title = picture_title(state if player is None else state.game.initial)  # moves may be hidden
    heading = table.heading() if is_titled else []
    top = Picture("", tuple(heading)).box.bottom if is_titled else 26.0
    is_named = len(boards) > 1
    rows = _in_rows([each.named() if is_named or each.is_part else each.marks for each in boards], top + 18)
    factor = legible(TEXT_SIZE, Picture("", tuple(rows)).box.width) / TEXT_SIZE
    marks = [*heading, *rows]
    y = Picture("", tuple(marks)).box.bottom + 14
    for line in (scale_marks(line, factor) for line in lines):
        box = Picture("", tuple(line)).box
        marks += move_marks(line, 0, y - box.top)
        y += box.height + 6
    if is_titled:
        marks += remark_marks(table.meanings(marks), 0, y + 12)
    return Picture(title, tuple(marks), f"{table.status()}\n{draw_variables(state.game.model, seen)}")


_CELL: Final = 14.0
"""How wide a cell of a small board is, unless that makes the board too large."""

_SMALLEST, _LARGEST = 40.0, 112.0
"""How long the longer side of a small board is at least, and at most."""

_TOGETHER: Final = 1e6
"""How large the squares together may be in which so many small boards stand: what a page has room for."""


def small_boards(state: State, is_flipped: bool = False, count: int = 1) -> tuple[Mark, ...]:
    """The boards of a position side by side, with all that is hidden, in miniature and about (0, 0): what lies on them
    alone, without the names of cells, the last move and legal moves. They are smaller if ``count``, the number of such
    positions in the picture, is large.

    Raises ``ZermeloError`` (``bad-usage``) if the game has no board."""
    entries = by_variable(state.game.machine.entries(state.machine_state))
    boards, _ = _Table(state, None, is_flipped, is_small=True).parts(entries)
    if not boards:
        raise ZermeloError("bad-usage", f"{state.game.title} has no board to be drawn", "leave out --boards")
    marks = [mark for mark in _in_rows([each.marks for each in boards], 0) if not isinstance(mark, Spot)]
    box = Picture("", tuple(marks)).box
    side = max(box.width, box.height)
    largest = max(_SMALLEST, min(_LARGEST, sqrt(_TOGETHER / count)))
    factor = min(max(_CELL / PITCH, _SMALLEST / side), largest / side)
    middle = move_marks(marks, -(box.left + box.right) / 2, -(box.top + box.bottom) / 2)
    return scale_marks(middle, factor)


_CARD: Final = 34.0
"""The room of a card or a die in a line."""

_PIECE: Final = 26.0
"""The room of any other piece in a line or in a table."""


_MOST_TRUTHS: Final = 8
"""The most values of an index that are listed in a line."""


@frozen
class _Board:
    """The marks of a board with the name of what it shows, which ``is_part`` of a variable or all of it; what needs no
    name has none."""

    name: str
    marks: list[Mark]
    is_part: bool = False

    def named(self) -> list[Mark]:
        """The board below its name."""
        if not self.name:
            return self.marks
        box = Picture("", tuple(self.marks)).box
        return [Lettering(0, 0, self.name, EDGE, FAINT), *move_marks(self.marks, -box.left, 10 - box.top)]


class _Table:
    """The parts of the picture of a position, as a player sees it or, without a player, with all that is hidden."""

    def __init__(self, state: State, player: str | None, is_flipped: bool, is_small: bool = False) -> None:
        self.state = state
        self.is_small = is_small
        if player is not None:
            player = state.game.players[state.game.number(player)]
        self.player = player
        self.looks: Looks = looks_of(state.game, is_flipped)
        self.is_board = False
        self.open: Set[Member] = frozenset()
        self.moved: Set[Value] = frozenset()
        self.changed: Set[tuple[str, tuple[Value, ...]]] = frozenset()
        if not is_small:
            self._look_at_moves()

    def _look_at_moves(self) -> None:
        """Which cells legal moves and the last move are about."""
        state, player = self.state, self.player
        to_move = player is None or state.actor == player
        self.open = _cells(state.moves if to_move else ()) | set(cells_changed(state).values() if to_move else ())
        self.changed = entries_changed(state, player)
        named = _cells(state.play[-1:] if player is None else ())
        self.moved = named or {indices[-1] for _, indices in self.changed if isinstance(indices[-1], Cell)}

    def parts(self, entries: Shown) -> tuple[list[_Board], list[list[Mark]]]:
        """The boards, and what is in lines below them."""
        variables = self.state.game.model.variables
        tokens = tokens_by_board(variables, entries, self.looks.drawn)
        boards: list[_Board] = []
        lines: list[list[Mark]] = [self.token(each) for own in tokens.values() for each in own if self.is_told(each)]
        standing = {token.variable for own in tokens.values() for token in own}
        for variable in variables:
            known = entries.get(variable.name)
            if known is None or variable.is_constant or variable.name in standing:
                continue
            if variable.indices and isinstance(board := variable.indices[-1].base, BoardType):
                boards += self.boards(variable, known, tokens.pop(board, []))
            elif self.looks.points(variable) is not None:
                boards += self.points(variable, known)
            elif len(variable.indices) > 1 and _is_told_by_truths(variable, known):
                lines += self.truths(variable, known)
            elif len(variable.indices) > 1 and not self.has_cards(variable, known):
                lines.append(self.grid(variable, known))
            else:
                lines += self.lines(variable, known)
        return [_Board("", self.board_of_tokens(board, own)) for board, own in tokens.items()] + boards, lines

    def _look_of(self, board: BoardType) -> BoardLook:
        return evolve(self.looks.board_look(board), has_names=not self.is_small)

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
        if self.is_board and (self.moved or self.changed):
            said.append("Yellow: the last move.")
        if self.is_board and self.open:
            said.append("Green: legal moves.")
        return [" ".join(said)] if said else []

    def board_of_tokens(self, board: BoardType, tokens: Iterable[Token]) -> list[Mark]:
        """A board with the tokens on their cells."""
        here = self._standing(tokens)
        cells = {cell: OnCell(tuple(here.get(cell, ())), cell in self.moved, cell in self.open) for cell in board.cells}
        self.is_board = True
        return board_marks(board, cells, self._look_of(board))

    def _standing(self, tokens: Iterable[Token]) -> dict[Cell, list[Piece]]:
        """What stands on each cell; the letters of those that look like nothing else are one text."""
        here: dict[Cell, list[Piece]] = {}
        letters: dict[Cell, list[Token]] = {}
        for token in tokens:
            for cell in token.cells or ():
                if token.variable in self.looks.drawn:
                    here.setdefault(cell, []).extend(self._token_pieces(token, cell))
                else:
                    letters.setdefault(cell, []).append(token)
        for cell, own in letters.items():
            colour = self.looks.colour(tuple(index for token in own for index in token.indices))
            here.setdefault(cell, []).append(Piece(" ".join(token.sign for token in own), colour))
        return here

    def _token_pieces(self, token: Token, cell: Cell) -> tuple[Piece, ...]:
        variable = self.looks.drawn[token.variable].variable
        return self.looks.pieces(variable, token.indices, cell)

    def is_told(self, token: Token) -> bool:
        """Whether a line has to say what a token is or where."""
        return token.variable not in self.looks.drawn or not token.cells

    def token(self, token: Token) -> list[Mark]:
        """What a token stands for, and where it stands."""
        colour = self.looks.colour(token.indices)
        where = UNSEEN if token.cells is None else ", ".join(map(display_value, token.cells)) or "none"
        sign = "" if token.variable in self.looks.drawn else token.sign
        begin, end = text_width(sign, 12, is_bold=True) + 8 * bool(sign), 8 + text_width(token.name, 12)
        return [
            *([Lettering(0, 0, sign, 12, colour, is_bold=True)] if sign else []),
            Lettering(begin, 0, token.name, 12, colour),
            Lettering(begin + end + 4, 0, where, 12, FAINT if token.cells is None else INK, is_bold=True),
        ]

    def boards(self, variable: Variable, known: Entries, tokens: Iterable[Token] = ()) -> list[_Board]:
        """A board for all values of the indices before the last one; on the first of them also tokens."""
        board = variable.indices[-1].base
        assert isinstance(board, BoardType), "asked before"
        has_value = set(variable.indices[-1].members)  # some cells of the board, or all
        standing = self._standing(tokens)
        found: list[_Board] = []
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            cells = {
                cell: self._on_cell(variable, cell, known, (*prefix, cell), standing.get(cell, ()))
                if cell in has_value
                else OnCell()
                for cell in board.cells
                if isinstance(cell, Cell)
            }
            self.is_board = True
            marks = board_marks(board, cells, self._look_of(board))
            found.append(_Board(entry_name(variable.name, prefix), marks, bool(prefix)))
            standing = {}
        return found

    def _on_cell(
        self, variable: Variable, cell: Cell, known: Entries, place: tuple[Value, ...], tokens: Sequence[Piece]
    ) -> OnCell:
        here = self.looks.pieces(variable, place, known[place]) if place in known else (self.looks.unseen(variable),)
        is_empty = not tokens and known.get(place, UNSEEN) in (None, False)
        return OnCell((*here, *tokens), cell in self.moved, cell in self.open, is_empty)

    def points(self, variable: Variable, known: Entries) -> list[_Board]:
        """Points with men: one board for both players if these face each other, else one for all values of the indices
        before the last one."""
        ground = self.looks.points(variable)
        assert ground is not None, "asked before"
        all_values = list(variable.indices[-1].members)
        numbers = [value for value in all_values if value not in ground.places]
        prefixes = list(dict.fromkeys(indices[:-1] for indices in known))
        is_shared = ground.is_facing and len(prefixes) == 2

        def men(prefix: tuple[Value, ...], value: Value) -> tuple[Piece, ...]:
            place = (*prefix, value)
            return self.looks.pieces(variable, place, known[place]) if place in known else ()

        def look(own: Sequence[tuple[Value, ...]]) -> PointsLook:
            counted = [numbers, numbers[::-1]]  # as each of these players counts them
            on = [
                OnPoint(
                    display_value(number),
                    tuple(man for k, prefix in enumerate(own) for man in men(prefix, counted[k % 2][n])),
                    any((variable.name, (*prefix, counted[k % 2][n])) in self.changed for k, prefix in enumerate(own)),
                    entries=tuple(
                        entry_name(variable.name, (*prefix, counted[k % 2][n])) for k, prefix in enumerate(own)
                    ),
                )
                for n, number in enumerate(numbers)
            ]
            apart = {
                place: [man for prefix in own for man in (men(prefix, value) or (Piece(count=0),))]
                for value, place in ground.places.items()
            }
            entries = {
                place: tuple(entry_name(variable.name, (*prefix, value)) for prefix in own)
                for value, place in ground.places.items()
            }
            colour = self.looks.hue(ground.colour)
            return PointsLook(on, is_shared, apart.get("bar"), apart.get("off"), colour, self.looks.is_flipped, entries)

        self.is_board = True
        if is_shared:
            return [_Board(entry_name(variable.name, ()), points_marks(look(prefixes)))]
        named = [(prefix, entry_name(variable.name, prefix)) for prefix in prefixes]
        return [_Board(name, points_marks(look([prefix])), bool(prefix)) for prefix, name in named]

    def truths(self, variable: Variable, known: Entries) -> Iterator[list[Mark]]:
        """A variable of truth values with several indices: in a line, the values of the last index where it holds."""
        prefixes = list(dict.fromkeys(indices[:-1] for indices in known))
        names = [entry_name(variable.name, prefix) for prefix in prefixes]
        margin = 12 + max(text_width(name, 12) for name in names)
        for name, prefix in zip(names, prefixes, strict=True):
            holding = [value for value in variable.indices[-1].members if known[(*prefix, value)]]
            words = ", ".join(map(display_value, holding)) or "none"
            marks: list[Mark] = [Lettering(0, 0, name, 12, self.looks.colour(prefix, FAINT))]
            marks.append(Lettering(margin, 0, words, 12, INK, is_bold=True))
            box = Picture("", tuple(marks)).box
            marks.insert(0, Spot(box.left - 4, box.top - 1, box.width + 8, box.height + 2, name, (name,)))
            yield marks

    def grid(self, variable: Variable, known: Entries) -> list[Mark]:
        """A variable of several indices as a table: a column for each value of the last one, a row for all others."""
        heads = [display_value(value) for value in variable.indices[-1].members]
        rows: dict[tuple[Value, ...], list[list[Mark]]] = {}
        for prefix in dict.fromkeys(indices[:-1] for indices in known):
            places = [(*prefix, value) for value in variable.indices[-1].members]
            rows[prefix] = [self._in_grid(variable, place, known) for place in places]
        boxes = [[Picture("", tuple(cells[k])).box.width for cells in rows.values()] for k in range(len(heads))]
        widths = [12 + max(text_width(head, 11), *own) for head, own in zip(heads, boxes, strict=True)]
        names = {prefix: ", ".join(map(display_value, prefix)) for prefix in rows}
        margin = 12 + max(text_width(word, 12) for word in (display_value(variable.name), *names.values()))
        edges = [margin + sum(widths[: k + 1]) for k in range(len(heads))]
        marks: list[Mark] = [Lettering(0, 0, display_value(variable.name), 11, FAINT)]
        marks += [Lettering(x, 0, head, 11, FAINT, "end") for x, head in zip(edges, heads, strict=True)]
        pitch = _PIECE + 4 if self.looks.is_drawn(variable) else 18.0
        for k, (prefix, cells) in enumerate(rows.items()):
            y = (k + 1) * pitch
            colour = self.looks.colour(prefix, FAINT)
            marks.append(Lettering(0, y, names[prefix], 12, colour))
            own = [entry_name(variable.name, (*prefix, value)) for value in variable.indices[-1].members]
            for x, width, drawn, name in zip(edges, widths, cells, own, strict=True):
                marks += move_marks(drawn, x, y)
                marks.append(Spot(x - width + 9, y - 4.5 - pitch / 2, width - 6, pitch, name, (name,)))
        return marks

    def _in_grid(self, variable: Variable, place: tuple[Value, ...], known: Entries) -> list[Mark]:
        """What stands at a place of a table, left of (0, 0)."""
        if place not in known:
            return [Lettering(0, 0, UNSEEN, 12, FAINT, "end", is_bold=True)]
        value = known[place]
        if self.looks.is_drawn(variable):
            drawn = [mark for piece in self.looks.pieces(variable, place, value) for mark in piece_marks(piece, _PIECE)]
            box = Picture("", tuple(drawn)).box
            return list(move_marks(drawn, -box.right, -4.5))
        return [Lettering(0, 0, display_value(value), 12, self.looks.colour(value), "end", is_bold=True)]

    def has_cards(self, variable: Variable, known: Entries) -> bool:
        return any(self.looks.has_cards(variable, value) for value in known.values())

    def lines(self, variable: Variable, known: Entries) -> Iterator[list[Mark]]:
        """A variable that is no board: each entry in a line, or a row of cards side by side."""
        rows = list(self._rows(variable, known))
        names = [entry_name(variable.name, prefix) for prefix, _ in rows]
        margin = 12 + max((text_width(name, 12) for name in names), default=0.0)
        for name, (prefix, places) in zip(names, rows, strict=True):
            marks: list[Mark] = [Lettering(0, 0, name, 12, self.looks.colour(prefix, FAINT))]
            pieces = [named for place in places for named in self._named_pieces(variable, place, known)]
            if pieces:
                is_tall = any(piece.shape in ("card", "die") for piece, _ in pieces)
                others = [(piece, "" if each == name else each) for piece, each in pieces]  # the line has this name
                marks += move_marks(row_marks(others, _CARD if is_tall else _PIECE), margin, -4.5)
            elif self.looks.is_drawn(variable) and self.has_cards(variable, known):
                marks.append(Lettering(margin, 0, "none", 12, INK, is_bold=True))
            else:
                value = known[places[0]]
                marks.append(Lettering(margin, 0, display_value(value), 12, self.looks.colour(value), is_bold=True))
            if len(places) == 1:  # below those of the pieces
                box = Picture("", tuple(marks)).box
                marks.insert(0, Spot(box.left - 4, box.top - 1, box.width + 8, box.height + 2, name, (name,)))
            yield marks

    def _rows(self, variable: Variable, known: Entries) -> Iterator[tuple[tuple[Value, ...], list[tuple[Value, ...]]]]:
        """The entries that have a line, with the indices that name it: those that are seen and, of cards, their backs
        beside them."""
        indices = variable.indices
        is_row = self.looks.is_drawn(variable) and self.has_cards(variable, known)
        has_backs = self.player is not None and self.looks.has_backs(variable)
        if not indices or not is_row or indices[-1].base == self.state.game.model.player_type:
            for place in product(*(index.members for index in indices)):
                if place in known or has_backs:
                    yield place, [place]
            return
        for prefix in product(*(index.members for index in indices[:-1])):
            places = [(*prefix, value) for value in indices[-1].members]
            if has_backs or any(place in known for place in places):
                yield prefix, [place for place in places if place in known or has_backs]

    def _named_pieces(
        self, variable: Variable, place: tuple[Value, ...], known: Entries
    ) -> Iterator[tuple[Piece, str]]:
        """What an entry looks like in a line, with the name of the entry or, of a set, of each value in it."""
        name, value = entry_name(variable.name, place), known.get(place)
        pieces = self._in_line(variable, place, known)
        is_set = isinstance(value, OrderedSet) and len(value.items) == len(pieces)
        for k, piece in enumerate(pieces):
            yield piece, name_in_entry(name, value.items[k]) if is_set and isinstance(value, OrderedSet) else name

    def _in_line(self, variable: Variable, place: tuple[Value, ...], known: Entries) -> tuple[Piece, ...]:
        """What an entry looks like in a line; nothing if it is in words."""
        if place not in known:
            return (self.looks.unseen(variable),)
        value = known[place]
        if self.looks.is_drawn(variable):
            return self.looks.pieces(variable, place, value)
        if self.looks.has_cards(variable, value):
            several = value.items if isinstance(value, OrderedSet) else (value,)
            return tuple(Piece(display_value(each), INK, "card") for each in several)
        if _is_die(variable) and isinstance(value, int):
            return (Piece(str(value), INK, "die"),)
        return ()


def entry_name(variable: str, indices: tuple[Value, ...]) -> str:
    """The name of an entry of a variable, or of all with these first indices."""
    of = f"[{', '.join(map(display_value, indices))}]" if indices else ""
    return f"{display_value(variable)}{of}"


def name_in_entry(entry: str, value: Value) -> str:
    """The name of a value in a set that is an entry of a variable."""
    return f"{entry}: {display_value(value)}"


def entries_changed(state: State, player: str | None) -> set[tuple[str, tuple[Value, ...]]]:
    """The entries on boards, by their variable and indices, that the last move changed which changed any, as far as a
    player sees it. What chance does between two decisions is one change to players, who are not told its order, and
    the whole play is gone through, since they may not know how long it is."""
    game = state.game
    number = None if player is None else game.number(player)
    on_boards = {each.name for each in game.model.variables if each.indices and not each.is_constant}
    if not on_boards:
        return set()

    def entries(at: Any) -> set[Seen]:
        seen = game.machine.entries(at) if number is None else game.machine.view(at, number)
        return {entry for entry in seen if entry.variable in on_boards}

    after = entries(state.machine_state)
    for before in game.machine.earlier(state.machine_state):
        if number is not None and game.machine.actor(before) == CHANCE:
            continue
        had = entries(before)
        if changed := after - had:
            return {(entry.variable, entry.indices) for entry in changed}
        after = had
    return set()


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


def cells_of(move: Move, changed: Mapping[Move, Cell]) -> list[str]:
    """The names of the cells that a move names, in its order; if it names none, the name of the cell that it changes
    (:func:`cells_changed`), if there is one."""
    if move in changed:
        return [changed[move].name]
    return [argument.name for argument in move.arguments if isinstance(argument, Cell)]


def _is_board(variable: Variable) -> bool:
    return isinstance(variable.indices[-1].base, BoardType)


def _is_told_by_truths(variable: Variable, known: Entries) -> bool:
    """Whether a variable holds truth values that are all seen, few enough for lines."""
    *_, last = variable.indices
    is_whole = len(known) == prod(len(index.members) for index in variable.indices)
    return isinstance(variable.type, BoolType) and is_whole and len(last.members) <= _MOST_TRUTHS


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
