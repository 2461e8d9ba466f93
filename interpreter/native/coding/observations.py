"""What players perceive, as numbers: the words of an observation, and how they are read.

Lowered code writes what a player perceives on coming to a decision (or the end) as *words*, whole numbers of at most 62
bits without a sign: observation after observation, each behind its length. An observation
(:mod:`zermelo.interpreter.machine` tells the kinds) is a *head* of its kind and number, then the words of its values; a
sighting is a row of these, one for each value, in the order of their numbers. The number of a move tells its name and
who made it, that of a telling its label, that of a seen value its variable and entry, that of a question its phase.
Moves of one name have one number in all phases, and so have tellings of one label, since that is all that players see
of them.

So words and observations stand for each other one to one: equal words are equal observations, and :meth:`Perception.
decode` gives the full record back. Nothing stands for the step in which something was perceived: the words of two steps
after each other are those of their observations after each other, which is what information states are made of.

A kernel keeps *digests* of them in its states, two numbers of 63 bits for each player. The same record always has the
same digest. Two records may, however unlikely, share one; so whoever groups histories by digest compares the words of
those that he puts together (``observed`` writes them anew from the states of the path), if his result is to be exact.
The machine itself compares words and never relies on a digest.

The text that writes the words stands in :mod:`zermelo.interpreter.native.perception.recording`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Final, overload

from attrs import define, field, frozen

from zermelo.interpreter.machine import Asked, InformationState, Observation, PerceivedMove, Seen, Sighting, Told
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.coding.encoding import Storage, decode, encode, storage_of
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value

WORD: Final = 62
"""How many bits a word has."""

MOVE: Final = 0
TOLD: Final = 1
SEEN: Final = 2
ASKED: Final = 3
KINDS: Final = 4
"""The head of an item is ``KINDS * number + kind``."""

Words = tuple[int, ...]
"""One observation, without its length."""


@frozen
class Part:
    """How a value stands in an observation. A set that may be kept from others has a word before it: whether it is
    shown; other values are then none."""

    type: Type
    storage: Storage
    has_flag: bool = False

    @property
    def size(self) -> int:
        """How many words it takes."""
        return self.has_flag + max(1, -(-self.storage.width // WORD))

    def put(self, value: Value) -> Iterator[int]:
        """The words of a value; raises :class:`Unsupported` for one that lowered code cannot hold."""
        if self.has_flag:
            yield int(value is not None)
        held = 0 if self.has_flag and value is None else self.storage.put(encode(value, self.type))
        if held < 0 or held >> self.storage.width:
            raise Unsupported("a value beyond its type")
        for _ in range(self.size - self.has_flag):
            yield held & (1 << WORD) - 1
            held >>= WORD

    def take(self, words: Words) -> Value:
        """The value that words stand for."""
        if self.has_flag and words[0] == 0:
            return None
        held = sum(word << k * WORD for k, word in enumerate(words[self.has_flag :]))
        if self.storage.has_unset and held == self.storage.unset:
            return None
        return decode(self.storage.take(held), self.type)


@frozen
class ArgumentGroup:
    """The moves of one name, or the tellings of one label, that have equally many arguments."""

    name: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """How many words the arguments take."""
        return sum(part.size for part in self.parts)


@frozen
class NothingHidden:
    """Everybody sees everything and nothing is told: the play itself is what each player knows, and no words are
    written."""


@frozen
class NotLowered:
    """Something is hidden or told, and only the reference machine can say what players perceive. ``construct`` is what
    the lowering does not cover."""

    construct: str


@define(eq=False)
class Perception:
    """The numbers of all that can be perceived. ``digests`` is the first of the entries of a state that hold digests;
    ``told`` holds how much has been told since the last decision, and what it was stands behind; ``words`` is how many
    words a step can bring a player, lengths included."""

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
        """How the arguments of a phase are shown to whoever is to decide there; None for those he does not see."""
        return [
            None if parameter.secret else Part(parameter.type, storage_of(parameter.type))
            for parameter in self.layout.phases[phase].parameters
        ]

    def seen_part(self, variable: Variable) -> Part:
        """How the values of a variable are shown."""
        return Part(variable.type, self.layout.places[variable].storage)

    # ------------------------------------------------------------- words to observations

    def decode(self, words: Words) -> Observation:
        """The observation that words stand for."""
        number, kind = divmod(words[0], KINDS)
        if kind == MOVE:
            group, player = divmod(number, len(self.model.players))
            values, _ = _taken(self.moves[group].parts, words, 1)
            return PerceivedMove(self.model.players[player].name, self.moves[group].name, values)
        if kind == TOLD:
            values, _ = _taken(self.tellings[number].parts, words, 1)
            return Told(self.tellings[number].name, values)
        if kind == SEEN:
            return Sighting(frozenset(self._seen(words)))
        parts = self.asked_parts(number)
        values, _ = _taken(tuple(part for part in parts if part is not None), words, 1)
        given = iter(values)
        shown = tuple(None if part is None else next(given) for part in parts)
        return Asked(self.layout.phases[number].name, shown)

    def _seen(self, words: Words) -> Iterator[Seen]:
        """The values of a sighting."""
        at = 0
        while at < len(words):
            variable, entry = self._entry(words[at] // KINDS)
            (value,), at = _taken((self.seen_part(variable),), words, at + 1)
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
                number = _number(self.moves, name, arguments)
                player = next(player.index for player in self.model.players if player.name == made_by)
                head = self.head(MOVE, number * len(self.model.players) + player)
                return head, *_put(self.moves[number].parts, arguments)
            case Told(label, arguments):
                number = _number(self.tellings, label, arguments)
                return self.head(TOLD, number), *_put(self.tellings[number].parts, arguments)
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


def _taken(parts: tuple[Part, ...], words: Words, at: int) -> tuple[tuple[Value, ...], int]:
    """The values that stand from ``at`` on, and where they end."""
    values = []
    for part in parts:
        values.append(part.take(words[at : at + part.size]))
        at += part.size
    return tuple(values), at


def _put(parts: tuple[Part, ...], values: tuple[Value, ...]) -> list[int]:
    return [word for part, value in zip(parts, values, strict=True) for word in part.put(value)]


def _number(groups: tuple[ArgumentGroup, ...], name: str, arguments: tuple[Value, ...]) -> int:
    return next(k for k, group in enumerate(groups) if group.name == name and len(group.parts) == len(arguments))


class Perceived(Sequence[Observation]):
    """An information state as the words of its observations, which are read when they are looked at."""

    def __init__(self, perception: Perception, observations: tuple[Words, ...]) -> None:
        self._perception = perception
        self._observations = observations

    @cached_property
    def _hash(self) -> int:
        return hash(self._observations)

    def then(self, words: Sequence[int]) -> Perceived:
        """What is known after a step that brought these words: observations, each behind its length."""
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


def perceived_of(perception: Perception, known: InformationState) -> InformationState:
    """An information state of the reference machine as the native one gives it. Where lowered code cannot hold it, it
    stays as it is, and is equal to none that lowered code gives."""
    try:
        return Perceived(perception, tuple(map(perception.encode, known)))
    except Unsupported:
        return known
