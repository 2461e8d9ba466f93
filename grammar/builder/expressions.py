"""Expressions and types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from attrs import NOTHING, evolve, fields, frozen

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Span
from zermelo.grammar.layout import Chunk, Lexeme
from zermelo.grammar.names import ShownName, normal
from zermelo.grammar.syntax import Expression, Name, Node, TupleLiteral, TypeExpression
from zermelo.grammar.words import LEAVES, LEAVES_HELP, QUANTIFIERS, RESERVED, quantifier_example

# The base of all callbacks: the spans of rules, and the refusal of reserved words as names.


N = TypeVar("N", bound=Node)
T = TypeVar("T")
B = TypeVar("B", bound="Base")

Part = Node | Lexeme | None
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


def literal(word: Lexeme) -> Any:
    """The text of a word, for a field of a node that takes only a few words: the grammar admits no others."""
    return str(word)


def unquote(text: Lexeme) -> str:
    return str(text[1:-1])


def _is_layout(part: Node | Lexeme) -> bool:
    return isinstance(part, Lexeme) and part.type.startswith("_")


def node(method: Callable[..., T]) -> Callable[[Any, list[Part]], T]:
    """Call the method with the span of the rule and the parts of the rule as arguments."""

    def build(self: Base, parts: list[Part]) -> T:
        return method(self, self.extent(parts), *parts)

    return build


def built(kind: type[N], has_word: bool = False) -> Callable[[Any, list[Part]], N]:
    """The method of a rule whose parts are the fields of a node of this kind, in their order, but for words and signs;
    if it ``has_word``, the first part is a word that is the first field. A field of several nodes takes the items of a
    group, or else all parts that remain; an absent part leaves a field its default. A field is of several nodes if its
    type is written as a tuple or as ``Block``."""
    make: Any = kind
    own = [each for each in fields(make) if each.name != "span"][has_word:]
    shapes = [(str(each.type).startswith(("tuple", "Block")), each.default is not NOTHING) for each in own]

    def build(self: Base, parts: list[Part]) -> Any:
        nodes = iter([part for part in parts if not isinstance(part, Lexeme)])
        values: list[object] = [str(parts[0])] if has_word else []
        for is_several, has_default in shapes:
            part = next(nodes, None)
            if part is None and has_default:
                break
            if isinstance(part, Group):
                values.append(part.items)
            elif is_several:
                values.append(() if part is None else (part, *(each for each in nodes if each is not None)))
            else:
                values.append(part)
        assert next(nodes, None) is None, "every part has a field"
        return make(*values, span=self.extent(parts))

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

    def span(self, part: Node | Lexeme) -> Span:
        if isinstance(part, Node):
            return part.span
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

    def NAME(self, token: Lexeme) -> Name:
        return Name(normal(str(token)), span=self.span(token))

    @node
    def branch_name(self, span: Span, word: Name | Lexeme) -> Name:
        return word if isinstance(word, Name) else Name(str(word), span=span)

    field_name = label = branch_name

    @node
    def shown_name(self, _span: Span, name: Name, text: Lexeme | None) -> Name:
        return name if text is None else Name(ShownName(name.text, unquote(text)), unquote(text), span=name.span)

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
            help = "choose another name; moves, outcomes, phases, fields, branches and choices may have this one"
            if name == "end":
                help = f"{LEAVES}, {LEAVES_HELP}"
            findings.report(
                "reserved-name", span, f"'{name}' is a word of the language and cannot name a value", help=help
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
    def whole_value(self, _span: Span, value: Expression, _end: Lexeme) -> Expression:
        return value

    match = built(syntax.Match)
    case = built(syntax.Case)
    patterns = built(Group)
    where = built(syntax.Where)
    binding = built(syntax.Binding)

    @node
    def disjunction(self, span: Span, *parts: Part) -> syntax.Or:
        return syntax.Or(chain_links(syntax.Or, parts), span=span)

    @node
    def conjunction(self, span: Span, *parts: Part) -> syntax.And:
        return syntax.And(chain_links(syntax.And, parts), span=span)

    negated = built(syntax.Not)
    quantified = built(syntax.Quantified, has_word=True)
    conditional = built(syntax.Conditional)
    reach = built(syntax.Reach)
    binders = built(Group)
    binder = built(syntax.Binder)

    @node
    def compared(self, span: Span, left: Expression, sign: Lexeme, right: Expression) -> syntax.Comparison:
        return syntax.Comparison(literal(sign), left, right, span=span)

    @node
    def membership(
        self, span: Span, item: Expression, negated: Lexeme | None, _in: Lexeme, collection: Expression
    ) -> syntax.Membership:
        return syntax.Membership(item, collection, negated is not None, span=span)

    @node
    def is_none(
        self, span: Span, operand: Expression, _is: Lexeme, negated: Lexeme | None, _none: Lexeme
    ) -> syntax.IsNone:
        return syntax.IsNone(operand, negated is not None, span=span)

    next_player = built(syntax.Next)
    from_to = built(syntax.Range)

    @node
    def arithmetic(self, span: Span, left: Expression, sign: Lexeme, right: Expression) -> syntax.Arithmetic:
        return syntax.Arithmetic(literal(sign), left, right, span=span)

    negation = built(syntax.Negation)
    other_player = built(syntax.Other)
    field = built(syntax.Field)
    index = built(syntax.Index)

    @node
    def number(self, span: Span, digits: Lexeme) -> syntax.Number:
        if len(digits) > MOST_DIGITS:
            self.findings.report("syntax", span, f"{len(digits)} digits are too many; the most is {MOST_DIGITS}")
            return syntax.Number(Fraction(0), span=span)
        return syntax.Number(Fraction(str(digits)), span=span)

    @node
    def boolean(self, span: Span, word: Lexeme) -> syntax.Boolean:
        return syntax.Boolean(word == "true", span=span)

    none = built(syntax.NoneLiteral)

    @node
    def reference(self, span: Span, name: Name) -> syntax.Reference:
        return syntax.Reference(self.use(name.text, span), span=span)

    @node
    def call(self, span: Span, callee: Name | Lexeme, arguments: Group) -> syntax.Call:
        if isinstance(callee, Lexeme):  # min and max are both quantifiers and functions
            return syntax.Call(Name(str(callee), span=self.span(callee)), arguments.items, span=span)
        self.use(callee.text, callee.span, is_called=True)
        return syntax.Call(callee, arguments.items, span=span)

    arguments = built(Group)

    @node
    def brackets(self, span: Span, _left: Lexeme, inner: Expression, _right: Lexeme) -> Expression:
        return evolve(inner, span=span)

    tuple_literal = built(syntax.TupleLiteral)
    set_literal = built(syntax.SetLiteral)

    @node
    def table_literal(self, span: Span, *parts: Part) -> syntax.TableLiteral:
        return syntax.TableLiteral(tuple(entry.items for entry in of_kind(Group, parts)), span=span)

    table_entry = built(Group)
    comprehension = built(syntax.Comprehension)

    @node
    def short_comprehension(
        self, span: Span, _left: Lexeme, name: Expression, _in: Lexeme, domain: Expression, *parts: Part
    ) -> syntax.Comprehension:
        if not isinstance(name, syntax.Reference):
            self.findings.report("syntax", name.span, "a new name must come before `in`, for the members of the set")
        text = name.name if isinstance(name, syntax.Reference) else ""
        binder = syntax.Binder(Name(text, span=name.span), domain, span=name.span.to(domain.span))
        first = self._generator(name.span.to(self.extent([domain, *parts[:-1]])), binder, parts)
        return syntax.Comprehension(None, (first, *of_kind(syntax.Generator, parts)), span=span)

    @node
    def generator(self, span: Span, _for: Lexeme, binder: syntax.Binder, *parts: Part) -> syntax.Generator:
        return self._generator(span, binder, parts)

    def _generator(self, span: Span, binder: syntax.Binder, parts: tuple[Part, ...]) -> syntax.Generator:
        """``parts`` are the tests, and perhaps a stop condition."""
        tests = of_kind(Expression, parts)
        for stop in of_kind(Group, parts):
            word, condition = stop.items
            return syntax.Generator(binder, word, condition, tests, span=span)
        return syntax.Generator(binder, None, None, tests, span=span)

    @node
    def stop(self, span: Span, word: Lexeme, condition: Expression) -> Group:
        return Group((str(word), condition), span=span)

    @node
    def marked_part(self, _span: Span, _mark: Lexeme, part: Part) -> Part:
        """What follows the word or sign of an optional part."""
        return part

    guard = initial = result = marked_part

    # ------------------------------------------------------------------- types

    @node
    def named_type(self, span: Span, name: Name) -> syntax.NamedType:
        return syntax.NamedType(self.use(name.text, span), span=span)

    optional_type = built(syntax.OptionalType)

    @node
    def enumeration(self, span: Span, *parts: Part) -> syntax.Enumeration:
        return syntax.Enumeration(of_kind(Name, parts), parts[1] == "<", span=span)

    range_type = built(syntax.RangeType)

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

    record_type = built(syntax.RecordType)
    record_field = built(syntax.RecordField)
    set_type = built(syntax.SetType)
    part_type = built(syntax.PartType)
    board_type = built(syntax.BoardType, has_word=True)

    @node
    def graph_type(self, span: Span, *parts: Part) -> syntax.GraphType:
        return syntax.GraphType(tuple(chain.items for chain in of_kind(Group, parts)), span=span)

    chain = built(Group)
    edges_type = built(syntax.EdgesType)
