"""Sets as masks, and conditions on all members of a type at once.

:func:`which` turns a condition on a name into the mask of all values of the name for which it holds. It works on whole
planes of the state ("the squares on which a piece of p stands" is an AND of two words), and only where nothing can go
wrong on the way, so that it does not matter that more is evaluated than the reference machine looks at.
"""

from __future__ import annotations

from interpreter import model
from interpreter.model import Binder, Expr
from interpreter.native import images, lines, loops
from interpreter.native.bindings import Env, Mask, Row, Scalar, Thunk
from interpreter.native.encoding import is_set, none_code, number_type, places, universe
from interpreter.native.lowering import MASKS, Lowering
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.native.variables import entry, needs_check, stored_text
from interpreter.reference.storage import fits
from interpreter.rewriting import free_slots, reads_state
from interpreter.types import PartType, SetType, TupleType, Type, strip_none

# ------------------------------------------------------------------- sets


def _local(lowering: Lowering, expr: model.Local, env: Env) -> str:
    match env.get(expr.slot):
        case Mask(text=text, element=element):
            return lowering.aligned(text, element, lowering.element(expr))
        case Row(mask=text, element=element):
            return lowering.aligned(text, element, lowering.element(expr))
        case Thunk(expr=inner, env=inner_env):
            return lowering.mask(inner, inner_env, lowering.element(expr))
        case _:
            raise Unsupported(f"the set {expr.name} here")


def _make_set(lowering: Lowering, expr: model.MakeSet, env: Env) -> str:
    low, _ = universe(lowering.element(expr))
    bits = []
    for item in expr.items:
        value = lowering.scalar(item, env, lowering.element(expr))
        if value.has_none:
            none = none_code(item.type)
            helper = lowering.helper(
                "bit",
                "x: int, low: int",
                [f"if x == {none}:", "    return 0", "m: bits = 1", "return m << (x - low)"],
                "bits",
            )
        else:
            helper = lowering.helper("bit", "x: int, low: int", ["m: bits = 1", "return m << (x - low)"], "bits")
        bits.append(f"{helper}({value.text}, {low})")
    return f"({' | '.join(bits)})" if bits else "0"


def _operation(lowering: Lowering, expr: model.SetOperation, env: Env) -> str:
    element = lowering.element(expr)
    left, right = lowering.mask(expr.left, env, element), lowering.mask(expr.right, env, element)
    match expr.operator:
        case "+":
            return f"({left} | {right})"
        case "*":
            return f"({left} & {right})"
        case "-":
            return f"({left} & ({right} ^ {lowering.full}))"


def _read(lowering: Lowering, expr: model.Read, env: Env) -> str:
    place = lowering.layout.places[expr.variable]
    at, may_miss = entry(lowering, place, expr.indices, env)
    if may_miss:
        raise Unsupported("a set that may be none")
    assert isinstance(expr.variable.type, SetType)
    return lowering.aligned(stored_text(lowering, place, at), expr.variable.type.element, lowering.element(expr))


def _if(lowering: Lowering, expr: model.If, env: Env) -> str:
    element = lowering.element(expr)
    condition = lowering.condition(expr.condition, env)
    yes, no = lowering.mask(expr.yes, env, element), lowering.mask(expr.no, env, element)
    return f"({yes} if {condition} else {no})"


def _let(lowering: Lowering, expr: model.Let, env: Env) -> str:
    body = Body()
    body.line(f"return {lowering.mask(expr.body, loops.let(lowering, body, expr, env), lowering.element(expr))}")
    return lowering.text.lift("let", body, "bits")


def _call(lowering: Lowering, expr: model.Call, env: Env) -> str:
    body = Body()
    inner = lowering.define_env(body, expr, env)
    body.line(f"return {lowering.mask(expr.define.body, inner, lowering.element(expr))}")
    return lowering.text.lift(expr.define.name, body, "bits")


def _comprehension(lowering: Lowering, expr: model.Comprehension, env: Env) -> str:
    if len(expr.binders) == 1 and isinstance(expr.element, model.Local) and expr.element.slot == expr.binders[0].slot:
        found = selected(lowering, expr.binders[0], env)
        if found is not None:
            return lowering.aligned(found, lowering.element(expr.binders[0].domain), lowering.element(expr))
    for whole in (images.values, images.union, _united):
        united = whole(lowering, expr, env)
        if united is not None:
            return united
    body = Body()
    mask = lowering.text.local(body, "m", "bits")
    one = lowering.text.local(body, "one", "bits")
    body.line(f"{mask}: bits = 0")
    body.line(f"{one}: bits = 1")
    low, _ = universe(lowering.element(expr))

    def add(inner: Env) -> None:
        value = lowering.scalar(expr.element, inner, lowering.element(expr))
        name = lowering.bind(body, value, "e").text
        if value.has_none:
            with body.block(f"if {name} != {none_code(expr.element.type)}"):
                body.line(f"{mask} = {mask} | ({one} << ({name} - {low}))")
        else:
            body.line(f"{mask} = {mask} | ({one} << ({name} - {low}))")

    loops.bindings(lowering, expr.binders, env, body, add)
    body.line(f"return {mask}")
    return lowering.text.lift("set", body, "bits")


