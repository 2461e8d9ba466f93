"""Expressions, and the defines and variables that they speak of."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Literal

from attrs import field, frozen

from zermelo.grammar.source import Span
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value


def needed(why: str) -> dict[str, str]:
    """The metadata of a field whose expressions must not be none, for the reason ``why``, in which ``{0}`` is the
    record itself (:func:`zermelo.interpreter.model.rewriting.operands`)."""
    return {"needed": why}


@frozen
class Expr:
    """The base of all expressions."""

    type: Type = field(kw_only=True, eq=False, repr=False)
    span: Span = field(kw_only=True, eq=False, repr=False)


@frozen
class Const(Expr):
    value: Value


@frozen
class Local(Expr):
    slot: int
    name: str = field(eq=False)


@frozen
class Let(Expr):
    """``body`` with ``slot`` bound to ``value`` (from ``where``, and from the subject of a ``match``)."""

    slot: int
    value: Expr
    body: Expr


@frozen
class Read(Expr):
    """A variable, or one entry of it; none where an index is none."""

    variable: Variable
    indices: tuple[Expr, ...]


@frozen
class GetField(Expr):
    """Place ``index`` of a record; none of none."""

    record: Expr
    index: int
    name: str = field(eq=False)


@frozen
class Call(Expr):
    """A define, applied."""

    define: Define
    arguments: tuple[Expr, ...]


@frozen
class Apply(Expr):
    """A built-in function of :mod:`zermelo.interpreter.functions`, applied to evaluated arguments.

    ``context`` is the board, or another type, that the function's geometry belongs to, where it has one.
    """

    function: str
    arguments: tuple[Expr, ...]
    context: Type | None = None


@frozen
class Negate(Expr):
    """Of a number."""

    operand: Expr = field(metadata=needed("'-' needs a number"))


@frozen
class Arithmetic(Expr):
    """Of two numbers; ``/`` is exact, ``//`` and ``%`` floor."""

    operator: Literal["+", "-", "*", "/", "//", "%"]
    left: Expr = field(metadata=needed("'{0.operator}' needs a number"))
    right: Expr = field(metadata=needed("'{0.operator}' needs a number"))


@frozen
class Compare(Expr):
    """``==`` and ``!=`` compare any two values of one type; the others compare numbers, members by index, tuples from
    the left (:func:`zermelo.interpreter.values.sort_key`)."""

    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen
class Contains(Expr):
    """``item in collection``; false for none."""

    item: Expr
    collection: Expr = field(metadata=needed("'in' needs a set"))


@frozen
class IsNone(Expr):
    operand: Expr


@frozen
class Not(Expr):
    operand: Expr


@frozen
class And(Expr):
    parts: tuple[Expr, ...]


@frozen
class Or(Expr):
    parts: tuple[Expr, ...]


@frozen
class If(Expr):
    condition: Expr
    yes: Expr
    no: Expr


@frozen
class MakeTuple(Expr):
    """A tuple or a record."""

    items: tuple[Expr, ...]


@frozen
class MakeSet(Expr):
    """A set literal, kept in the order of its type."""

    items: tuple[Expr, ...]


@frozen
class RangeSet(Expr):
    low: Expr = field(metadata=needed("a range needs numbers"))
    high: Expr = field(metadata=needed("a range needs numbers"))


@frozen
class SetOperation(Expr):
    """Union, difference and intersection, kept in the order of the type."""

    operator: Literal["+", "-", "*"]
    left: Expr = field(metadata=needed("'{0.operator}' needs a set"))
    right: Expr = field(metadata=needed("'{0.operator}' needs a set"))


def _entries(table: Mapping[Value, Value]) -> tuple[tuple[Value, Value], ...]:
    """A table as something that can be compared and hashed."""
    return tuple(table.items())


@frozen
class Lookup(Expr):
    """A constant table indexed; none where the key is none or has no entry."""

    table: Mapping[Value, Value] = field(eq=_entries)
    key: Expr


