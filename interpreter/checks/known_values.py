"""Facts about expressions that are not none, and their consequences.

A fact is an expression that is not none. Slots are unique in a callable, so equal expressions have equal values until
something that they read is assigned, or a slot is bound anew (:func:`without`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.model.cardinality import is_never_empty
from zermelo.interpreter.model.compatibility import covers
from zermelo.interpreter.model.rewriting import reads, substitute, unfold, walk
from zermelo.interpreter.types import NoneType, OptionalType, Type, UnknownType


@frozen(eq=False, repr=False)
class Provided(ByValue):
    """Facts that hold if ``name``, the result of ``first`` or ``last``, is not none."""

    name: model.Local
    then: frozenset[model.Expr]


KnownValues = frozenset[model.Expr | Provided]
NOTHING: KnownValues = frozenset()

STRICT = frozenset(
    {"x", "y", "number", "other", "next", "steps", "ring_step", "direction_sum", "direction_scale", "direction_negate"}
)
"""The functions that are none only if an argument is none."""


def may_be_none(expr: model.Expr, facts: KnownValues) -> bool:
    """Whether an expression can be none under the facts."""
    if isinstance(expr.type, UnknownType) or expr in facts:
        return False
    if any(isinstance(fact, Provided) and fact.name in facts and expr in fact.then for fact in facts):
        return False
    match expr:
        case model.GetField(record=record):
            return may_be_none(record, facts) or _field_optional(expr)
        case model.Read(variable=variable, indices=indices):
            return isinstance(variable.type, OptionalType) or any(may_be_none(index, facts) for index in indices)
        case model.If(condition=test, yes=yes, no=no):
            return may_be_none(yes, facts | implied(test, True)) or may_be_none(no, facts | implied(test, False))
        case model.Let(slot=slot, value=value, body=body):
            local = model.Local(slot, "", type=value.type, span=value.span)
            return may_be_none(body, known_behind_let(local, value, facts))
        case model.Call() if isinstance(expr.type, OptionalType):
            return may_be_none(unfold(expr), facts)
        case model.Apply(function=function, arguments=arguments) if function in STRICT:
            return any(may_be_none(argument, facts) for argument in arguments)
        case model.Lookup(table=table, key=key):
            total = covers(table, key.type)
            return not total or may_be_none(key, facts) or any(value is None for value in table.values())
        case model.Quantified(quantifier="min" | "max", binders=binders, body=body):
            return may_be_none(body, facts) or not all(_always_binds(binder, facts) for binder in binders)
        case model.Apply(function="greatest" | "least", arguments=(collection,)):
            return not _never_empty(collection, facts)
        case _:
            return isinstance(expr.type, OptionalType | NoneType)


def _field_optional(expr: model.GetField) -> bool:
    record = expr.record.type
    inner = record.inner if isinstance(record, OptionalType) else record
    items = getattr(inner, "items", ())
    return expr.index < len(items) and isinstance(items[expr.index], OptionalType)


def _always_binds(binder: model.Binder, facts: KnownValues) -> bool:
    return _never_empty(binder.domain, facts) and not binder.tests and binder.stop is None


def _never_empty(collection: model.Expr, facts: KnownValues) -> bool:
    """Whether a set surely has a member."""
    return is_never_empty(collection, lambda item: may_be_none(item, facts))


def known_behind_let(local: model.Local, value: model.Expr, facts: KnownValues) -> KnownValues:
    """The facts after ``let local = value``."""
    kept = without(local, facts)
    if not may_be_none(value, facts):
        return kept | {local}
    match value:
        case model.Quantified(quantifier="first" | "last", binders=(binder,), body=body):
            found = from_membership(local, binder.domain) | implied(substitute(body, {binder.slot: local}), True)
            return kept | {Provided(local, frozenset(fact for fact in found if isinstance(fact, model.Expr)))}
        case model.Call():
            return kept | known_behind_let(local, unfold(value), NOTHING)
        case _:
            return kept


def without(part: model.Expr, facts: KnownValues) -> KnownValues:
    """The facts without those that contain ``part``, whose value changes."""
    return _kept(facts, lambda fact: part not in walk(fact))


def without_entries(variable: model.Variable, facts: KnownValues) -> KnownValues:
    """The facts without those that read an entry of the variable."""
    return _kept(facts, lambda fact: all(read.variable is not variable for read in reads(fact)))


def _kept(facts: KnownValues, still_holds: Callable[[model.Expr], bool]) -> KnownValues:
    kept: set[model.Expr | Provided] = set()
    for fact in facts:
        if isinstance(fact, Provided):
            if still_holds(fact.name):
                kept.add(Provided(fact.name, frozenset(filter(still_holds, fact.then))))
        elif still_holds(fact):
            kept.add(fact)
    return frozenset(kept)


def implied(test: model.Expr, holds: bool) -> KnownValues:
    """The facts that follow if ``test`` holds, or if it fails."""
    match test:
        case model.IsNone(operand=operand):
            return NOTHING if holds else strict(operand)
        case model.Not(operand=operand):
            return implied(operand, not holds)
        case model.And(parts=parts) if holds:
            return frozenset().union(*(implied(part, True) for part in parts))
        case model.Or(parts=parts) if not holds:
            return frozenset().union(*(implied(part, False) for part in parts))
        case model.And(parts=parts) | model.Or(parts=parts):
            common = implied(parts[0], holds)
            for part in parts[1:]:
                common &= implied(part, holds)
            return common
        case model.Compare(operator="==" | "!=" as sign, left=left, right=right) if holds == (sign == "=="):
            known = NOTHING
            if not may_be_none(right, NOTHING):
                known |= strict(left)
            if not may_be_none(left, NOTHING):
                known |= strict(right)
            return known
        case model.Compare(operator="<" | "<=" | ">" | ">=", left=left, right=right):
            return strict(left) | strict(right)
        case model.Contains(item=item, collection=collection) if holds:
            return strict(item) | from_membership(item, collection)
        case model.Call():
            types = tuple(part.type for argument in test.arguments for part in walk(argument))
            return _implied_by(test, types, holds)
        case _:
            return NOTHING


@lru_cache(maxsize=1 << 12)
def _implied_by(call: model.Call, types: tuple[Type, ...], holds: bool) -> KnownValues:
    """The facts that follow from a call, cached so that each define of a chain is unfolded once. The ``types`` of all
    parts of its arguments belong to the key, since equality of expressions ignores types."""
    return implied(unfold(call), holds)


def strict(expr: model.Expr) -> KnownValues:
    """The facts that follow if ``expr`` is not none: itself, and the parts in which it is strict."""
    match expr:
        case model.GetField(record=record):
            return frozenset({expr}) | strict(record)
        case model.Read(indices=indices):
            return frozenset({expr}).union(*map(strict, indices))
        case model.Apply(function=function, arguments=arguments) if function in STRICT or function == "step":
            return frozenset({expr}).union(*map(strict, arguments))
        case model.Call():
            return frozenset({expr}) | strict(unfold(expr))
        case _:
            return frozenset({expr})


def from_membership(item: model.Expr, collection: model.Expr) -> KnownValues:
    """The facts that follow from membership, by the tests of comprehensions."""
    match collection:
        case model.Call():
            return from_membership(item, unfold(collection))
        case model.If(yes=yes, no=no):
            return from_membership(item, yes) & from_membership(item, no)
        case model.SetOperation(operator="-" | "*", left=left):
            return from_membership(item, left)
        case model.SetOperation(left=left, right=right):
            return from_membership(item, left) & from_membership(item, right)
        case model.Comprehension(element=model.Local(slot=slot), binders=(binder,)) if slot == binder.slot:
            facts = from_membership(item, binder.domain)
            tests = list(binder.tests)
            if binder.stop == "while" and binder.stop_condition is not None:
                tests.append(binder.stop_condition)
            for test in tests:
                facts |= implied(substitute(test, {slot: item}), True)
            return facts
        case _:
            return NOTHING
