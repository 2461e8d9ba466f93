"""Sets as conditions on all members of a type: selections, straight lines, order, names, and sets that may be none."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Final

from attrs import evolve

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.rewriting import free_slots, reads_state, unfold
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported, describe_expression, join_operands
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Listing, Mask, Row, Scalar, Thunk
from zermelo.interpreter.native.expressions.lowering import LARGE_TABLE_LIMIT, Lowering, encode_number, name_arguments
from zermelo.interpreter.native.expressions.variables import (
    admitted,
    can_fail,
    may_refuse,
    needs_check,
    position_of_entry,
    stored_set,
    stored_text,
)
from zermelo.interpreter.native.state_encoding import encoding
from zermelo.interpreter.native.state_encoding.encoding import (
    Storage,
    encode,
    is_set,
    none_code,
    number_type,
    places,
    same_codes,
    scale_of,
    set_element,
    universe,
)
from zermelo.interpreter.native.state_encoding.move_codes import RuleCode
from zermelo.interpreter.native.state_encoding.state_layout import Place
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import (
    BOOL,
    NoneType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    optional,
    strip_none,
)
from zermelo.interpreter.values import EMPTY

# Conditions on all members of a type at once.
#
# :func:`condition_mask` turns a condition on a name into the mask of all values of the name for which it holds. It
# works on whole planes of the state ("the squares with a piece of p" is an AND of two words), and only where no
# evaluation can fail, so that evaluating more than the reference machine does is harmless. Numbers in planes are
# compared bit by bit, for all entries in parallel.


def condition_mask(lowering: Lowering, condition: Expr, slot: int, element: Type, env: Env) -> str | None:
    """The mask of the values of ``slot`` for which ``condition`` holds; None if it takes a loop."""
    if slot not in free_slots(condition):
        return _all_or_nothing_mask(lowering, condition, element, env)
    _, size = universe(element)
    whole = (1 << size) - 1
    match condition:
        case model.And(parts=parts) | model.Or(parts=parts):
            masks = condition_masks(lowering, parts, slot, element, env)
            if masks is None:
                return None
            return f"({join_operands('&' if isinstance(condition, model.And) else '|', masks)})"
        case model.Not(operand=operand):
            mask = condition_mask(lowering, operand, slot, element, env)
            return None if mask is None else f"({mask} ^ {whole})"
        case model.IsNone(operand=model.Read() as read):
            planes = _planes(lowering, read, slot, element, env)
            if planes is None or not lowering.layout.places[read.variable].storage.has_none:
                return None
            return f"(({' | '.join(planes)}) ^ {whole})"
        case model.Compare(operator="==" | "!=" as operator, left=left, right=right):
            if slot in free_slots(right):
                left, right = right, left
            if slot in free_slots(right) or not is_plain(right):
                return None
            mask = equality_mask(lowering, left, right, slot, element, env)
            if mask is None:
                return _tabulated_condition_mask(lowering, condition, slot, element, env)
            return mask if operator == "==" else f"({mask} ^ {whole})"
        case model.Compare():
            mask = _comparison_mask(lowering, condition, slot, element, env)
            return _tabulated_condition_mask(lowering, condition, slot, element, env) if mask is None else mask
        case model.Call() if can_be_unfolded(condition, env):
            body = lowering.tabulation.variant(condition, lambda: unfold(condition))
            return condition_mask(lowering, body, slot, element, env)
        case model.Contains(item=model.Local(slot=own), collection=collection) if own == slot:
            if slot in free_slots(collection) or not is_plain(collection):
                return None
            return f"({lowering.mask(collection, env, element)} & {whole})"
        case model.Contains(item=item, collection=model.Const(value=members)) if len(members) <= 4:
            matches = [
                equality_mask(lowering, item, model.Const(member, type=item.type, span=item.span), slot, element, env)
                for member in members
            ]
            return None if any(mask is None for mask in matches) else f"({' | '.join(map(str, matches)) or '0'})"
        case model.Read(type=type) if str(strip_none(type)) == "Bool":
            planes = _planes(lowering, condition, slot, element, env)
            return None if planes is None or len(planes) != 1 else planes[0]
        case _:
            return _tabulated_condition_mask(lowering, condition, slot, element, env)


def condition_masks(
    lowering: Lowering, conditions: Sequence[Expr], slot: int, element: Type, env: Env
) -> list[str] | None:
    """The masks of several conditions; None if one takes a loop."""
    masks = []
    for condition in conditions:
        mask = condition_mask(lowering, condition, slot, element, env)
        if mask is None:
            return None
        masks.append(mask)
    return masks


def _all_or_nothing_mask(lowering: Lowering, condition: Expr, element: Type, env: Env) -> str | None:
    if not is_plain(condition):
        return None
    text = lowering.condition(condition, env)
    return f"({(1 << universe(element)[1]) - 1} if {text} else 0)"


def _tabulated_condition_mask(lowering: Lowering, condition: Expr, slot: int, element: Type, env: Env) -> str | None:
    """A condition that reads no state: the set as a constant, or a table of the other names in it."""
    if reads_state(condition):
        return None
    base = element.base
    if not base.is_finite:
        return None
    binder = Binder(slot, "x", model.Const(base.members, type=SetType(base), span=condition.span), tests=(condition,))
    local = model.Local(slot, "x", type=base, span=condition.span)
    whole = model.Comprehension(local, (binder,), type=SetType(base), span=condition.span)
    return lowering.tabulated_mask(whole, env)


def is_plain(expr: Expr) -> bool:
    """Whether evaluating the expression cannot fail, so that it may be evaluated speculatively."""
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


def equality_mask(lowering: Lowering, left: Expr, right: Expr, slot: int, element: Type, env: Env) -> str | None:
    """The values of ``slot`` for which ``left``, which mentions it, equals ``right``, which does not."""
    if isinstance(left, model.Local):
        if number_type(element) is not None or is_set(left.type):
            return None
        value = lowering.scalar(right, env, left.type)
        return f"{lowering.helper('only')}({value.text})"
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
        value = encode_number(lowering, value, type, right.span)
        low, count = universe(strip_none(type).base)
        last = low + count - 1 - storage.bias
        if count == 2 and not value.has_none and strip_none(right.type).base == strip_none(type).base:
            return _match_one_of_two(lowering, planes, value, storage.bias, last, whole)
        return _match_planes(lowering, planes, value, storage.bias, whole, last)
    base = strip_none(left.type).base
    assert isinstance(base, TupleType)
    place, shift = places(base)[path[0].index]
    value = lowering.scalar(right, env, path[0].type)
    if place.has_none or place.bias or value.has_none or value.scale != scale_of(type):
        return None
    found = _match_planes(lowering, planes[shift : shift + place.width], value, 0, whole)
    return f"({planes[-1]} & {found})" if storage.has_none and found is not None else found


_MIRRORED: Final[dict[str, str]] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def can_be_unfolded(call: model.Call, env: Env) -> bool:
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


def _comparison_mask(lowering: Lowering, condition: model.Compare, slot: int, element: Type, env: Env) -> str | None:
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
    at_least = _at_least_mask(planes, bound, whole)
    return at_least if operator in (">", ">=") else f"({at_least} ^ {whole})"


def _at_least_mask(planes: list[str], bound: int, whole: int) -> str:
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


def _match_planes(
    lowering: Lowering, planes: list[str], value: Scalar, bias: int, whole: int, last: int | None = None
) -> str | None:
    """The entries of planes that equal a value; ``last`` is the greatest stored value, if that is known."""
    if not planes:
        return str(whole)
    try:
        constant = int(value.text.strip("()")) - bias
    except ValueError:
        text = value.text if bias == 0 else f"({value.text} + {-bias})"
        names = [f"p{k}" for k in range(len(planes))]
        matches = [f"({name} if (x >> {k}) & 1 != 0 else {name} ^ w)" for k, name in enumerate(names)]
        head = f"({''.join(f'{name}: bits, ' for name in names)}x: int, w: bits) -> bits"
        helper = lowering.text.extract("where", head, Body(), " & ".join(matches))
        return f"{helper}({', '.join(planes)}, {text}, {whole})"
    if constant < 0 or constant >> len(planes):
        return "0"
    return _match_constant(planes, constant, (1 << len(planes)) - 1 if last is None else last, str(whole))


def _match_one_of_two(
    lowering: Lowering, planes: list[str], value: Scalar, bias: int, last: int, whole: int
) -> str | None:
    """The entries of planes that equal a value that is one of the two greatest ones."""
    if value.text.strip("()").lstrip("-").isdigit():
        return _match_planes(lowering, planes, value, bias, whole, last)
    names = [f"p{k}" for k in range(len(planes))]
    lower, upper = (_match_constant(names, stored, last, "w") for stored in (last - 1, last))
    head = f"({''.join(f'{name}: bits, ' for name in names)}x: int, w: bits) -> bits"
    helper = lowering.text.extract("where", head, Body(), f"{lower} if x == {last - 1 + bias} else {upper}")
    return f"{helper}({', '.join(planes)}, {value.text}, {whole})"


def _match_constant(planes: list[str], stored: int, last: int, whole: str) -> str:
    """The entries of planes that equal a stored value, if none exceeds ``last``: a plane that tells it from no other
    stored value is left out."""
    others = [other for other in range(last + 1) if other != stored]
    kept = (1 << len(planes)) - 1
    for k in sorted(range(len(planes)), key=lambda k: stored >> k & 1):  # a plane without a one costs more
        if all((other ^ stored) & kept & ~(1 << k) for other in others):
            kept &= ~(1 << k)
    found = [p if stored >> k & 1 else f"({p} ^ {whole})" for k, p in enumerate(planes) if kept >> k & 1]
    return f"({' & '.join(found)})" if found else whole


def _planes(lowering: Lowering, read: Expr, slot: int, element: Type, env: Env) -> list[str] | None:
    """The planes of a variable whose last index is ``slot``, restricted to the entries with its other indices."""
    if not isinstance(read, model.Read) or not read.indices:
        return None
    place = lowering.layout.places[read.variable]
    *others, last = read.indices
    if not place.is_planes or place.storage.has_unset or not isinstance(last, model.Local) or last.slot != slot:
        return None
    if not _is_within_index(element, place.indices[-1].type):
        return None
    names = [f"S[{place.first + k}]" for k in range(place.storage.width)]
    if any(slot in free_slots(other) or not is_plain(other) for other in others):
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


def _is_within_index(element: Type, index: Type) -> bool:
    if not same_codes(element, index):
        return False
    if isinstance(element, PartType):
        return all(index.contains(value) for value in element.chosen)
    return admission_test(index, element) is None


# Straight lines as masks.
#
# The cells of a ray, or between two cells, come in ascending or descending order of numbers. So the nearest one that
# meets a condition is the lowest or highest bit of a mask, and the cells before it are a mask, too:
# ``{t in ray(s, d) until board[t] is not none}`` takes a few operations and no loop.


def stopped_mask(lowering: Lowering, binder: Binder, env: Env, more: Sequence[Expr]) -> str | None:
    """The mask of the values of a binder with ``while`` or ``until`` that meet its tests and more conditions; None if
    that takes a loop."""
    assert binder.stop_condition is not None
    stop = _conjunction_mask(lowering, binder, env, (binder.stop_condition,))
    tests = _conjunction_mask(lowering, binder, env, (*binder.tests, *more))
    found = _line_mask(lowering, binder.domain, env)
    if stop is None or tests is None or found is None:
        return None
    body, whole, way = found
    text = lowering.text
    functions = instantiate(text, "sets", FULL=lowering.full)
    if binder.stop == "until":
        line = f"{functions['until']}({whole}, {way}, {stop})"
    else:
        line = f"{functions['while_outside']}({whole}, {way}, {stop} ^ {lowering.full})"
    return text.lift("line", body, f"{line} & {tests}", "bits")


def end_along_line(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar | None:
    """``first`` or ``last`` along a line; None if that takes a loop."""
    (binder,) = expr.binders
    line = None if binder.stop is not None else _line_mask(lowering, binder.domain, env)
    found = _conjunction_mask(lowering, binder, env, (*binder.tests, expr.body))
    if line is None or found is None:
        return None
    body, whole, way = line
    low, _ = universe(lowering.element(binder.domain))
    function = instantiate(lowering.text, "sets", FULL=lowering.full)[
        "nearest" if expr.quantifier == "first" else "farthest"
    ]
    result = f"{function}({whole} & {found}, {way}, {none_code(expr.type)}, {low})"
    return Scalar(lowering.text.lift(expr.quantifier, body, result), True, scale_of(lowering.element(binder.domain)))


def _conjunction_mask(lowering: Lowering, binder: Binder, env: Env, tests: Sequence[Expr]) -> str | None:
    """The mask of all values that meet the conditions."""
    parts = condition_masks(lowering, tests, binder.slot, lowering.element(binder.domain), env)
    if parts is None:
        return None
    return f"({' & '.join(parts)})" if parts else str(lowering.full)


def _line_mask(lowering: Lowering, domain: Expr, env: Env) -> tuple[Body, str, str] | None:
    """A body that assigns the mask of the line to a name, and whether it is ascending to another."""
    if not isinstance(domain, model.Apply):
        return None
    body = Body()
    named = name_arguments(lowering, domain, env, body)
    if named is None:
        return None
    plain, names = named
    runs = lowering.tabulated_runs(plain, names)
    if runs is None:
        return None
    table, ways, index = runs
    text = lowering.text
    row = text.let(body, "row", index)
    return body, text.let(body, "line", f"{table}[{row}]", "bits"), text.let(body, "way", f"{ways}[{row}]")


# Masks of the values of a binder that meet its tests, from which loops, comprehensions and quantifiers start.


def select_mask(lowering: Lowering, binder: Binder, env: Env, *more: Expr) -> str | None:
    """The mask of all values of a binder that meet its tests and ``more`` conditions; None if it takes a loop."""
    if not fits_into_word(lowering, lowering.element(binder.domain)):
        return None
    if binder.stop is not None:
        return stopped_mask(lowering, binder, env, more)
    element = lowering.element(binder.domain)
    if isinstance(binder.domain, model.Const) and number_type(element) is None:
        element = PartType(element, binder.domain.value)
    parts = condition_masks(lowering, (*binder.tests, *more), binder.slot, element, env)
    if parts is None:
        return None
    if not parts and isinstance(binder.domain, model.Apply):
        table = lowering.tabulated_mask(binder.domain, env)
        if table is None:
            return None
    try:
        return "(" + " & ".join([lowering.mask(binder.domain, env), *parts]) + ")"
    except Unsupported:
        return None


def fits_into_word(lowering: Lowering, element: Type) -> bool:
    """Whether a set of such elements fits into a word of the module."""
    try:
        return universe(element)[1] <= lowering.layout.width
    except Unsupported:
        return False


def mask_tests(lowering: Lowering, binder: Binder, env: Env) -> tuple[str, tuple[Expr, ...]] | None:
    """The mask of the values of a binder that meet its first tests, as many as possible on masks, and the remaining
    tests; None if there is no such mask."""
    element = lowering.element(binder.domain)
    if is_set(element) or not fits_into_word(lowering, element):
        return None
    tests = _conjuncts_of(binder)
    for count in range(len(tests), -1, -1):
        mask = select_mask(lowering, evolve(binder, tests=tests[:count]), env)
        if mask is not None:
            return mask, tests[count:]
    return None


def _conjuncts_of(binder: Binder) -> tuple[Expr, ...]:
    return tuple(part for test in binder.tests for part in _conjuncts(test))


def _conjuncts(test: Expr) -> tuple[Expr, ...]:
    """The conjuncts of a test, including those of a define called with plain names."""
    match test:
        case model.And(parts=parts):
            return tuple(found for part in parts for found in _conjuncts(part))
        case model.Call(define=define, arguments=arguments) if isinstance(define.body, model.And) and all(
            isinstance(argument, model.Local | model.Const) and admission_test(parameter.type, argument.type) is None
            for argument, parameter in zip(arguments, define.parameters, strict=True)
        ):
            return _conjuncts(unfold(test))
        case _:
            return (test,)


def is_listed(binder: Binder, left: tuple[Expr, ...]) -> bool:
    """Whether the loop should run along a table: the domain is constant, and no test reduces its mask."""
    return isinstance(binder.domain, model.Const | model.RangeSet) and len(left) == len(_conjuncts_of(binder))


# Whether a set is in the order of its type, so that loops can run along its mask.


def is_ascending(expr: Expr, env: Env) -> bool:
    """Whether a set is surely in the order of its type."""
    match expr:
        case model.Const(value=value):
            if is_set(set_element(expr.type)):
                return False
            codes = [encode(item, set_element(expr.type)) for item in value]
            return codes == sorted(codes)
        case model.SetOperation() | model.MakeSet() | model.Reach() | model.RangeSet() | model.Read() | model.Chosen():
            return True
        case model.Comprehension(element=model.Local(slot=slot), binders=(binder,)):
            return slot == binder.slot and is_ascending(binder.domain, env)
        case model.If(yes=yes, no=no):
            return is_ascending(yes, env) and is_ascending(no, env)
        case model.Let(body=body):
            return is_ascending(body, {**env, expr.slot: Thunk(expr.value, env)})
        case model.Call(define=define):
            inner: Env = {k: Thunk(a, env) for k, a in enumerate(expr.arguments) if is_set(a.type)}
            return is_ascending(define.body, inner)
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return is_ascending(binding.expr, binding.env)
            return isinstance(binding, Mask | Row) and binding.is_ascending
        case model.Apply(function="leaps"):
            return True
        case model.Quantified(quantifier="first" | "last", binders=(binder,)):
            return are_ascending(binder.domain, env)
        case _:
            return False


def are_ascending(expr: Expr, env: Env) -> bool:
    """Whether every set in a set of sets is surely in the order of its type."""
    match expr:
        case model.Const(value=value):
            of_sets = set_element(expr.type)
            return all(is_ascending(model.Const(row, type=of_sets, span=expr.span), env) for row in value)
        case model.Subsets():
            return True
        case model.Comprehension(binders=(binder,)) if expr.is_part:
            return are_ascending(binder.domain, env)
        case model.Comprehension(element=element, binders=binders):
            outer = {slot: binding for slot, binding in env.items() if all(slot != each.slot for each in binders)}
            return is_ascending(element, outer)
        case model.MakeSet(items=items):
            return all(is_ascending(item, env) for item in items)
        case model.SetOperation(left=left, right=right):
            return are_ascending(left, env) and are_ascending(right, env)
        case model.If(yes=yes, no=no):
            return are_ascending(yes, env) and are_ascending(no, env)
        case model.Let(slot=slot, value=value, body=inside):
            return are_ascending(inside, {**env, slot: Thunk(value, env)})
        case model.Call(define=define, arguments=arguments):
            return are_ascending(define.body, {k: Thunk(a, env) for k, a in enumerate(arguments) if is_set(a.type)})
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return are_ascending(binding.expr, binding.env)
            return isinstance(binding, Listing) and binding.is_ascending
        case _:
            return False


# The names of a define's arguments and of a ``where``.
#
# A set is lowered at the uses of its name, which often need no mask of it. But the rules evaluate the set even if all
# uses are skipped: so a set that may be an error, or that its parameter may refuse, is evaluated first.


def define_names(lowering: Lowering, call: model.Call, env: Env, body: Body) -> Env:
    """The environment of a define's body, with the arguments assigned in ``body``."""
    names: Env = {}
    for slot, (argument, parameter) in enumerate(zip(call.arguments, call.define.parameters, strict=True)):
        if is_set(parameter.type):
            names[slot] = _set_name(lowering, argument, env, parameter.type, body)
        else:
            value = admitted(lowering, argument, env, parameter.type)
            names[slot] = lowering.bind(body, value, parameter.name.lower())
    return names


