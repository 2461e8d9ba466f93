"""What a table says of a position, as columns.

==================  ================================================================================================
``key0``, ...       the key of the position (:mod:`.keys`)
``to_move``         who is to move: a player's name, or ``chance``
``value_NAME``      what a player gets from there on if all play best; what they have earned before is left out
``moves_to_the_end``
                    the distance to the end if those who win hurry and the others delay; null where a play need not end,
                    and where something is left to chance
``best_moves``      how many moves are best; null where chance is to move
==================  ================================================================================================

Values are exact. If all of them are whole numbers, there is one column for each player, with numbers of as few bits as
they need. Else there are two, ``value_NAME_numerator`` and ``value_NAME_denominator``, in lowest terms. Numbers of more
than 64 bits are text, in decimal digits. A value is null where none is defined, because it would depend on what an
endless play pays, which the rules do not say.

The ends of plays have no rows: what they pay is told by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, Payoff
from zermelo.solvers.tables.dataset import key_names

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

CHANCE_MOVES: Final = "chance"
"""What stands in place of a player where chance is to move."""

ROWS: Final = 1 << 20
"""Rows that are made at a time."""


@frozen(eq=False)
class SolvedRows:
    """Solved positions, in arrays. Position p has the key ``keys[p]``, of one or several words, and the payoff
    ``payoffs[outcomes[p]]``, None if that is -1; so have ``distances`` and ``best``."""

    keys: Array
    actors: Array
    outcomes: Array
    payoffs: Sequence[Payoff]
    distances: Array
    best: Array

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.keys)

    def order(self) -> Array:
        """The positions in the order of their keys."""
        import numpy

        return numpy.lexsort(self.keys.T[::-1])


@frozen
class ValueColumn:
    """A column of values: its name, its type, and of which player it has which part, the numerator or the
    denominator."""

    name: str
    kind: str
    player: int
    part: str

    def amounts(self, payoffs: Sequence[Payoff]) -> list[Any]:
        """What it says for each of some payoffs."""
        numbers = [getattr(payoff[self.player], self.part) for payoff in payoffs]
        return list(map(str, numbers)) if self.kind == "string" else numbers


@frozen(eq=False)
class RowFormat:
    """The columns of a table for a game of these ``players``, with keys of ``width`` words."""

    players: Sequence[str]
    width: int
    values: Sequence[ValueColumn]
    distance: str

    @classmethod
    def of(cls, players: Sequence[str], width: int, payoffs: Sequence[Payoff], longest: int) -> RowFormat:
        """The format for these payoffs and for distances up to the ``longest``."""
        is_whole = all(Fraction(amount).denominator == 1 for payoff in payoffs for amount in payoff)
        values = []
        for number, player in enumerate(players):
            for part in ("numerator",) if is_whole else ("numerator", "denominator"):
                name = f"value_{player}" if is_whole else f"value_{player}_{part}"
                kind = _least_type([getattr(payoff[number], part) for payoff in payoffs])
                values.append(ValueColumn(name, kind, number, part))
        return cls(players, width, values, _least_type([longest]))

    def schema(self) -> Any:
        """The schema of pyarrow."""
        import pyarrow

        kinds = {column.name: column.kind for column in self.values} | {"moves_to_the_end": self.distance}
        keys = [pyarrow.field(name, pyarrow.uint64(), nullable=False) for name in key_names(self.width)]
        others = [pyarrow.field(name, getattr(pyarrow, kind)()) for name, kind in kinds.items()]
        mover = pyarrow.field("to_move", pyarrow.string(), nullable=False)
        return pyarrow.schema([*keys, mover, *others, pyarrow.field("best_moves", pyarrow.int32())])

    def tables(self, rows: SolvedRows) -> Iterator[Any]:
        """The rows as tables of pyarrow, in the order of their keys."""
        order = rows.order()
        for first in range(0, len(order), ROWS):
            yield self._table(rows, order[first : first + ROWS])

    def _table(self, rows: SolvedRows, places: Array) -> Any:
        import numpy
        import pyarrow

        schema, outcomes = self.schema(), rows.outcomes[places]
        chosen = pyarrow.array(numpy.maximum(outcomes, 0), mask=outcomes < 0)
        names = numpy.array([*self.players, CHANCE_MOVES], object)
        assert CHANCE == -1, "so that it is the last of the names"
        columns: list[Any] = [pyarrow.array(rows.keys[places, k]) for k in range(self.width)]
        columns.append(pyarrow.array(names[rows.actors[places]], pyarrow.string()))
        for column in self.values:
            amounts = pyarrow.array(column.amounts(rows.payoffs), schema.field(column.name).type)
            columns.append(amounts.take(chosen))
        for name, numbers in (("moves_to_the_end", rows.distances[places]), ("best_moves", rows.best[places])):
            columns.append(pyarrow.array(numbers, schema.field(name).type, mask=numbers < 0))
        return pyarrow.Table.from_arrays(columns, schema=schema)


def payoff_of(row: Mapping[str, Any], players: Sequence[str]) -> Payoff | None:
    """The payoff that a row has."""
    if f"value_{players[0]}" in row:
        amounts = [(row[f"value_{player}"], 1) for player in players]
    else:
        amounts = [(row[f"value_{player}_numerator"], row[f"value_{player}_denominator"]) for player in players]
    return None if amounts[0][0] is None else tuple(Fraction(int(n), int(d)) for n, d in amounts)


def _least_type(numbers: Sequence[int]) -> str:
    """The type of as few bits as hold all numbers."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    for bits in (8, 16, 32, 64):
        if -(1 << bits - 1) <= low and high < 1 << bits - 1:
            return f"int{bits}"
    return "string"
