"""Statements, and the outcomes that end a play."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from zermelo.grammar.syntax.expressions import Binder, Expression, Generator, Name, Node, TypeExpression


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
    """``board := layout`` and rows of characters, read by the file's legend; of a grid the last rank comes first."""

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
    """``payoff {p: e, other p: -e}``"""

    entries: tuple[tuple[Expression, Expression], ...]


@frozen(eq=False, repr=False)
class PayoffComprehension(Node):
    """``payoff {q: e for q in S}``"""

    player: Expression
    amount: Expression
    generators: tuple[Generator, ...]


@frozen(eq=False, repr=False)
class PayoffTuple(Node):
    """``payoff (a, b, c)``; ``payoff e`` is a tuple of one."""

    amounts: tuple[Expression, ...]


Outcome = Win | Draw | PayoffMap | PayoffComprehension | PayoffTuple


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
