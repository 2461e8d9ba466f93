"""Types, as they are written."""

from __future__ import annotations

from typing import Literal

from zermelo.grammar.syntax.expressions import Expression
from zermelo.grammar.syntax.nodes import Name, Node


class TypeExpression(Node):
    """The base of what may stand where a type is wanted."""


class NamedType(TypeExpression):
    """``Card``, ``Player``, ``Bool``, ``Direction``."""

    name: str


class Enumeration(TypeExpression):
    """``a | b | c``, or ``J < Q < K``, whose members compare."""

    members: tuple[Name, ...]
    ordered: bool


class RangeType(TypeExpression):
    """``low..high``, with ``by step`` for fractions."""

    low: Expression
    high: Expression
    step: Expression | None = None


class RecordField(Node):
    name: Name
    type: TypeExpression


class RecordType(TypeExpression):
    """``(rank: Rank, suit: Suit)``"""

    fields: tuple[RecordField, ...]


class OptionalType(TypeExpression):
    """``T?``"""

    inner: TypeExpression


class SetType(TypeExpression):
    """``set of T``"""

    element: TypeExpression


class PartType(TypeExpression):
    """``{s in Square if ...}`` or ``{queen, rook}``: a part of another type, written as a set."""

    members: Expression


class BoardType(TypeExpression):
    """``grid(w, h)``, ``hex(w, h)`` or ``ring(n)``."""

    shape: Literal["grid", "hex", "ring"]
    arguments: tuple[Expression, ...]


class GraphType(TypeExpression):
    """``graph(a7 - d7 - g7, a1 - a4)``: chains of neighbours."""

    chains: tuple[tuple[Name, ...], ...]


class EdgesType(TypeExpression):
    """``edges(T)``: the pairs of neighbours of a board."""

    board: TypeExpression