def open_names(lowering: Lowering, expr: model.Call | model.Let, env: Env, body: Body) -> tuple[Expr, Env]:
    """What the call of a define, or a ``where``, stands for, and its environment, with names assigned in ``body``."""
    if isinstance(expr, model.Call):
        return expr.define.body, define_names(lowering, expr, env, body)
    if is_set(expr.value.type):
        return expr.body, {**env, expr.slot: _set_name(lowering, expr.value, env, expr.value.type, body)}
    return expr.body, {**env, expr.slot: lowering.bind(body, lowering.scalar(expr.value, env), "let")}


def stem_of(expr: model.Call | model.Let) -> str:
    """The stem of the name of a function for it."""
    return expr.define.name if isinstance(expr, model.Call) else "let"


def _set_name(lowering: Lowering, expr: Expr, env: Env, type: Type, body: Body) -> Binding:
    """The binding of the name of a set, in a place of this type."""
    if not can_fail(expr) and not may_refuse(type, expr.type):
        return Thunk(expr, env)
    if isinstance(type, OptionalType):
        raise Unsupported("a name for a set that may be none, or an error")
    name = lowering.text.let(body, "set", stored_set(lowering, expr, env, type), "bits")
    return Mask(name, set_element(type)) if is_ascending(expr, env) else Thunk(expr, env)


