"""What players see as arrays of numbers, by one rule from what the file declares.

An array is a row of *blocks*, each with a name, an offset and a shape; the last axis of a block has a number for each
of its *units*, which say what a value is (:func:`zermelo.interpreter.model.networks.units_of_type`: the inputs of the
networks that Zermelo trains are made by the same rule):

- of ``Bool`` whether it is true; of an enumeration, a cell or a small record for each value whether it is that; of a
  set for each possible member whether it has it; of a number how it stands to its least ones and how far it is beyond
  them; of a large record the units of its fields; and of an optional one whether it is none.

So boards become planes: with ``board[Square]: Mark?`` on a board of three rows and columns, the block ``board`` has the
shape (3, 3, 3), rows from the first to the last, and ``[..., 1]`` is the plane of X. The blocks are, in this order:

1. ``player``: who looks;
2. one for each variable that is not constant and that somebody may see, with an axis for each index, two if that is a
   whole board of rows and columns. If not everybody sees it always, or if it may be unset, its first unit says whether
   a value is known; if none is, all its numbers are 0;
3. one for each message that ``tell`` may send, of the last one received: whether there was one, and its arguments;
4. one for each phase in which players decide: whether they are asked there now, and its arguments that are not secret.

*The view of a player* is a function of their information state: it begins with the values after ``setup``, which the
rules tell everybody, and every observation writes into it, a sighting the entries that it shows, a message its block, a
question the block of its phase; the player's own move wipes out the question. So it never tells more than the player
knows: states that they cannot tell apart look alike. It is no memory of perfect recall: what was overwritten is gone,
and so are the moves of others except for what they changed.

*The recollection of a player* is of perfect recall: a row for each observation of their information state, in order.
Each row is written as the view is, from nothing; variables always begin with the unit that says whether a value is
known, which here means that it was seen in this observation. A fifth kind of blocks has a move that was perceived: of
whom, and its arguments, with a unit before each that may be hidden that says whether it was seen. So states that the
player can tell apart have different rows. As text they are told apart by :func:`information_text`.

*The view of all* is a function of the position: it has all variables, also those that nobody sees, with all that is in
them now, and of the phase in which somebody acts all arguments; ``player`` says who acts; there are no messages. Like
the inputs of networks, it lacks what others have chosen at the same moment, the history, and payoffs.

For programs that step many states at once: where no audience depends on the state, the blocks of variables in the view
of a player are a function of the values at the last decision of anybody, and those of phases of the state alone. What a
unit says of a packed value is a comparison of its code (:mod:`zermelo.interpreter.native.rules.networks`). Messages and
changing audiences take a memory for each player: the words that lowered code writes for each step
(:mod:`zermelo.interpreter.native.state_encoding.observations`) are what the array is updated by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING, Final, Literal

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed, Unchanging
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import (
    HIDDEN,
    Asked,
    InformationState,
    Observation,
    PerceivedMove,
    Seen,
    Sighting,
    Told,
)
from zermelo.interpreter.model import Audience, Chance, InputUnit, Model, Tell, Variable
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.model.networks import count_of, units_of_type
from zermelo.interpreter.model.rewriting import blocks, rules_of, statements
from zermelo.interpreter.types import BoardType, SetType, TupleType, Type, strip_none
from zermelo.interpreter.values import OrderedSet, Value, typed_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_UNITS: Final = 1_000_000
"""The most numbers of an observation."""

_MOST_KEPT: Final = 100_000
"""The most values whose numbers are kept."""

BlockKind = Literal["player", "variable", "message", "phase", "move"]

EncodingKind = Literal["view", "all", "recollection"]


@frozen(eq=False, repr=False)
class ObservationBlock(Displayed):
    """A part of an observation, from ``offset`` on: of the variable, message, phase or move with this ``name``. The
    last axis of its ``shape`` is that of ``units``, the others are those of indices."""

    name: str
    kind: BlockKind
    offset: int
    shape: tuple[int, ...]
    units: tuple[InputUnit, ...] = field(repr=False)

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def meanings(self) -> tuple[str, ...]:
        """What each unit says: ``board is X``."""
        return tuple(unit.name for unit in self.units)


@frozen(eq=False, repr=False)
class ObservationEncoding(Displayed, Unchanging):
    """The layout of observations of a game, and how they are written: the view of a player, that of all, or the rows of
    a recollection, as the module tells. ``blocks`` say what the numbers mean."""

    game: Model = field(repr=False)
    kind: EncodingKind
    blocks: tuple[ObservationBlock, ...]

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(block.size for block in self.blocks)

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the greatest that each number can be."""
        import numpy as np

        low, high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for block in self.blocks:
            for k, unit in enumerate(block.units):
                place = slice(block.offset + k, block.offset + block.size, len(block.units))
                low[place] = -inf if unit.kind == "number" else 0
                high[place] = inf if unit.kind == "number" else unit.most
        return low, high

    def block(self, name: str) -> ObservationBlock:
        """The block of this name; raises ``KeyError``."""
        found = {block.name: block for block in reversed(self.blocks)}
        if name not in found:
            raise KeyError(f"there is no '{name}'; there are {', '.join(reversed(found))}")
        return found[name]

    def view(self, player: int, told_first: Iterable[Seen], known: InformationState) -> NDArray[np.float32]:
        """What a player with these observations sees, given the values after ``setup``."""
        if player not in self._at_first:
            self._at_first[player] = self._view_at_first(player, told_first)
        written = _Written(self._at_first[player].copy(), self._vectors)
        for observation in known:
            self._write_observation(written, observation)
            if isinstance(observation, PerceivedMove) and observation.player == self.game.players[player].name:
                for block in self._by_kind["phase"].values():
                    written.wipe(block)
        return written.numbers

    def _view_at_first(self, player: int, told_first: Iterable[Seen]) -> NDArray[np.float32]:
        written = self._written()
        written.put(self._by_kind["player"]["player"], 0, self.game.players[player])
        for seen in told_first:
            if self._place(seen) in self._ever[player]:
                self._write_value(written, seen)
        return written.numbers

    def recollection(self, player: int, known: InformationState) -> NDArray[np.float32]:
        """The observations of a player, a row for each."""
        import numpy as np

        found = np.zeros((len(known), self.size), np.float32)
        for row, observation in zip(found, known, strict=True):
            written = _Written(row, self._vectors)
            written.put(self._by_kind["player"]["player"], 0, self.game.players[player])
            self._write_observation(written, observation)
        return found

    def _write_observation(self, written: _Written, observation: Observation) -> None:
        match observation:
            case Sighting(values):
                for seen in values:
                    self._write_value(written, seen)
            case Told(label, arguments):
                written.put(self._by_kind["message"][_named(label, len(arguments))], 0, arguments)
            case Asked(phase, arguments):
                written.put(self._by_kind["phase"][phase], 0, arguments)
            case PerceivedMove(made_by, name, arguments) if self.kind == "recollection":
                mover = next(player for player in self.game.players if player.name == made_by)
                written.put(self._by_kind["move"][_named(name, len(arguments))], 0, (mover, *arguments))

    def all(
        self, actor: int, entries: Iterable[Seen], phase: tuple[str, tuple[Value, ...]] | None
    ) -> NDArray[np.float32]:
        """What there is to see where ``actor`` acts, who is below 0 for chance and at the end, in a ``phase`` with
        arguments, None at the end."""
        written = self._written()
        if actor >= 0:
            written.put(self._by_kind["player"]["player"], 0, self.game.players[actor])
        for seen in entries:
            self._write_value(written, seen)
        if phase is not None and phase[0] in self._by_kind["phase"]:
            written.put(self._by_kind["phase"][phase[0]], 0, phase[1])
        return written.numbers

    def _written(self) -> _Written:
        import numpy as np

        return _Written(np.zeros(self.size, np.float32), self._vectors)

    def _write_value(self, written: _Written, seen: Seen) -> None:
        block = self._by_kind["variable"].get(seen.variable)
        if block is not None:
            written.put(block, self._places[seen.variable][seen.indices], seen.value)

    def _place(self, seen: Seen) -> int:
        """The place of an entry among all of the model."""
        if seen.variable not in self._places:
            return -1
        return self._offsets[seen.variable] + self._places[seen.variable][seen.indices]

    @cached_property
    def _vectors(self) -> dict[tuple[ObservationBlock, Value], NDArray[np.float32]]:
        """The numbers of values that have been met."""
        return {}

    @cached_property
    def _at_first(self) -> dict[int, NDArray[np.float32]]:
        """The view of each player after ``setup``, with which all others begin."""
        return {}

    @cached_property
    def _by_kind(self) -> Mapping[str, Mapping[str, ObservationBlock]]:
        kinds: tuple[BlockKind, ...] = ("player", "variable", "message", "phase", "move")
        return {kind: {block.name: block for block in self.blocks if block.kind == kind} for kind in kinds}

    @cached_property
    def _offsets(self) -> dict[str, int]:
        return {variable.name: variable.offset for variable in self.game.variables}

    @cached_property
    def _places(self) -> dict[str, dict[tuple[Value, ...], int]]:
        """The entries of each variable by their indices."""
        return {
            variable.name: {
                indices: k for k, indices in enumerate(product(*(type.members for type in variable.indices)))
            }
            for variable in self.game.variables
            if variable.name in self._by_kind["variable"]
        }

    @cached_property
    def _ever(self) -> tuple[set[int], ...]:
        audiences = Audiences(self.game, Compiler())
        return tuple(audiences.ever(player) for player in self.game.players)


