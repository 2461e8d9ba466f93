"""The number of values of a type and of members of a set, before play and without listing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, comb, floor
from types import MappingProxyType
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.types import (
    NumberType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    strip_none,
)

Domains = Mapping[int, model.Expr]

_NO_DOMAINS: Final[Domains] = MappingProxyType({})

_FEW_COUNTS: Final = 100
"""The most sizes of subsets whose numbers are added up; for more the bound is the number of all subsets."""


def values_of_type(type: Type) -> int | None:
    """The number of values of a type; None if it is infinite, unknown or astronomical."""
    if isinstance(type, UnknownType) or not type.is_finite:
        return None
    if isinstance(type, SetType):
        members = values_of_type(type.element)
        return None if members is None or members > 10_000 else 1 << members
    if isinstance(type, OptionalType):
        inner = values_of_type(type.inner)
        return None if inner is None else inner + 1
    if isinstance(type, TupleType):
        return _product(map(values_of_type, type.items))
    return type.size


def most_members(collection: model.Expr, domains: Domains = _NO_DOMAINS) -> int | None:
    """The most members that a set can have, from its structure and its type; None if unknown. ``domains`` are the
    domains of names for sets."""
    return _least_known(_most_of_structure(collection, domains), _most_of_type(collection))


def member_counts(family: model.Expr) -> tuple[int, int | None]:
    """The least and the greatest size of the members of a set of sets, from its structure; None: unknown."""
    match family:
        case model.Const(value=value) if value:  # a wrong expression has none
            counts = [len(members) for members in value]
            return min(counts), max(counts)
        case model.Subsets(count=model.Expr(type=NumberType(low=low, high=high)) as count):
            if isinstance(count, model.Const):
                low = high = count.value
            return 0 if low is None else max(0, ceil(low)), None if high is None else max(0, floor(high))
        case model.If(yes=one, no=two) | model.SetOperation(operator="+", left=one, right=two):
            (least, most), (also_least, also_most) = member_counts(one), member_counts(two)
            return min(least, also_least), None if most is None or also_most is None else max(most, also_most)
        case model.Call(define=model.Define(body=inner)) | model.Let(body=inner) | model.SetOperation(left=inner):
            return member_counts(inner)
        case model.Comprehension(binders=(binder,)) if family.is_part:
            return member_counts(binder.domain)
        case model.Comprehension(element=element, binders=binders):
            return 0, most_members(element, {binder.slot: binder.domain for binder in binders})
        case model.MakeSet(items=items):
            most_of_each = [most_members(item) for item in items]
            known = [most for most in most_of_each if most is not None]
            return 0, max(known, default=0) if len(known) == len(items) else None
        case _:
            return 0, None


def is_never_empty(collection: model.Expr, may_be_none: Callable[[model.Expr], bool]) -> bool:
    """Whether a set surely has a member, from its structure; ``may_be_none`` tells it of an expression."""
    match collection:
        case model.Const(value=value):
            return bool(value)
        case model.MakeSet(items=items):
            return not all(map(may_be_none, items))
        case model.SetOperation(operator="+", left=left, right=right):
            return is_never_empty(left, may_be_none) or is_never_empty(right, may_be_none)
        case model.If(yes=yes, no=no):
            return is_never_empty(yes, may_be_none) and is_never_empty(no, may_be_none)
        case model.RangeSet(low=model.Expr(type=NumberType(high=low)), high=model.Expr(type=NumberType(low=high))):
            return low is not None and high is not None and low <= high
        case _:
            return False


def _most_of_structure(collection: model.Expr, domains: Domains) -> int | None:
    match collection:
        case model.Const(value=value) if value is not None:
            return len(value)
        case model.MakeSet(items=items):
            return len(items)
        case model.SetOperation(operator="*", left=left, right=right):
            return _least_known(most_members(left, domains), most_members(right, domains))
        case model.SetOperation(operator="+", left=left, right=right):
            parts = [most_members(left, domains), most_members(right, domains)]
            return None if None in parts else sum(part for part in parts if part is not None)
        case model.SetOperation(left=left):
            return most_members(left, domains)
        case model.If(yes=yes, no=no):
            most, also_most = most_members(yes, domains), most_members(no, domains)
            return None if most is None or also_most is None else max(most, also_most)
        case model.Let(body=body):
            return most_members(body, domains)
        case model.Call(define=model.Define(body=body)):
            return most_members(body)
        case model.Comprehension(binders=binders):
            inner = {**domains, **{binder.slot: binder.domain for binder in binders}}
            return _product(most_members(binder.domain, inner) for binder in binders)
        case model.Local(slot=slot) if slot in domains:
            return member_counts(domains[slot])[1]
        case _:
            return None


def _most_of_type(collection: model.Expr) -> int | None:
    base = strip_none(collection.type)
    if not isinstance(base, SetType):
        return None
    element = strip_none(base.element)
    if not isinstance(element, SetType) or isinstance(base.element, OptionalType):
        return values_of_type(base.element)
    size, (least, most) = values_of_type(element.element), member_counts(collection)
    if size is None or most is None or most - least > _FEW_COUNTS:
        return values_of_type(element)
    return sum(comb(size, count) for count in range(least, min(most, size) + 1))


def _least_known(*bounds: int | None) -> int | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _product(factors: Iterable[int | None]) -> int | None:
    size = 1
    for factor in factors:
        if factor is None:
            return None
        size *= factor
    return size
