"""How much work an expression is, so that nothing is worked out while checking that would take minutes.

The measure counts evaluations of innermost parts. It is an upper bound as far as types tell how long a set can be, and
it stops counting at :data:`TOO_MUCH`.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.rewriting import subexpressions
from zermelo.interpreter.types import DirectionType, OptionalType, SetType, TupleType, Type, UnknownType, strip_none

TOO_MUCH = 3_000_000
"""Evaluations; some seconds."""


def effort(expr: model.Expr) -> int:
    """How many evaluations the expression takes, at most :data:`TOO_MUCH`."""
    return _effort(expr, {})


def size_of(type: Type) -> int | None:
    """How many values a type has; None where nobody could count so far."""
    if isinstance(type, UnknownType) or not type.is_finite:
        return None
    if isinstance(type, SetType):
        members = size_of(type.element)
        return None if members is None or members > 10_000 else 1 << members
    if isinstance(type, OptionalType):
        inner = size_of(type.inner)
        return None if inner is None else inner + 1
    if isinstance(type, TupleType):
        size = 1
        for item in type.items:
            part = size_of(item)
            if part is None:
                return None
            size *= part
        return size
    return type.size


def length_of(collection: model.Expr) -> int | None:
    """How many members a set has at most; None where nobody can tell. Of directions there are more than the eight that
    the type lists, since they can be added and stretched."""
    if isinstance(collection, model.Const):
        return None if collection.value is None else len(collection.value)
    if isinstance(collection, model.MakeSet):
        return len(collection.items)
    base = strip_none(collection.type)
    return size_of(base.element) if isinstance(base, SetType) and not _has_directions(base.element) else None


def _has_directions(type: Type) -> bool:
    inner = strip_none(type)
    if isinstance(inner, TupleType):
        return any(map(_has_directions, inner.items))
    return isinstance(inner, DirectionType) or (isinstance(inner, SetType) and _has_directions(inner.element))


def _effort(expr: model.Expr, defines: dict[model.Define, int]) -> int:
    match expr:
        case model.Const() | model.Local():
            return 1
        case model.Quantified(binders=binders, body=body) | model.Comprehension(binders=binders, element=body):
            times, total = 1, 0
            for binder in binders:
                total += times * _effort(binder.domain, defines)
                times *= rounds(binder.domain)
                tests = [test for test in (binder.stop_condition, *binder.tests) if test is not None]
                total += times * sum(_effort(test, defines) for test in tests)
            total += times * _effort(body, defines)
        case model.Reach(start=start, step=step):
            total = _effort(start, defines) + rounds(expr) * _effort(step, defines)
        case model.RangeSet() | model.Subsets():
            total = rounds(expr) + sum(_effort(part, defines) for part in subexpressions(expr))
        case model.Call(define=callee, arguments=arguments):
            if callee not in defines:
                defines[callee] = _effort(callee.body, defines)
            total = defines[callee] + sum(_effort(argument, defines) for argument in arguments)
        case _:
            total = 1 + sum(_effort(part, defines) for part in subexpressions(expr))
    return min(total, TOO_MUCH)


def rounds(collection: model.Expr) -> int:
    """How many members a loop over a set meets, at most; :data:`TOO_MUCH` where nobody can tell."""
    length = length_of(collection)
    return TOO_MUCH if length is None else length
