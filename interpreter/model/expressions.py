"""The expressions and the statements of a model."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import prod
from typing import Literal

from attrs import field, frozen

from zermelo.foundation.records import ByValue, Displayed
from zermelo.grammar.diagnostics import NOWHERE, Span
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value, are_equal, typed_key


def reason_against_none(why: str) -> dict[str, str]:
    """The metadata of a field whose expressions must not be none. In the reason ``why``, ``{0}`` is the record
    (:func:`zermelo.interpreter.model.rewriting.operands`)."""
    return {"needed": why}


@frozen(eq=False, repr=False)
class Expr(ByValue):
    """The base of all expressions."""

    type: Type = field(kw_only=True, eq=False, repr=False)
    span: Span = field(kw_only=True, eq=False, repr=False)


@frozen(eq=False, repr=False)
class Const(Expr):
    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and are_equal((self.value,), (other.value,))

    def __hash__(self) -> int:
        return hash((Const, self.value))


@frozen(eq=False, repr=False)
class Local(Expr):
    slot: int
    name: str = field(eq=False)


@frozen(eq=False, repr=False)
class Let(Expr):
    """``body`` with ``slot`` bound to ``value`` (from ``where``, and from the subject of a ``match``)."""

    slot: int
    value: Expr
    body: Expr


@frozen(eq=False, repr=False)
class Read(Expr):
    """A variable, or one entry of it; none where an index is none."""

    variable: Variable
    indices: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class GetField(Expr):
    """Field ``index`` of a record; none of none."""

    record: Expr
    index: int
    name: str = field(eq=False)


@frozen(eq=False, repr=False)
class Call(Expr):
    """A define, applied."""

    define: Define
    arguments: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Apply(Expr):
    """A built-in function of :mod:`zermelo.interpreter.functions`, applied.

    ``context`` is the type to which the function belongs (a board, the players), if there is one.
    """

    function: str
    arguments: tuple[Expr, ...]
    context: Type | None = None


@frozen(eq=False, repr=False)
class Negate(Expr):
    """Minus a number."""

    operand: Expr = field(metadata=reason_against_none("'-' needs a number"))


@frozen(eq=False, repr=False)
class Arithmetic(Expr):
    """On two numbers; ``/`` is exact, ``//`` and ``%`` floor."""

    operator: Literal["+", "-", "*", "/", "//", "%"]
    left: Expr = field(metadata=reason_against_none("'{0.operator}' needs a number"))
    right: Expr = field(metadata=reason_against_none("'{0.operator}' needs a number"))


@frozen(eq=False, repr=False)
class Compare(Expr):
    """``==`` and ``!=`` compare any two values of one type; the others compare numbers, members by index, tuples from
    the left (:func:`zermelo.interpreter.values.sort_key`)."""

    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class Contains(Expr):
    """``item in collection``; false for none."""

    item: Expr
    collection: Expr = field(metadata=reason_against_none("'in' needs a set"))


@frozen(eq=False, repr=False)
class IsNone(Expr):
    operand: Expr


@frozen(eq=False, repr=False)
class Present(Expr):
    """The operand, which must not be none: the subject of a ``match`` without a case for none."""

    operand: Expr


@frozen(eq=False, repr=False)
class Not(Expr):
    operand: Expr


@frozen(eq=False, repr=False)
class And(Expr):
    parts: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Or(Expr):
    parts: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class If(Expr):
    condition: Expr
    yes: Expr
    no: Expr


@frozen(eq=False, repr=False)
class MakeTuple(Expr):
    """A tuple or a record."""

    items: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class MakeSet(Expr):
    """A set literal, kept in the order of its type."""

    items: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class RangeSet(Expr):
    low: Expr = field(metadata=reason_against_none("a range needs numbers"))
    high: Expr = field(metadata=reason_against_none("a range needs numbers"))


@frozen(eq=False, repr=False)
class SetOperation(Expr):
    """Union, difference and intersection, kept in the order of the type."""

    operator: Literal["+", "-", "*"]
    left: Expr = field(metadata=reason_against_none("'{0.operator}' needs a set"))
    right: Expr = field(metadata=reason_against_none("'{0.operator}' needs a set"))


def _entries(table: Mapping[Value, Value]) -> Value:
    """A table in hashable form."""
    return typed_key(tuple(table.items()))


@frozen(repr=False)
class Lookup(Expr):
    """The entry of a constant table; none if the key is none or has no entry. ``is_whole`` says that every key without
    none has one."""

    table: Mapping[Value, Value] = field(eq=_entries)
    key: Expr
    is_whole: bool = field(eq=False)


@frozen(eq=False, repr=False)
class Binder(ByValue):
    """``name in domain``: ``slot`` takes the values of ``domain`` in order, up to the stop condition (``while`` stops
    before the first value that fails it, ``until`` after the first that meets it), without those that fail one of
    ``tests``. A :class:`Subsets` domain is walked and sampled without listing it."""

    slot: int
    name: str = field(eq=False)
    domain: Expr
    stop: Literal["while", "until"] | None = None
    stop_condition: Expr | None = None
    tests: tuple[Expr, ...] = ()