# Sets that may be none: a player's choice in a ``together``, an entry of a variable.
#
# A mask cannot be none. Where the set itself is needed, none is an error, and the mask includes that check. Whether the
# set is none is a separate condition, which :func:`is_none` gives without evaluating the set.


def is_none(lowering: Lowering, expr: Expr, env: Env) -> str:
    """Whether a set is none, as a condition."""
    if not isinstance(expr.type, OptionalType):
        return str(int(isinstance(expr.type, NoneType)))
    match expr:
        case model.Const(value=value):
            return str(int(value is None))
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return is_none(lowering, binding.expr, binding.env)
            assert isinstance(binding, Mask | Row), "a name of a set"
            return binding.none if isinstance(binding, Mask) else "0"
        case model.Read(variable=variable, indices=indices):
            at, may_miss = position_of_entry(lowering, lowering.layout.places[variable], indices, env)
            return _read_none(lowering, lowering.layout.places[variable], at, may_miss, expr.span)
        case model.Chosen():
            return f"(not {has_chosen(lowering, expr, env)})"
        case model.If():
            yes, no = is_none(lowering, expr.yes, env), is_none(lowering, expr.no, env)
            return f"({yes} if {lowering.condition(expr.condition, env)} else {no})"
        case model.Call() | model.Let():
            body = Body()
            return lowering.text.lift(stem_of(expr), body, is_none(lowering, *open_names(lowering, expr, env, body)))
        case model.Quantified():
            return lowering.condition(evolve(expr, quantifier="no", type=BOOL), env)
        case model.Lookup():
            body = Body()
            plain, names = name_arguments(lowering, expr, env, body) or (expr, env)
            test = model.IsNone(plain, type=BOOL, span=expr.span)
            found = lowering.tabulated(test, names, LARGE_TABLE_LIMIT)
            if found is None:
                raise Unsupported("testing whether a table with such keys has an entry")
            return lowering.text.lift("is_no_set", body, found.text) if body.lines else found.text
        case _:
            raise Unsupported(f"testing whether {describe_expression(expr)} that is a set is none")