def _united(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
    """The members of the last binder's sets, united over the bindings of the others; None where that takes a loop."""
    *others, last = expr.binders
    if not others or not isinstance(expr.element, model.Local) or expr.element.slot != last.slot:
        return None
    body = Body()
    mask = lowering.text.local(body, "m", "bits")
    body.line(f"{mask}: bits = 0")
    has_masks = True

    def unite(inner: Env) -> None:
        nonlocal has_masks
        found = selected(lowering, last, inner)
        has_masks = found is not None
        if found is not None:
            found = lowering.aligned(found, lowering.element(last.domain), lowering.element(expr))
            body.line(f"{mask} = {mask} | {found}")

    loops.bindings(lowering, tuple(others), env, body, unite)
    body.line(f"return {mask}")
    return lowering.text.lift("set", body, "bits") if has_masks else None


def _looped(lowering: Lowering, expr: Expr, env: Env) -> str:
    """The set by a loop over its members."""
    body = Body()
    mask = lowering.text.local(body, "m", "bits")
    one = lowering.text.local(body, "one", "bits")
    body.line(f"{mask}: bits = 0")
    body.line(f"{one}: bits = 1")
    low, _ = universe(lowering.element(expr))

    def add(value: str) -> None:
        body.line(f"{mask} = {mask} | ({one} << ({value} - {low}))")

    loops.each(lowering, expr, env, body, add)
    body.line(f"return {mask}")
    return lowering.text.lift("set", body, "bits")


def _apply(lowering: Lowering, expr: model.Apply, env: Env) -> str:
    if expr.function == "neighbours_in":
        return _looped(lowering, expr, env)
    table = loops.table_of_sets(lowering, expr, env)
    if table is None:
        raise Unsupported(f"Apply {expr.function}")
    return table


def _reach(lowering: Lowering, expr: model.Reach, env: Env) -> str:
    element = lowering.element(expr)
    low, _ = universe(element)
    if number_type(element) is not None and fits(element, lowering.element(expr.step)) is not None:
        raise Unsupported("a closure that may leave the range where it starts")
    by_rounds = images.closure(lowering, expr, env)
    if by_rounds is not None:
        return by_rounds
    body = Body()
    found, todo = lowering.text.local(body, "found", "bits"), lowering.text.local(body, "todo", "bits")
    new = lowering.text.local(body, "new", "bits")
    name = lowering.text.local(body, "x")
    body.line(f"{found}: bits = {lowering.mask(expr.start, env, element)}")
    body.line(f"{todo}: bits = {found}")
    with body.block(f"while {todo} != 0"):
        body.line(f"{name}: int = lowest({todo}) + {low}")
        body.line(f"{todo} = {todo} & ({todo} - 1)")
        step = lowering.mask(expr.step, {**env, expr.slot: Scalar(name)}, element)
        body.line(f"{new}: bits = {step} & ({found} ^ {lowering.full})")
        body.line(f"{found} = {found} | {new}")
        body.line(f"{todo} = {todo} | {new}")
    body.line(f"return {found}")
    return lowering.text.lift("reach", body, "bits")


MASKS.update(
    {
        model.Local: _local,
        model.MakeSet: _make_set,
        model.SetOperation: _operation,
        model.Read: _read,
        model.If: _if,
        model.Let: _let,
        model.Call: _call,
        model.Comprehension: _comprehension,
        model.RangeSet: _looped,
        model.Apply: _apply,
        model.Reach: _reach,
    }
)

# ------------------------------------------- conditions on all members at once


def selected(lowering: Lowering, binder: Binder, env: Env, *conditions: Expr) -> str | None:
    """The mask of all values of a binder that meet its tests and more ``conditions``; None where it takes a loop."""
    if is_set(lowering.element(binder.domain)):
        return None
    if binder.stop is not None:
        return lines.stopped(lowering, binder, env, conditions)
    parts = []
    element = lowering.element(binder.domain)
    if isinstance(binder.domain, model.Const) and number_type(element) is None:
        element = PartType(element, binder.domain.value)
    for condition in (*binder.tests, *conditions):
        part = which(lowering, condition, binder.slot, element, env)
        if part is None:
            return None
        parts.append(part)
    if not parts and isinstance(binder.domain, model.Apply):
        table = lowering.tabulated_mask(binder.domain, env, 4096)
        if table is None:
            return None
    try:
        return "(" + " & ".join([lowering.mask(binder.domain, env), *parts]) + ")"
    except Unsupported:
        return None


def which(lowering: Lowering, condition: Expr, slot: int, element: Type, env: Env) -> str | None:
    """The mask of the values of ``slot`` for which ``condition`` holds; None where it takes a loop."""
    if slot not in free_slots(condition):
        return _everything_if(lowering, condition, element, env)
    _, size = universe(element)
    whole = (1 << size) - 1
    match condition:
        case model.And(parts=parts) | model.Or(parts=parts):
            masks = [which(lowering, part, slot, element, env) for part in parts]
            if any(mask is None for mask in masks):
                return None
            joined = (" & " if isinstance(condition, model.And) else " | ").join(map(str, masks))
            return f"({joined})"
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
    if reads_state(condition) or number_type(element) is not None:
        return None
    base = element.base
    binder = Binder(slot, "x", model.Const(base.members, type=SetType(base), span=condition.span), tests=(condition,))
    local = model.Local(slot, "x", type=base, span=condition.span)
    whole = model.Comprehension(local, (binder,), type=SetType(base), span=condition.span)
    return lowering.tabulated_mask(whole, env, 4096)


def _can_fail(lowering: Lowering, expr: Expr) -> bool:
    """Whether evaluating the expression can go wrong (then it must not be evaluated for nothing)."""
    sites = len(lowering.text.sites)
    return not is_plain(expr) or len(lowering.text.sites) != sites


def is_plain(expr: Expr) -> bool:
    """Whether nothing can go wrong when the expression is evaluated."""
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
        case model.Compare(operator="==" | "!=", left=left, right=right):
            return is_plain(left) and is_plain(right)
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
        helper = lowering.helper(
            "only", "x: int", ["if x < 0:", "    return 0", "m: bits = 1", "return m << x"], "bits"
        )
        return f"{helper}({value.text})"
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
    if not path:
        value = lowering.scalar(right, env, left.type)
        if value.has_none and not storage.has_none:
            return None
        return _matching(lowering, planes, value, storage.bias, whole)
    base = strip_none(left.type).base
    assert isinstance(base, TupleType)
    place, shift = places(base)[path[0].index]
    value = lowering.scalar(right, env, path[0].type)
    if place.has_none or place.bias or value.has_none:
        return None
    found = _matching(lowering, planes[shift : shift + place.width], value, 0, whole)
    return f"({planes[-1]} & {found})" if storage.has_none and found is not None else found


def _matching(lowering: Lowering, planes: list[str], value: Scalar, bias: int, whole: int) -> str | None:
    """Where the planes hold a value."""
    if not planes:
        return str(whole)
    try:
        constant = int(value.text.strip("()")) - bias
    except ValueError:
        text = value.text if bias == 0 else f"({value.text} + {-bias})"
        names = [f"p{k}" for k in range(len(planes))]
        matches = [f"({name} if (x >> {k}) & 1 != 0 else {name} ^ w)" for k, name in enumerate(names)]
        parameters = "".join(f"{name}: bits, " for name in names)
        helper = lowering.helper("where", f"{parameters}x: int, w: bits", [f"return {' & '.join(matches)}"], "bits")
        return f"{helper}({', '.join(planes)}, {text}, {whole})"
    if constant < 0 or constant >> len(planes):
        return "0"
    return "(" + " & ".join(p if constant >> k & 1 else f"({p} ^ {whole})" for k, p in enumerate(planes)) + ")"


def _planes(lowering: Lowering, read: Expr, slot: int, element: Type, env: Env) -> list[str] | None:
    """The planes of a variable whose last index is ``slot``, cut down to the entries that its other indices name."""
    if not isinstance(read, model.Read) or not read.indices:
        return None
    place = lowering.layout.places[read.variable]
    *others, last = read.indices
    if not place.is_planes or place.storage.has_unset or not isinstance(last, model.Local) or last.slot != slot:
        return None
    index = place.indices[-1]
    if universe(element)[0] != index.bias or not _lies_in(element, index.type):
        return None
    names = [f"S[{place.first + k}]" for k in range(place.storage.width)]
    if not others:
        return names
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
    stride = place.indices[-1].extent
    return [f"((({name}) >> ({at} * {stride})) & {(1 << stride) - 1})" for name in names]


def _lies_in(element: Type, index: Type) -> bool:
    if isinstance(element, PartType):
        return all(index.contains(value) for value in element.chosen)
    return fits(index, element) is None
