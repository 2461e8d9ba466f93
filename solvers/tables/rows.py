"""What a table says of a position, as columns.

==================  ================================================================================================
``key0``, ...       the key of the position (:mod:`.keys`)
``to_move``         who is to move: a player's name, or ``chance``
``value_NAME``      what a player gets from there on if all play best; what they have earned before is left out
``moves_to_the_end``
                    the distance to the end if those who win hurry and the others delay; null where a play need not end,
                    and where something is left to chance
``best_moves``      how many moves are best; null where chance is to move
``depth``           in a searched book (:mod:`.books`): how many moves ahead the value has been searched; null if it is
                    exact
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
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.tables.dataset import TableFiles, key_names

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

CHANCE_MOVES: Final = "chance"
"""What stands in place of a player where chance is to move."""


ROWS: Final = 1 << 20
"""Rows that are made at a time, at most."""


@frozen(eq=False)
class RowPart:
    """Some rows, in the order of their keys: in arrays the keys, of one or several words, who acts, whether the value
    ``is_known``, the ``values``, of each player the ``"numerator"`` and the ``"denominator"``, the distances, the
    numbers of best moves and the depths, -1 where there is none."""

    keys: Array
    actors: Array
    is_known: Array
    values: Mapping[tuple[int, str], Array]
    distances: Array
    best: Array
    depths: Array | None = None


@frozen
class ValueColumn:
    """A column of values: its name, its type, and of which player it has which part, the numerator or the
    denominator."""

    name: str
    kind: str
    player: int
    part: str


Ranges = Mapping[tuple[int, str], tuple[int, int]]
"""The least and the greatest of what a table says, by player and part."""


@frozen(eq=False)
class RowFormat:
    """The columns of a table for a game of these ``players``, with keys of ``width`` words; if it ``has_depths``, also
    for those of a searched book."""

    players: Sequence[str]
    width: int
    values: Sequence[ValueColumn]
    distance: str
    has_depths: bool = False

    @classmethod
    def of(
        cls, players: Sequence[str], width: int, ranges: Ranges, longest: int, has_depths: bool = False
    ) -> RowFormat:
        """The format for values in these ranges and for distances up to the ``longest``."""
        is_whole = all(ranges.get((player, "denominator"), (1, 1))[1] <= 1 for player in range(len(players)))
        values = []
        for number, player in enumerate(players):
            for part in ("numerator",) if is_whole else ("numerator", "denominator"):
                name = f"value_{player}" if is_whole else f"value_{player}_{part}"
                values.append(ValueColumn(name, _least_type(*ranges.get((number, part), (0, 0))), number, part))
        return cls(players, width, values, _least_type(0, longest), has_depths)

    def schema(self) -> Any:
        """The schema of pyarrow."""
        import pyarrow

        kinds = {column.name: column.kind for column in self.values} | {"moves_to_the_end": self.distance}
        keys = [pyarrow.field(name, pyarrow.uint64(), nullable=False) for name in key_names(self.width)]
        others = [pyarrow.field(name, getattr(pyarrow, kind)()) for name, kind in kinds.items()]
        mover = pyarrow.field("to_move", pyarrow.string(), nullable=False)
        counts = ["best_moves", "depth"] if self.has_depths else ["best_moves"]
        return pyarrow.schema([*keys, mover, *others, *(pyarrow.field(name, pyarrow.int32()) for name in counts)])

    def table(self, rows: RowPart) -> Any:
        """Rows as a table of pyarrow."""
        import numpy
        import pyarrow

        schema, unknown = self.schema(), ~rows.is_known
        names = pyarrow.array([*self.players, CHANCE_MOVES])
        assert CHANCE == -1, "so that it is the last of the names"
        columns: list[Any] = [pyarrow.array(numpy.ascontiguousarray(rows.keys[:, k])) for k in range(self.width)]
        columns.append(names.take(pyarrow.array(rows.actors % numpy.int8(len(names)))))
        for column in self.values:
            numbers = rows.values[column.player, column.part]
            if column.kind == "string":
                numbers = numpy.array(list(map(str, numbers.tolist())), object)
            columns.append(pyarrow.array(numbers, schema.field(column.name).type, mask=unknown))
        counted = {"moves_to_the_end": rows.distances, "best_moves": rows.best}
        if rows.depths is not None:
            counted["depth"] = rows.depths
        for name, numbers in counted.items():
            columns.append(pyarrow.array(numbers, schema.field(name).type, mask=numbers < 0))
        return pyarrow.Table.from_arrays(columns, schema=schema)


@frozen
class WhoHurries:
    """What distances mean. Players who want ``more`` of what the first one gets hurry to the end where it is more than
    in the ``middle``, and those who want less where it is less; the others delay. Just in the middle everybody hurries,
    if the analysis ``is_one``, or only those who want more. Without a middle everybody always hurries who wants
    more."""

    more: Sequence[str]
    middle: Fraction | None
    is_one: bool

    @classmethod
    def of(cls, players: Sequence[str], wants: Sequence[int], middle: Fraction | None, is_one: bool) -> WhoHurries:
        return cls([player for player, want in zip(players, wants, strict=True) if want == 1], middle, is_one)

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "more": list(self.more),
            "middle": None if self.middle is None else str(self.middle),
            "in_the_middle": "everybody" if self.is_one else "more",
        }


@frozen(eq=False)
class Content:
    """What a table of ``positions`` says: the rows as ``tables`` of pyarrow, in the order of their keys, and what
    distances mean, if there are any. Of positions that are ``images`` of each other one is kept for all. The rows may
    be in ``files`` already, for a while, as they are in those of a table."""

    machine: LoweredMachine
    images: Images | None
    positions: int
    who_hurries: WhoHurries | None
    format: RowFormat
    tables: Iterator[Any]
    files: TableFiles | None = None


def payoff_of(row: Mapping[str, Any], players: Sequence[str]) -> Payoff | None:
    """The payoff that a row has; None if it does not say what everybody gets."""
    if f"value_{players[0]}" in row:
        amounts = [(row[f"value_{player}"], 1) for player in players]
    else:
        amounts = [(row[f"value_{player}_numerator"], row[f"value_{player}_denominator"]) for player in players]
    return None if any(None in amount for amount in amounts) else tuple(Fraction(int(n), int(d)) for n, d in amounts)


def _least_type(low: int, high: int) -> str:
    """The type of as few bits as hold all numbers from one to another."""
    for bits in (8, 16, 32, 64):
        if -(1 << bits - 1) <= low and high < 1 << bits - 1:
            return f"int{bits}"
    return "string"
