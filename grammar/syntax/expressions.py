"""Expressions, statements, and the outcomes that end a play."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

from attrs import field, fields, frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import NOWHERE, Span

# The base of all nodes, and the nodes that belong to no other file.


@frozen(eq=False, repr=False)
class Node(Displayed):
    """The base of all nodes.

    Trees are compared as they are shown, without spans and comments: attrs would compile an equality for each class,
    which no command needs.
    """

    span: Span = field(default=NOWHERE, repr=False, kw_only=True)


def nodes_in(node: Node) -> Iterator[Node]:
    """A node and all nodes in it, in the order of the text."""
    waiting: list[Any] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        elif isinstance(part, Node):
            yield part
            waiting.extend(reversed(parts_of(part)))


def parts_of(node: Node) -> list[Any]:
    """The values of a node's fields."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return [getattr(node, name) for name in _FIELDS[kind]]


_FIELDS: dict[type, tuple[str, ...]] = {}
"""The names of the fields of a kind of node: an editor asks with every keystroke."""


@frozen(eq=False, repr=False)
class Name(Node):
    """A name where it is declared, or used outside of expressions; ``shown`` is the text behind it that people are
    shown in its place, empty without one."""

    text: str
    shown: str = ""

    def __str__(self) -> str:
        return self.text


@frozen(eq=False, repr=False)
class Comment(Node):
    """A comment, with its ``#``; ``own_line`` is false for one after code on the same line."""

    text: str
    own_line: bool


@frozen(eq=False, repr=False)
class Expression(Node):
    """The base of all expressions."""


@frozen(eq=False, repr=False)
class Number(Expression):
    """A literal; ``0.1`` is exactly 1/10."""

    value: Fraction


@frozen(eq=False, repr=False)
class Boolean(Expression):
    value: bool


@frozen(eq=False, repr=False)
class NoneLiteral(Expression):
    """``none``"""


@frozen(eq=False, repr=False)
class Reference(Expression):
    """A name in an expression: a variable, local, parameter, member, type, define without arguments, ``stuck``."""

    name: str


@frozen(eq=False, repr=False)
class Field(Expression):
    """``target.name``; also ``Suit.clubs``, a member of a named type."""

    target: Expression
    name: Name


@frozen(eq=False, repr=False)
class Index(Expression):
    """``target[arguments]``: a variable's entry, ``show[p]``, or a look-up in a constant table."""

    target: Expression
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Call(Expression):
    """``name(arguments)``: a define, a built-in function, or a type's name (``Square(5, y)``, ``Player(2)``)."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Other(Expression):
    """``other p``"""

    player: Expression


@frozen(eq=False, repr=False)
class Next(Expression):
    """``next p``, or ``next p in S``."""

    player: Expression
    among: Expression | None


@frozen(eq=False, repr=False)
class Negation(Expression):
    """``-e``"""

    operand: Expression


@frozen(eq=False, repr=False)
class Not(Expression):
    operand: Expression


@frozen(eq=False, repr=False)
class Arithmetic(Expression):
    """A sum, difference, product or quotient; ``+``, ``-`` and ``*`` serve sets, directions and squares, too."""

    operator: Literal["+", "-", "*", "/", "//", "%"]
    left: Expression
    right: Expression


@frozen(eq=False, repr=False)
class Comparison(Expression):
    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


@frozen(eq=False, repr=False)
class Membership(Expression):
    """``item in collection`` or ``item not in collection``."""

    item: Expression
    collection: Expression
    negated: bool


@frozen(eq=False, repr=False)
class IsNone(Expression):
    """``e is none`` or ``e is not none``."""

    operand: Expression
    negated: bool


@frozen(eq=False, repr=False)
class And(Expression):
    """Two or more parts; a chain is one node."""

    parts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Or(Expression):
    """Two or more parts; a chain is one node."""

    parts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Conditional(Expression):
    """``if condition then yes else no``"""

    condition: Expression
    yes: Expression
    no: Expression


@frozen(eq=False, repr=False)
class Case(Node):
    """One line of a ``match``; without patterns it is ``else:``."""

    patterns: tuple[Expression, ...]
    body: Expression


@frozen(eq=False, repr=False)
class Match(Expression):
    """``match subject:`` and a block of cases, the first that fits."""

    subject: Expression
    cases: tuple[Case, ...]


@frozen(eq=False, repr=False)
class Binding(Node):
    """``name = value``"""

    name: Name
    value: Expression


@frozen(eq=False, repr=False)
class Where(Expression):
    """``body where u = F, v = G``; each binding sees those before it."""

    body: Expression
    bindings: tuple[Binding, ...]


@frozen(eq=False, repr=False)
class Binder(Node):
    """``name in domain``"""

    name: Name
    domain: Expression


Quantifier = Literal["some", "all", "no", "count", "sum", "min", "max", "first", "last"]


@frozen(eq=False, repr=False)
class Quantified(Expression):
    """``some a in S, b in T: body`` and its kin."""

    quantifier: Quantifier
    binders: tuple[Binder, ...]
    body: Expression


@frozen(eq=False, repr=False)
class Generator(Node):
    """One ``x in S`` of a comprehension, with ``while c`` or ``until c``, and the ``if`` tests after it."""

    binder: Binder
    stop: Literal["while", "until"] | None
    stop_condition: Expression | None
    tests: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Comprehension(Expression):
    """``{e for x in S if c for y in T}``; without an element it is the short form ``{x in S if c}``."""

    element: Expression | None
    generators: tuple[Generator, ...]


@frozen(eq=False, repr=False)
class SetLiteral(Expression):
    """``{a, b, c}``; ``{}`` is the empty set."""

    items: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class TableLiteral(Expression):
    """``{boat: 1, cruiser: 3}``, to be indexed on the spot."""

    entries: tuple[tuple[Expression, Expression], ...]


@frozen(eq=False, repr=False)
class TupleLiteral(Expression):
    """``(a, b)``: two or more items."""

    items: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Range(Expression):
    """``low..high``, both ends included."""

    low: Expression
    high: Expression


@frozen(eq=False, repr=False)
class Reach(Expression):
    """``reach x from start: step``: the closure of ``start`` under ``step``."""

    name: Name
    start: Expression
    step: Expression


# Type expressions.


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


# Statements, and the outcomes that end a play.


@frozen(eq=False, repr=False)
class Statement(Node):
    """The base of all statements."""


Block = tuple[Statement, ...]


@frozen(eq=False, repr=False)
class Let(Statement):
    """``let name = value``"""

    name: Name
    value: Expression


@frozen(eq=False, repr=False)
class LocalVariable(Statement):
    """``var name: T = value`` inside a body."""

    name: Name
    type: TypeExpression
    initial: Expression | None


@frozen(eq=False, repr=False)
class Assignment(Statement):
    """``target := value``, ``target += value`` or ``target -= value``; the target is a name, an entry or a field."""

    target: Expression
    operator: Literal[":=", "+=", "-="]
    value: Expression


@frozen(eq=False, repr=False)
class LayoutRow(Node):
    text: str


@frozen(eq=False, repr=False)
class LayoutAssignment(Statement):
    """``board := layout`` and rows of characters, read by the file's legend; the last rank of a grid comes first."""

    target: Name
    rows: tuple[LayoutRow, ...]