def name_key_of_sets(
    lowering: Lowering, expr: model.Apply | model.Lookup, env: Env, body: Body
) -> tuple[Expr, Env] | None:
    """The application with names in place of its arguments, where the values are sets: none is a fault, which the body
    notes, and then the set is empty."""
    named = name_arguments(lowering, expr, env, body)
    if named is None or not isinstance(expr, model.Lookup):
        return named
    plain, names = named
    found = lowering.tabulation.rows(plain, names, LARGE_TABLE_LIMIT)
    if found is None or None not in found[1]:
        return named
    with body.block(f"if {is_none(lowering, evolve(plain, type=optional(plain.type)), names)}"):
        body.line(f"{lowering.helper('no_set')}(C, {lowering.text.site('none-value', expr.span)})")
    type = strip_none(expr.type)
    empty = model.Const(EMPTY, type=type, span=expr.span)
    test = model.IsNone(plain, type=BOOL, span=expr.span)
    return model.If(test, empty, plain, type=type, span=expr.span), names


def set_of_name(lowering: Lowering, binding: Mask, span: Span) -> str:
    """The set bound to a name."""
    if binding.none == "0":
        return binding.text
    helper = lowering.helper("some_set")
    return f"{helper}(C, {binding.text}, {binding.none}, {lowering.text.site('none-value', span)})"


