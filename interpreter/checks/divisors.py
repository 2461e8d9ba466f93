"""Whether a divisor can be 0, as far as its type and the conditions tell that hold where it divides.

Suppose that it is 0, and so is every number that it is said to equal. Then its terms have known values if each must be
at an end of its range for that. If some condition cannot hold now, the divisor is not 0: by intervals, by the linear
form of a comparison, of which the divisor may be a part (``a != b`` where ``a - b`` divides), with 0 in place of the
divisor, or because it shows a member of the set whose size divides. The index of an entry is tried with each value that
it may have, if these are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

from attrs import evolve

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.analysis import simplify
from zermelo.interpreter.checks.measures import NOTHING, Holds, KnownValues, consequences, may_be_none, negation
from zermelo.interpreter.checks.sums import bounds_of_difference, linear_form
from zermelo.interpreter.checks.unreachable_parts import Known, narrow_known
from zermelo.interpreter.model.cardinality import is_never_empty, values_of_type
from zermelo.interpreter.model.rewriting import map_parts, reads, subexpressions, substitute, unfold, walk
from zermelo.interpreter.types import BOOL, NUMBER, NumberType, PartType, SetType, Type, strip_none
from zermelo.interpreter.values import OrderedSet, Value

FEW_VALUES: Final = 8
"""With how many values an index is tried."""


def divides(expr: model.Expr) -> bool:
    """Whether an expression divides by a number whose type admits 0 and other numbers."""
    if not isinstance(expr, model.Arithmetic) or expr.operator not in ("/", "//", "%"):
        return False
    base = strip_none(expr.right.type)
    return isinstance(base, NumberType) and base.contains(0) and not base.low == 0 == base.high


def may_be_zero(number: model.Expr, facts: KnownValues) -> bool:
    """Whether a number can be 0 under the facts."""
    base = strip_none(number.type)
    if not isinstance(base, NumberType) or not base.contains(0):
        return False
    match number:
        case model.Const(value=value):
            return bool(value == 0)
        case model.If(condition=test, yes=yes, no=no):
            cases = ((yes, test), (no, negation(test)))
            return any(may_be_zero(part, facts | {Holds(condition)}) for part, condition in cases)
        case model.Let(slot=slot, value=value, body=body):
            return may_be_zero(substitute(body, {slot: value}), facts)
        case model.Negate(operand=part) | model.Apply("abs", (part,)) | model.Arithmetic(operator="/", left=part):
            return may_be_zero(part, facts)
        case model.Arithmetic(operator="*", left=left, right=right):
            return may_be_zero(left, facts) or may_be_zero(right, facts)
        case model.Read(variable=variable) if not strip_none(variable.type).contains(0):
            return False
    conditions = [_with_equal_names(each) for whole in conditions_of(facts) for each in consequences(whole)]
    number = _with_equal_names(number)
    equals = list(_equal_numbers(number, conditions))
    if any(_cannot_be_zero(each, conditions) for each in (number, *equals)):
        return False
    chosen = [each for each in equals if isinstance(each, model.If)]
    if chosen:
        others = frozenset(Holds(each) for each in conditions if number not in walk(each))
        if not all(may_be_zero(each, others) for each in chosen):
            return False
    if isinstance(number, model.Read) and any(
        read.variable is number.variable for each in conditions for read in reads(each)
    ):
        for name in number.indices:
            if isinstance(name, model.Local) and values_of_type(name.type) in range(1, FEW_VALUES + 1):
                values = (model.Const(value, type=name.type, span=name.span) for value in name.type.generate())
                return any(_may_be_zero_if(number, conditions, {name.slot: value}) for value in values)
    return not isinstance(number, model.Call) or may_be_zero(unfold(number), facts)


def _may_be_zero_if(number: model.Expr, conditions: list[model.Expr], values: Mapping[int, model.Expr]) -> bool:
    """Whether a number can be 0 under the conditions where names have these values."""
    known = [simplify(substitute(condition, values)) for condition in conditions]
    if any(isinstance(each, model.Const) and not each.value for each in known):
        return False
    return may_be_zero(substitute(number, values), frozenset(map(Holds, known)))


def conditions_of(facts: KnownValues) -> list[model.Expr]:
    """The conditions among the facts, in the order of the text."""
    found = [fact.condition for fact in facts if isinstance(fact, Holds)]
    return sorted(found, key=lambda condition: (condition.span.start, condition.span.end))


def conditions_after_assignment(place: model.Local | model.Read, value: model.Expr) -> Iterator[model.Expr]:
    """What holds of a name, or an entry of a variable, that has been given a number, or a set with more members."""
    base = strip_none(value.type)
    own = place.variable if isinstance(place, model.Read) else None
    match value:
        case model.SetOperation("+", _, added) if not _reads((added,), own):
            yield from (model.Contains(item, place, type=BOOL, span=added.span) for item in _sure_members(added))
    if not isinstance(base, NumberType) or _reads(subexpressions(place), own):
        return
    if base.low is not None:
        yield _compare(">=", place, _constant(base.low, value.span))
    if base.high is not None:
        yield _compare("<=", place, _constant(base.high, value.span))
    if not _reads((value,), own) and place not in walk(value):
        yield _compare("==", place, value)


def _sure_members(collection: model.Expr) -> Iterator[model.Expr]:
    """The members that a listed set is sure to have."""
    match collection:
        case model.MakeSet(items):
            yield from (item for item in items if not may_be_none(item, NOTHING))
        case model.Const(value=OrderedSet() as members, type=SetType(element)):
            yield from (model.Const(member, type=element, span=collection.span) for member in members)


def conditions_of_types(places: Iterable[tuple[model.Expr, Type]]) -> Iterator[model.Expr]:
    """What the types of places say of numbers beyond intervals."""
    for place, type in places:
        if isinstance(type, PartType) and isinstance(type.base, NumberType):
            members = model.Const(type.members, type=SetType(type.base), span=place.span)
            yield model.Contains(place, members, type=BOOL, span=place.span)


def _reads(parts: Iterable[model.Expr], variable: model.Variable | None) -> bool:
    return any(read.variable is variable for part in parts for read in reads(part))


def _equal_numbers(number: model.Expr, conditions: list[model.Expr]) -> Iterator[model.Expr]:
    for condition in conditions:
        match condition:
            case model.Compare("==", one, other) if number in (one, other):
                yield other if one == number else one


def _cannot_be_zero(number: model.Expr, conditions: list[model.Expr]) -> bool:
    collection = _counted_set(number)
    if collection is not None and is_never_empty(collection, lambda item: may_be_none(item, NOTHING)):
        return True
    known: Known | None = {}
    for condition in (*_assumptions(number), *conditions, *conditions):
        if known is None or _fails(condition, number, known):
            return True
        known = narrow_known(condition, True, known)
    return known is None


def _assumptions(number: model.Expr) -> Iterator[model.Expr]:
    """What holds of a number that is 0, and of its terms."""
    zero = _constant(0, number.span)
    yield _compare("==", number, zero)
    ends = bounds_of_difference(number, zero)
    for term, factor in linear_form(number).items() if 0 in ends else ():
        base = term.type.base
        assert isinstance(base, NumberType), "there are bounds"
        yield _compare("==", term, _constant(base.low if (factor > 0) == (ends[0] == 0) else base.high, number.span))


def _fails(condition: model.Expr, number: model.Expr, known: Known) -> bool:
    """Whether a condition cannot hold if the number is 0 and so much is known."""
    match condition:
        case model.And(parts) if any(_fails(part, number, known) for part in parts):
            return True
        case model.Or(parts) if all(_fails(part, number, known) for part in parts):
            return True
        case model.Not(model.And(parts)):
            return all(_fails(negation(part), number, known) for part in parts)
        case model.Not(model.Or(parts)):
            return any(_fails(negation(part), number, known) for part in parts)
        case model.Not(model.Not(inner)):
            return _fails(inner, number, known)
        case model.Compare(sign, left, right) if isinstance(strip_none(left.type), NumberType):
            if not _may_compare(sign, left, right, number, is_so=True):
                return True
        case model.Not(model.Compare(sign, left, right)) if isinstance(strip_none(left.type), NumberType):
            if not _may_compare(sign, left, right, number, is_so=False):
                return True
    return (
        narrow_known(condition, True, known) is None
        or _is_false_at_zero(condition, number)
        or _shows_that_it_counts(condition, number)
    )


def _is_false_at_zero(condition: model.Expr, number: model.Expr) -> bool:
    """Whether a condition that mentions the number is false with 0 in its place."""
    zero = _constant(0, number.span)

    def put_zero(part: model.Expr) -> model.Expr:
        return zero if part == number else map_parts(part, put_zero)

    found = simplify(put_zero(condition)) if number in walk(condition) else condition
    return isinstance(found, model.Const) and not found.value


def _may_compare(sign: str, left: model.Expr, right: model.Expr, zero: model.Expr, is_so: bool) -> bool:
    """Whether the comparison of two numbers can hold, or fail, if another is 0, by their linear forms."""
    difference = model.Arithmetic("-", left, right, type=NUMBER, span=left.span)
    for other in (zero, model.Negate(zero, type=zero.type, span=zero.span)):
        low, high = bounds_of_difference(difference, other)
        less, same, more = low < 0, low <= 0 <= high, high > 0
        may_be = {
            "==": (same, less or more),
            "!=": (less or more, same),
            "<": (less, more or same),
            "<=": (less or same, more),
            ">": (more, less or same),
            ">=": (more or same, less),
        }
        if not may_be[sign][0 if is_so else 1]:
            return False
    return True


def _counted_set(number: model.Expr) -> model.Expr | None:
    """The set that is empty if the number is 0."""
    match number:
        case model.Apply("size", (collection,)):
            return collection
        case model.Quantified("sum", (model.Binder(domain=domain, stop=None, tests=()),), body):
            base = body.type.base
            if isinstance(base, NumberType) and (
                (base.low is not None and base.low > 0) or (base.high is not None and base.high < 0)
            ):
                return domain
    return None


def _shows_that_it_counts(condition: model.Expr, number: model.Expr) -> bool:
    """Whether a condition shows a member of what the number counts, or two places at some distance."""
    match number:
        case model.Quantified("count", (model.Binder(slot=slot, stop=None, tests=()),), body):
            if _is_instance(condition, body, slot):
                return True
        case model.Quantified("sum", (model.Binder(slot=slot, stop=None, tests=()),), body):
            match condition:
                case model.Compare(">", part, model.Const(0)) if body.type.contains(0) and not body.type.contains(-1):
                    return _is_instance(part, body, slot)
    collection = _counted_set(number)
    match condition:
        case (model.Quantified("some") as shown) | model.Not(model.Quantified("no") as shown):
            return evolve(shown, quantifier="count") == number or shown.binders[0].domain == collection
        case model.Not(model.IsNone(model.Quantified("first" | "last" | "min" | "max", (binder, *_)))):
            return binder.domain == collection
        case model.Not(model.IsNone(model.Apply("greatest" | "least", (shown,)))) | model.Apply("any", (shown,)):
            return shown == collection
        case model.Contains(_, shown):
            return shown == collection
        case model.Compare("!=", one, other) | model.Not(model.Compare("==", one, other)):
            if isinstance(number, model.Apply) and number.function in ("distance", "steps"):
                return number.arguments in ((one, other), (other, one))
            empty = other if one == collection else one
            return collection in (one, other) and isinstance(empty, model.Const) and not empty.value
    return False


def _is_instance(expr: model.Expr, body: model.Expr, slot: int) -> bool:
    """Whether an expression is another one with some part of it in a slot."""
    return any(substitute(body, {slot: part}) == expr for part in walk(expr))


def _with_equal_names(expr: model.Expr, names: Mapping[int, int] = {}) -> model.Expr:
    """The expression with its bound slots numbered by their depth: the same text has the same slots everywhere."""
    if isinstance(expr, model.Local):
        return evolve(expr, slot=names.get(expr.slot, expr.slot))
    if isinstance(expr, model.Let | model.Reach):
        names = {**names, expr.slot: -1 - len(names)}
        expr = evolve(expr, slot=names[expr.slot])
    elif isinstance(expr, model.Quantified | model.Comprehension):
        names = {**names, **{binder.slot: -1 - len(names) - k for k, binder in enumerate(expr.binders)}}
        expr = evolve(expr, binders=tuple(evolve(binder, slot=names[binder.slot]) for binder in expr.binders))
    return map_parts(expr, lambda part: _with_equal_names(part, names))


def _constant(value: Value, span: Span) -> model.Const:
    return model.Const(value, type=NumberType(value, value), span=span)


def _compare(sign: Literal["==", "<=", ">="], left: model.Expr, right: model.Expr) -> model.Compare:
    return model.Compare(sign, left, right, type=BOOL, span=left.span)
