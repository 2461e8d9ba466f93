"""Moves as numbers: the rule in the lowest bits, above it the stored form of each argument. That of a set is its mask
or, where masks are too long, its rank among the sets that the rules can offer.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Chance, Model, RuleParameter
from zermelo.interpreter.model.rewriting import rules_of
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

ROOM: Final = 1 << 10
"""The length of move lists at first: enough for nearly all games, short enough for every level of a search to have a
list of its own."""

MORE_ROOM: Final = 1 << 14
"""Their length after a decision has had more moves: rules are then lowered again."""


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
            sum(prod(map(most_arguments, rule.parameters)) for rule in rules)
            for rules in (rules_of(phase.decision) for phase in game.phases.values())
        ),
    )


def most_arguments(parameter: RuleParameter) -> int:
    """A bound on the number of values of a parameter."""
    return most_values(parameter.domain) + parameter.is_optional