@frozen(eq=False, repr=False)
class Quantified(Expr):
    """``min`` and ``max`` give the value of the body, ``first`` and ``last`` (with one binder) that of the binder; all
    four give none without a match."""

    quantifier: Literal["some", "all", "no", "count", "sum", "min", "max", "first", "last"]
    binders: tuple[Binder, ...]
    body: Expr


@frozen(eq=False, repr=False)
class Comprehension(Expr):
    """The values of ``element`` over all bindings, in the order of their first occurrence, without none."""

    element: Expr
    binders: tuple[Binder, ...]

    @property
    def is_part(self) -> bool:
        """Whether it filters its domain: ``{x in S if P(x)}``."""
        return isinstance(self.element, Local) and [binder.slot for binder in self.binders] == [self.element.slot]


@frozen(eq=False, repr=False)
class Subsets(Expr):
    """The set of all subsets of ``collection`` with ``count`` members, in lexicographic order."""

    collection: Expr
    count: Expr


@frozen(eq=False, repr=False)
class Reach(Expr):
    """The closure of the set ``start``: ``step`` is a set that may use ``slot``; in the order of the type."""

    slot: int
    start: Expr = field(metadata=reason_against_none("'reach' needs a set"))
    step: Expr = field(metadata=reason_against_none("'reach' needs a set"))


@frozen(eq=False, repr=False)
class Repeated(Expr):
    """Whether ``variables`` had their present values at an earlier decision of the play, in any phase."""

    variables: tuple[Variable, ...]


@frozen(eq=False, repr=False)
class Repetitions(Expr):
    """How often ``variables`` have had their present values in this phase with the same arguments, this time
    included."""

    variables: tuple[Variable, ...]


@frozen(eq=False, repr=False)
class Stuck(Expr):
    """In entry statements: whether the decision of this phase offers no move."""


@frozen(eq=False, repr=False)
class FormalParameter(Displayed):
    """Its slot is its place among the parameters of its callable."""

    name: str
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class Define(Displayed):
    """If not ``reads_state``, directly or through other defines, the value is a function of the arguments alone.
    ``depth`` and ``size`` are those of the body (:mod:`zermelo.interpreter.model.rewriting`)."""

    name: str
    parameters: tuple[FormalParameter, ...]
    body: Expr
    frame_size: int
    reads_state: bool
    depth: int
    size: int
    span: Span = field(repr=False)


class Audience(Enum):
    """Who sees a variable, in the cases that need no expression."""

    EVERYBODY = "everybody"
    NOBODY = "nobody"


@frozen(eq=False, repr=False)
class SeenBy(Displayed):
    """``audience`` is a player, a set of players or none; the indices of the entry are its first slots."""

    audience: Expr
    frame_size: int


@frozen(eq=False, repr=False)
class Variable(Displayed):
    """A state variable. Its entries lie in row-major order: entry (i, j) of ``v[I, J]`` at
    ``offset + i.index * size(J) + j.index``, counted in the order of the index types.

    ``initial`` is the first value of every entry if ``has_initial``; else entries begin unset. A variable that only
    ``setup`` assigns is constant (``is_constant``) and no part of a position. ``span`` is that of the name,
    ``declared`` that of name, indices and type.
    """

    name: str
    indices: tuple[Type, ...]
    type: Type
    has_initial: bool
    initial: Value
    visibility: Audience | SeenBy
    is_constant: bool
    offset: int
    span: Span = field(repr=False)
    declared: Span = field(repr=False)

    @property
    def entries(self) -> int:
        """The number of entries; 1 without indices."""
        return prod(index.size for index in self.indices)


# Statements, and the actions that group them.


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
    """``is_next_draw`` marks the step of a ``chance for`` to its next draw, which no file writes."""

    phase: str
    arguments: tuple[Expr, ...]
    is_next_draw: bool = False


@frozen(eq=False, repr=False)
class WinOutcome(Displayed):
    """1 shared equally by the winners, -1 by all others; a single player wins 1. ``winners`` is a player or a set of
    players."""

    winners: Expr


@frozen(eq=False, repr=False)
class PayoffOutcome(Displayed):
    """Pairs of a player and an amount, evaluated at the end; each player must occur, with only one amount. If
    ``largest_wins``, those with the largest amount win, as in :class:`WinOutcome`; it is a draw if all have it."""

    entries: tuple[tuple[Expr, Expr], ...]
    largest_wins: bool = False


@frozen(eq=False, repr=False)
class PayoffForOutcome(Displayed):
    """The same by comprehension: ``amount`` for ``player``, for all bindings."""

    player: Expr
    amount: Expr
    binders: tuple[Binder, ...]
    largest_wins: bool = False


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
    amount: Expr = field(metadata=reason_against_none("what is earned is a number"))


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
