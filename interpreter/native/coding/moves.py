"""Moves as numbers: the rule in the lowest bits, above it the stored form of each argument. That of a set is its mask
or, where masks are too long, its rank among the sets that the rules can offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.coding.encoding import Storage, decode, encode
from zermelo.interpreter.native.dialect.unsupported import Unsupported

if TYPE_CHECKING:  # a program from the cache runs without them
    from zermelo.interpreter.model import Rule
    from zermelo.interpreter.native.coding.subset_ranks import RankedSets
    from zermelo.interpreter.native.dialect.text import Text
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