def lower_missing_set(lowering: Lowering, expr: model.Const, env: Env) -> str:
    """The error for a set that is none, with a substitute mask."""
    helper = lowering.helper("no_set")
    return f"{helper}(C, {lowering.text.site('none-value', expr.span)})"


def set_at_entry(lowering: Lowering, place: Place, at: str, span: Span) -> str:
    """The set at an entry; a negative entry is an error."""
    storage = place.storage
    body = Body()
    body.fail_if("at < 0", "site", 0)
    _read_stored(lowering, place, body)
    if storage.has_none:
        body.fail_if(f"m == {storage.put(storage.none)}", "site", 0)
    head = "(C: ints[CONTEXT], S: state, at: int, site: int, unset: int) -> bits"
    sites = f"{lowering.text.site('none-value', span)}, {lowering.text.site('unset-variable', span)}"
    return f"{lowering.text.extract('read_set', head, body, storage.take_text('m'))}(C, S, {at}, {sites})"


def _read_none(lowering: Lowering, place: Place, at: str, may_miss: bool, span: Span) -> str:
    """The condition that an entry is none or does not exist."""
    storage = place.storage
    if not storage.marks:
        return f"({at} < 0)" if may_miss else "0"
    body = Body()
    body.return_if("at < 0", 1)
    _read_stored(lowering, place, body)
    head = "(C: ints[CONTEXT], S: state, at: int, unset: int) -> int"
    is_no_set = f"m == {storage.put(storage.none)}" if storage.has_none else 0
    helper = lowering.text.extract("is_no_set", head, body, is_no_set)
    return f"{helper}(C, S, {at}, {lowering.text.site('unset-variable', span)})"


