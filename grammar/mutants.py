"""Mutants: files with one slip in them, as a writer of rules could make it.

Mutation testing (DeMillo, Lipton and Sayward, 1978) asks what the tests of a program pin down: which of many small
changes does no test notice? Here the program is a file of rules, and its tests are its claims, expectations and tests.
A change is an edit of the text, found in the syntax tree, whose nodes know their places; so it can be shown as a
difference of two files, and the rest of the file stays as it is written. Declarations *about* the rules (claims,
expectations, tests, estimates and other hints for a search, legends, what is drawn), and defines that only these use,
are not changed.

Every change is local and plain; whether the result is still a game, and a different one, is for the caller to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from attrs import frozen

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source, Span
from zermelo.grammar.syntax import Block, GameFile, Name, Node

_SECRET: Final = re.compile(r"\s+secret\b(?=\s*[:i])|\bsecret\s+")


class Slip(Enum):
    """The kinds of changes, in words."""

    GUARD = "a guard dropped"
    CONDITION = "a condition changed"
    COMPARISON = "a comparison changed"
    NUMBER = "a number or range off by one"
    SIGN = "a sign changed"
    PLAYER = "players swapped"
    PAYOFF = "a payoff changed"
    STATEMENT = "a statement left out"
    VISIBILITY = "another visibility"
    CHANCE = "other chances"
    PREFERENCE = "a preference left out"


@frozen
class Mutant:
    """The text of ``span`` becomes ``new``."""

    slip: Slip
    span: Span
    new: str

    def text(self, source: Source) -> str:
        """The whole file with the change."""
        return source.text[: self.span.start] + self.new + source.text[self.span.end :]


def mutants(source: Source, tree: GameFile) -> Iterator[Mutant]:
    """All mutants of a file, in the order of its text; no two are the same text, and none is the file itself."""
    finder = _Finder(source, tuple(_players(tree)))
    found = [mutant for declaration in _rules(tree) for mutant in finder.within(declaration)]
    texts = {source.text}
    for mutant in sorted(found, key=lambda mutant: (mutant.span.start, mutant.span.end)):
        if (text := mutant.text(source)) not in texts:
            texts.add(text)
            yield mutant


_SAYINGS: Final = (
    syntax.Claim,
    syntax.Feature,
    syntax.Weight,
    syntax.Estimate,
    syntax.Unsettled,
    syntax.OrderMoves,
    syntax.Legend,
    syntax.Drawn,
    syntax.Expect,
    syntax.Witness,
    syntax.Test,
    syntax.Parameter,  # another default is another game of the same rules
    syntax.PlayerCount,
    syntax.Require,
)
"""The declarations that are not changed."""

_NEXT_TO: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_OTHER_SIGN: Final = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
_OTHER_QUANTIFIER: Final = {"some": "all", "all": "some", "min": "max", "max": "min", "first": "last", "last": "first"}
_LEFT_OUT: Final = (syntax.Assignment, syntax.Earn, syntax.Tell, syntax.Reveal, syntax.Do)
"""The statements that are left out: a block still works without them."""


@frozen(eq=False)
class _Finder:
    """Finds the mutants of each construct."""

    source: Source
    players: tuple[str, ...]

    def within(self, node: Node) -> Iterator[Mutant]:
        """The mutants of a node and all nodes in it."""
        yield from self.of(node)
        for part in _parts(node):
            yield from self.within(part)

    def of(self, node: Node) -> Iterator[Mutant]:
        """The mutants of a node itself."""
        match node:
            case syntax.Statement():
                yield from self.of_statement(node)
            case syntax.Win() | syntax.Draw() | syntax.PayoffMap() | syntax.PayoffTuple() | syntax.PayoffTo():
                yield from self.of_outcome(node)
            case syntax.Move(secret=True, parameters=parameters, name=name):
                yield self.without_secret(parameters[-1].span.end if parameters else name.span.end)
            case syntax.MoveParameter(secret=True):
                yield self.without_secret(node.span.start)
            case syntax.Variable():
                yield from self.of_variable(node)
            case syntax.TurnClause(span=span):
                yield Mutant(Slip.PREFERENCE, span, "")
            case syntax.Leaf(amounts=(one, other, *_)) | syntax.TableCell(amounts=(one, other, *_)):
                yield self.swapped(Slip.PAYOFF, one, other)
            case syntax.ChanceNode(branches=(one, other, *_)):
                yield self.swapped(Slip.CHANCE, one.probability, other.probability)
            case syntax.Range(high=high) | syntax.RangeType(high=high) if not isinstance(high, syntax.Number):
                yield Mutant(Slip.NUMBER, high.span, f"{self.source.excerpt(high.span)} - 1")
            case syntax.Expression():
                yield from self.of_expression(node)
            case syntax.Enumeration(members=(one, other, *_), ordered=True):
                yield self.swapped(Slip.COMPARISON, one, other)
        yield from self.of_guards(node)
        yield from self.of_blocks(node)

    def of_expression(self, node: syntax.Expression) -> Iterator[Mutant]:
        match node:
            case syntax.Number(value=value) if value.denominator == 1:
                for number in (value - 1, value + 1):
                    if number >= 0:
                        yield Mutant(Slip.NUMBER, node.span, str(number))
            case syntax.Negation(operand=operand):
                yield self.replaced(Slip.SIGN, node, operand)
            case syntax.Arithmetic(operator="+" | "-" as operator, left=left, right=right):
                yield from self.between(Slip.SIGN, left, right, operator, _OTHER_SIGN[operator])
            case syntax.Comparison(operator=operator, left=left, right=right):
                yield from self.between(Slip.COMPARISON, left, right, operator, _NEXT_TO[operator])
            case syntax.Membership(item=item, collection=collection, negated=negated):
                yield from self.between(
                    Slip.COMPARISON, item, collection, *(("not in", "in") if negated else ("in", "not in"))
                )
            case syntax.IsNone(operand=operand, negated=negated):
                new = "is none" if negated else "is not none"
                yield self.rewritten(Slip.COMPARISON, node, operand, f"{self.source.excerpt(operand.span)} {new}")
            case syntax.Not(operand=operand):
                yield self.replaced(Slip.CONDITION, node, operand)
            case syntax.And(parts=parts) | syntax.Or(parts=parts):
                neutral = "true" if isinstance(node, syntax.And) else "false"
                for part in parts:
                    yield Mutant(Slip.CONDITION, part.span, neutral)
            case syntax.Conditional(condition=condition):
                yield self.negated(condition)
            case syntax.Quantified(quantifier=word) if word in _OTHER_QUANTIFIER:
                other = re.sub(rf"\b{word}\b", _OTHER_QUANTIFIER[word], self.source.excerpt(node.span), count=1)
                yield Mutant(Slip.CONDITION, node.span, other)  # which may begin with a bracket
            case syntax.Other(player=player) | syntax.Next(player=player):
                yield self.replaced(Slip.PLAYER, node, player)
            case syntax.Reference(name=name) if name in self.players and len(self.players) > 1:
                after = self.players[(self.players.index(name) + 1) % len(self.players)]
                yield Mutant(Slip.PLAYER, node.span, after)

    def of_statement(self, node: syntax.Statement) -> Iterator[Mutant]:
        match node:
            case syntax.If(branches=branches):
                for condition, _ in branches:
                    yield self.negated(condition)
            case syntax.Assignment(target=target, operator="+=" | "-=" as operator, value=value):
                yield from self.between(Slip.SIGN, target, value, operator, _OTHER_SIGN[operator])

    def of_outcome(self, node: Node) -> Iterator[Mutant]:
        match node:
            case syntax.Win():
                yield Mutant(Slip.PAYOFF, node.span, "draw")
            case syntax.Draw() if self.players:
                yield Mutant(Slip.PAYOFF, node.span, f"win {self.players[0]}")
            case syntax.PayoffMap(entries=((_, one), (_, other), *_)):
                yield self.swapped(Slip.PAYOFF, one, other)
            case syntax.PayoffTuple(amounts=(one, other, *_)):
                yield self.swapped(Slip.PAYOFF, one, other)
            case syntax.PayoffTo(amount=amount):
                yield Mutant(Slip.PAYOFF, amount.span, f"-({self.source.excerpt(amount.span)})")

    def of_variable(self, node: syntax.Variable) -> Iterator[Mutant]:
        """The variable with other words of visibility."""
        now = "public" if node.visibility is None else node.visibility.kind
        for word in ("public", "hidden"):
            if word == now:
                continue
            if node.visibility is not None:
                yield Mutant(Slip.VISIBILITY, node.visibility.span, word)
            else:
                end = (node.initial or node.type).span.end
                yield Mutant(Slip.VISIBILITY, self.stretch(end, end), f" {word}")

    def of_guards(self, node: Node) -> Iterator[Mutant]:
        """The node without its guard, or with equal weights."""
        match node:
            case syntax.Move(guard=guard) | syntax.OutcomeClause(guard=guard) | syntax.For(guard=guard):
                if guard is not None:
                    yield Mutant(Slip.GUARD, guard.span, "true")
            case syntax.Generator(tests=tests):
                for test in tests:
                    yield Mutant(Slip.GUARD, test.span, "true")
        if isinstance(node, syntax.OutcomeClause) and node.weight is not None:
            yield Mutant(Slip.CHANCE, node.weight.span, "1")

    def of_blocks(self, node: Node) -> Iterator[Mutant]:
        """The node's blocks without one of their statements, where it stands on lines of its own."""
        for block in _blocks(node):
            for statement in block:
                lines = self.own_lines(statement)
                if len(block) > 1 and isinstance(statement, _LEFT_OUT) and lines is not None:
                    yield Mutant(Slip.STATEMENT, lines, "")

    # ------------------------------------------------------------------ edits

    def negated(self, condition: Node) -> Mutant:
        return Mutant(Slip.CONDITION, condition.span, f"not ({self.source.excerpt(condition.span)})")

    def replaced(self, slip: Slip, node: Node, part: Node) -> Mutant:
        """A node becomes one of its parts."""
        return self.rewritten(slip, node, part, self.source.excerpt(part.span))

    def rewritten(self, slip: Slip, node: Node, first: Node, new: str) -> Mutant:
        """A node becomes something else, inside the brackets that it has around its ``first`` part."""
        brackets = self.source.text[node.span.start : first.span.start].count("(")
        return Mutant(slip, node.span, "(" * brackets + new + ")" * brackets)

    def between(self, slip: Slip, left: Node, right: Node, old: str, new: str) -> Iterator[Mutant]:
        """The operator between two operands becomes another."""
        start = self.source.text.find(old, left.span.end, right.span.start)
        if start >= 0:
            yield Mutant(slip, self.stretch(start, start + len(old)), new)

    def swapped(self, slip: Slip, one: Node, other: Node) -> Mutant:
        """Two parts change places."""
        between = self.source.text[one.span.end : other.span.start]
        new = self.source.excerpt(other.span) + between + self.source.excerpt(one.span)
        return Mutant(slip, one.span.to(other.span), new)

    def without_secret(self, start: int) -> Mutant:
        """The mutant without the next ``secret`` after a place, and without the space before or after that word."""
        found = _SECRET.search(self.source.text, start)
        assert found is not None, "the node has the word"
        return Mutant(Slip.VISIBILITY, self.stretch(*found.span()), "")

    def own_lines(self, node: Node) -> Span | None:
        """The whole lines of a node; None if they hold anything else, except comments."""
        text = self.source.text
        start = text.rfind("\n", 0, node.span.start) + 1
        end = text.find("\n", node.span.end) + 1 or len(text)
        rest = text[node.span.end : end].strip()
        if text[start : node.span.start].strip() or (rest and not rest.startswith("#")):
            return None
        return self.stretch(start, end)

    def stretch(self, start: int, end: int) -> Span:
        """The span of a stretch of text."""
        line = self.source.text.count("\n", 0, start) + 1
        column = start - (self.source.text.rfind("\n", 0, start) + 1) + 1
        return Span(start, end, line, column, line, column + end - start)


