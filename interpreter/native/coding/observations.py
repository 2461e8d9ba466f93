"""Moves and observations as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Final, overload

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed, Unchanging
from zermelo.interpreter.evaluation.context import Context, size_bounds
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import Asked, InformationState, Move, Observation, PerceivedMove, Seen, Sighting, Told
from zermelo.interpreter.model import Chance, Model, RuleParameter, Variable
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, rules_of, slots
from zermelo.interpreter.native.coding.encoding import Storage, decode, encode, is_set, most_values, ranked, storage_of
from zermelo.interpreter.native.coding.state_layout import StateLayout
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.values import EvaluationError, Value

if TYPE_CHECKING:
    from zermelo.interpreter.model import Rule
    from zermelo.interpreter.native.coding.encoding import RankedSets
    from zermelo.interpreter.native.dialect.lowered_text import Text
    from zermelo.interpreter.types import Type


# Moves as numbers: the rule in the lowest bits, above it the stored form of each argument. That of a set is its mask
# or, where masks are too long, its rank among the sets that the rules can offer.


@frozen(eq=False, repr=False)
class Argument(Displayed):
    """One argument of a move: its type, its storage, its first bit."""

    type: Type
    storage: Storage | RankedSets
    shift: int


@frozen(eq=False, repr=False)
class RuleCode:
    """The numbering of the moves of a rule."""

    number: int
    rule: Rule
    arguments: tuple[Argument, ...]

    def text(self, arguments: list[str]) -> str:
        """The number of a move in the dialect."""
        parts = [str(self.number)]
        for argument, text in zip(self.arguments, arguments, strict=True):
            stored_text = argument.storage.put_text(text)
            parts.append(f"({stored_text} << {argument.shift})" if argument.shift else stored_text)
        return f"({' | '.join(parts)})"

    def argument_text(self, move: str, k: int) -> str:
        """Argument number k of a move in the dialect."""
        argument = self.arguments[k]
        return argument.storage.take_text(f"(({move} >> {argument.shift}) & {(1 << argument.storage.width) - 1})")


@define(eq=False, repr=False)
class MoveCodes:
    """The numbers of all moves and outcomes of a model: ``bits`` wide, those of moves ``chosen_bits``, ``rule_bits`` of
    them for the rule. ``most`` bounds the moves or outcomes of one decision."""

    rule_bits: int
    bits: int
    chosen_bits: int
    most: int = 1
    codes: list[RuleCode] = field(factory=list)
    _by_name: dict[tuple[str, str], RuleCode] = field(factory=dict)

    def add(self, phase: str, code: RuleCode, bits: int, is_chosen: bool) -> None:
        """Number the moves of a rule, whose numbers take ``bits`` bits; ``is_chosen`` if a player chooses them. Raises
        Unsupported."""
        name = code.rule.name
        if (phase, name) in self._by_name:
            raise Unsupported("two rules of one name", code.rule.span)
        self.codes.append(code)
        self._by_name[phase, name] = code
        self.bits = max(self.bits, bits)
        if is_chosen:
            self.chosen_bits = max(self.chosen_bits, bits)

    def write_functions(self, text: Text) -> None:
        """Write the functions called by the texts of moves."""
        storages = dict.fromkeys(argument.storage for code in self.codes for argument in code.arguments)
        for storage in storages:
            if not isinstance(storage, Storage):
                storage.write_functions(text)

    def of(self, phase: str, rule: str) -> RuleCode:
        return self._by_name[phase, rule]

    def rule_text(self, move: str) -> str:
        """The number of the rule of a move in the dialect."""
        return f"({move} & {(1 << self.rule_bits) - 1})"

    def decode(self, number: int) -> Move:
        """The move that a number stands for."""
        code = self.codes[number & (1 << self.rule_bits) - 1]
        values = []
        for argument in code.arguments:
            held = number >> argument.shift & (1 << argument.storage.width) - 1
            values.append(decode(argument.storage.take(held), argument.type))
        return Move(code.rule.name, tuple(values))

    def encode(self, phase: str, move: Move) -> int | None:
        """The number of a move made in this phase; None if no rule makes it."""
        code = self._by_name.get((phase, move.name))
        if code is None or len(code.arguments) != len(move.arguments):
            return None
        number = code.number
        for argument, value in zip(code.arguments, move.arguments, strict=True):
            held = argument.storage.put(encode(value, argument.type))
            if held < 0 or held >> argument.storage.width:
                return None
            number |= held << argument.shift
        return number


# Numbering the moves of a model: which bits of a number each rule and each argument has.


_BITS: Final = 62


def move_codes(game: Model) -> MoveCodes:
    """The numbers of the moves of a model. Raises Unsupported."""
    rules = [(phase, rule) for phase in game.phases.values() for rule in rules_of(phase.decision)]
    rule_bits = max(1, (len(rules) - 1).bit_length())
    codes = MoveCodes(rule_bits, rule_bits, rule_bits)
    for number, (phase, rule) in enumerate(rules):
        storages: list[Storage | RankedSets] = [_stored(parameter) for parameter in rule.parameters]
        if rule_bits + sum(storage.width for storage in storages) > _BITS:
            storages = [
                ranked(parameter) if is_set(parameter.type) else storage
                for parameter, storage in zip(rule.parameters, storages, strict=True)
            ]
        shift = rule_bits
        arguments = []
        for parameter, storage in zip(rule.parameters, storages, strict=True):
            arguments.append(Argument(parameter.type, storage, shift))
            shift += storage.width
        if shift > _BITS:
            raise Unsupported("a move of more than 62 bits", rule.span)
        is_chosen = not isinstance(phase.decision, Chance)
        codes.add(phase.name, RuleCode(number, rule, tuple(arguments)), shift, is_chosen)
    codes.most = _most(game)
    return codes


def _stored(parameter: RuleParameter) -> Storage:
    try:
        return storage_of(parameter.type)
    except Unsupported as beyond:
        beyond.locate(parameter.span)
        raise


def _most(game: Model) -> int:
    return max(
        1,
        *(
            sum(prod(most_values(parameter.domain) for parameter in rule.parameters) for rule in rules)
            for rules in (rules_of(phase.decision) for phase in game.phases.values())
        ),
    )


# Static bounds on the number of moves or outcomes of a decision, and the lengths of move lists.


ROOM: Final = 1 << 10
"""The length of move lists at first: enough for nearly all games, short enough for every level of a search to have a
list of its own."""

MORE_ROOM: Final = 1 << 14
"""Their length after a decision has had more moves: rules are then lowered again."""


@frozen
class Pool:
    """Bounds on the bindings of a rule, before its guards: the least number, and the most values of each parameter.
    ``is_even`` marks the parameters for which this is exact."""

    rule: Rule
    least: int
    most: tuple[int, ...]
    is_even: tuple[bool, ...]


def pool(rule: Rule) -> Pool:
    """The bounds that are known of a rule before play."""
    least, most, is_even = 1, [], []
    for k, parameter in enumerate(rule.parameters):
        earlier = {other.slot: other.domain for other in rule.parameters[:k]}
        low, high = 0, most_values(parameter.domain)
        if not reads_state(parameter.domain) and free_slots(parameter.domain) <= earlier.keys():
            frame_size = 1 + max(slots(parameter.domain) | bound_slots(parameter.domain) | {-1})
            with suppress(EvaluationError):  # a faulty domain is reported when it is used
                low, known = size_bounds(Compiler(), parameter.domain, earlier)(Context(()), [None] * frame_size)
                high = high if known is None else min(high, known)
        least *= low
        most.append(high)
        is_even.append(low == high)
    return Pool(rule, least, tuple(most), tuple(is_even))


def is_large(rules: tuple[Rule, ...]) -> bool:
    """Whether there are surely more bindings, before guards, than :data:`ROOM`."""
    return sum(pool(rule).least for rule in rules) > ROOM


def may_be_large(rules: tuple[Rule, ...]) -> bool:
    """Whether more bindings than :data:`ROOM` are to be expected: the bound is high, and some parameters are subsets,
    whose number grows fast."""
    has_subsets = any(is_set(parameter.type) for rule in rules for parameter in rule.parameters)
    return is_large(rules) or (has_subsets and sum(prod(pool(rule).most) for rule in rules) > ROOM)


@lru_cache(maxsize=4)
def is_endless(rules: tuple[Rule, ...]) -> bool:
    """Whether a decision surely has more moves or outcomes than any list holds. Cached: asked for at every rule of the
    decision."""
    return sum(pool(rule).least for rule in rules if not any(rule.guards) and rule.ensuring is None) > MORE_ROOM


# Observations as numbers.
#
# Lowered code writes what a player perceives on coming to a decision or the end as *words*, unsigned numbers of at most
# 62 bits: a sequence of observations, each preceded by its length. An observation (for the kinds see
# :mod:`zermelo.interpreter.machine`) is a *head* made of its kind and number, then the words of its values. A sighting
# is a sequence of these, one for each value, in the order of their numbers. The number identifies the name and the
# player of a move, the label of a telling, the variable and entry of a seen value, the phase of a question. Moves of
# one name share a number in all phases, as do tellings of one label: players see no more of them.
#
# This encoding is one to one: equal words are equal observations, and :meth:`Perception.decode` restores the full
# record. Steps leave no trace of their own: the words of successive steps are concatenated, as observations are in an
# information state.
#
# A kernel keeps *digests* in its states, two numbers of 63 bits for each player. Equal records have equal digests. The
# converse may fail, however unlikely, so an exact solver that groups histories by digest compares the words of those
# that it merges (``observed`` recomputes them from the states of the path). The machine compares words only.
#
# The code that writes the words comes from :mod:`zermelo.interpreter.native.rules.perception`.


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
    """The encoding of a value in an observation. With ``has_flag``, for a set that may be hidden, a first word says
    whether it is shown; hidden values of other types are none."""

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
            yield int(value is not None)
        held = 0 if self.has_flag and value is None else self.storage.put(encode(value, self.type))
        if held < 0 or held >> self.storage.width:
            raise Unsupported("a value outside its type")
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
    """The values encoded from ``at`` on, and their end."""
    values = []
    for part in parts:
        values.append(part.take(words[at : at + part.size]))
        at += part.size
    return tuple(values), at


def _put(parts: tuple[Part, ...], values: tuple[Value, ...]) -> list[int]:
    return [word for part, value in zip(parts, values, strict=True) for word in part.put(value)]


def _number(groups: tuple[ArgumentGroup, ...], name: str, arguments: tuple[Value, ...]) -> int:
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


def perceived_of(perception: Perception, known: InformationState) -> InformationState:
    """An information state of the reference machine as the native one gives it. One that lowered code cannot represent
    is returned unchanged: it equals none that lowered code gives."""
    try:
        return Perceived(perception, tuple(map(perception.encode, known)))
    except Unsupported:
        return known


# Why a program writes no observations.