@define(eq=False, repr=False)
class _Written:
    """An observation that is being written; ``vectors`` keeps the numbers of values."""

    numbers: NDArray[np.float32]
    vectors: dict[tuple[ObservationBlock, Value], NDArray[np.float32]]

    def put(self, block: ObservationBlock, entry: int, value: Value) -> None:
        """Write a value, or the arguments of a message or a phase."""
        key = block, typed_key(value)
        vector = self.vectors.get(key)
        if vector is None:
            import numpy as np

            if len(self.vectors) >= _MOST_KEPT:
                self.vectors.clear()
            vector = self.vectors[key] = np.array([said_of(unit, value) for unit in block.units], np.float32)
        first = block.offset + entry * len(vector)
        self.numbers[first : first + len(vector)] = vector

    def wipe(self, block: ObservationBlock) -> None:
        self.numbers[block.offset : block.offset + block.size] = 0


def said_of(unit: InputUnit, value: Value) -> float:
    """What a unit says of a value that is known. Messages of one label may have arguments of different types: of those
    of another type it says nothing."""
    for k in unit.path:
        if not isinstance(value, tuple) or k >= len(value):
            return 0.0
        value = value[k]
    match unit.kind:
        case "known":
            return float(value is not HIDDEN)
        case "is":
            return float(typed_key(value) == typed_key(unit.value))
        case "has":
            return float(isinstance(value, OrderedSet) and unit.value in value)
        case _ if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return 0.0
        case "number":
            return float(value)
    return float(count_of(unit, value))