def _rules(tree: GameFile) -> Iterator[Node]:
    """The declarations that make the game, without what says something about it."""
    defines = {each.name.text: each for each in tree.declarations if isinstance(each, syntax.Define)}
    waiting = [each for each in tree.declarations if not isinstance(each, (*_SAYINGS, syntax.Define))]
    used: set[str] = set()
    while waiting:
        for name in _words(waiting.pop()):
            if name not in used:
                used.add(name)
                waiting += [defines[name]] if name in defines else []
    for each in tree.declarations:
        if each.name.text in used if isinstance(each, syntax.Define) else not isinstance(each, _SAYINGS):
            yield each


def _words(value: object) -> Iterator[str]:
    """All names in a node, and other words: more than the names of defines, which does no harm."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _words(part)
    elif isinstance(value, Node):
        for part in syntax.parts_of(value):
            yield from _words(part)


def _players(tree: GameFile) -> Iterator[str]:
    for declaration in tree.declarations:
        if isinstance(declaration, syntax.Players):
            yield from (name.text for name in declaration.names)


def _parts(node: Node) -> Iterator[Node]:
    """The nodes directly in a node, however they are grouped, without names."""
    waiting = syntax.parts_of(node)[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting.extend(reversed(value))
        elif isinstance(value, Node) and not isinstance(value, Name):
            yield value


def _blocks(node: Node) -> Iterator[Block]:
    """The blocks of statements directly in a node."""
    waiting = syntax.parts_of(node)
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            if value and all(isinstance(part, syntax.Statement) for part in value):
                yield value
            else:
                waiting.extend(value)
