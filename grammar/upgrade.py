"""The newest forms of the language in place of older ones that say the same: :func:`upgrade`.

A form is rewritten only if the syntax alone shows that the new one means the same, whatever the values are:

- ``x := x + e`` and ``x := x - e`` become ``x += e`` and ``x -= e``, which are defined as these. ``s := s + a - b``
  stays: it is ``(s + a) - b``, which for sets is not ``s + (a - b)``.
- ``payoff {p: e, other p: -e}`` becomes ``payoff p: e`` if the game has two players, and so does ``payoff {p: e}`` if
  it has one. Two players may be written by their names; that the amounts are opposite has to be seen.
- ``table[(a, b)]`` becomes ``table[a, b]``. An entry of a variable whose index is a record looks alike and stays.
- ``step(2, none)`` in a written play becomes ``step(2)`` if all moves of that name may be made without the argument.

A name counts as that of a player or a table only if nothing else in the file has it. What would take a comment away, or
lines out of their brackets, stays as it is. Above it all the edition is written. Every edit leaves fewer old forms, so
that they come to an end, and upgrading the result changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.layout import CLOSING, split_declarations
from zermelo.grammar.parse import NEWEST, parse, parse_declarations
from zermelo.grammar.syntax import Declaration, Expression, Node

Stretch = tuple[int, int]
"""The offsets of the first character and of the one behind the last."""

Edit = tuple[int, int, str]
"""A stretch, and the text that takes its place."""


def upgrade(source: Source) -> Source:
    """The text of a game, or of a position, in the newest forms. Raises ``InvalidGame`` if it cannot be read, or uses
    what had another meaning in its own edition."""
    while True:
        declarations, findings = parse_declarations(source)
        if findings.errors:
            raise InvalidGame(findings)
        edits = sorted(_Upgrade(source, declarations).edits())
        if not edits:
            return source
        text, done = "", 0
        for start, end, replacement in edits:
            if start >= done:  # what stands inside another edit has its turn in the next round
                text += source.text[done:start] + replacement
                done = end
        source = Source(source.name, text + source.text[done:])


@define(eq=False)
class _Upgrade:
    """The edits of one round. ``declared`` counts how often each name is declared, ``rules`` are the parameters of the
    moves and outcomes of each name."""

    source: Source
    declarations: tuple[Declaration, ...]
    players: tuple[str, ...] = ()
    tables: set[str] = field(factory=set)
    rules: dict[str, list[tuple[syntax.MoveParameter, ...]]] = field(factory=lambda: defaultdict(list))
    declared: Counter[str] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        for node in self.nodes():
            match node:
                case syntax.Name(text=text):
                    self.declared[text] += 1
                case syntax.Players(names=names):
                    self.players = tuple(name.text for name in names)
                case syntax.Define(name=name, is_table=True):
                    self.tables.add(name.text)
                case syntax.Move() | syntax.OutcomeClause():
                    self.rules[node.name.text].append(node.parameters)

    def nodes(self) -> Iterator[Node]:
        return (node for declaration in self.declarations for node in syntax.nodes_in(declaration))

    def edits(self) -> Iterator[Edit]:
        is_game = parse(self.source)[0] is not None  # a position is written in the language of its game
        if is_game and not any(isinstance(each, syntax.Language) for each in self.declarations):
            start = split_declarations(self.source)[0].start
            yield start, start, f"language {NEWEST}\n"
        for node in self.nodes():
            edit = self.edit_of(node)
            if edit is not None:
                yield edit

    def edit_of(self, node: Node) -> Edit | None:
        match node:
            case syntax.Language(edition=edition) if edition.value != NEWEST:
                return edition.span.start, edition.span.end, str(NEWEST)
            case syntax.Assignment(operator=":=", value=syntax.Arithmetic(operator="+" | "-") as value):
                return self.moved_on(node.target, value)
            case syntax.PayoffMap(entries=entries, largest_wins=False) if len(entries) == len(self.players):
                return self.payoff_to(node, entries)
            case syntax.Index(target=target, arguments=(syntax.TupleLiteral(items=items) as key,)):
                inside = items[0].span.start, items[-1].span.end
                return self.keep(stretch(key), "{}", inside) if self.is_table(target) else None
            case syntax.PlayedMove():
                return self.without_none(node)
        return None

    def moved_on(self, target: Expression, value: syntax.Arithmetic) -> Edit | None:
        """``x += e`` for ``x := x + e``. What is called in x has no effects, so it may be called once."""
        if repr(value.left) != repr(target):
            return None
        return self.keep((target.span.end, value.span.end), f" {value.operator}= {{}}", self.bare(value.right))

    def payoff_to(self, outcome: Node, entries: Sequence[tuple[Expression, Expression]]) -> Edit | None:
        """``payoff p: e`` for the payoffs of one player or two; of two, p is the one whose amount has no sign."""
        if len(entries) == 1:
            ((player, amount),) = entries
            return self.keep(stretch(outcome), "payoff {}: {}", stretch(player), self.bare(amount))
        if len(entries) != 2 or not self.are_different(entries[0][0], entries[1][0]):
            return None
        amounts = entries[0][1], entries[1][1]
        if not _are_opposite(*amounts) or all(isinstance(amount, syntax.Number) for amount in amounts):
            return None
        player, amount = entries[0] if not _has_sign(amounts[0]) else entries[1]
        return self.keep(stretch(outcome), "payoff {}: {}", stretch(player), self.bare(amount))

    def are_different(self, one: Expression, two: Expression) -> bool:
        """Whether two of two players are never the same."""
        match one, two:
            case syntax.Other(player=same), _ if repr(same) == repr(two):
                return True
            case _, syntax.Other(player=same) if repr(same) == repr(one):
                return True
            case syntax.Reference(name=first), syntax.Reference(name=second):
                return {first, second} == {*self.players} and self.declared[first] == self.declared[second] == 1
        return False

    def is_table(self, target: Expression) -> bool:
        if isinstance(target, syntax.Reference):
            return target.name in self.tables and self.declared[target.name] == 1
        return isinstance(target, syntax.TableLiteral)

    def without_none(self, move: syntax.PlayedMove) -> Edit | None:
        """``step(2)`` for ``step(2, none)``, and ``step`` for ``step(none)``."""
        given, rules = move.arguments, self.rules[move.name.text]
        if not rules or any(len(parameters) != len(given) for parameters in rules):
            return None
        left = len(given)
        while left and isinstance(given[left - 1], syntax.NoneLiteral):
            if not all(parameters[left - 1].is_optional for parameters in rules):
                break
            left -= 1
        if left == len(given):
            return None
        if not left:
            return self.keep((move.name.span.end, move.span.end), "")
        return self.keep((given[left - 1].span.end, given[-1].span.end), "")

    def keep(self, whole: Stretch, form: str, *kept: Stretch) -> Edit | None:
        """The edit that leaves of a stretch of text only what is ``kept``, in this form; None if a comment is among the
        rest, or if what is kept are several lines and the rest may be the brackets around them."""
        texts = [self.source.text[start:end] for start, end in kept]
        ends = [whole[0], *(end for _, end in kept)]
        starts = [*(start for start, _ in kept), whole[1]]
        rest = "".join(self.source.text[end:start] for end, start in zip(ends, starts, strict=True))
        is_enclosed = any(bracket in rest for bracket in CLOSING)
        if "#" in rest or (is_enclosed and any("\n" in text for text in texts)):
            return None
        return *whole, form.format(*texts)

    def bare(self, value: Expression) -> Stretch:
        """The stretch of an expression, in one row without the brackets around it if it may stand without them."""
        start, end = stretch(value)
        text = self.source.text[start:end]
        if isinstance(value, syntax.TupleLiteral | syntax.Where) or text[0] != "(" or "\n" in text:
            return start, end
        depth = 0
        for place, sign in enumerate(text, start=1):
            depth += (sign in CLOSING) - (sign in CLOSING.values())
            if not depth:
                return (start + 1, end - 1) if place == len(text) else (start, end)
        return start, end


def stretch(node: Node) -> Stretch:
    return node.span.start, node.span.end


def _are_opposite(one: Expression, two: Expression) -> bool:
    """Whether one of two numbers is the other with the opposite sign, by their form."""
    match one, two:
        case syntax.Negation(operand=same), _ if repr(same) == repr(two):
            return True
        case _, syntax.Negation(operand=same) if repr(same) == repr(one):
            return True
        case syntax.Number(), syntax.Number():
            return one.value == two.value == 0
        case syntax.Arithmetic(operator="-"), syntax.Arithmetic(operator="-"):
            return repr((one.left, one.right)) == repr((two.right, two.left))
        case syntax.Arithmetic(operator="*" | "/"), syntax.Arithmetic(operator="*" | "/"):
            rest_is_equal = (one.operator, repr(one.right)) == (two.operator, repr(two.right))
            return rest_is_equal and _are_opposite(one.left, two.left)
        case syntax.Conditional(), syntax.Conditional():
            is_same_case = repr(one.condition) == repr(two.condition)
            return is_same_case and _are_opposite(one.yes, two.yes) and _are_opposite(one.no, two.no)
    return False


def _has_sign(amount: Expression) -> bool:
    """Whether an expression begins with a minus."""
    while isinstance(amount, syntax.Arithmetic):
        amount = amount.left
    return isinstance(amount, syntax.Negation)