def information_text(known: InformationState) -> str:
    """An information state as text, a line for each observation: equal for equal ones."""
    return "\n".join(map(str, known))


# The blocks of a game.


def view_of_player(game: Model) -> ObservationEncoding:
    """The encoding of what a player sees. Raises ``ZermeloError`` (``needs-bounds``)."""
    shown = (each for each in game.variables if not each.is_constant and each.visibility is not Audience.NOBODY)
    return _encoding(game, "view", shown)


def recollection_of_player(game: Model) -> ObservationEncoding:
    """The encoding of the rows of what a player has observed. Raises ``ZermeloError`` (``needs-bounds``)."""
    shown = (each for each in game.variables if each.visibility is not Audience.NOBODY)
    return _encoding(game, "recollection", shown)


def view_of_all(game: Model) -> ObservationEncoding:
    """The encoding of everything. Raises ``ZermeloError`` (``needs-bounds``)."""
    return _encoding(game, "all", (each for each in game.variables if not each.is_constant))


def _encoding(game: Model, kind: EncodingKind, variables: Iterable[Variable]) -> ObservationEncoding:
    found: list[ObservationBlock] = []
    offset = 0
    described = (
        ("player", "player", (), tuple(units_of_type("player", game.player_type))),
        *(_variable_block(variable, kind) for variable in variables),
        *(() if kind == "all" else _message_blocks(game)),
        *_phase_blocks(game, kind == "all"),
        *(_move_blocks(game) if kind == "recollection" else ()),
    )
    for name, what, shape, units in described:
        found.append(ObservationBlock(name, what, offset, (*shape, len(units)), units))
        offset += found[-1].size
        if offset > MOST_UNITS:
            raise ZermeloError(
                "needs-bounds",
                f"an observation would have more than {MOST_UNITS:,} numbers, {found[-1].size:,} for '{name}'",
                "smaller parameters of the game, or smaller types, make it shorter",
            )
    return ObservationEncoding(game, kind, tuple(found))


