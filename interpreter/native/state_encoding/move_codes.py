"""Moves as numbers: the rule in the lowest bits, above it the stored form of each argument. That of a set is its mask
or, where masks are too long, its rank among the sets that the rules can offer.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.evaluation.context import Context, parameter_bounds
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Chance, Model, RuleParameter
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, rules_of, slots
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.state_encoding.encoding import (
    Storage,
    decode,
    encode,
    is_set,
    most_values,
    rank_sets,
    storage_of,
)
from zermelo.interpreter.values import EvaluationError

if TYPE_CHECKING:
    from zermelo.interpreter.model import Rule
    from zermelo.interpreter.native.dialect.lowered_text import Text
    from zermelo.interpreter.native.state_encoding.encoding import RankedSets
    from zermelo.interpreter.types import Type


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
        storages: list[Storage | RankedSets] = [_parameter_storage(parameter) for parameter in rule.parameters]
        if rule_bits + sum(storage.width for storage in storages) > _BITS:
            storages = [
                rank_sets(parameter) if is_set(parameter.type) else storage
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
    codes.most = _most_moves(game)
    return codes


def _parameter_storage(parameter: RuleParameter) -> Storage:
    try:
        if parameter.is_optional and is_set(parameter.type):
            raise Unsupported("a set that may be left out")
        return storage_of(parameter.type)
    except Unsupported as beyond:
        beyond.locate(parameter.span)
        raise


def _most_moves(game: Model) -> int:
    return max(
        1,
        *(
            sum(prod(map(_most_arguments, rule.parameters)) for rule in rules)
            for rules in (rules_of(phase.decision) for phase in game.phases.values())
        ),
    )


def _most_arguments(parameter: RuleParameter) -> int:
    """A bound on the number of values of a parameter."""
    return most_values(parameter.domain) + parameter.is_optional


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
    """The bounds for a rule that are known before play."""
    least, most, is_even = 1, [], []
    for k, parameter in enumerate(rule.parameters):
        earlier = {other.slot for other in rule.parameters[:k]}
        low, high = 0, _most_arguments(parameter)
        if not reads_state(parameter.domain) and free_slots(parameter.domain) <= earlier:
            frame_size = 1 + max(slots(parameter.domain) | bound_slots(parameter.domain) | {-1})
            with suppress(EvaluationError):  # a faulty domain is reported when it is used
                low, known = parameter_bounds(Compiler(), rule, k)(Context(()), [None] * frame_size)
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
