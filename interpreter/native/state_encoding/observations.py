"""Observations as numbers.

Lowered code writes what a player perceives on coming to a decision or the end as *words*, unsigned numbers of at most
62 bits: a sequence of observations, each preceded by its length. An observation (for the kinds see
:mod:`zermelo.interpreter.machine`) is a *head* made of its kind and number, then the words of its values. A sighting is
a sequence of these, one for each value, in the order of their numbers. The number identifies the name and the player of
a move, the label of a telling, the variable and entry of a seen value, the phase of a question. Moves of one name share
a number in all phases, as do tellings of one label: players see no more of them.

This encoding is one to one: equal words are equal observations, and :meth:`Perception.decode` restores the full record.
Steps leave no trace of their own: the words of successive steps are concatenated, as observations are in an information
state.

A kernel keeps *digests* in its states, two numbers of 63 bits for each player. Equal records have equal digests. The
converse may fail, however unlikely, so an exact solver that groups histories by digest compares the words of those that
it merges (``observed`` recomputes them from the states of the path). The machine compares words only.

The code that writes the words comes from :mod:`zermelo.interpreter.native.rules.perception`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Final, overload

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed, Unchanging
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
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.state_encoding.encoding import Storage, decode, encode, storage_of
from zermelo.interpreter.native.state_encoding.state_layout import StateLayout
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value

WORD: Final = 62
"""The number of bits of a word."""

MOVE: Final = 0
TOLD: Final = 1
SEEN: Final = 2
ASKED: Final = 3
KINDS: Final = 4
"""The head of an item is ``KINDS * number + kind``."""

Words = tuple[int, ...]
"""One observation, without its length."""


@frozen(repr=False)
class Part(Displayed):
    """The encoding of a value in an observation. With ``has_flag``, for a value that may be hidden, a first word says
    whether it is shown."""

    type: Type
    storage: Storage
    has_flag: bool = False

    @property
    def size(self) -> int:
        """The number of words."""
        return self.has_flag + max(1, -(-self.storage.width // WORD))

    def put(self, value: Value) -> Iterator[int]:
        """The words of a value; raises :class:`Unsupported` for one that lowered code cannot hold."""
        if self.has_flag:
            yield int(value is not HIDDEN)
        held = 0 if value is HIDDEN else self.storage.put(encode(value, self.type))
        if held < 0 or held >> self.storage.width:
            raise Unsupported("a value outside its type")
        for _ in range(self.size - self.has_flag):
            yield held & (1 << WORD) - 1
            held >>= WORD

    def take(self, words: Words) -> Value:
        """The value that words stand for."""
        if self.has_flag and words[0] == 0:
            return HIDDEN
        held = sum(word << k * WORD for k, word in enumerate(words[self.has_flag :]))
        if self.storage.has_unset and held == 0:
            return None
        return decode(self.storage.take(held), self.type)


@frozen(repr=False)
class ArgumentGroup(Displayed):
    """The moves of one name, or the tellings of one label, with one number of arguments."""

    name: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """The number of words of the arguments."""
        return sum(part.size for part in self.parts)


@define(eq=False, repr=False)
class Perception:
    """The encoding of all observations of a model. ``digests`` is the first slot of the digests; the slot ``told``
    holds the number of tellings since the last decision, which follow it; ``words`` bounds the words that a step brings
    a player, lengths included."""

    model: Model
    layout: StateLayout
    moves: tuple[ArgumentGroup, ...]
    tellings: tuple[ArgumentGroup, ...]
    digests: int
    told: int
    told_size: int
    firsts: dict[Variable, int] = field(factory=dict)
    words: int = 0

    def head(self, kind: int, number: int) -> int:
        return KINDS * number + kind

    def asked_parts(self, phase: int) -> list[Part | None]:
        """The encoding of the arguments of a phase as shown to the player who decides there; None for hidden ones."""
        return [
            None if parameter.secret else Part(parameter.type, storage_of(parameter.type))
            for parameter in self.layout.phases[phase].parameters
        ]

    def seen_part(self, variable: Variable) -> Part:
        """The encoding of the values of a variable."""
        return Part(variable.type, self.layout.places[variable].storage)

    # ------------------------------------------------------------- words to observations

    def decode(self, words: Words) -> Observation:
        """The observation that words stand for."""
        number, kind = divmod(words[0], KINDS)
        if kind == MOVE:
            group, player = divmod(number, len(self.model.players))
            values, _ = _take_values(self.moves[group].parts, words, 1)
            return PerceivedMove(self.model.players[player].name, self.moves[group].name, values)
        if kind == TOLD:
            values, _ = _take_values(self.tellings[number].parts, words, 1)
            return Told(self.tellings[number].name, values)
        if kind == SEEN:
            return Sighting(frozenset(self._sighted_values(words)))
        parts = self.asked_parts(number)
        values, _ = _take_values(tuple(part for part in parts if part is not None), words, 1)
        given = iter(values)
        shown = tuple(HIDDEN if part is None else next(given) for part in parts)
        return Asked(self.layout.phases[number].name, shown)

    def _sighted_values(self, words: Words) -> Iterator[Seen]:
        """The values of a sighting."""
        at = 0
        while at < len(words):
            variable, entry = self._entry(words[at] // KINDS)
            (value,), at = _take_values((self.seen_part(variable),), words, at + 1)
            yield Seen(variable.name, self._indices(variable, entry), value)

    def _entry(self, number: int) -> tuple[Variable, int]:
        variable, first = next(item for item in reversed(self.firsts.items()) if item[1] <= number)
        return variable, number - first

    def _indices(self, variable: Variable, entry: int) -> tuple[Value, ...]:
        found: list[Value] = []
        for index in reversed(self.layout.places[variable].indices):
            entry, position = divmod(entry, index.extent)
            found.append(decode(position + index.bias, index.type))
        return tuple(reversed(found))

    # ------------------------------------------------------------- observations to words

    def encode(self, observation: Observation) -> Words:
        """The words of an observation; raises :class:`Unsupported` where lowered code cannot hold its values."""
        match observation:
            case PerceivedMove(made_by, name, arguments):
                number = group_number(self.moves, name, arguments)
                player = next(player.index for player in self.model.players if player.name == made_by)
                head = self.head(MOVE, number * len(self.model.players) + player)
                return head, *_put_values(self.moves[number].parts, arguments)
            case Told(label, arguments):
                number = group_number(self.tellings, label, arguments)
                return self.head(TOLD, number), *_put_values(self.tellings[number].parts, arguments)
            case Sighting(values):
                numbered = sorted(((self._seen_number(seen), seen.value) for seen in values), key=itemgetter(0))
                return tuple(word for number, value in numbered for word in self._put_seen(number, value))
            case Asked(phase, arguments):
                number = next(k for k, known in enumerate(self.layout.phases) if known.name == phase)
                parts = zip(self.asked_parts(number), arguments, strict=True)
                shown = (part.put(value) for part, value in parts if part is not None)
                return self.head(ASKED, number), *chain.from_iterable(shown)

    def _put_seen(self, number: int, value: Value) -> Iterator[int]:
        variable, _ = self._entry(number)
        yield self.head(SEEN, number)
        yield from self.seen_part(variable).put(value)

    def _seen_number(self, seen: Seen) -> int:
        variable = next(variable for variable in self.firsts if variable.name == seen.variable)
        entry = 0
        for index, value in zip(self.layout.places[variable].indices, seen.indices, strict=True):
            entry = entry * index.extent + encode(value, index.type) - index.bias
        return self.firsts[variable] + entry


def _take_values(parts: tuple[Part, ...], words: Words, at: int) -> tuple[tuple[Value, ...], int]:
    """The values encoded from ``at`` on, and their end."""
    values = []
    for part in parts:
        values.append(part.take(words[at : at + part.size]))
        at += part.size
    return tuple(values), at


def _put_values(parts: tuple[Part, ...], values: tuple[Value, ...]) -> list[int]:
    return [word for part, value in zip(parts, values, strict=True) for word in part.put(value)]


def group_number(groups: tuple[ArgumentGroup, ...], name: str, arguments: Sequence[object]) -> int:
    """The number of the group of moves or tellings of this name with so many arguments."""
    return next(k for k, group in enumerate(groups) if group.name == name and len(group.parts) == len(arguments))


class Perceived(Sequence[Observation], Unchanging):
    """An information state as the words of its observations, which are decoded on access."""

    def __init__(self, perception: Perception, observations: tuple[Words, ...]) -> None:
        self._perception = perception
        self._observations = observations

    @cached_property
    def _hash(self) -> int:
        return hash(self._observations)

    def then(self, words: Sequence[int]) -> Perceived:
        """The information state after a step that brought these words: observations, each preceded by its length."""
        found: list[Words] = []
        at = 0
        while at < len(words):
            end = at + 1 + words[at]
            found.append(tuple(words[at + 1 : end]))
            at = end
        return Perceived(self._perception, (*self._observations, *found)) if found else self

    def __len__(self) -> int:
        return len(self._observations)

    @overload
    def __getitem__(self, place: int) -> Observation: ...

    @overload
    def __getitem__(self, place: slice) -> Perceived: ...

    def __getitem__(self, place: int | slice) -> Observation | Perceived:
        if isinstance(place, slice):
            return Perceived(self._perception, self._observations[place])
        return self._perception.decode(self._observations[place])

    def __eq__(self, other: object) -> bool:
        return self._observations == other._observations if isinstance(other, Perceived) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Perceived({', '.join(map(str, self))})"


def encode_information_state(perception: Perception, known: InformationState) -> InformationState:
    """An information state of the reference machine, in the form of the native one. One that lowered code cannot
    represent is returned unchanged: it differs from all information states of lowered code."""
    try:
        return Perceived(perception, tuple(map(perception.encode, known)))
    except Unsupported:
        return known
