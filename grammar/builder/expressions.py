"""Expressions and types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from attrs import evolve, frozen
from lark import Token

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Span
from zermelo.grammar.layout import Chunk
from zermelo.grammar.syntax import Expression, Name, Node, TupleLiteral, TypeExpression
from zermelo.grammar.words import QUANTIFIERS, RESERVED, quantifier_example

# The base of all callbacks: the spans of rules, and the refusal of reserved words as names.


N = TypeVar("N", bound=Node)
T = TypeVar("T")
B = TypeVar("B", bound="Base")

Part = Node | Token | None
"""The argument for one symbol of a rule; None for an absent optional part."""


@frozen(eq=False, repr=False)
class Group(Node):
    """Nodes that the grammar reads as one: a block, a list in brackets."""

    items: tuple[Any, ...]


def items(group: Group | None) -> tuple[Any, ...]:
    return group.items if group else ()


def of_kind(kind: type[N], parts: Iterable[object]) -> tuple[N, ...]:
    """The nodes of one kind among the parts of a rule; punctuation drops out."""
    return tuple(part for part in parts if isinstance(part, kind))


def tuple_items(amounts: Expression | None) -> tuple[Expression, ...]:
    """The items of ``(a, b)``; any other expression is a single item, and None is no item."""
    if isinstance(amounts, TupleLiteral):
        return amounts.items
    return (amounts,) if amounts else ()


def literal(word: Token) -> Any:
    """The text of a word, for a field of a node that takes only a few words: the grammar admits no others."""
    return str(word)


def unquote(text: Token) -> str:
    return str(text[1:-1])


def _is_layout(part: Node | Token) -> bool:
    return isinstance(part, Token) and part.type.startswith("_")


def node(method: Callable[..., T]) -> Callable[[Any, list[Part]], T]:
    """Call the method with the span of the rule and the parts of the rule as arguments."""

    def build(self: Base, parts: list[Part]) -> T:
        return method(self, self.extent(parts), *parts)

    return build


class Base:
    """``chunk`` is the text being read.

    Findings about the use of a reserved word go to ``doubts``, since a mistake further on may be the cause: they count
    only once the chunk has been read to its end. All others go to ``findings``.
    """

    chunk: Chunk
    findings: Findings
    doubts: Findings

    def extent(self, parts: list[Part]) -> Span:
        """From the first to the last part of a rule that is neither absent nor layout."""
        first = next(part for part in parts if part is not None)
        last = next((part for part in reversed(parts) if part is not None and not _is_layout(part)), first)
        return self.span(first) if first is last else self.span(first).to(self.span(last))

    def span(self, part: Node | Token) -> Span:
        if isinstance(part, Node):
            return part.span
        assert part.start_pos is not None and part.line is not None and part.column is not None
        assert part.end_pos is not None and part.end_line is not None and part.end_column is not None
        if self.chunk.edits or self.chunk.column > 1:
            return self.chunk.token_span(part)
        start, line = self.chunk.start, self.chunk.line - 1
        return Span(
            start + part.start_pos,
            start + part.end_pos,
            line + part.line,
            part.column,
            line + part.end_line,
            part.end_column,
        )

    def NAME(self, token: Token) -> Name:
        return Name(str(token), span=self.span(token))

    @node
    def branch_name(self, span: Span, word: Name | Token) -> Name:
        return word if isinstance(word, Name) else Name(str(word), span=span)

    field_name = label = branch_name

    @node
    def value_name(self, span: Span, name: Name) -> Name:
        self._refuse_reserved(name.text, span, self.findings)
        return name

    def use(self, name: str, span: Span, is_called: bool = False) -> str:
        """A name that stands for a value or, if it ``is_called``, for a function. ``chance`` is not refused here: the
        elaboration, which knows its place, can say more about it than that it is reserved."""
        if name != "chance":
            self._refuse_reserved(name, span, self.doubts, is_called)
        return name

    def _refuse_reserved(self, name: str, span: Span, findings: Findings, is_called: bool = False) -> None:
        if is_called and name in QUANTIFIERS:
            findings.report(
                "reserved-name", span, f"'{name}' gives the members of a set a name", help=quantifier_example(name)
            )
        elif name in RESERVED:
            findings.report(
                "reserved-name",
                span,
                f"'{name}' is a word of the language and cannot name a value",
                help="choose another name; moves, outcomes, phases, fields, branches and choices may have this one",
            )


MOST_DIGITS = 100
"""The longest number, in digits: no rule of a game needs a longer one."""

Chain = TypeVar("Chain", syntax.And, syntax.Or)


def chain_links(kind: type[Chain], parts: tuple[Part, ...]) -> tuple[Expression, ...]:
    """The links of a chain of ``and`` or ``or``; a link that is a chain of the same kind adds its own links."""
    links: list[Expression] = []
    for part in of_kind(Expression, parts):
        links.extend(part.parts if isinstance(part, kind) else (part,))
    return tuple(links)


class Expressions(Base):
    @node
    def whole_value(self, _span: Span, value: Expression, _end: Token) -> Expression:
        return value

    @node
    def match(self, span: Span, _match: Token, subject: Expression, *parts: Part) -> syntax.Match:
        return syntax.Match(subject, of_kind(syntax.Case, parts), span=span)

    @node
    def case(self, span: Span, patterns: Group, _colon: Token, *parts: Part) -> syntax.Case:
        (body,) = of_kind(Expression, parts)
        return syntax.Case(patterns.items, body, span=span)

    @node
    def patterns(self, span: Span, *parts: Part) -> Group:
        return Group(of_kind(Expression, parts), span=span)

    @node
    def where(self, span: Span, body: Expression, _where: Token, *parts: Part) -> syntax.Where:
        return syntax.Where(body, of_kind(syntax.Binding, parts), span=span)

    @node
    def binding(self, span: Span, name: Name, _is: Token, value: Expression) -> syntax.Binding:
        return syntax.Binding(name, value, span=span)

    @node
    def disjunction(self, span: Span, *parts: Part) -> syntax.Or:
        return syntax.Or(chain_links(syntax.Or, parts), span=span)

    @node
    def conjunction(self, span: Span, *parts: Part) -> syntax.And:
        return syntax.And(chain_links(syntax.And, parts), span=span)

    @node
    def negated(self, span: Span, _not: Token, operand: Expression) -> syntax.Not:
        return syntax.Not(operand, span=span)

    @node
    def quantified(self, span: Span, word: Token, binders: Group, _colon: Token, body: Expression) -> syntax.Quantified:
        return syntax.Quantified(literal(word), binders.items, body, span=span)

    @node
    def conditional(
        self, span: Span, _if: Token, condition: Expression, _then: Token, yes: Expression, _else: Token, no: Expression
    ) -> syntax.Conditional:
        return syntax.Conditional(condition, yes, no, span=span)

    @node
    def reach(
        self, span: Span, _reach: Token, name: Name, _from: Token, start: Expression, _colon: Token, step: Expression
    ) -> syntax.Reach:
        return syntax.Reach(name, start, step, span=span)

    @node
    def binders(self, span: Span, *parts: Part) -> Group:
        return Group(of_kind(syntax.Binder, parts), span=span)

    @node
    def binder(self, span: Span, name: Name, _in: Token, domain: Expression) -> syntax.Binder:
        return syntax.Binder(name, domain, span=span)

    @node
    def compared(self, span: Span, left: Expression, sign: Token, right: Expression) -> syntax.Comparison:
        return syntax.Comparison(literal(sign), left, right, span=span)

    @node
    def membership(
        self, span: Span, item: Expression, negated: Token | None, _in: Token, collection: Expression
    ) -> syntax.Membership:
        return syntax.Membership(item, collection, negated is not None, span=span)

    @node
    def is_none(
        self, span: Span, operand: Expression, _is: Token, negated: Token | None, _none: Token
    ) -> syntax.IsNone:
        return syntax.IsNone(operand, negated is not None, span=span)

    @node
    def next_player(
        self, span: Span, _next: Token, player: Expression, _in: Token | None = None, among: Expression | None = None
    ) -> syntax.Next:
        return syntax.Next(player, among, span=span)

    @node
    def from_to(self, span: Span, low: Expression, _to: Token, high: Expression) -> syntax.Range:
        return syntax.Range(low, high, span=span)

    @node
    def arithmetic(self, span: Span, left: Expression, sign: Token, right: Expression) -> syntax.Arithmetic:
        return syntax.Arithmetic(literal(sign), left, right, span=span)

    @node
    def negation(self, span: Span, _minus: Token, operand: Expression) -> syntax.Negation:
        return syntax.Negation(operand, span=span)

    @node
    def other_player(self, span: Span, _other: Token, player: Expression) -> syntax.Other:
        return syntax.Other(player, span=span)

    @node
    def field(self, span: Span, target: Expression, _dot: Token, name: Name) -> syntax.Field:
        return syntax.Field(target, name, span=span)

    @node
    def index(self, span: Span, target: Expression, *parts: Part) -> syntax.Index:
        return syntax.Index(target, of_kind(Expression, parts), span=span)

    @node
    def number(self, span: Span, digits: Token) -> syntax.Number:
        if len(digits) > MOST_DIGITS:
            self.findings.report("syntax", span, f"{len(digits)} digits are too many; the most is {MOST_DIGITS}")
            return syntax.Number(Fraction(0), span=span)
        return syntax.Number(Fraction(str(digits)), span=span)

    @node
    def boolean(self, span: Span, word: Token) -> syntax.Boolean:
        return syntax.Boolean(word == "true", span=span)

    @node
    def none(self, span: Span, _none: Token) -> syntax.NoneLiteral:
        return syntax.NoneLiteral(span=span)

    @node
    def reference(self, span: Span, name: Name) -> syntax.Reference:
        return syntax.Reference(self.use(name.text, span), span=span)

    @node
    def call(self, span: Span, callee: Name | Token, arguments: Group) -> syntax.Call:
        if isinstance(callee, Token):  # min and max are both quantifiers and functions
            return syntax.Call(Name(str(callee), span=self.span(callee)), arguments.items, span=span)
        self.use(callee.text, callee.span, is_called=True)
        return syntax.Call(callee, arguments.items, span=span)

    @node
    def arguments(self, span: Span, *parts: Part) -> Group:
        return Group(of_kind(Expression, parts), span=span)

    @node
    def brackets(self, span: Span, _left: Token, inner: Expression, _right: Token) -> Expression:
        return evolve(inner, span=span)

    @node
    def tuple_literal(self, span: Span, *parts: Part) -> syntax.TupleLiteral:
        return syntax.TupleLiteral(of_kind(Expression, parts), span=span)

    @node
    def set_literal(self, span: Span, *parts: Part) -> syntax.SetLiteral:
        return syntax.SetLiteral(of_kind(Expression, parts), span=span)

    @node
    def table_literal(self, span: Span, *parts: Part) -> syntax.TableLiteral:
        return syntax.TableLiteral(tuple(entry.items for entry in of_kind(Group, parts)), span=span)

    @node
    def table_entry(self, span: Span, key: Expression, _colon: Token, value: Expression) -> Group:
        return Group((key, value), span=span)

    @node
    def comprehension(self, span: Span, _left: Token, element: Expression, *parts: Part) -> syntax.Comprehension:
        return syntax.Comprehension(element, of_kind(syntax.Generator, parts), span=span)

    @node
    def short_comprehension(
        self, span: Span, _left: Token, name: Expression, _in: Token, domain: Expression, *parts: Part
    ) -> syntax.Comprehension:
        if not isinstance(name, syntax.Reference):
            self.findings.report("syntax", name.span, "a new name must come before `in`, for the members of the set")
        text = name.name if isinstance(name, syntax.Reference) else ""
        binder = syntax.Binder(Name(text, span=name.span), domain, span=name.span.to(domain.span))
        first = self._generator(name.span.to(self.extent([domain, *parts[:-1]])), binder, parts)
        return syntax.Comprehension(None, (first, *of_kind(syntax.Generator, parts)), span=span)

    @node
    def generator(self, span: Span, _for: Token, binder: syntax.Binder, *parts: Part) -> syntax.Generator:
        return self._generator(span, binder, parts)

    def _generator(self, span: Span, binder: syntax.Binder, parts: tuple[Part, ...]) -> syntax.Generator:
        """``parts`` are the tests, and perhaps a stop condition."""
        tests = of_kind(Expression, parts)
        for stop in of_kind(Group, parts):
            word, condition = stop.items
            return syntax.Generator(binder, word, condition, tests, span=span)
        return syntax.Generator(binder, None, None, tests, span=span)

    @node
    def stop(self, span: Span, word: Token, condition: Expression) -> Group:
        return Group((str(word), condition), span=span)

    @node
    def guard(self, _span: Span, _if: Token, condition: Expression) -> Expression:
        return condition

    # ------------------------------------------------------------------- types

    @node
    def named_type(self, span: Span, name: Name) -> syntax.NamedType:
        return syntax.NamedType(self.use(name.text, span), span=span)

    @node
    def optional_type(self, span: Span, inner: TypeExpression, _mark: Token) -> syntax.OptionalType:
        return syntax.OptionalType(inner, span=span)

    @node
    def enumeration(self, span: Span, *parts: Part) -> syntax.Enumeration:
        return syntax.Enumeration(of_kind(Name, parts), parts[1] == "<", span=span)

    @node
    def range_type(
        self, span: Span, low: Expression, _to: Token, high: Expression, _by: Token | None, step: Expression | None
    ) -> syntax.RangeType:
        return syntax.RangeType(low, high, step, span=span)

    @node
    def bracketed_type(self, span: Span, inner: Expression) -> TypeExpression:
        if isinstance(inner, syntax.Range):
            return syntax.RangeType(inner.low, inner.high, None, span=span)
        if isinstance(inner, syntax.TupleLiteral):
            message, help = "the fields of a record have names", "name each of them, as in (rank: Rank, suit: Suit)"
        else:
            message, help = "only a range may stand in brackets as a type", "as in (0..3)?"
        self.findings.report("syntax", span, message, help=help)
        return syntax.NamedType("", span=span)

    @node
    def record_type(self, span: Span, *parts: Part) -> syntax.RecordType:
        return syntax.RecordType(of_kind(syntax.RecordField, parts), span=span)

    @node
    def record_field(self, span: Span, name: Name, _colon: Token, type: TypeExpression) -> syntax.RecordField:
        return syntax.RecordField(name, type, span=span)

    @node
    def set_type(self, span: Span, _set: Token, _of: Token, element: TypeExpression) -> syntax.SetType:
        return syntax.SetType(element, span=span)

    @node
    def part_type(self, span: Span, members: Expression) -> syntax.PartType:
        return syntax.PartType(members, span=span)

    @node
    def board_type(self, span: Span, shape: Token, arguments: Group) -> syntax.BoardType:
        return syntax.BoardType(literal(shape), arguments.items, span=span)

    @node
    def graph_type(self, span: Span, *parts: Part) -> syntax.GraphType:
        return syntax.GraphType(tuple(chain.items for chain in of_kind(Group, parts)), span=span)

    @node
    def chain(self, span: Span, *parts: Part) -> Group:
        return Group(of_kind(Name, parts), span=span)

    @node
    def edges_type(
        self, span: Span, _edges: Token, _left: Token, board: TypeExpression, _right: Token
    ) -> syntax.EdgesType:
        return syntax.EdgesType(board, span=span)