def _read_stored(lowering: Lowering, place: Place, body: Body) -> None:
    """The entry ``at`` in its stored form, as ``m``; it must not be unset."""
    body.line(f"m: bits = {stored_text(lowering, place, 'at')}")
    if place.storage.has_unset:
        body.fail_if("m == 0", "unset", 0)


def set_from_stored(type: Type, text: str) -> Mask:
    """The set in a place of this type, from its stored form."""
    storage = encoding.storage_of(type)
    none = f"({text} == {storage.put(storage.none)})" if storage.has_none else "0"
    return Mask(storage.take_text(text), set_element(type), True, none)


def set_to_store(lowering: Lowering, expr: Expr, env: Env, type: Type, storage: Storage) -> str:
    """The stored form of a set, perhaps none, in a place of this type."""
    if isinstance(expr.type, NoneType):
        return str(storage.put(storage.none))
    text = storage.put_text(stored_set(lowering, expr, env, type))
    if not isinstance(expr.type, OptionalType) or not isinstance(type, OptionalType):
        return text
    return f"({storage.put(storage.none)} if {is_none(lowering, expr, env)} else {text})"


def has_chosen(lowering: Lowering, expr: model.Chosen, env: Env) -> str:
    """The condition that a player chose the rule."""
    body, code = _read_choice(lowering, expr)
    is_chosen = f"x >= 0 and {lowering.moves.rule_text('x')} == {code.number}"
    helper = lowering.text.extract("chosen", "(S: state, p: int) -> int", body, is_chosen)
    return f"{helper}(S, {lowering.whole(expr.player, env)})"


