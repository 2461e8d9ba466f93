"""Statements, and the actions that group them."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.source import NOWHERE, Span
from zermelo.interpreter.model.expressions import Binder, Expr, FormalParameter, Variable, needed
from zermelo.interpreter.types import Type


@frozen
class Statement:
    """The base of all statements."""

    span: Span = field(kw_only=True, eq=False, repr=False)


Block = tuple[Statement, ...]


@frozen
class SetLocal(Statement):
    """``let``, a local ``var``, or an assignment to one. ``type`` is what a local ``var`` may hold; a ``let`` has
    none."""

    slot: int
    value: Expr
    name: str
    type: Type | None = None


@frozen
class SetLocalField(Statement):
    """One place of a local ``var`` that holds a record; ``path`` leads there through nested records."""

    slot: int
    path: tuple[int, ...]
    value: Expr
    name: str
    type: Type


@frozen
class Assign(Statement):
    """One entry of a variable, or a field of it (``path``: the places through nested records), takes a value."""

    variable: Variable
    indices: tuple[Expr, ...]
    path: tuple[int, ...]
    value: Expr


@frozen
class Fill(Statement):
    """Every entry of an indexed variable takes the same value."""

    variable: Variable
    value: Expr


@frozen
class If_(Statement):
    condition: Expr
    yes: Block
    no: Block


@frozen
class For(Statement):
    """All bindings are made first; the body then runs for each in turn."""

    binders: tuple[Binder, ...]
    body: Block


@frozen
class Go(Statement):
    phase: str
    arguments: tuple[Expr, ...]


@frozen
class WinOutcome:
    """1 shared equally by the winners, -1 by all others; a player alone in the game wins 1. ``winners`` is a player or
    a set of players."""

    winners: Expr


@frozen
class PayoffOutcome:
    """Pairs of a player and an amount, evaluated at the end; each player must come up exactly once (twice with equal
    amounts is the same payoff)."""

    entries: tuple[tuple[Expr, Expr], ...]


@frozen
class PayoffForOutcome:
    """The same by comprehension: ``amount`` goes to ``player`` for all bindings."""

    player: Expr
    amount: Expr
    binders: tuple[Binder, ...]


@frozen
class DrawOutcome:
    """0 for all, and also what ``end`` alone means."""


Outcome = WinOutcome | PayoffOutcome | PayoffForOutcome | DrawOutcome


@frozen
class End(Statement):
    outcome: Outcome


@frozen
class Earn(Statement):
    player: Expr
    amount: Expr = field(metadata=needed("what is earned is a number"))


@frozen
class Tell(Statement):
    """``audience`` is a player or a set of players."""

    audience: Expr
    label: str
    arguments: tuple[Expr, ...]


@frozen
class Do(Statement):
    """An action, carried out."""

    action: Action
    arguments: tuple[Expr, ...]


@frozen(eq=False)
class Action:
    """``depth`` and ``size`` are those of its body (:mod:`zermelo.interpreter.model.depth`)."""

    name: str
    parameters: tuple[FormalParameter, ...]
    body: Block
    frame_size: int
    depth: int
    size: int
    span: Span = field(repr=False)


UNKNOWN_ACTION = Action("", (), (), 0, 0, 0, NOWHERE)
"""What stands for an action that has been found wrong: nobody can tell whether it leaves its phase."""
