"""The layout of ``state`` arrays, and how a position is packed into a key.

A state is an array of W-bit slots: the phase, the actor, the phase's arguments, the choices made so far in a
``together``, payoffs, and the variables. A variable is kept in one of four ways:

- without indices, in one slot;
- as *planes*, if its values have few bits: plane b holds bit b of the stored value of every entry of the variable, so
  that a question about all entries ("which squares are empty?") takes a few operations on whole words;
- as *cells*, one slot for each entry (larger numbers, sets);
- *packed*, several entries to a slot, if there are very many.

Last come the names that entry statements bind for what follows.

The *key* is everything that the rest of the play depends on, packed into words of 64 bits: equal keys, equal positions.
It contains the names that are remembered according to :mod:`zermelo.interpreter.model.rewriting`; they are 0 in all
other phases. Payoffs, their discount and the history are not part of it; nor is the actor, which follows from the rest.
A state is restored from its key and its actor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue, Displayed
from zermelo.interpreter import model
from zermelo.interpreter.model import Compare, Earn, Expr, Together
from zermelo.interpreter.model.cardinality import common_type
from zermelo.interpreter.model.rewriting import blocks, expressions, kept_names, remembered_names, statements, walk
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.dialect.words import mix
from zermelo.interpreter.native.state_encoding.encoding import (
    code_bounds,
    encode,
    is_set,
    number_type,
    storage_of,
    universe,
)
from zermelo.interpreter.types import SetType, strip_none

if TYPE_CHECKING:
    from zermelo.interpreter.model import Model, Phase, Variable
    from zermelo.interpreter.native.state_encoding.encoding import Storage
    from zermelo.interpreter.types import Type

PHASE: Final = 0
ACTOR: Final = 1
"""The slot of the actor: 0 at the end, 1 for chance, 2 for the first player."""


@frozen(eq=False, repr=False)
class Index(Displayed):
    """One index of a variable: ``position = code - bias``, 0 <= position < extent."""

    type: Type
    bias: int
    extent: int


@frozen(eq=False, repr=False)
class Place:
    """Where a variable is kept, from the slot ``first`` on: in ``storage.width`` planes, or else in ``extent`` cells,
    ``per_slot`` of them, a power of two, to a slot."""

    variable: Variable
    first: int
    indices: tuple[Index, ...]
    extent: int
    storage: Storage
    is_planes: bool
    per_slot: int

    @property
    def slots(self) -> int:
        return self.storage.width if self.is_planes else -(-self.extent // self.per_slot)

    @property
    def slot_width(self) -> int:
        """The number of bits used in a slot."""
        return self.extent if self.is_planes else self.storage.width * self.per_slot


@define(eq=False, repr=False)
class StateLayout:
    """The layout of the states of one model."""

    model: Model
    phases: tuple[Phase, ...]
    arguments: int = 0
    most_arguments: int = 0
    payoffs: int = 0
    earnings: int | None = None
    decisions: int | None = None
    choices: int | None = None
    waiting: int | None = None
    history: int | None = None
    names: dict[int, int] = field(factory=dict)
    """The slots of names that entry statements bind for the decision or for ``otherwise``, by their slots in the phase.
    Phases share them."""

    remembered: tuple[int, ...] = ()
    """The slots of remembered names."""

    signed_names: set[int] = field(factory=set)
    size: int = 0
    width: int = 64
    places: dict[Variable, Place] = field(factory=dict)
    pieces: list[tuple[int, int]] = field(factory=list)
    """The beginning of the key: slots with their widths in bits."""

    packed: list[Place] = field(factory=list)
    """The packed variables, whose slots follow in the key in words of their own."""

    @property
    def ended(self) -> int:
        """The number that stands for the end in place of a phase."""
        return len(self.phases)

    @property
    def key_words(self) -> int:
        apart = sum(place.slots * -(-place.slot_width // 64) for place in self.packed)
        return -(-sum(width for _, width in self.pieces) // 64) + apart

    def pieces_of(self, variables: tuple[Variable, ...]) -> list[tuple[int, int]]:
        """The slots of these variables, with their widths in bits."""
        places = [self.places[variable] for variable in variables]
        return [(place.first + k, place.slot_width) for place in places for k in range(place.slots)]

    @property
    def pieces_of_phase(self) -> list[tuple[int, int]]:
        """The slots of the phase and its arguments, with their widths in bits."""
        return [(slot, width) for slot, width in self.pieces if slot < self.payoffs]

    @property
    def signed_slots(self) -> list[int]:
        """The slots that can be negative: payoffs, and names bound by entry statements."""
        players = len(self.model.players)
        firsts = [self.payoffs] if self.earnings is None else [self.payoffs, self.earnings]
        return [first + k for first in firsts for k in range(players)] + sorted(self.signed_names)

    def name_slot(self, slot: int) -> int:
        """The slot of a name bound by entry statements."""
        return self.names[slot]


# Slots of a state packed into words of 64 bits, and unpacked again, as expressions of the dialect.


def packed_words(pieces: list[tuple[int, int]]) -> list[str]:
    """Expressions of the dialect for the words into which slots, given with their widths in bits, are packed."""
    words: list[list[str]] = [[]]
    used = 0
    for slot, width in pieces:
        done = 0
        while done < width:
            if used == 64:
                words.append([])
                used = 0
            part = min(64 - used, width - done)
            text = f"S[{slot}]" if done == 0 else f"(S[{slot}] >> {done})"
            text = f"({text} & {(1 << part) - 1})" if part < width or width == 64 else text
            words[-1].append(f"({text} << {used})" if used else text)
            used += part
            done += part
    return [" | ".join(parts) or "0" for parts in words]


def unpacked_slots(pieces: list[tuple[int, int]], numbers: Collection[int]) -> list[tuple[int, str]]:
    """Slots with expressions that restore them from the words ``K``, into which :func:`packed_words` has packed them;
    of the slots in ``numbers``, only the lowest 64 bits."""
    slots: list[tuple[int, str]] = []
    first = 0
    for slot, width in pieces:
        parts: list[str] = []
        at, end = first, first + (min(width, 64) if slot in numbers else width)
        while at < end:
            word, used = divmod(at, 64)
            part = min(64 - used, end - at)
            text = f"(K[{word}] >> {used})" if used else f"K[{word}]"
            text = f"({text} & {(1 << part) - 1})" if part < 64 else text
            parts.append(f"({text} << {at - first})" if at > first else text)
            at += part
        slots.append((slot, " | ".join(parts) or "0"))
        first += width
    return slots


# The history of a play, for rules that use it.
#
# Entering a phase with a decision appends an *entry* to the context ``C``: the phase with its arguments, then, for each
# expression that uses the history, the packed values of its variables. The state holds the number of entries of its
# play, so a search that backtracks overwrites those of the branch it leaves.
#
# Digests of the groups of values are stored separately. Values are compared only where their digests agree. The context
# ends with the values that the rules have looked for (:mod:`zermelo.interpreter.native.algorithms.history`). The code
# for this is written by :mod:`zermelo.interpreter.native.rules.sampling`.


FIRST: Final = 1
"""The offset of the entries in the context."""

MOST_ENTRIES: Final = 4096
"""The most decisions of a play."""


@define(eq=False, repr=False)
class History:
    """The layout of entries: ``parts`` gives the first word and the number of words of each group of variables."""

    layout: StateLayout
    parts: dict[tuple[Variable, ...], tuple[int, int]] = field(factory=dict)
    words: int = 0
    head: int = 0

    @property
    def context(self) -> int:
        """The length of a context."""
        return self.reads + 2 * self.words

    @property
    def reads(self) -> int:
        """The offset in the context of the values that the rules have looked for."""
        return FIRST + MOST_ENTRIES * (self.words + len(self.parts))

    @property
    def past(self) -> int:
        """The number of words for the values that the rules have looked for, and two for kernels; 0 without history."""
        return 2 * self.words + 2 if self.parts else 0

    def digests(self, variables: tuple[Variable, ...]) -> int:
        """The offset of the digests of a group of variables in the context."""
        return FIRST + MOST_ENTRIES * (self.words + list(self.parts).index(variables))

    def digested(self, entries: list[tuple[int, ...]]) -> list[tuple[int, list[int]]]:
        """The columns of digests in the context, with their offsets."""
        return [
            (self.digests(group), [_digest(entry[first : first + count]) for entry in entries])
            for group, (first, count) in self.parts.items()
        ]

    def context_of(self, packed: bytes) -> list[tuple[int, list[int]]]:
        """The parts of the context, as offsets and words, for a history that is packed with its state."""
        if not packed:
            return []
        return [(FIRST, memoryview(packed).cast("Q").tolist()), *self.digested(self.entries(packed))]

    def entries(self, packed: bytes) -> list[tuple[int, ...]]:
        """The entries of a history that is packed with its state, oldest first."""
        words = memoryview(packed).cast("Q")
        return [tuple(words[first : first + self.words]) for first in range(0, len(words), self.words)]

    def always_grows(self, game: Model) -> bool:
        """Whether :meth:`future` changes with every decision, so that no position recurs: true where repetitions are
        counted. The mere set of past values may stop growing."""
        return any(isinstance(place, model.Repetitions) for place in game.history)

    def future(self, game: Model, entries: list[tuple[int, ...]]) -> Hashable:
        """The part of the history that can matter to the rest of the play."""
        found: list[Hashable] = []
        for place in game.history:
            first, count = self.parts[place.variables]
            values = [entry[first : first + count] for entry in entries]
            if isinstance(place, model.Repeated):
                found.append((values[-1], frozenset(values[:-1])))
            else:
                heads = [entry[: self.head] for entry in entries]
                found.append(frozenset(Counter(zip(heads, values, strict=True)).items()))
        return tuple(found)


@lru_cache(maxsize=4 * MOST_ENTRIES)
def _digest(values: tuple[int, ...]) -> int:
    """The digest of past values. A caller that steps through a play asks for all its entries again at every step."""
    return reduce(mix, values, 0)


# Laying out the states of a model: its slots, and how each variable is kept in them.


_PLANES_LIMIT: Final = 512
_PLANE_WIDTH: Final = 6
_NUMBER_WIDTH: Final = 4
"""The most planes of a number: wider ones are used in arithmetic rather than queried all at once."""

_STATE_BITS: Final = 1 << 19
"""The most bits of a state: compiled code keeps several on the stack of its thread."""


def lay_out(model: Model, move_bits: int, width: int = 64) -> StateLayout:
    """The layout for a model whose moves are numbers of ``move_bits`` bits, with slots of at least ``width`` bits, a
    multiple of 64."""
    phases = tuple(model.phases.values())
    layout = StateLayout(model, phases)
    players = len(model.players)
    layout.pieces.append((PHASE, len(phases).bit_length()))
    layout.size = 2
    layout.arguments = layout.size
    layout.most_arguments = max((len(phase.parameters) for phase in phases), default=0)
    for k in range(layout.most_arguments):
        widths = [storage_of(phase.parameters[k].type).width for phase in phases if len(phase.parameters) > k]
        layout.pieces.append((layout.size, max(widths)))
        layout.size += 1
    layout.payoffs = layout.size
    layout.size += players
    if any(isinstance(statement, Earn) for block in blocks(model) for statement in statements(block)):
        layout.earnings = layout.size
        layout.size += players
    if model.discount != 1:
        layout.decisions = layout.size
        layout.size += 2
    if any(isinstance(phase.decision, Together) for phase in phases):
        layout.choices = layout.size
        layout.pieces.extend((layout.choices + k, move_bits + 1) for k in range(players))
        layout.size += players
        layout.waiting = layout.size
        layout.pieces.append((layout.waiting, players))
        layout.size += 1
    if model.history:
        layout.history = layout.size
        layout.size += 1
    widest = max(width, *(piece for _, piece in layout.pieces_of_phase), 0)
    for variable in model.variables:
        try:
            place = _lay_out_variable(variable, layout.size, width)
        except Unsupported as beyond:
            beyond.locate(variable.span)
            raise
        layout.places[variable] = place
        layout.size += place.slots
        widest = max(widest, place.slot_width)
        if place.per_slot > 1 and not variable.is_constant:
            layout.packed.append(place)
        elif not variable.is_constant:
            layout.pieces.extend(layout.pieces_of((variable,)))
    kept = sorted({slot for phase in phases for slot in kept_names(phase)})
    layout.names = {slot: layout.size + k for k, slot in enumerate(kept)}
    layout.size += len(kept)
    widest = max([widest, *(_mask_width(expr) for whole in expressions(model) for expr in walk(whole))])
    if widest > width:
        return lay_out(model, move_bits, -(-widest // 64) * 64)
    layout.width = width
    remembered = {slot for phase in phases for slot in remembered_names(phase)}
    layout.remembered = tuple(sorted(map(layout.name_slot, remembered)))
    layout.pieces.extend((slot, width) for slot in layout.remembered)
    if layout.size * layout.width > _STATE_BITS:
        raise Unsupported(f"a state of {layout.size * layout.width // 8} bytes")
    return layout


def _mask_width(expr: Expr) -> int:
    """The width of the widest mask in the lowering of an expression: intermediate sets, too, must fit into a word."""
    if isinstance(expr, Compare) and is_set(expr.left.type) and is_set(expr.right.type):
        return _universe_size(common_type(_innermost_element(expr.left.type), _innermost_element(expr.right.type)))
    return _universe_size(_innermost_element(expr.type)) if is_set(expr.type) else 0


def _innermost_element(type: Type) -> Type:
    """The innermost element type of nested sets."""
    base = strip_none(type).base
    return _innermost_element(base.element) if isinstance(base, SetType) else type


def _universe_size(element: Type) -> int:
    try:
        return universe(element)[1]
    except Unsupported:
        return 0  # such a set has no mask: lowered code loops over it, or refuses it


def _lay_out_variable(variable: Variable, first: int, width: int) -> Place:
    storage = storage_of(variable.type, has_unset=not variable.has_initial)
    indices = tuple(map(_make_index, variable.indices))
    extent = 1
    for index in indices:
        extent *= index.extent
    if number_type(variable.type) is None:
        is_small = not is_set(variable.type) and storage.width <= _PLANE_WIDTH
    else:
        is_small = storage.width <= _NUMBER_WIDTH and storage.width < extent
    is_planes = bool(indices) and is_small and extent <= _PLANES_LIMIT
    per_slot = 1
    while extent > _PLANES_LIMIT and not is_planes and 2 * per_slot * storage.width <= width:
        per_slot *= 2
    return Place(variable, first, indices, extent, storage, is_planes, per_slot)


def _make_index(type: Type) -> Index:
    base = number_type(type)
    if base is None:
        return Index(type, *universe(type))
    members = [encode(value, base) for value in strip_none(type).members]
    low, high = (min(members), max(members)) if members else code_bounds(base)
    return Index(type, low, high - low + 1)


# Why a program writes no observations (:mod:`.observations`).


@frozen(eq=False, repr=False)
class NothingHidden(ByValue):
    """Everybody sees everything and nothing is told: each player knows the play itself, and no words are written."""


@frozen(eq=False, repr=False)
class NotLowered(ByValue):
    """Something is hidden or told, and only the reference machine can track what players perceive, since the lowering
    does not cover ``construct``."""

    construct: str