def chosen_set(lowering: Lowering, expr: model.Chosen, env: Env) -> str:
    """The set chosen by a player."""
    body, argument, is_another = read_chosen_argument(lowering, expr)
    body.fail_if(is_another, "site", 0)
    head = "(C: ints[CONTEXT], S: state, p: int, site: int) -> bits"
    helper = lowering.text.extract("choice", head, body, argument)
    site = lowering.text.site("none-value", expr.span)
    return f"{helper}(C, S, {lowering.whole(expr.player, env)}, {site})"


def read_chosen_argument(lowering: Lowering, expr: model.Chosen) -> tuple[Body, str, str]:
    """A body that reads the choice of player ``p``; the argument in it, and the condition that ``p`` chose another rule
    or none."""
    assert expr.parameter is not None
    body, code = _read_choice(lowering, expr)
    is_another = f"x < 0 or {lowering.moves.rule_text('x')} != {code.number}"
    return body, code.argument_text("x", expr.parameter), is_another


def _read_choice(lowering: Lowering, expr: model.Chosen) -> tuple[Body, RuleCode]:
    """A body that reads the choice of player ``p`` as ``x``, a move or -1, and the code of the rule that is meant."""
    choices = lowering.layout.choices
    assert choices is not None
    body = Body()
    body.line(f"x: int = S[{choices} + p] - 1")
    return body, lowering.moves.of(lowering.layout.phases[lowering.phase].name, expr.rule.name)
