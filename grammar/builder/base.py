"""The base of all callbacks: the spans of rules, and the refusal of reserved words as names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import frozen
from lark import Token

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.layout import Chunk
from zermelo.grammar.source import Span
from zermelo.grammar.syntax import Expression, Name, Node, TupleLiteral
from zermelo.grammar.words import QUANTIFIERS, RESERVED, run_over

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


def those(kind: type[N], parts: Iterable[object]) -> tuple[N, ...]:
    """The nodes of one kind among the parts of a rule; punctuation drops out."""
    return tuple(part for part in parts if isinstance(part, kind))


def spread(amounts: Expression | None) -> tuple[Expression, ...]:
    """``(a, b)`` as two amounts; anything else is one."""
    if isinstance(amounts, TupleLiteral):
        return amounts.items
    return (amounts,) if amounts else ()


def literal(word: Token) -> Any:
    """The text of a word, for a field of a node that has a few: the grammar lets no others come here."""
    return str(word)


def unquoted(text: Token) -> str:
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
        """A name that is used for a value or, if it ``is_called``, for a function. Of ``chance`` there is more to say
        than that it is reserved, by those who know its place."""
        if name != "chance":
            self._refuse_reserved(name, span, self.doubts, is_called)
        return name

    def _refuse_reserved(self, name: str, span: Span, findings: Findings, is_called: bool = False) -> None:
        if is_called and name in QUANTIFIERS:
            findings.report("reserved-name", span, f"'{name}' gives the members of a set a name", help=run_over(name))
        elif name in RESERVED:
            findings.report(
                "reserved-name",
                span,
                f"'{name}' is a word of the language and cannot name a value",
                help="choose another name; moves, outcomes, phases, fields, branches and choices may have this one",
            )
