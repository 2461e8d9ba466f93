"""Measures: variables that change monotonically, and the assignments that are sure to change them.

The kinds are defined in :mod:`zermelo.interpreter.checks.termination`.

Why a measure is monotone. *Fills up*: every assignment stores a value that is surely not none, or sets a field of an
existing record; *turns true* or *false*: every assignment stores that constant; *grows* and *shrinks*: every assignment
adds to the present set, or takes away from it; *rises* and *falls*: every assignment adds to the present number an
amount whose type has the right sign. A variable with any other assignment is no measure. Numbers do not wrap: a value
outside the type is an error.

Why a step uses a measure up. A number changes if the amount added is never 0. The other kinds change if a guard shows
that the entry differs from what the assignment will leave: it is empty, or a member is in it or missing. An added
member must not be none, which is always missing. Earlier changes in the same step have the same direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf
from typing import Final

from zermelo.interpreter.checks.known_values import NOTHING, may_be_none
from zermelo.interpreter.model import (
    Arithmetic,
    Assign,
    Block,
    Compare,
    Const,
    Contains,
    Expr,
    Fill,
    IsNone,
    MakeSet,
    Not,
    Read,
    SetOperation,
    Variable,
)
from zermelo.interpreter.model.walks import statements
from zermelo.interpreter.types import BoolType, NumberType, OptionalType
from zermelo.interpreter.values import format_value

Measures = dict[Variable, str]
"""Monotone variables, with their direction in words: fills up, turns true, rises, falls, grows, shrinks, ..."""

EMPTIES: Final = "empties"
MOVES_ON: Final = "moves on"
"""The directions of variables whose values are only taken away, or move on
(:mod:`zermelo.interpreter.checks.advancing`)."""

Extreme = Fraction | int | float

Guards = tuple[Expr, ...]
"""Conditions that hold when a step begins."""


def measures(blocks: Iterable[Block]) -> Measures:
    """The variables that are monotone in all of these blocks."""
    found: dict[Variable, frozenset[str]] = {}
    for block in blocks:
        for statement in statements(block):
            if isinstance(statement, Assign | Fill):
                kept = ways(statement)
                found[statement.variable] = found.get(statement.variable, kept) & kept
    return {variable: min(kept) for variable, kept in found.items() if kept}


def ways(statement: Assign | Fill) -> frozenset[str]:
    """The directions with which an assignment is consistent."""
    value = statement.value
    if isinstance(statement.variable.type, OptionalType):
        of_a_field = isinstance(statement, Assign) and statement.path
        return frozenset({"fills up"} if of_a_field or _is_something(value) else ())
    if isinstance(statement.variable.type, BoolType):
        return frozenset({f"turns {format_value(value.value)}"} if isinstance(value, Const) else ())
    if isinstance(statement, Fill) or statement.path:
        return frozenset()
    if isinstance(value, SetOperation) and _is_present(value.left, statement):
        return frozenset({"grows"} if value.operator == "+" else {"shrinks"})
    low, high = change(statement)
    return frozenset({"rises"} if low >= 0 else ()) | frozenset({"falls"} if high <= 0 else ())


def uses_up(statement: Assign, way: str, guards: Guards) -> bool:
    """Whether an assignment is sure to change a measure, if ``guards`` hold before it."""
    match way:
        case "rises":
            return change(statement)[0] > 0
        case "falls":
            return change(statement)[1] < 0
        case "fills up":
            return not statement.path and any(
                isinstance(guard, IsNone) and _is_present(guard.operand, statement) for guard in guards
            )
        case "empties" | "moves on":
            return any(True for _ in values_found(statement, guards))
        case "turns true":
            return any(isinstance(guard, Not) and _is_present(guard.operand, statement) for guard in guards)
        case "turns false":
            return any(_is_present(guard, statement) for guard in guards)
    return any(_tells(guard, statement, member=way == "shrinks") for guard in guards)


def values_found(statement: Assign, guards: Guards) -> Iterator[Expr]:
    """The values, according to the guards, of an entry that an assignment empties."""
    if not empties(statement):
        return
    for guard in guards:
        if isinstance(guard, Compare) and guard.operator == "==":
            for read, value in ((guard.left, guard.right), (guard.right, guard.left)):
                if _is_present(read, statement) and _is_something(value):
                    yield value


def empties(statement: Assign | Fill) -> bool:
    """Whether an assignment sets an entry to none."""
    is_none = isinstance(statement.value, Const) and statement.value.value is None
    return is_none and not (isinstance(statement, Assign) and statement.path)


def taken_items(statement: Assign) -> tuple[Expr, ...]:
    """The members that an assignment adds to a set or removes from it, if they are listed."""
    match statement.value:
        case SetOperation("+" | "-", _, MakeSet(items)):
            return items
    return ()


def _tells(guard: Expr, statement: Assign, member: bool) -> bool:
    """Whether the guard shows that one of the items is in the set (``member``), or is missing and not none: adding none
    adds nothing."""
    if not member:
        if not isinstance(guard, Not):
            return False
        guard = guard.operand
    return (
        isinstance(guard, Contains)
        and _is_present(guard.collection, statement)
        and any(guard.item == item and (member or _is_something(item)) for item in taken_items(statement))
    )


def change(statement: Assign) -> tuple[Extreme, Extreme]:
    """Bounds of the amount that an assignment adds to a number."""
    value = statement.value
    if isinstance(value, Arithmetic):
        for present, added in ((value.left, value.right), (value.right, value.left)):
            if _is_present(present, statement) and isinstance(added.type, NumberType):
                low = -inf if added.type.low is None else added.type.low
                high = inf if added.type.high is None else added.type.high
                if value.operator == "+":
                    return low, high
                if value.operator == "-" and present is value.left:
                    return -high, -low
    return -inf, inf


def _is_something(value: Expr) -> bool:
    """Whether an expression is never none."""
    return not may_be_none(value, NOTHING)


def _is_present(expr: Expr, statement: Assign) -> bool:
    """Whether the expression reads the entry that is assigned."""
    return isinstance(expr, Read) and expr.variable is statement.variable and expr.indices == statement.indices
