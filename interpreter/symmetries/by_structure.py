"""The rules of proof for expressions that are built alike, of parts that map
(:mod:`zermelo.interpreter.symmetries.equivariance`): one for each kind of expression, which has to commute with a
relabelling. What looks at the history of the play, or at choices made at once, is not proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.symmetries.commuting import commutes, has_fixed_order
from zermelo.interpreter.symmetries.equivariance import Names

_CROSSWISE: Final = frozenset({"+", "*"})
"""Operators of two numbers, or of two sets, that do not mind their order."""


def _const(names: Names, e: model.Const, f: model.Const) -> bool:
    return bool(names.proof.relabelling.of(e.value) == f.value)


def _let(names: Names, e: model.Let, f: model.Let) -> bool:
    return e.slot == f.slot and names.maps(e.value, f.value) and names.maps(e.body, f.body)


def _read(names: Names, e: model.Read, f: model.Read) -> bool:
    numbers = names.proof.relabelling.numbers
    return e.variable is f.variable and all(
        names.maps_as(numbers.get((e.variable, k)), one, other)
        for k, (one, other) in enumerate(zip(e.indices, f.indices, strict=True))
    )


def _field(names: Names, e: model.GetField, f: model.GetField) -> bool:
    return e.index == f.index and names.maps(e.record, f.record)


def _call(names: Names, e: model.Call, f: model.Call) -> bool:
    body = e.define.body
    return e.define is f.define and names.calls(
        e.define, e.arguments, f.arguments, "value", lambda inside: inside.is_equivariant(body)
    )


def _apply(names: Names, e: model.Apply, f: model.Apply) -> bool:
    if e.function != f.function or e.context is not f.context:
        return False
    if len(e.arguments) != len(f.arguments):
        return False
    permuted = {k: numbers for k, x in enumerate(e.arguments) if (numbers := names.permutation(x)) is not None}
    if not commutes(e, names.proof.relabelling, names.proof.once, permuted):
        return False
    if permuted:
        return all(
            names.maps_as(permuted.get(k), x, y) for k, (x, y) in enumerate(zip(e.arguments, f.arguments, strict=True))
        )
    if names.all_map(e.arguments, f.arguments):
        return True
    if e.function == "connected_to":
        cells, one, other = f.arguments
        return names.all_map(e.arguments, (cells, other, one))
    return e.function in ("min", "max") and names.matches([(x,) for x in e.arguments], [(x,) for x in f.arguments])


def _negate(names: Names, e: model.Negate, f: model.Negate) -> bool:
    return names.maps(e.operand, f.operand)


def _arithmetic(names: Names, e: model.Arithmetic, f: model.Arithmetic) -> bool:
    return e.operator == f.operator and _two(names, e, f, e.operator in _CROSSWISE)


def _set_operation(names: Names, e: model.SetOperation, f: model.SetOperation) -> bool:
    return e.operator == f.operator and _two(names, e, f, e.operator in _CROSSWISE)


_Two = model.Arithmetic | model.SetOperation | model.Compare


def _two(names: Names, e: _Two, f: _Two, is_crosswise: bool) -> bool:
    if names.maps(e.left, f.left) and names.maps(e.right, f.right):
        return True
    return is_crosswise and names.maps(e.left, f.right) and names.maps(e.right, f.left)


def _compare(names: Names, e: model.Compare, f: model.Compare) -> bool:
    if e.operator != f.operator:
        return False
    if e.operator in ("==", "!="):
        numbers = names.permutation(e.left)
        if numbers is not None:
            return names.maps_as(numbers, e.left, f.left) and names.maps_as(numbers, e.right, f.right)
        return _two(names, e, f, is_crosswise=True)
    relabelling = names.proof.relabelling
    return all(has_fixed_order(side.type, relabelling) for side in (e.left, e.right)) and _two(names, e, f, False)


def _contains(names: Names, e: model.Contains, f: model.Contains) -> bool:
    return names.maps(e.item, f.item) and names.maps(e.collection, f.collection)


def _operand(
    names: Names, e: model.IsNone | model.Present | model.Not, f: model.IsNone | model.Present | model.Not
) -> bool:
    return names.maps(e.operand, f.operand)


def _parts(names: Names, e: model.And | model.Or, f: model.And | model.Or) -> bool:
    return names.matches([(part,) for part in e.parts], [(part,) for part in f.parts])


def _if(names: Names, e: model.If, f: model.If) -> bool:
    return names.maps(e.condition, f.condition) and names.maps(e.yes, f.yes) and names.maps(e.no, f.no)


def _make_tuple(names: Names, e: model.MakeTuple, f: model.MakeTuple) -> bool:
    return names.all_map(e.items, f.items)


def _make_set(names: Names, e: model.MakeSet, f: model.MakeSet) -> bool:
    return names.matches([(item,) for item in e.items], [(item,) for item in f.items])


def _range(names: Names, e: model.RangeSet, f: model.RangeSet) -> bool:
    return names.maps(e.low, f.low) and names.maps(e.high, f.high)


def _lookup(names: Names, e: model.Lookup, f: model.Lookup) -> bool:
    renamed = names.proof.relabelling.of
    table = {renamed(key): renamed(value) for key, value in e.table.items()}
    return table == dict(f.table) and names.maps(e.key, f.key)


def _quantified(names: Names, e: model.Quantified, f: model.Quantified) -> bool:
    is_compared = e.quantifier in ("min", "max")
    if e.quantifier != f.quantifier or (is_compared and not has_fixed_order(e.body.type, names.proof.relabelling)):
        return False
    in_order = e.quantifier in ("first", "last")
    return names.bind(e.binders, f.binders, lambda: names.maps(e.body, f.body), in_order)


def _comprehension(names: Names, e: model.Comprehension, f: model.Comprehension) -> bool:
    return names.bind(e.binders, f.binders, lambda: names.maps(e.element, f.element))


def _subsets(names: Names, e: model.Subsets, f: model.Subsets) -> bool:
    return names.maps(e.collection, f.collection) and names.maps(e.count, f.count)


def _reach(names: Names, e: model.Reach, f: model.Reach) -> bool:
    return e.slot == f.slot and names.maps(e.start, f.start) and names.maps(e.step, f.step)


def _stuck(names: Names, e: model.Stuck, f: model.Stuck) -> bool:
    return True  # the decision is that of the phase, whose rules are proved


def _unproved(names: Names, e: Expr, f: Expr) -> bool:
    return False


BY_STRUCTURE: Final[Mapping[type[Expr], Callable[[Names, Any, Any], bool]]] = {
    model.Const: _const,
    model.Local: _unproved,
    model.Let: _let,
    model.Read: _read,
    model.GetField: _field,
    model.Call: _call,
    model.Apply: _apply,
    model.Negate: _negate,
    model.Arithmetic: _arithmetic,
    model.Compare: _compare,
    model.Contains: _contains,
    model.IsNone: _operand,
    model.Present: _operand,
    model.Not: _operand,
    model.And: _parts,
    model.Or: _parts,
    model.If: _if,
    model.MakeTuple: _make_tuple,
    model.MakeSet: _make_set,
    model.RangeSet: _range,
    model.SetOperation: _set_operation,
    model.Lookup: _lookup,
    model.Quantified: _quantified,
    model.Comprehension: _comprehension,
    model.Subsets: _subsets,
    model.Reach: _reach,
    model.Repeated: _unproved,
    model.Repetitions: _unproved,
    model.Stuck: _stuck,
    model.Chosen: _unproved,
}
