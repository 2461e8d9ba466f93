"""Type expressions."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from zermelo.grammar.syntax.expressions import Expression
from zermelo.grammar.syntax.nodes import Name, Node


@frozen(eq=False, repr=False)
class TypeExpression(Node):
    """The base of all type expressions."""


@frozen(eq=False, repr=False)
class NamedType(TypeExpression):
    """``Card``, ``Player``, ``Bool``, ``Direction``."""

    name: str


@frozen(eq=False, repr=False)
class Enumeration(TypeExpression):
    """``a | b | c``, or ``J < Q < K``, whose members compare."""

    members: tuple[Name, ...]
    ordered: bool


@frozen(eq=False, repr=False)
class RangeType(TypeExpression):
    """``low..high``, with ``by step`` for fractions."""

    low: Expression
    high: Expression
    step: Expression | None = None


@frozen(eq=False, repr=False)
class RecordField(Node):
    name: Name
    type: TypeExpression


@frozen(eq=False, repr=False)
class RecordType(TypeExpression):
    """``(rank: Rank, suit: Suit)``"""

    fields: tuple[RecordField, ...]


@frozen(eq=False, repr=False)
class OptionalType(TypeExpression):
    """``T?``"""

    inner: TypeExpression


@frozen(eq=False, repr=False)
class SetType(TypeExpression):
    """``set of T``"""

    element: TypeExpression


@frozen(eq=False, repr=False)
class PartType(TypeExpression):
    """``{s in Square if ...}`` or ``{queen, rook}``: a part of another type, written as a set."""

    members: Expression


@frozen(eq=False, repr=False)
class BoardType(TypeExpression):
    """``grid(w, h)``, ``hex(w, h)`` or ``ring(n)``."""

    shape: Literal["grid", "hex", "ring"]
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class GraphType(TypeExpression):
    """``graph(a7 - d7 - g7, a1 - a4)``: chains of neighbours."""

    chains: tuple[tuple[Name, ...], ...]


@frozen(eq=False, repr=False)
class EdgesType(TypeExpression):
    """``edges(T)``: the pairs of neighbours of a board."""

    board: TypeExpression
