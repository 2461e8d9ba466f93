"""Binders, and the expressions over them: quantifiers, comprehensions, ranges, subsets and closures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from zermelo.grammar.deadline import look
from zermelo.interpreter.evaluation.arithmetic import writable
from zermelo.interpreter.evaluation.context import Closure, Compiles, Context, Frame
from zermelo.interpreter.evaluation.domains import domain
from zermelo.interpreter.model import Binder, Comprehension, Expr, Quantified, RangeSet, Reach, Subsets
from zermelo.interpreter.model.effort import effort, rounds
from zermelo.interpreter.storage import admission_test, admit
from zermelo.interpreter.types import SetType, Type, strip_none
from zermelo.interpreter.values import OrderedSet, Value, canonical, exact, sort_key

DomainWalk = Callable[[Context, Frame], Iterable[Value]]

_LONG: Final = 100_000
"""Evaluations from which on a loop checks the deadline; about a tenth of a second."""

_BETWEEN: Final = 64
"""Members between two checks."""

# --------------------------------------------------------------------- binders


def loop(compiler: Compiles, binders: tuple[Binder, ...]) -> tuple[int, DomainWalk]:
    """The slot of the last binder, and a walk over all bindings in lexicographic order; later binders may use earlier
    ones. The walk sets the slots of all binders but the last, and yields the value of the last."""
    first, *rest = binders
    slot, outer = first.slot, _walk(compiler, first)
    if not rest:
        return slot, outer
    last, inner = loop(compiler, tuple(rest))

    def nested(context: Context, frame: Frame) -> Iterable[Value]:
        for value in outer(context, frame):
            frame[slot] = value
            yield from inner(context, frame)

    return last, nested


def _walk(compiler: Compiles, binder: Binder) -> DomainWalk:
    """The values of one binder."""
    walk: DomainWalk = domain(compiler, binder.domain).walk
    if binder.stop_condition is not None:
        walk = _stopped(walk, binder.slot, binder.stop, compiler.condition(binder.stop_condition))
    for test in binder.tests:
        walk = _tested(walk, binder.slot, compiler.condition(test))
    return walk


def _stopped(walk: DomainWalk, slot: int, stop: str | None, condition: Closure) -> DomainWalk:
    def up_to(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            yield value
            if condition(context, frame):
                return

    def as_long_as(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            if not condition(context, frame):
                return
            yield value

    return up_to if stop == "until" else as_long_as


def looking(walk: DomainWalk) -> DomainWalk:
    """The same walk with checks of the deadline, for one that may be long."""

    def looked(context: Context, frame: Frame) -> Iterable[Value]:
        for number, value in enumerate(walk(context, frame)):
            if number % _BETWEEN == 0:
                look()
            yield value

    return looked


def _watched(expr: Quantified | Comprehension, walk: DomainWalk) -> DomainWalk:
    return looking(walk) if effort(expr) > _LONG else walk


def _tested(walk: DomainWalk, slot: int, test: Closure) -> DomainWalk:
    def tested(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            if test(context, frame):
                yield value

    return tested


# ----------------------------------------------------------------- quantifiers


def _quantified(compiler: Compiles, expr: Quantified) -> Closure:
    slot, walk = loop(compiler, expr.binders)
    walk = _watched(expr, walk)
    body = compiler.value(expr.body, _BODIES.get(expr.quantifier, "a condition"))

    def some(context: Context, frame: Frame) -> bool:
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                return True
        return False

    def every(context: Context, frame: Frame) -> bool:
        for value in walk(context, frame):
            frame[slot] = value
            if not body(context, frame):
                return False
        return True

    def no(context: Context, frame: Frame) -> bool:
        return not some(context, frame)

    def count(context: Context, frame: Frame) -> int:
        found = 0
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                found += 1
        return found

    def total(context: Context, frame: Frame) -> Value:
        result: Value = 0
        for value in walk(context, frame):
            frame[slot] = value
            result = writable(result + body(context, frame), expr.span)
        return exact(result)

    def first(context: Context, frame: Frame) -> Value:
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                return value
        return None

    def last(context: Context, frame: Frame) -> Value:
        found = None
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                found = value
        return found

    def values(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            yield body(context, frame)

    def greatest(context: Context, frame: Frame) -> Value:
        return max(values(context, frame), key=sort_key, default=None)

    def least(context: Context, frame: Frame) -> Value:
        return min(values(context, frame), key=sort_key, default=None)

    return {
        "some": some,
        "all": every,
        "no": no,
        "count": count,
        "sum": total,
        "first": first,
        "last": last,
        "max": greatest,
        "min": least,
    }[expr.quantifier]


_BODIES = {"sum": "a number", "min": "a value", "max": "a value"}


# ------------------------------------------------------------------------ sets


def _comprehension(compiler: Compiles, expr: Comprehension) -> Closure:
    slot, walk = loop(compiler, expr.binders)
    walk = _watched(expr, walk)
    element = compiler.expression(expr.element)

    def comprehension(context: Context, frame: Frame) -> OrderedSet:
        found = []
        for value in walk(context, frame):
            frame[slot] = value
            found.append(element(context, frame))
        return OrderedSet(found)

    return comprehension


def _set_of_domain(compiler: Compiles, expr: RangeSet | Subsets) -> Closure:
    walk: DomainWalk = domain(compiler, expr).walk
    if rounds(expr) > _LONG:
        walk = looking(walk)
    return lambda context, frame: OrderedSet(walk(context, frame))


def _reach(compiler: Compiles, expr: Reach) -> Closure:
    slot, start, step = expr.slot, compiler.value(expr.start, "a set"), compiler.value(expr.step, "a set")
    own, given = _element(expr), _element(expr.step)
    test = admission_test(own, given)

    def reach(context: Context, frame: Frame) -> OrderedSet:
        found = dict.fromkeys(start(context, frame).items)
        waiting = list(found)
        while waiting:
            look()
            frame[slot] = waiting.pop()
            for value in step(context, frame).items:
                if value not in found:
                    if test is not None:
                        admit(value, test, own, "a member of 'reach'", expr.step.span)
                    found[value] = None
                    waiting.append(value)
        return canonical(OrderedSet(found))

    return reach


def _element(expr: Expr) -> Type:
    """The type of the members of a set."""
    type = strip_none(expr.type)
    assert isinstance(type, SetType), "the checker keeps sets apart from other values"
    return type.element


COMPILERS: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {
    Quantified: _quantified,
    Comprehension: _comprehension,
    RangeSet: _set_of_domain,
    Subsets: _set_of_domain,
    Reach: _reach,
}
