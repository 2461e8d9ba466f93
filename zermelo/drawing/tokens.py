"""Tokens: variables that hold cells of a board, such as the place of a king, as they stand on that board.

A game need not say anything for it. If no variable is the board itself, one board is drawn for all that hold its cells,
and every one of them is a letter on it, the first of its name that tells it from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from attrs import frozen

from zermelo.interpreter.model import Variable
from zermelo.interpreter.types import BoardType, SetType, strip_none
from zermelo.interpreter.values import Cell, OrderedSet, Value, shown_value

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
    """The tokens on each board that no variable is drawn as, if it is not too large."""
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
        begins = [_starts([shown_value(value) for value in index.members]) for index in variable.indices]
        for indices in product(*(index.members for index in variable.indices)):
            words = [shown_value(value) for value in indices]
            sign = starts[variable.name] + "".join(begin[word] for begin, word in zip(begins, words, strict=True))
            of = f"[{', '.join(words)}]" if words else ""
            cells = _cells(known[indices]) if indices in known else None
            yield Token(sign, variable.name, f"{variable.name}{of}", indices, cells)


def _cells(value: Value) -> tuple[Cell, ...]:
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
