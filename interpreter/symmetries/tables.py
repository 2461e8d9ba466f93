"""Expressions that read no state, as tables: their values for all values of the names in them.

The tables are shared by the proofs about one model, which ask for the same expressions again and again.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Closure, Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import Expr, Local
from zermelo.interpreter.model.effort import TOO_MUCH, effort
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots, walk
from zermelo.interpreter.types import OptionalType, SetType, TupleType, Type
from zermelo.interpreter.values import Value

MOST_ENTRIES: Final = 4096
"""The most entries of a table."""

MOST_EFFORT: Final = 30_000
"""The most evaluations for one table; about a hundredth of a second."""

BUDGET: Final = 3_000_000
"""The most comparisons in the proofs about one model; some seconds."""

ERROR: Final = object()
"""The value where an expression is an error of the rules."""


@define(eq=False)
class _Table:
    """An expression with the types of its names; ``entries`` is None if it reads the state or has too many values."""

    expr: Expr
    names: dict[int, Type]
    entries: dict[tuple[Value, ...], Value] | None
    frame: int
    closure: Closure | None = None


@define(eq=False)
class Tables:
    """The tables of one model. ``steps`` counts what the proofs have compared so far."""

    steps: int = 0
    compiler: Compiler = field(factory=Compiler)
    tables: dict[int, _Table] = field(factory=dict)

    @property
    def is_spent(self) -> bool:
        """Whether nothing more can be proved."""
        return self.steps > BUDGET

    def names(self, expr: Expr) -> dict[int, Type] | None:
        """The slots of the names in an expression with their types; None if it has no table."""
        table = self._table(expr)
        return None if table.entries is None else table.names

    def value(self, expr: Expr, names: dict[int, Value]) -> Value:
        """The value of an expression that has a table; :data:`ERROR` where it has none."""
        table = self._table(expr)
        assert table.entries is not None, "the caller has asked for its names"
        key = tuple(names[slot] for slot in table.names)
        if key not in table.entries:
            if table.closure is None:
                table.closure = self.compiler.expression(expr)
            frame: list[Any] = [None] * table.frame
            for slot in table.names:
                frame[slot] = names[slot]
            try:
                table.entries[key] = table.closure(Context(()), frame)
            except EvaluationError:
                table.entries[key] = ERROR
        return table.entries[key]

    def _table(self, expr: Expr) -> _Table:
        if id(expr) not in self.tables:
            self.tables[id(expr)] = _table_of(expr)
        return self.tables[id(expr)]


def _table_of(expr: Expr) -> _Table:
    names: dict[int, Type] = {}
    free = free_slots(expr)
    for part in walk(expr):
        if isinstance(part, Local) and part.slot in free:
            known = names.get(part.slot)
            if known is None or isinstance(part.type, OptionalType):
                names[part.slot] = part.type
    entries = 1
    for type in names.values():
        entries *= type.size if type.is_finite and not _holds_sets(type) else MOST_ENTRIES + 1
    work = min(effort(expr), TOO_MUCH)
    is_small = entries <= MOST_ENTRIES and entries * work <= MOST_EFFORT
    frame = 1 + max(slots(expr) | bound_slots(expr), default=0)
    return _Table(expr, dict(sorted(names.items())), {} if is_small and not reads_state(expr) else None, frame)


def _holds_sets(type: Type) -> bool:
    """Whether there are sets among the values of a type, whose order a table would not know."""
    match type.base:
        case SetType():
            return True
        case OptionalType(inner=inner):
            return _holds_sets(inner)
        case TupleType(items=items):
            return any(map(_holds_sets, items))
    return False
