"""The layout of ``state`` arrays, and how a position is packed into a key.

A state is an array of W-bit slots: the phase, the actor, the phase's arguments, the choices made so far in a
``together``, payoffs, and the variables. A variable is kept in one of four ways:

- without indices, in one slot;
- as *planes*, if its values have few bits: plane b holds bit b of the stored value of every entry of the variable, so
  that a question about all entries ("which squares are empty?") takes a few operations on whole words;
- as *cells*, one slot for each entry (larger numbers, sets);
- *packed*, several entries to a slot, if there are very many.

Last come the names that entry statements bind for the decision.

The *key* is everything that the rest of the play depends on, packed into words of 64 bits: equal keys, equal positions.
It contains the names that are remembered according to :mod:`zermelo.interpreter.model.liveness`; they are 0 in all
other phases. Payoffs, their discount and the history are not part of it. The actor is not either, since all else tells
who it is; a state is read back from its key and its actor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from zermelo.grammar.displayed import Displayed

if TYPE_CHECKING:  # a program from the cache runs without them
    from zermelo.interpreter.model import Model, Phase, Variable
    from zermelo.interpreter.native.coding.encoding import Storage
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
    names: int = 0
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
        return self.names + slot
