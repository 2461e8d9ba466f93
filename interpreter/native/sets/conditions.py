"""Conditions on all members of a type at once.

:func:`which` turns a condition on a name into the mask of all values of the name for which it holds. It works on whole
planes of the state ("the squares with a piece of p" is an AND of two words), and only where no evaluation can fail, so
that evaluating more than the reference machine does is harmless. Numbers in planes are compared bit by bit, for all
entries in parallel.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.rewriting import free_slots, reads_state, unfold
from zermelo.interpreter.native.coding.encoding import is_set, places, same_codes, universe
from zermelo.interpreter.native.coding.number_codes import number_type, scale_of
from zermelo.interpreter.native.dialect.nesting import joined
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.arithmetic import coded
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.variables import needs_check
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, OptionalType, PartType, SetType, TupleType, Type, strip_none


def which(lowering: Lowering, condition: Expr, slot: int, element: Type, env: Env) -> str | None:
    """The mask of the values of ``slot`` for which ``condition`` holds; None if it takes a loop."""
    if slot not in free_slots(condition):
        return _everything_if(lowering, condition, element, env)
    _, size = universe(element)
    whole = (1 << size) - 1
    match condition:
        case model.And(parts=parts) | model.Or(parts=parts):
            masks = [which(lowering, part, slot, element, env) for part in parts]
            if any(mask is None for mask in masks):
                return None
            return f"({joined('&' if isinstance(condition, model.And) else '|', list(map(str, masks)))})"
        case model.Not(operand=operand):
            mask = which(lowering, operand, slot, element, env)
            return None if mask is None else f"({mask} ^ {whole})"
        case model.IsNone(operand=model.Read() as read):
            planes = _planes(lowering, read, slot, element, env)
            if planes is None or not lowering.layout.places[read.variable].storage.has_none:
                return None
            return f"(({' | '.join(planes)}) ^ {whole})"
        case model.Compare(operator="==" | "!=" as operator, left=left, right=right):
            if slot in free_slots(right):
                left, right = right, left
            if slot in free_slots(right) or _can_fail(lowering, right):
                return None
            mask = equal(lowering, left, right, slot, element, env)
            if mask is None:
                return _tabulated_which(lowering, condition, slot, element, env)
            return mask if operator == "==" else f"({mask} ^ {whole})"
        case model.Compare():
            mask = _ordered(lowering, condition, slot, element, env)
            return _tabulated_which(lowering, condition, slot, element, env) if mask is None else mask
        case model.Call() if _can_be_unfolded(condition, env):
            body = lowering.tabulation.variant(condition, lambda: unfold(condition))
            return which(lowering, body, slot, element, env)
        case model.Contains(item=model.Local(slot=own), collection=collection) if own == slot:
            if slot in free_slots(collection) or _can_fail(lowering, collection):
                return None
            return f"({lowering.mask(collection, env, element)} & {whole})"
        case model.Contains(item=item, collection=model.Const(value=members)) if len(members) <= 4:
            masks = [
                equal(lowering, item, model.Const(member, type=item.type, span=item.span), slot, element, env)
                for member in members
            ]
            return None if any(mask is None for mask in masks) else f"({' | '.join(map(str, masks)) or '0'})"
        case model.Read(type=type) if str(strip_none(type)) == "Bool":
            planes = _planes(lowering, condition, slot, element, env)
            return None if planes is None or len(planes) != 1 else planes[0]
        case _:
            return _tabulated_which(lowering, condition, slot, element, env)


def _everything_if(lowering: Lowering, condition: Expr, element: Type, env: Env) -> str | None:
    if _can_fail(lowering, condition):
        return None
    text = lowering.condition(condition, env)
    return f"({(1 << universe(element)[1]) - 1} if {text} else 0)"


def _tabulated_which(lowering: Lowering, condition: Expr, slot: int, element: Type, env: Env) -> str | None:
    """A condition that reads no state: the set as a constant, or a table of the other names in it."""
    if reads_state(condition):
        return None
    base = element.base
    if not base.is_finite:
        return None
    binder = Binder(slot, "x", model.Const(base.members, type=SetType(base), span=condition.span), tests=(condition,))
    local = model.Local(slot, "x", type=base, span=condition.span)
    whole = model.Comprehension(local, (binder,), type=SetType(base), span=condition.span)
    return lowering.tabulated_mask(whole, env, 4096)


def _can_fail(lowering: Lowering, expr: Expr) -> bool:
    """Whether evaluating the expression can fail, so that it must not be evaluated speculatively."""
    sites = len(lowering.text.sites)
    return not is_plain(expr) or len(lowering.text.sites) != sites


def is_plain(expr: Expr) -> bool:
    """Whether evaluating the expression cannot fail."""
    match expr:
        case model.Const() | model.Local():
            return True
        case model.Apply(function="other" | "step" | "x" | "y" | "number", arguments=arguments):
            return all(map(is_plain, arguments))
        case model.Read(variable=variable, indices=indices):
            checked = zip(variable.indices, indices, strict=True)
            return variable.has_initial and all(
                is_plain(index) and not needs_check(type, index.type) for type, index in checked
            )
        case model.Compare(operator=operator, left=left, right=right):
            can_be_none = isinstance(left.type, OptionalType) or isinstance(right.type, OptionalType)
            return (operator in ("==", "!=") or not can_be_none) and is_plain(left) and is_plain(right)
        case model.MakeTuple(items=items):
            return all(map(is_plain, items))
        case _:
            return False


def equal(lowering: Lowering, left: Expr, right: Expr, slot: int, element: Type, env: Env) -> str | None:
    """The values of ``slot`` for which ``left``, which mentions it, equals ``right``, which does not."""
    if isinstance(left, model.Local):
        if number_type(element) is not None or is_set(left.type):
            return None
        value = lowering.scalar(right, env, left.type)
        return f"{lowering.code('only')}({value.text})"
    type = left.type
    path: list[model.GetField] = []
    while isinstance(left, model.GetField):
        path.append(left)
        left = left.record
    if not isinstance(left, model.Read) or len(path) > 1:
        return None
    planes = _planes(lowering, left, slot, element, env)
    if planes is None:
        return None
    storage = lowering.layout.places[left.variable].storage
    _, size = universe(element)
    whole = (1 << size) - 1
    if number_type(type) is not None and (storage.has_none or admission_test(type, right.type) is not None):
        return None
    if isinstance(type, TupleType) and not same_codes(type, right.type):
        return None
    if not path:
        value = lowering.scalar(right, env, left.type)
        if (value.has_none and not storage.has_none) or scale_of(type) % value.scale:
            return None
        value = coded(lowering, value, type, right.span)
        return _matching(lowering, planes, value, storage.bias, whole)
    base = strip_none(left.type).base
    assert isinstance(base, TupleType)
    place, shift = places(base)[path[0].index]
    value = lowering.scalar(right, env, path[0].type)
    if place.has_none or place.bias or value.has_none or value.scale != scale_of(type):
        return None
    found = _matching(lowering, planes[shift : shift + place.width], value, 0, whole)
    return f"({planes[-1]} & {found})" if storage.has_none and found is not None else found


_MIRRORED: Final[dict[str, str]] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _can_be_unfolded(call: model.Call, env: Env) -> bool:
    """Whether the arguments are names and constants that surely belong to its parameters."""
    for argument, parameter in zip(call.arguments, call.define.parameters, strict=True):
        binding = env.get(argument.slot) if isinstance(argument, model.Local) else None
        can_be_none = isinstance(binding, Scalar) and binding.has_none
        if (
            not isinstance(argument, model.Local | model.Const)
            or isinstance(argument.type, NoneType)
            or can_be_none
            or admission_test(parameter.type, argument.type) is not None
        ):
            return False
    return True


def _ordered(lowering: Lowering, condition: model.Compare, slot: int, element: Type, env: Env) -> str | None:
    """The values of ``slot`` for which a number in planes is above or below a constant."""
    operator: str = condition.operator
    left, right = condition.left, condition.right
    if isinstance(left, model.Const):
        left, right, operator = right, left, _MIRRORED[operator]
    if not isinstance(left, model.Read) or not isinstance(right, model.Const) or number_type(left.type) is None:
        return None
    storage = lowering.layout.places[left.variable].storage
    planes = _planes(lowering, left, slot, element, env)
    if planes is None or storage.has_none or storage.has_unset:
        return None
    whole = (1 << universe(element)[1]) - 1
    limit = right.value * scale_of(left.type)
    bound = (floor(limit) + 1 if operator in (">", "<=") else ceil(limit)) - storage.bias
    at_least = _at_least(planes, bound, whole)
    return at_least if operator in (">", ">=") else f"({at_least} ^ {whole})"


def _at_least(planes: list[str], bound: int, whole: int) -> str:
    """The entries of planes that are at least ``bound``: bit by bit from the lowest, a 1 of the bound must be met, and
    a 0 may be exceeded."""
    if bound <= 0:
        return str(whole)
    if bound >> len(planes):
        return "0"
    first = (bound & -bound).bit_length() - 1
    found = planes[first]
    for k, plane in enumerate(planes[first + 1 :], first + 1):
        found = f"({plane} & {found})" if bound >> k & 1 else f"({plane} | {found})"
    return found


def _matching(lowering: Lowering, planes: list[str], value: Scalar, bias: int, whole: int) -> str | None:
    """The entries of planes that equal a value."""
    if not planes:
        return str(whole)
    try:
        constant = int(value.text.strip("()")) - bias
    except ValueError:
        text = value.text if bias == 0 else f"({value.text} + {-bias})"
        names = [f"p{k}" for k in range(len(planes))]
        matches = [f"({name} if (x >> {k}) & 1 != 0 else {name} ^ w)" for k, name in enumerate(names)]
        head = f"({''.join(f'{name}: bits, ' for name in names)}x: int, w: bits) -> bits"
        helper = lowering.text.apart("where", head, Body(), " & ".join(matches))
        return f"{helper}({', '.join(planes)}, {text}, {whole})"
    if constant < 0 or constant >> len(planes):
        return "0"
    return "(" + " & ".join(p if constant >> k & 1 else f"({p} ^ {whole})" for k, p in enumerate(planes)) + ")"


def _planes(lowering: Lowering, read: Expr, slot: int, element: Type, env: Env) -> list[str] | None:
    """The planes of a variable whose last index is ``slot``, restricted to the entries with its other indices."""
    if not isinstance(read, model.Read) or not read.indices:
        return None
    place = lowering.layout.places[read.variable]
    *others, last = read.indices
    if not place.is_planes or place.storage.has_unset or not isinstance(last, model.Local) or last.slot != slot:
        return None
    if not _lies_in(element, place.indices[-1].type):
        return None
    names = [f"S[{place.first + k}]" for k in range(place.storage.width)]
    if any(slot in free_slots(other) or _can_fail(lowering, other) for other in others):
        return None
    at = "0"
    for expr, index in zip(others, place.indices, strict=False):
        value = lowering.scalar(expr, env)
        if (
            value.has_none
            or strip_none(index.type).base != strip_none(index.type)
            or number_type(index.type) is not None
        ):
            return None
        at = value.text if at == "0" else f"({at} * {index.extent} + {value.text})"
    row = place.indices[-1]
    low, size = universe(element)
    by = low - row.bias
    if by < 0 or by + size > row.extent:
        return None
    if by == 0 and not others and size == row.extent:
        return names
    start = str(by) if at == "0" else f"({at} * {row.extent}{f' + {by}' if by else ''})"
    return [f"((({name}) >> {start}) & {(1 << size) - 1})" for name in names]


def _lies_in(element: Type, index: Type) -> bool:
    if not same_codes(element, index):
        return False
    if isinstance(element, PartType):
        return all(index.contains(value) for value in element.chosen)
    return admission_test(index, element) is None
