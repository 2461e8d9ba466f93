"""Statements, and the actions that group them."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import NOWHERE, Span
from zermelo.interpreter.model.expressions import Binder, Expr, FormalParameter, Variable, needed
from zermelo.interpreter.types import Type


@frozen(eq=False, repr=False)
class Statement(Displayed):
    """The base of all statements."""

    span: Span = field(kw_only=True, repr=False)


Block = tuple[Statement, ...]


@frozen(eq=False, repr=False)
class SetLocal(Statement):
    """``let``, a local ``var``, or an assignment to one. ``type`` is that of a local ``var``, and None for ``let``."""

    slot: int
    value: Expr
    name: str
    type: Type | None = None


@frozen(eq=False, repr=False)
class SetLocalField(Statement):
    """An assignment to a field of a local ``var``; ``path`` leads to it through nested records."""

    slot: int
    path: tuple[int, ...]
    value: Expr
    name: str
    type: Type


@frozen(eq=False, repr=False)
class Assign(Statement):
    """An assignment to an entry of a variable, or to its field at ``path`` through nested records."""

    variable: Variable
    indices: tuple[Expr, ...]
    path: tuple[int, ...]
    value: Expr


@frozen(eq=False, repr=False)
class Fill(Statement):
    """Every entry of an indexed variable takes the same value."""

    variable: Variable
    value: Expr


@frozen(eq=False, repr=False)
class If_(Statement):
    condition: Expr
    yes: Block
    no: Block


@frozen(eq=False, repr=False)
class For(Statement):
    """All bindings are made first; the body then runs for each in turn."""

    binders: tuple[Binder, ...]
    body: Block


@frozen(eq=False, repr=False)
class Go(Statement):
    phase: str
    arguments: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class WinOutcome(Displayed):
    """1 shared equally by the winners, -1 by all others; a single player wins 1. ``winners`` is a player or a set of
    players."""

    winners: Expr


@frozen(eq=False, repr=False)
class PayoffOutcome(Displayed):
    """Pairs of a player and an amount, evaluated at the end; each player must occur, with only one amount."""

    entries: tuple[tuple[Expr, Expr], ...]


@frozen(eq=False, repr=False)
class PayoffForOutcome(Displayed):
    """The same by comprehension: ``amount`` for ``player``, for all bindings."""

    player: Expr
    amount: Expr
    binders: tuple[Binder, ...]


@frozen(eq=False, repr=False)
class DrawOutcome(Displayed):
    """0 for all; also ``end`` alone."""


Outcome = WinOutcome | PayoffOutcome | PayoffForOutcome | DrawOutcome


@frozen(eq=False, repr=False)
class End(Statement):
    outcome: Outcome


@frozen(eq=False, repr=False)
class Earn(Statement):
    player: Expr
    amount: Expr = field(metadata=needed("what is earned is a number"))


@frozen(eq=False, repr=False)
class Tell(Statement):
    """``audience`` is a player or a set of players."""

    audience: Expr
    label: str
    arguments: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Do(Statement):
    """A call of an action."""

    action: Action
    arguments: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Action(Displayed):
    """``depth`` and ``size`` are those of its body (:mod:`zermelo.interpreter.model.rewriting`)."""

    name: str
    parameters: tuple[FormalParameter, ...]
    body: Block
    frame_size: int
    depth: int
    size: int
    span: Span = field(repr=False)


UNKNOWN_ACTION = Action("", (), (), 0, 0, 0, NOWHERE)
"""Placeholder for an action with errors: it may or may not leave its phase."""