_Described = tuple[str, BlockKind, tuple[int, ...], tuple[InputUnit, ...]]
"""Name, kind, the sizes of the indices, units."""


def _variable_block(variable: Variable, kind: EncodingKind) -> _Described:
    is_seen = kind == "all" or (kind == "view" and variable.visibility is Audience.EVERYBODY)
    units = _units(variable.name, variable.type)
    if not is_seen or not variable.has_initial:
        units = (InputUnit(f"{variable.name} is known", "known", variable.name), *units)
    return variable.name, "variable", tuple(size for type in variable.indices for size in _axes(type)), units


def _axes(type: Type) -> tuple[int, ...]:
    """The axes of an index: rows and columns if it is a whole board that has them."""
    if not isinstance(type, BoardType) or type.shape not in ("grid", "hex"):
        return (type.size,)
    rows, columns = len({cell.y for cell in type.cells}), len({cell.x for cell in type.cells})
    return (rows, columns)


def _message_blocks(game: Model) -> Iterator[_Described]:
    by_name: dict[str, list[list[tuple[Type, bool]]]] = {}
    for block in blocks(game):
        for statement in statements(block):
            if isinstance(statement, Tell):
                name = _named(statement.label, len(statement.arguments))
                types = [(argument.type, False) for argument in statement.arguments]
                by_name.setdefault(name, []).append(types)
    for name, alike in by_name.items():
        received = InputUnit(f"{name} was received", "known")
        yield name, "message", (), (received, *_argument_units(alike, 0))


def _move_blocks(game: Model) -> Iterator[_Described]:
    by_name: dict[str, list[list[tuple[Type, bool]]]] = {}
    for phase in game.phases.values():
        for rule in () if isinstance(phase.decision, Chance) else rules_of(phase.decision):
            types = [(parameter.type, parameter.secret) for parameter in rule.parameters]
            by_name.setdefault(_named(rule.name, len(types)), []).append(types)
    for name, alike in by_name.items():
        movers = tuple(units_of_type("player", game.player_type, path=(0,)))
        yield name, "move", (), (*movers, *_argument_units(alike, 1))


def _named(name: str, count: int) -> str:
    """Messages of one label, and moves of one name, may have several numbers of arguments."""
    return f"{name}/{count}"


def _argument_units(alike: list[list[tuple[Type, bool]]], first: int) -> Iterator[InputUnit]:
    """The units of arguments, of which number 0 is found at ``first``. They may have different types in different
    places, and may be hidden."""
    for k, several in enumerate(zip(*alike, strict=True)):
        if any(secret for _, secret in several):
            yield InputUnit(f"argument {k + 1} is seen", "known", path=(first + k,))
        for type in dict.fromkeys(type for type, _ in several):
            yield from _units(f"argument {k + 1}", type, (first + k,))


def _phase_blocks(game: Model, is_of_all: bool) -> Iterator[_Described]:
    for phase in game.phases.values():
        if phase.decision is not None and (is_of_all or not isinstance(phase.decision, Chance)):
            units = [InputUnit(f"phase {phase.name}", "known")]
            for k, parameter in enumerate(phase.parameters):
                if is_of_all or not parameter.secret:
                    units += _units(parameter.name, parameter.type, (k,))
            yield phase.name, "phase", (), tuple(units)


def _units(name: str, type: Type, path: tuple[int, ...] = ()) -> tuple[InputUnit, ...]:
    """The units of a value of a type; of an argument, which is found at this path."""
    _check_bounds(name, type)
    return tuple(units_of_type(name, type, path=path))


def _check_bounds(name: str, type: Type) -> None:
    """Raise ``ZermeloError`` (``needs-bounds``) for sets whose members cannot be listed."""
    base = strip_none(type).base
    if isinstance(base, SetType):
        if (values_of_type(base.element) or inf) > MOST_UNITS:
            raise ZermeloError("needs-bounds", f"'{name}' is a set of what cannot be listed, {base.element}")
    elif isinstance(base, TupleType):
        for item in base.items:
            _check_bounds(name, item)
