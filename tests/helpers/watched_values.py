"""Values against what is known of them before play: a compiler of expressions that holds every value against the type
of its expression, every set against the most members that it can have, and every error against what may be one.

What belongs to a type is said here once more, without :meth:`zermelo.interpreter.types.Type.contains`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from random import Random
from typing import Final

import pytest
from observing import observed

from zermelo.interpreter.evaluation import expressions
from zermelo.interpreter.evaluation.context import Closure, Context, Frame
from zermelo.interpreter.model import Expr, Model
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.native.expressions.variables import can_fail
from zermelo.interpreter.reference import machine
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import (
    BoolType,
    DirectionType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    strip_none,
)
from zermelo.interpreter.values import Direction, EvaluationError, Member, OrderedSet, Value


def belongs(value: Value, type: Type) -> bool:
    """Whether the type admits a value. Sums and multiples of directions are directions, too."""
    match type:
        case UnknownType():
            return True
        case OptionalType(inner=inner):
            return value is None or belongs(value, inner)
        case NoneType():
            return value is None
        case BoolType():
            return isinstance(value, bool)
        case NumberType():
            return isinstance(value, int | Fraction) and not isinstance(value, bool) and _is_of_steps(value, type)
        case DirectionType():
            return isinstance(value, Direction)
        case MemberType(listed=listed):
            return isinstance(value, Member) and value is listed[value.index]
        case TupleType(items=items):
            return isinstance(value, tuple) and len(value) == len(items) and all(map(belongs, value, items))
        case SetType(element=element):
            return isinstance(value, OrderedSet) and all(belongs(item, element) for item in value)
        case PartType(chosen=chosen):
            return value in chosen
        case _:
            raise TypeError(type)


def _is_of_steps(value: int | Fraction, type: NumberType) -> bool:
    if (type.low is not None and value < type.low) or (type.high is not None and value > type.high):
        return False
    if type.step is None:
        return True
    if type.step == 1 and (type.low is None or type.low == int(type.low)):
        return value == int(value)
    return type.low is None or (Fraction(value) - type.low) % type.step == 0


class Watching(expressions.Compiler):
    """Notes each expression of which a fact was wrong, with the value, or the error.

    None does not count as a value outside its type: where something may be none is for the checks of none."""

    noted: Final[list[tuple[Expr, object]]] = []

    def expression(self, expr: Expr) -> Closure:
        closure, bounds = super().expression(expr), most_members(expr) if _is_set(expr) else None

        def watched(context: Context, frame: Frame) -> Value:
            try:
                value = closure(context, frame)
            except EvaluationError as error:
                if error.code != "number-too-large" and not can_fail(expr):
                    Watching.noted.append((expr, error))
                raise
            if value is not None and not (belongs(value, expr.type) and (bounds is None or len(value) <= bounds)):
                Watching.noted.append((expr, value))
            return value

        return watched


def _is_set(expr: Expr) -> bool:
    return isinstance(strip_none(expr.type), SetType)


@contextmanager
def watching() -> Iterator[list[tuple[Expr, object]]]:
    """Within it, models are made and reference machines run under watch; gives what was noted."""
    Watching.noted.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "Compiler", Watching)
        patch.setattr(machine, "Compiler", Watching)
        yield Watching.noted


def play_watched(model: Model, plays: int, length: int) -> None:
    """Random plays on the reference machine, up to errors of the rules."""
    for seed in range(plays):
        observed(ReferenceMachine(model), Random(seed), length)