@frozen(eq=False, repr=False)
class If(Statement):
    """``if``, any number of ``else if``, and ``else``, or None."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


@frozen(eq=False, repr=False)
class MatchCase(Node):
    """One case of a ``match`` over statements; without patterns it is ``else:``."""

    patterns: tuple[Expression, ...]
    body: Block


@frozen(eq=False, repr=False)
class MatchStatement(Statement):
    subject: Expression
    cases: tuple[MatchCase, ...]


@frozen(eq=False, repr=False)
class For(Statement):
    """``for x in S, y in T if G:``"""

    binders: tuple[Binder, ...]
    guard: Expression | None
    body: Block


@frozen(eq=False, repr=False)
class Go(Statement):
    """``go phase(arguments)``"""

    phase: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Win(Node):
    """``win p`` or ``win S``"""

    winners: Expression


@frozen(eq=False, repr=False)
class Draw(Node):
    """``draw``"""


@frozen(eq=False, repr=False)
class PayoffMap(Node):
    """``payoff {p: e, other p: -e}``; ``by {...}`` if ``largest_wins``"""

    entries: tuple[tuple[Expression, Expression], ...]
    largest_wins: bool = False


@frozen(eq=False, repr=False)
class PayoffComprehension(Node):
    """``payoff {q: e for q in S}``; ``by {...}`` if ``largest_wins``"""

    player: Expression
    amount: Expression
    generators: tuple[Generator, ...]
    largest_wins: bool = False


@frozen(eq=False, repr=False)
class PayoffTuple(Node):
    """``payoff (a, b, c)``; ``payoff e`` is a tuple of one."""

    amounts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class PayoffTo(Node):
    """``payoff p: e``: the other of two players gets ``-e``."""

    player: Expression
    amount: Expression


Outcome = Win | Draw | PayoffMap | PayoffComprehension | PayoffTuple | PayoffTo


@frozen(eq=False, repr=False)
class End(Statement):
    """``end`` with an outcome; without one every player gets just what they have earned."""

    outcome: Outcome | None


@frozen(eq=False, repr=False)
class Earn(Statement):
    """``earn p: e``"""

    player: Expression
    amount: Expression


@frozen(eq=False, repr=False)
class Tell(Statement):
    """``tell S that label(arguments)``"""

    audience: Expression
    label: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Reveal(Statement):
    """``reveal e``, or ``reveal e to S``"""

    value: Expression
    audience: Expression | None


@frozen(eq=False, repr=False)
class Do(Statement):
    """``name(arguments)``: the call of an action."""

    action: Name
    arguments: tuple[Expression, ...]
