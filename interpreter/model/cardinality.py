"""Sizes of types, compatibility of types, the cost of evaluating an expression, and estimates as weighted sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, comb, floor
from types import MappingProxyType
from typing import Any, Final, Literal

from attrs import evolve

from zermelo.grammar.diagnostics import Span, ZermeloError, require_known
from zermelo.grammar.names import normal
from zermelo.interpreter import intervals, model
from zermelo.interpreter.intervals import hull
from zermelo.interpreter.model.rewriting import subexpressions
from zermelo.interpreter.types import (
    BoardType,
    BoolType,
    DirectionType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    RecordType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import MOST_DIGITS, Value, exact, format_value, has_few_digits, read_number

# The number of values of a type and of members of a set, before play and without listing them.


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
        return known_product(map(values_of_type, type.items))
    return type.size


def member_type(collection: model.Expr) -> Type:
    """The type of the members of a set; the type itself if there is an error, and no set."""
    type = strip_none(collection.type)
    return strip_none(type.element) if isinstance(type, SetType) else type


def most_members(collection: model.Expr, domains: Domains = _NO_DOMAINS) -> int | None:
    """The most members that a set can have, from its structure and its type; None if unknown. ``domains`` are those of
    bound names, by slot."""
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
    """Whether a set surely has a member, from its structure; ``may_be_none`` says whether an expression may be none."""
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
            return known_product(most_members(binder.domain, inner) for binder in binders)
        case model.Subsets(collection=of):
            return _most_sets(collection, most_members(of, domains))
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
    return _least_known(_most_sets(collection, values_of_type(element.element)), values_of_type(element))


def _most_sets(family: model.Expr, size: int | None) -> int | None:
    """The most members of a set of sets whose members are among ``size``, by their own sizes; None if unknown."""
    least, most = member_counts(family)
    if size is None or most is None or most - least > _FEW_COUNTS:
        return None
    return sum(comb(size, count) for count in range(least, min(most, size) + 1))


def _least_known(*bounds: int | None) -> int | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def known_product(factors: Iterable[int | None]) -> int | None:
    """The product of the factors; None if one is unknown."""
    size = 1
    for factor in factors:
        if factor is None:
            return None
        size *= factor
    return size


# Relations between types: compatibility, common types, order, and their words in messages.


def fits(actual: Type, wanted: Type) -> bool:
    """Whether a value of type ``actual`` is compatible with ``wanted``.

    Bounds of numbers, and values that may be none, are left to other checks; only the literal ``none`` is refused here.
    """
    actual, wanted = actual.base, wanted.base
    if isinstance(actual, UnknownType) or isinstance(wanted, UnknownType):
        return True
    if isinstance(actual, NoneType):
        return isinstance(wanted, OptionalType | NoneType)
    actual, wanted = strip_none(actual), strip_none(wanted)
    if isinstance(actual, SetType) and isinstance(wanted, SetType):
        return fits(actual.element, wanted.element)
    if isinstance(actual, TupleType) and isinstance(wanted, TupleType):
        if isinstance(actual, RecordType) and isinstance(wanted, RecordType) and actual.name != wanted.name:
            return False
        return len(actual.items) == len(wanted.items) and all(map(fits, actual.items, wanted.items))
    if isinstance(actual, MemberType) or isinstance(wanted, MemberType):
        return actual is wanted
    return type(actual) is type(wanted)


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type with the values of both, or None if there is no such type."""
    a, b = a.base, b.base
    if isinstance(a, UnknownType):
        return b
    if isinstance(b, UnknownType):
        return a
    if isinstance(a, NoneType):
        return optional(b)
    if isinstance(b, NoneType):
        return optional(a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        inner = join(strip_none(a), strip_none(b))
        return None if inner is None else optional(inner)
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return hull(a, b)
    if isinstance(a, DirectionType) and isinstance(b, DirectionType):
        return a if b.is_compass else b
    if isinstance(a, SetType) and isinstance(b, SetType):
        element = join(a.element, b.element)
        return None if element is None else SetType(element)
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return _join_tuples(a, b)
    return a if fits(a, b) else None


def common_type(a: Type, b: Type) -> Type:
    """:func:`join` of types that are compatible."""
    joined = join(a, b)
    assert joined is not None, "compatible types"
    return joined


def _join_tuples(a: TupleType, b: TupleType) -> Type | None:
    if len(a.items) != len(b.items):
        return None
    if isinstance(a, RecordType) and isinstance(b, RecordType) and a.name != b.name:
        return None
    items = [join(x, y) for x, y in zip(a.items, b.items, strict=True)]  # one may be none, and the other not
    known = tuple(item for item in items if item is not None)
    if len(known) < len(items):
        return None
    named = next((t for t in (a, b) if isinstance(t, RecordType)), None)
    return TupleType(known) if named is None else RecordType(known, named.name, named.fields)


def is_ordered(type: Type) -> bool:
    """Whether ``<`` compares values of the type."""
    type = strip_none(type.base)
    if isinstance(type, TupleType):
        return all(map(is_ordered, type.items))
    if isinstance(type, MemberType):
        return type.ordered or is_ring(type)
    return isinstance(type, NumberType | UnknownType)


def is_ring(type: Type) -> bool:
    """Whether the values of a type are the numbers around a ring."""
    return isinstance(type, BoardType) and type.shape == "ring"


def covers(table: Mapping[Value, Value], keys: Type) -> bool:
    """Whether a constant table has an entry for every value of a type but none."""
    inner = strip_none(keys)
    size = values_of_type(inner)
    return size is not None and size <= len(table) and all(value in table for value in inner.generate())


def in_words(type: Type) -> str:
    """A type in words, for messages."""
    type = type.base
    if isinstance(type, OptionalType):
        return f"{in_words(type.inner)} or none"
    if isinstance(type, NumberType):
        return "a number"
    if isinstance(type, BoolType):
        return "true or false"
    if isinstance(type, NoneType):
        return "none"
    if isinstance(type, UnknownType):
        return "unknown"
    if isinstance(type, SetType):
        return f"a set of {_PLURALS.get(_noun(type.element.base)) or type.element}"
    if isinstance(type, RecordType):
        return _with_article(str(type)) if type.name else f"a record {type}"
    if isinstance(type, TupleType):
        return f"a tuple ({', '.join(map(_noun, type.items))})"
    return _with_article(_noun(type))


def type_in_words(type: Type) -> str:
    """The values of a type in words, for messages about other values."""
    inner = strip_none(type)
    if isinstance(inner, SetType):
        return f"each member {type_in_words(inner.element).removeprefix('it ')}"
    if isinstance(inner, BoolType):
        return "it is true or false"
    if isinstance(inner, PartType | MemberType) and inner.size <= 10:
        return f"it is one of {', '.join(map(format_value, inner.members))}"
    return f"it is one of {inner}"


_PLURALS = {"number": "numbers", "player": "players", "direction": "directions"}


def _noun(type: Type) -> str:
    """The noun for one value of a type."""
    if isinstance(type, NumberType):
        return "number"
    name = str(type)
    return name.lower() if name in ("Player", "Direction") else name


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"


# The cost of evaluating an expression, so that checking evaluates none that would take minutes.
#
# The cost counts evaluations of innermost parts. It is an upper bound, as far as types bound the sizes of sets, and is
# capped at :data:`TOO_MUCH`.


TOO_MUCH = 3_000_000
"""Evaluations; some seconds."""


def evaluation_cost(expr: model.Expr) -> int:
    """The number of evaluations in the expression, at most :data:`TOO_MUCH`."""
    return _effort(expr, {})


def _effort(expr: model.Expr, defines: dict[model.Define, int]) -> int:
    match expr:
        case model.Const() | model.Local():
            return 1
        case model.Quantified(binders=binders, body=body) | model.Comprehension(binders=binders, element=body):
            times, total = 1, 0
            for binder in binders:
                total += times * _effort(binder.domain, defines)
                times *= most_rounds(binder.domain)
                tests = [test for test in (binder.stop_condition, *binder.tests) if test is not None]
                total += times * sum(_effort(test, defines) for test in tests)
            total += times * _effort(body, defines)
        case model.Reach(start=start, step=step):
            total = _effort(start, defines) + most_rounds(expr) * _effort(step, defines)
        case model.RangeSet() | model.Subsets():
            total = most_rounds(expr) + sum(_effort(part, defines) for part in subexpressions(expr))
        case model.Call(define=callee, arguments=arguments):
            if callee not in defines:
                defines[callee] = _effort(callee.body, defines)
            total = defines[callee] + sum(_effort(argument, defines) for argument in arguments)
        case _:
            total = 1 + sum(_effort(part, defines) for part in subexpressions(expr))
    return min(total, TOO_MUCH)


def most_rounds(collection: model.Expr) -> int:
    """The most rounds of a loop over a set; :data:`TOO_MUCH` if unknown."""
    length = most_members(collection)
    return TOO_MUCH if length is None else length


# Linear evaluation: an estimate as the weighted sum of features.
#
# The weights are kept apart from the rules, so that they can be changed, and learned, without reading the file again.


def weighted_sum(features: Iterable[model.Feature], player: model.Expr, span: Span) -> model.Expr:
    """The weighted sum of the features of a player; 0 without features."""
    total: model.Expr | None = None
    for feature in features:
        value = model.Call(feature.define, (player,), type=feature.define.body.type, span=span)
        weight = model.Const(feature.weight, type=intervals.literal(feature.weight), span=span)
        term = _combine("*", weight, value)
        total = term if total is None else _combine("+", total, term)
    return model.Const(0, type=intervals.literal(0), span=span) if total is None else total


def _combine(operator: Literal["+", "*"], left: model.Expr, right: model.Expr) -> model.Expr:
    assert isinstance(left.type, NumberType), "weights are numbers"
    assert isinstance(right.type, NumberType), "elaboration lets only numbers be features of a sum"
    type = intervals.arithmetic(operator, left.type, right.type)
    return model.Arithmetic(operator, left, right, type=type, span=left.span)


def with_weights(game: model.Model, weights: Mapping[str, Any]) -> model.Model:
    """The game with other weights for some features, given as numbers or as text (``1/3``).

    Raises ``ZermeloError``: ``unknown-weight`` for a feature outside the game's weighted sum, ``weight-not-a-number``.
    """
    features = () if game.estimate is None else game.estimate.features
    known = [feature.name for feature in features]
    weights = {normal(name): value for name, value in weights.items()}
    require_known(weights, known, "weight", "it has no estimate that is a weighted sum")
    if game.estimate is None or not weights:
        return game
    given = {name: _number(name, value) for name, value in weights.items()}
    changed = tuple(evolve(feature, weight=given.get(feature.name, feature.weight)) for feature in features)
    old = game.estimate.value
    player = model.Local(0, "player", type=game.player_type, span=old.span)
    estimate = evolve(game.estimate, features=changed, value=weighted_sum(changed, player, old.span))
    return evolve(game, estimate=estimate)


def _number(name: str, given: Any) -> Fraction | int:
    try:
        number = read_number(given) if isinstance(given, str) else exact(Fraction(given))
        if has_few_digits(number):
            return number
        given = f"one with more than {MOST_DIGITS:,} digits"
    except (ValueError, OverflowError):  # neither a number nor its text, or infinite
        given = f"'{given}'"
    raise ZermeloError(
        "weight-not-a-number", f"the weight of '{name}' must be a number, not {given}", "as in 3, -1/2 or 0.25"
    )
