"""What conditions say about numbers: intervals of expressions, narrower than their types.

``Known`` maps names and entries of variables to intervals that contain their values; what it does not mention has the
interval of its type. :func:`narrowed` is None where a condition cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor

from zermelo.interpreter import model
from zermelo.interpreter.checks.known_values import NOTHING, may_be_none
from zermelo.interpreter.intervals import Bound, arithmetic, counted, disjoint, hull, is_whole, literal, negated
from zermelo.interpreter.model import Expr, Variable
from zermelo.interpreter.model.rewriting import reads, unfold, walk
from zermelo.interpreter.types import NumberType, SetType, strip_none

Known = Mapping[Expr, NumberType]

_LARGEST = 100
"""The size of a define up to which its body is looked at where it is a condition."""

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def number(expr: Expr, known: Known) -> NumberType | None:
    """The interval of an expression, where it is not none; None if it is no number."""
    type = strip_none(expr.type).base
    if not isinstance(type, NumberType):
        return None
    match expr:
        case model.Const(value=value) if value is not None:
            return literal(value)
        case model.Local() | model.Read():
            return known.get(expr, type)
        case model.Negate(operand=operand):
            inner = number(operand, known)
            return type if inner is None else negated(inner)
        case model.Arithmetic(operator=operator, left=left, right=right):
            one, two = number(left, known), number(right, known)
            return type if one is None or two is None else arithmetic(operator, one, two)
        case _:
            return type


def is_empty(type: NumberType) -> bool:
    return type.low is not None and type.high is not None and type.low > type.high


def narrowed(test: Expr, holds: bool, known: Known) -> Known | None:
    """What is known if a condition holds, or if it fails; None if it cannot."""
    match test:
        case model.Const(value=bool() as value):
            return known if value is holds else None
        case model.Not(operand=operand):
            return narrowed(operand, not holds, known)
        case model.And(parts=parts) | model.Or(parts=parts):
            return _narrowed_by_parts(parts, isinstance(test, model.And) == holds, holds, known)
        case model.Compare(operator=operator, left=left, right=right):
            sign = operator if holds else _OPPOSITE[operator]
            here = _compared(sign, left, right, known)
            return None if here is None else _compared(_MIRRORED[sign], right, left, here)
        case model.Contains(item=item, collection=model.RangeSet(low=low, high=high)) if holds:
            above = _compared(">=", item, low, known)
            return None if above is None else _compared("<=", item, high, above)
        case model.Contains(item=item, collection=collection):
            return known if _may_be_in(item, collection, known) or not holds else None
        case model.Quantified(quantifier="some", binders=binders, body=body) if holds:
            inner: Known | None = known
            for binder in binders:
                inner = None if inner is None else bound(binder.slot, binder.domain, inner)
                for condition in _tests(binder):
                    inner = None if inner is None else narrowed(condition, True, inner)
            return None if inner is None or narrowed(body, True, inner) is None else known
        case model.Call(define=define) if define.size <= _LARGEST:
            return narrowed(unfold(test), holds, known)
        case _:
            return known


def _tests(binder: model.Binder) -> tuple[Expr, ...]:
    stop = (binder.stop_condition,) if binder.stop == "while" and binder.stop_condition is not None else ()
    return (*stop, *binder.tests)


def _narrowed_by_parts(parts: Iterable[Expr], every: bool, holds: bool, known: Known) -> Known | None:
    """What is known if ``every`` part holds, or fails, or if one of them does."""
    if every:
        here: Known | None = known
        for part in parts:
            here = None if here is None else narrowed(part, holds, here)
        return here
    found = [case for part in parts if (case := narrowed(part, holds, known)) is not None]
    if len(found) == 1:
        return found[0]
    return known if found else None


def _compared(sign: str, left: Expr, right: Expr, known: Known) -> Known | None:
    """What a comparison says about its left side; None if it cannot hold. Only ``==`` and ``!=`` compare with none."""
    one, two = number(left, known), number(right, known)
    if one is None or two is None:
        return known if sign not in ("==", "!=") else _equal_constants(sign, left, right, known)
    low, high = one.low, one.high
    step = 1 if is_whole(one) and is_whole(two) else 0
    match sign:
        case "<" | "<=":
            high = _lesser(high, None if two.high is None else two.high - (step if sign == "<" else 0))
        case ">" | ">=":
            low = _greater(low, None if two.low is None else two.low + (step if sign == ">" else 0))
        case "==":
            if may_be_none(left, NOTHING) and may_be_none(right, NOTHING):
                return known
            low, high = _greater(low, two.low), _lesser(high, two.high)
        case _:
            if two.low is None or two.low != two.high or may_be_none(left, NOTHING) or may_be_none(right, NOTHING):
                return known
            if one.low == one.high == two.low:
                return None
            low = low + step if low is not None and low == two.low else low
            high = high - step if high is not None and high == two.low else high
    if is_whole(one):
        low, high = None if low is None else ceil(low), None if high is None else floor(high)
    narrower = NumberType(low, high, 1 if is_whole(one) else None)
    if is_empty(narrower) or (sign in ("<", ">") and low is not None and low == high == two.low == two.high):
        return None
    return {**known, left: narrower} if isinstance(left, model.Local | model.Read) else known


def _lesser(bound: Bound, other: Bound) -> Bound:
    return other if bound is None else bound if other is None else min(bound, other)


def _greater(bound: Bound, other: Bound) -> Bound:
    return other if bound is None else bound if other is None else max(bound, other)


def _equal_constants(sign: str, left: Expr, right: Expr, known: Known) -> Known | None:
    if not isinstance(left, model.Const) or not isinstance(right, model.Const):
        return known
    return known if (left.value == right.value) == (sign == "==") else None


def _may_be_in(item: Expr, collection: Expr, known: Known) -> bool:
    """Whether a number may be in a constant set."""
    here = number(item, known)
    if here is None or not isinstance(collection, model.Const) or collection.value is None:
        return True
    return any(not disjoint(here, literal(value)) for value in collection.value)


def bound(slot: int, domain: Expr, known: Known) -> Known | None:
    """What is known where a name runs over a set; None if the set is empty."""
    rest = without_slot(slot, known)
    match domain:
        case model.Const(value=value) if value is not None and not value:
            return None
        case model.RangeSet(low=low, high=high):
            least, most = number(low, known), number(high, known)
            if least is None or most is None:
                return rest
            name = model.Local(slot, "", type=least, span=domain.span)
            among = counted(least, most)
            return None if is_empty(among) else {**rest, name: among}
        case model.Const(value=value, type=SetType(element=NumberType() as element)) if value is not None:
            name = model.Local(slot, "", type=element, span=domain.span)
            return {**rest, name: NumberType(min(value), max(value), 1 if is_whole(element) else None)}
        case _:
            return rest


def joined(one: Known | None, two: Known | None) -> Known | None:
    """What is known after either of two ways."""
    if one is None or two is None:
        return two if one is None else one
    return {expr: hull(type, two[expr]) for expr, type in one.items() if expr in two}


def without_slot(slot: int, known: Known) -> Known:
    """What is known without a name that is bound anew."""
    return _kept(known, lambda expr: all(not isinstance(part, model.Local) or part.slot != slot for part in walk(expr)))


def without_variables(variables: Iterable[Variable], known: Known) -> Known:
    """What is known without the entries of variables that are assigned."""
    assigned = set(variables)
    return _kept(known, lambda expr: all(read.variable not in assigned for read in reads(expr)))


def _kept(known: Known, still_holds: Callable[[Expr], bool]) -> Known:
    return {expr: type for expr, type in known.items() if still_holds(expr)}
