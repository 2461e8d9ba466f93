"""The numbers for programs that learn (:mod:`zermelo.interpreter.numbering`) and those of lowered rules.

A move has one number in the list of all moves, and in lowered rules one for each phase that offers it, made of the
stored forms of its arguments. An array has the second for each phase and each of the first.

Of an observation every number says something of one place of a state. What is stored there has few bits, mostly, so
that all that can be stored is tried: for each there is a row of a table, with what the units say of the value. Of a
larger set some bits are looked at at a time, and of a larger number whether and by how much it is beyond another. So
what a unit means is defined in one place, :mod:`zermelo.interpreter.numbering.observations`, and works out to a lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import InputUnit, SeenBy, Variable
from zermelo.interpreter.model.rewriting import reads_state, rules_of
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.expressions.variables import positions
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.state_encoding.encoding import (
    Storage,
    decode,
    encode,
    extent,
    is_set,
    scale_of,
    set_element,
    step_of,
    storage_of,
)
from zermelo.interpreter.native.state_encoding.observations import Part, Perception
from zermelo.interpreter.native.state_encoding.state_layout import ACTOR, PHASE, NotLowered, Place
from zermelo.interpreter.numbering.moves import MoveGroup, NumberedMoves
from zermelo.interpreter.numbering.observations import ObservationBlock, ObservationEncoding, said_of
from zermelo.interpreter.types import NumberType, Type, strip_none
from zermelo.interpreter.values import OrderedSet, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Moves.


def codes_of_moves(program: Program, numbering: NumberedMoves) -> NDArray[np.int64]:
    """The number in lowered rules of each numbered move, a row for each phase; -1 where the phase cannot offer it."""
    import numpy as np

    codes = np.full((len(program.layout.phases), len(numbering)), -1, np.int64)
    for phase, row in zip(program.layout.phases, codes, strict=True):
        offered = {(rule.name, len(rule.parameters)) for rule in rules_of(phase.decision)}
        for group in numbering.groups:
            if (group.name, len(group.values)) in offered:
                row[group.first : group.first + len(group)] = _codes_of_group(program, phase.name, group)
    return codes


def _codes_of_group(program: Program, phase: str, group: MoveGroup) -> NDArray[np.int64]:
    """The codes of a group in a phase, in order."""
    import numpy as np

    code = program.moves.of(phase, group.name)
    found = np.array([code.number], np.int64)
    for argument, values in zip(code.arguments, group.values, strict=True):
        held = [_held(argument.storage.put, argument.storage.width, argument.type, value) for value in values]
        stored = np.array(held, np.int64)
        joined = found[:, None] | stored[None, :] << argument.shift
        found = np.where((found[:, None] < 0) | (stored[None, :] < 0), -1, joined).reshape(-1)
    return found


def _held(put: Callable[[int], int], width: int, type: Type, value: Value) -> int:
    """The stored form of an argument; -1 for a value of another phase, which its type does not have."""
    if not _is_of(type, value):
        return -1
    held = put(encode(value, type))
    return held if 0 <= held < 1 << width else -1


def _is_of(type: Type, value: Value) -> bool:
    """Whether a value is one of a type, whatever values it is compared with."""
    base = strip_none(type).base
    if value is None:
        return type is not strip_none(type)
    is_number = isinstance(value, int | Fraction) and not isinstance(value, bool)
    if is_number != isinstance(base, NumberType) or isinstance(value, OrderedSet) != is_set(type):
        return False
    return type.contains(value)


# Observations.


_TABLED: Final = 10
"""The most bits of what has a row in a table."""

_CHUNK: Final = 8
"""The most members of a set that have a table together."""

_WATCHERS: Final = 62
"""The most players: a number has a bit for each."""

PieceKind = Literal["table", "is", "over", "number"]


@frozen(eq=False, repr=False)
class ObservationPiece(Displayed):
    """Numbers from ``offset`` on of an observation, by what is stored from bit ``shift`` on under ``mask`` in a
    ``slot``, or bit by bit in ``planes`` of them. It says ``rows``, one for each that can be stored; or whether that
    ``is`` the ``base`` or ``over`` it; or how many ``step`` it is beyond it if it is not less than ``least``. Only in
    ``phase``, if that is not below 0; of a message it is the group, and ``slot`` counts its words.

    There are ``count`` of them for as many entries of a variable, each so many slots, bits and numbers further on as
    ``strides`` say."""

    offset: int
    slot: int
    mask: int
    shift: int = 0
    planes: int = 0
    kind: PieceKind = "table"
    rows: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    base: int = 0
    least: int = 0
    step: int = 1
    phase: int = -1
    watchers: int = (1 << _WATCHERS) - 1
    count: int = 1
    strides: tuple[int, int, int] = (0, 0, 0)

    @property
    def place(self) -> tuple[int, int, int]:
        """Slot, bit and offset."""
        return self.slot, self.shift, self.offset

    @property
    def length(self) -> int:
        """How many numbers it has."""
        return len(self.rows[0]) if self.kind == "table" else 1


@define(eq=False, repr=False)
class ObservationReading:
    """How the observations of a game are read from its states."""

    program: Program
    encoding: ObservationEncoding

    def pieces(self) -> list[ObservationPiece]:
        """What is read from a state, for the player to move. Raises
        :class:`~zermelo.interpreter.native.dialect.lowered_text.Unsupported`."""
        if len(self.program.model.players) > _WATCHERS:
            raise Unsupported(f"observations of more than {_WATCHERS} players")
        return [piece for block in self.encoding.blocks for piece in self._of_block(block)]

    @property
    def is_kept(self) -> bool:
        """Whether it takes more than the present state: messages, or values whose watchers depend on it."""
        is_told = any(block.kind == "message" for block in self.encoding.blocks)
        return is_told or any(map(self._is_changing, self.program.model.variables))

    def told_pieces(self) -> list[ObservationPiece]:
        """What is read from messages. Raises likewise."""
        blocks = {block.name: block for block in self.encoding.blocks if block.kind == "message"}
        groups = enumerate(self._perception.tellings) if blocks else ()
        return [
            evolve(piece, phase=number)
            for number, group in groups
            for piece in _pieces_of_message(blocks[f"{group.name}/{len(group.parts)}"], group.parts)
        ]

    def shown_entries(self) -> list[tuple[int, list[ObservationPiece]]]:
        """For each entry that a player may come to see, by the number that sightings give it, the words of its value,
        and what is read from it if its watchers depend on the state. Raises likewise."""
        found: list[tuple[int, list[ObservationPiece]]] = []
        for variable in self._perception.firsts if self.is_kept else ():
            place = self.program.layout.places[variable]
            pieces: dict[int, list[ObservationPiece]] = {}
            if self._is_changing(variable):
                block = self.encoding.block(variable.name)
                values = list(_StoredValue(variable.type, place.storage, block.units).pieces())
                for entry, at in enumerate(positions(place)):
                    offset = block.offset + entry * len(block.units)
                    pieces[at] = [evolve(_located(each, place, at), offset=offset + each.offset) for each in values]
            size = self._perception.seen_part(variable).size
            found += [(size, pieces.get(at, [])) for at in range(place.extent)]
        return found

    @property
    def _perception(self) -> Perception:
        perception = self.program.perception
        if isinstance(perception, NotLowered):
            raise Unsupported(perception.construct)
        assert isinstance(perception, Perception), "what is told or hidden is perceived"
        return perception

    def _is_changing(self, variable: Variable) -> bool:
        """Whether it depends on the state who sees a variable."""
        seen_by = variable.visibility
        is_read = not self._is_of_all and not variable.is_constant
        return is_read and isinstance(seen_by, SeenBy) and reads_state(seen_by.audience)

    def _of_block(self, block: ObservationBlock) -> Iterable[ObservationPiece]:
        match block.kind:
            case "player":
                return [self._player_piece(block)]
            case "variable":
                return self._variable_pieces(block)
            case "phase":
                return self._phase_pieces(block)
        return ()

    def _player_piece(self, block: ObservationBlock) -> ObservationPiece:
        silent = (0.0,) * len(block.units)
        players = [tuple(said_of(unit, each) for unit in block.units) for each in self.program.model.players]
        rows = _filled([silent, silent, *players])
        return ObservationPiece(block.offset, ACTOR, len(rows) - 1, rows=rows)

    def _phase_pieces(self, block: ObservationBlock) -> Iterator[ObservationPiece]:
        layout = self.program.layout
        number = next(k for k, phase in enumerate(layout.phases) if phase.name == block.name)
        rows = _filled([(float(k == number),) for k in range(len(layout.phases) + 1)])
        yield ObservationPiece(block.offset, PHASE, len(rows) - 1, rows=rows)
        for k, parameter in enumerate(layout.phases[number].parameters):
            units = [(at, unit) for at, unit in enumerate(block.units) if unit.path[:1] == (k,)]
            if units:
                value = _StoredValue(parameter.type, storage_of(parameter.type), tuple(u for _, u in units), k)
                for piece in value.pieces():
                    yield evolve(piece, slot=layout.arguments + k, offset=block.offset + units[0][0] + piece.offset,
                                 phase=number)  # fmt: skip

    def _variable_pieces(self, block: ObservationBlock) -> Iterator[ObservationPiece]:
        variable = next(each for each in self.program.model.variables if each.name == block.name)
        if self._is_changing(variable):
            return
        place = self.program.layout.places[variable]
        for piece in _StoredValue(variable.type, place.storage, block.units).pieces():
            located = []
            for entry, at in enumerate(positions(place)):
                watchers, offset = self._watchers(variable, entry), entry * len(block.units) + block.offset
                if watchers:
                    located.append(evolve(_located(piece, place, at), offset=offset + piece.offset, watchers=watchers))
            yield from _joined(located)

    def _watchers(self, variable: Variable, entry: int) -> int:
        players = self.program.model.players
        if self._is_of_all:
            return (1 << len(players)) - 1
        return sum(1 << each.index for each in players if variable.offset + entry in self._always[each.index])

    @property
    def _is_of_all(self) -> bool:
        return self.encoding.kind == "all"

    @cached_property
    def _always(self) -> list[frozenset[int]]:
        always = Audiences(self.program.model, Compiler()).always
        return [frozenset(always[player]) for player in self.program.model.players]


def _located(piece: ObservationPiece, place: Place, at: int) -> ObservationPiece:
    """A piece of the value at a position of a variable."""
    if place.is_planes:
        return evolve(piece, slot=place.first, shift=at, planes=place.storage.width)
    shift = at % place.per_slot * place.storage.width
    return evolve(piece, slot=place.first + at // place.per_slot, shift=piece.shift + shift)


def _joined(pieces: Sequence[ObservationPiece]) -> Iterator[ObservationPiece]:
    """The pieces of the entries of a variable, alike but for place and watchers; those at even distances as one."""
    at = 0
    while at < len(pieces):
        first, end, strides = pieces[at], at + 1, (0, 0, 0)
        if end < len(pieces):
            strides = _distances(first, pieces[end])
        while (
            end < len(pieces)
            and pieces[end].watchers == first.watchers
            and _distances(pieces[end - 1], pieces[end]) == strides
        ):
            end += 1
        yield evolve(first, count=end - at, strides=strides)
        at = end


def _distances(one: ObservationPiece, other: ObservationPiece) -> tuple[int, int, int]:
    slots, bits, numbers = (there - here for here, there in zip(one.place, other.place, strict=True))
    return slots, bits, numbers


def _pieces_of_message(block: ObservationBlock, parts: Sequence[Part]) -> Iterator[ObservationPiece]:
    yield ObservationPiece(block.offset, 0, 0, rows=((1.0,),))
    word = 1
    for k, part in enumerate(parts):
        units = [(at, unit) for at, unit in enumerate(block.units) if unit.path[:1] == (k,)]
        if part.size > 1:
            raise Unsupported(f"messages with a value as large as in '{block.name}'")
        if units:
            for piece in _StoredValue(part.type, part.storage, tuple(unit for _, unit in units), k).pieces():
                yield evolve(piece, slot=word, offset=block.offset + units[0][0] + piece.offset)
        word += part.size


@frozen(eq=False, repr=False)
class _StoredValue(Displayed):
    """A value of a type, as a place stores it, and the units that say something of it; of an argument, its number."""

    type: Type
    storage: Storage
    units: tuple[InputUnit, ...]
    argument: int | None = None

    def pieces(self) -> Iterator[ObservationPiece]:
        """Pieces at slot 0 and offset 0."""
        width = self.storage.width
        if width <= _TABLED:
            yield self._table(0, self.units, 0, self._values(width))
        elif is_set(self.type):
            yield from self._pieces_of_set()
        else:
            yield from (self._piece_of_unit(at, unit) for at, unit in enumerate(self.units))

    def _table(
        self, offset: int, units: Sequence[InputUnit], shift: int, values: Sequence[Value | _Unset]
    ) -> ObservationPiece:
        """The piece of some units that a table says, by bits with these values."""
        rows = tuple(tuple(self._said(unit, value) for unit in units) for value in values)
        return ObservationPiece(offset, 0, len(rows) - 1, shift, rows=rows)

    def _values(self, width: int) -> list[Value | _Unset]:
        """The values that are stored in so many bits."""
        found: list[Value | _Unset] = [UNWRITTEN] * (1 << width)
        marks = (1 << self.storage.marks) - 1
        if is_set(self.type) or isinstance(strip_none(self.type).base, NumberType):
            for stored in range(self.storage.has_unset, 1 << width):
                if stored & marks == marks or self.storage.take(stored) == self.storage.none:
                    found[stored] = decode(self.storage.take(stored), self.type)
        else:
            for value in self.type.generate():
                found[self.storage.put(encode(value, self.type))] = value
        return found

    def _said(self, unit: InputUnit, value: Value | _Unset) -> float:
        if isinstance(value, _Unset):
            return 0.0
        return said_of(unit, value if self.argument is None else (None,) * self.argument + (value,))

    def _pieces_of_set(self) -> Iterator[ObservationPiece]:
        """The bits that say whether there is a set, then members that are stored next to each other."""
        marks, element = self.storage.marks, set_element(self.type)
        first = next((at for at, unit in enumerate(self.units) if unit.kind == "has"), len(self.units))
        if first:
            yield self._table(0, self.units[:first], 0, self._values(marks))
        bits = [marks + encode(unit.value, element) - extent(element)[0] for unit in self.units[first:]]

        def chunk(k: int) -> tuple[int, int]:
            """Units one after the other whose bits are, too, some at a time."""
            return bits[k] - k, (bits[k] - marks) // _CHUNK

        for _, several in groupby(range(len(bits)), chunk):
            places = list(several)
            units = self.units[first + places[0] : first + places[-1] + 1]
            members = [unit.value for unit in units]

            values = [
                OrderedSet(member for k, member in enumerate(members) if stored >> k & 1)
                for stored in range(1 << len(places))
            ]
            yield self._table(first + places[0], units, bits[places[0]], values)

    def _piece_of_unit(self, at: int, unit: InputUnit) -> ObservationPiece:
        """What one unit says of a large number, or of a value whose code is known. Those that are none or unset are the
        least that are stored."""
        mask, inner = (1 << self.storage.width) - 1, strip_none(self.type)
        if len(unit.path) > (self.argument is not None):
            raise Unsupported(f"observations of values as large as those of '{unit.name}'")
        if unit.kind == "known":
            return ObservationPiece(at, 0, mask, kind="over")
        if unit.kind == "is":
            return ObservationPiece(at, 0, mask, kind="is", base=self.storage.put(encode(unit.value, self.type)))
        base = inner.base
        if not isinstance(base, NumberType) or (unit.kind == "number" and scale_of(base) != 1):
            raise Unsupported(f"observations of values as large as those of '{unit.name}'")
        value = 0 if unit.kind == "number" else unit.value
        assert isinstance(value, int | Fraction), "numbers are beyond others"
        stored = self.storage.put(encode(value, self.type))
        if unit.kind == "over":
            return ObservationPiece(at, 0, mask, kind="over", base=stored)
        least = stored if unit.kind == "beyond" else int(self.storage.has_none) + int(self.storage.has_unset)
        step = 1 if unit.kind == "number" else step_of(base)
        return ObservationPiece(at, 0, mask, kind="number", base=stored, least=least, step=step)


class _Unset:
    """In place of a value where none is stored."""


UNWRITTEN: Final = _Unset()


def _filled(rows: list[tuple[float, ...]]) -> tuple[tuple[float, ...], ...]:
    """Rows for all numbers of some bits, those at the end silent."""
    silent = (0.0,) * len(rows[0])
    return (*rows, *[silent] * ((1 << (len(rows) - 1).bit_length()) - len(rows)))
