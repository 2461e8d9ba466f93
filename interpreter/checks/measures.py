"""What a game can use up: variables that only ever go one way, and assignments that are sure to move them.

The kinds are told in :mod:`zermelo.interpreter.checks.termination`.

Why each keeps to its way. *Fills up*: every assignment puts in what is sure not to be none, or sets a field of a
record that is there; *turns true* or *false*: every assignment puts in that constant; *grows* and *shrinks*: every
assignment adds to the set as it is, or takes away from it; *rises* and *falls*: every assignment adds to the number
as it is, and the type of what is added bounds it. An assignment that puts in anything else, or fills all entries
otherwise, makes the variable no measure at all. Numbers do not wrap: a value outside the type is an error.

Why a step uses it up. A number changes by what is added, if that is never 0. The others move if the guard finds the
very entry as the assignment will not leave it: empty, or a member in it or not. The member taken must be one: none is
in no set, so that it is missing does not mean that it can be added. What has moved meanwhile has moved the same way.
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
"""Variables that only go one way, with the words for it: fills up, turns true, rises, falls, grows, shrinks, ..."""

EMPTIES: Final = "empties"
MOVES_ON: Final = "moves on"
"""The words for variables whose values are only taken away, or move on
(:mod:`zermelo.interpreter.checks.advancing`)."""

Extreme = Fraction | int | float

Guards = tuple[Expr, ...]
"""Conditions that hold when a step begins."""


def measures(blocks: Iterable[Block]) -> Measures:
    """The variables that only go one way in all of these blocks."""
    found: dict[Variable, frozenset[str]] = {}
    for block in blocks:
        for statement in statements(block):
            if isinstance(statement, Assign | Fill):
                kept = ways(statement)
                found[statement.variable] = found.get(statement.variable, kept) & kept
    return {variable: min(kept) for variable, kept in found.items() if kept}


def ways(statement: Assign | Fill) -> frozenset[str]:
    """The directions that an assignment keeps to."""
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
    """Whether an assignment to a measure moves it for certain, where ``guards`` hold of what it finds."""
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
    """What guards find in an entry that an assignment empties."""
    if not empties(statement):
        return
    for guard in guards:
        if isinstance(guard, Compare) and guard.operator == "==":
            for read, value in ((guard.left, guard.right), (guard.right, guard.left)):
                if _is_present(read, statement) and _is_something(value):
                    yield value


def empties(statement: Assign | Fill) -> bool:
    """Whether an assignment takes away what an entry holds, and puts nothing there."""
    is_none = isinstance(statement.value, Const) and statement.value.value is None
    return is_none and not (isinstance(statement, Assign) and statement.path)


def taken_items(statement: Assign) -> tuple[Expr, ...]:
    """The members that the assignment puts into a set or takes out of it, where they are written down."""
    match statement.value:
        case SetOperation("+" | "-", _, MakeSet(items)):
            return items
    return ()


def _tells(guard: Expr, statement: Assign, member: bool) -> bool:
    """Whether the guard says that one of the items taken is in the set, or, if not ``member``, is not though it may be:
    none is in no set, and adding it adds nothing."""
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
    """Bounds of what the assignment adds to a number."""
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
    """Whether an expression is sure not to be none, in whatever state."""
    return not may_be_none(value, NOTHING)


def _is_present(expr: Expr, statement: Assign) -> bool:
    """Whether the expression reads the entry that is assigned."""
    return isinstance(expr, Read) and expr.variable is statement.variable and expr.indices == statement.indices