@frozen
class Binder:
    """``name in domain``: ``slot`` takes each value of ``domain`` in order, up to the stop condition (``while`` stops
    before the first value that fails it, ``until`` behind the first that meets it); values that fail one of ``tests``
    are passed over. A :class:`Subsets` domain is walked or drawn from without listing it."""

    slot: int
    name: str = field(eq=False)
    domain: Expr
    stop: Literal["while", "until"] | None = None
    stop_condition: Expr | None = None
    tests: tuple[Expr, ...] = ()


@frozen
class Quantified(Expr):
    """``min``, ``max``, ``first`` and ``last`` give none where nothing matches; ``first`` and ``last`` (one binder)
    give the value of the binder, ``min`` and ``max`` the value of the body."""

    quantifier: Literal["some", "all", "no", "count", "sum", "min", "max", "first", "last"]
    binders: tuple[Binder, ...]
    body: Expr


@frozen
class Comprehension(Expr):
    """The set of ``element`` over all bindings, in the order in which they first give it; none is dropped."""

    element: Expr
    binders: tuple[Binder, ...]

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the set over which it runs: ``{x in S if P(x)}``."""
        return isinstance(self.element, Local) and [binder.slot for binder in self.binders] == [self.element.slot]


@frozen
class Subsets(Expr):
    """The set of all subsets of ``collection`` with ``count`` members, in lexicographic order."""

    collection: Expr
    count: Expr


@frozen
class Reach(Expr):
    """The closure of the set ``start``: ``step`` is a set that may use ``slot``; in the order of the type."""

    slot: int
    start: Expr = field(metadata=needed("'reach' needs a set"))
    step: Expr = field(metadata=needed("'reach' needs a set"))


@frozen
class Repeated(Expr):
    """Whether ``variables`` have had their present values at an earlier decision of the play, of whatever phase."""

    variables: tuple[Variable, ...]


@frozen
class Repetitions(Expr):
    """How often ``variables`` have had their present values in the present phase with the same arguments, now
    counted."""

    variables: tuple[Variable, ...]


@frozen
class Stuck(Expr):
    """In entry statements: whether the decision of this phase offers nothing."""


@frozen
class Chosen(Expr):
    """In ``then:``: parameter number ``parameter`` of the choice ``rule`` by ``player``, none if he chose otherwise;
    where ``parameter`` is None, whether he chose it at all."""

    rule: str
    player: Expr
    parameter: int | None


@frozen(eq=False)
class FormalParameter:
    """Its slot is its place among the parameters of its callable."""

    name: str
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class Define:
    """``reads_state`` tells whether its value depends on the state (directly or through other defines); where not, it
    is a function of its arguments alone. ``depth`` and ``size`` are those of its body
    (:mod:`zermelo.interpreter.model.depth`)."""

    name: str
    parameters: tuple[FormalParameter, ...]
    body: Expr
    frame_size: int
    reads_state: bool
    depth: int
    size: int
    span: Span = field(repr=False)


class Audience(Enum):
    """Who sees a variable, where it needs no expression."""

    EVERYBODY = "everybody"
    NOBODY = "nobody"


@frozen(eq=False)
class SeenBy:
    """``audience`` gives a player, a set of players or none; the indices of the entry are its first slots."""

    audience: Expr
    frame_size: int


@frozen(eq=False)
class Variable:
    """A state variable. Its entries lie side by side: entry (i, j) of ``v[I, J]`` stands at
    ``offset + i.index * size(J) + j.index``, counted in the order of the index types.

    ``initial`` is the first value of every entry, where ``has_initial``; else entries begin unset. What only
    ``setup`` assigns is constant (``is_constant``) and no part of a position. ``span`` is that of its name,
    ``declared`` that of its name, indices and type.
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
        """How many entries the variable has; 1 without indices."""
        count = 1
        for index in self.indices:
            count *= index.size
        return count
