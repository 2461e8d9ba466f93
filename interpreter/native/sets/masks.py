"""Sets as masks, and sets of sets as lists of masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Final, Literal

from attrs import define, evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.cardinality import common_type, most_rounds
from zermelo.interpreter.model.rewriting import bound_slots, slots
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported, describe_expression, join_operands
from zermelo.interpreter.native.expressions.bindings import (
    Binding,
    Env,
    Listing,
    Mask,
    Row,
    Scalar,
    Thunk,
    code_of,
    growing_set,
    member_set,
)
from zermelo.interpreter.native.expressions.lowering import (
    IMPOSSIBLE,
    MASKS,
    SCALARS,
    Lowering,
    checked_sum,
    encode_number,
)
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_set, stored_text
from zermelo.interpreter.native.sets import conditions, families, loops
from zermelo.interpreter.native.sets.conditions import is_ascending, name_key_of_sets, open_names, stem_of
from zermelo.interpreter.native.sets.loops import may_leave
from zermelo.interpreter.native.state_encoding.encoding import (
    encode,
    is_set,
    most_values,
    none_code,
    scale_of,
    set_element,
    universe,
)
from zermelo.interpreter.types import BOOL, NoneType, OptionalType, SetType, Type
from zermelo.interpreter.values import Value

# Sets of sets as arrays of distinct masks, in the order of the set of sets.
#
# A comprehension keeps the order in which it finds its members. Braces and operations sort them in the order of the
# language: smaller sets first, those of one size lexicographically by their ascending members.


ROOM: Final = 1 << 13
"""The most bytes of an array; plays with more sets fall back to the reference machine."""


def list_sets(lowering: Lowering, expr: Expr, env: Env, body: Body, element: Type | None = None) -> Listing:
    """The sets in a set of sets, listed as masks over ``element``, by default their own element type."""
    element = set_element(lowering.element(expr)) if element is None else element
    size = _array_length(lowering, expr)
    array, count = lowering.text.array(body, "sets", size, "masks"), lowering.text.let(body, "n", 0)
    put = instantiate(lowering.text, "sets", SIZE=size)["listed"]
    site = lowering.text.site("overflow", expr.span) if most_values(expr) > size else 0
    filling = _Filling(lowering, body, element, array, count, put, site)
    if filling.put_all(expr, env):
        sort = instantiate(lowering.text, "sets", SIZE=size)["sort"]
        body.line(f"{sort}({array}, {count})")
    return Listing(array, count, element, filling.are_ascending)


def _array_length(lowering: Lowering, expr: Expr) -> int:
    """The length of the array for a set of sets."""
    return max(1, min(most_values(expr), ROOM * 8 // lowering.layout.width))


@define(eq=False, repr=False)
class _Filling:
    """An array in the making: ``put`` is the function that appends a set. ``are_ascending``: the order of each set so
    far is that of its type."""

    lowering: Lowering
    body: Body
    element: Type
    array: str
    count: str
    put: str
    site: int
    are_ascending: bool = True

    def put_all(self, expr: Expr, env: Env) -> bool:
        """Append all sets of a set of sets. Returns whether they must still be sorted."""
        lowering, body = self.lowering, self.body
        match expr:
            case model.MakeSet(items=items):
                for item in items:
                    self.put_set(item, env)
            case model.SetOperation(operator="+", left=left, right=right):
                self.put_sets(left, env)
                self.put_sets(right, env)
            case model.SetOperation(operator=operator, left=left, right=right):
                both = common_type(*(set_element(lowering.element(side)) for side in (left, right)))
                one, two = list_sets(lowering, left, env, body, both), list_sets(lowering, right, env, body, both)
                name = lowering.text.local(body, "i")
                with body.block(f"for {name} in range({one.count})"):
                    found = f"{one.array}[{name}]"
                    is_listed = instantiate(lowering.text, "sets", SIZE=_array_length(lowering, right))["is_listed"]
                    is_there = f"{is_listed}({two.array}, {two.count}, {found})"
                    with body.block(f"if {is_there} == {int(operator == '*')}"):
                        self.put_mask(lowering.aligned(found, both, self.element), one.is_ascending)
            case model.Reach(slot=slot, start=start, step=step):
                if may_leave(lowering, expr):
                    raise Unsupported("'reach' that may leave the range of its start, by sets of numbers")
                self.put_sets(start, env)
                at = lowering.text.let(body, "at", 0)
                with body.block(f"while {at} < {self.count}"):
                    name = lowering.text.let(body, "one", f"{self.array}[{at}]", "bits")
                    body.line(f"{at} += 1")
                    self.put_sets(step, {**env, slot: Mask(name, self.element, self.are_ascending)})
            case model.If(condition=condition, yes=yes, no=no):
                with body.block(f"if {lowering.condition(condition, env)}"):
                    self.put_sets(yes, env)
                with body.block("else"):
                    self.put_sets(no, env)
                return False
            case model.Comprehension(element=element, binders=binders) if not expr.is_part:
                loops.loop_over_bindings(lowering, binders, env, body, lambda now: self.put_set(element, now))
                return False
            case _:
                self.put_sets(expr, env)
                return False
        return True

    def put_sets(self, expr: Expr, env: Env) -> None:
        """Append the sets of a set of sets in a loop over it."""

        def put_one(found: Binding) -> None:
            mask, own, is_ascending = member_set(found)
            self.put_mask(self.lowering.aligned(mask, own, self.element), is_ascending)

        loops.loop_over_set(self.lowering, expr, env, self.body, put_one)

    def put_set(self, expr: Expr, env: Env) -> None:
        """Append one set, unless it is none."""
        mask, ascends = self.lowering.mask(expr, env, self.element), is_ascending(expr, env)
        if isinstance(expr.type, OptionalType):
            with self.body.block(f"if not {conditions.is_none(self.lowering, expr, env)}"):
                self.put_mask(mask, ascends)
        else:
            self.put_mask(mask, ascends)

    def put_mask(self, mask: str, is_ascending: bool) -> None:
        self.are_ascending = self.are_ascending and is_ascending
        self.body.line(f"{self.count} = {self.put}(C, {self.array}, {self.count}, {mask}, {self.site})")


# Queries of sets of sets, which have no masks: loops over the sets.


def is_set_of_sets(type: Type) -> bool:
    return is_set(type) and is_set(set_element(type))


def lower_size_or_any(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``size`` and ``any``: the number of sets, or whether there are any."""
    (sets,) = expr.arguments
    if isinstance(sets, model.Comprehension) and sets.is_part:
        binders = sets.binders
    else:
        binders = (Binder(_fresh_slot(expr, env), "member", sets),)
    quantifier: Literal["count", "some"] = "count" if expr.function == "size" else "some"
    always = model.Const(True, type=BOOL, span=sets.span)
    return lowering.scalar(model.Quantified(quantifier, binders, always, type=expr.type, span=expr.span), env)


def lower_family_contains(lowering: Lowering, expr: model.Contains, env: Env) -> Scalar:
    """Whether a set, which may be none, is in a set of sets."""
    if isinstance(expr.item.type, NoneType):
        return Scalar("0")
    body, sets = Body(), expr.collection
    element = common_type(set_element(expr.item.type), set_element(lowering.element(sets)))
    if isinstance(expr.item.type, OptionalType):
        body.return_if(conditions.is_none(lowering, expr.item, env), 0)
    mask = lowering.text.let(body, "item", lowering.mask(expr.item, env, element), "bits")
    if isinstance(sets, model.Subsets):
        whole, count = lowering.mask(sets.collection, env, element), lowering.whole(sets.count, env)
        is_there = f"({mask} & {whole}) == {mask} and popcount({mask}) == {count}"
        return Scalar(lowering.text.lift("contains", body, is_there))

    def compare(binding: Binding) -> None:
        found, own, _ = member_set(binding)
        body.return_if(f"{lowering.aligned(found, own, element)} == {mask}", 1)

    loops.loop_over_set(lowering, sets, env, body, compare)
    return Scalar(lowering.text.lift("contains", body, 0))


def compare_families(lowering: Lowering, expr: model.Compare, env: Env) -> Scalar:
    """Whether two sets of sets are equal: each contains every set of the other."""
    if isinstance(expr.left.type, OptionalType) or isinstance(expr.right.type, OptionalType):
        raise Unsupported("a comparison of sets of sets that may be none")
    slot, parts = _fresh_slot(expr, env), []
    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
        member = model.Local(slot, "member", type=set_element(side.type), span=side.span)
        is_there = model.Contains(member, other, type=BOOL, span=expr.span)
        binders = (Binder(slot, "member", side),)
        parts.append(model.Quantified("all", binders, is_there, type=BOOL, span=expr.span))
    equal = lowering.condition(model.And(tuple(parts), type=BOOL, span=expr.span), env)
    return Scalar(equal if expr.operator == "==" else f"(not {equal})")


def choose_from_family(lowering: Lowering, expr: model.Quantified, env: Env) -> str:
    """``first`` and ``last``: the mask of the chosen set; an error if there is none."""
    body, element = Body(), lowering.element(expr)
    (binder,) = expr.binders
    found, mask = lowering.text.let(body, "found", 0), lowering.text.let(body, "m", 0, "bits")

    def look(now: Env) -> None:
        with body.block(f"if {lowering.condition(expr.body, now)}"):
            one, own, _ = member_set(now[binder.slot])
            body.line(f"{mask} = {lowering.aligned(one, own, element)}")
            if expr.quantifier == "first":
                body.line(f"return {mask}")
            else:
                body.line(f"{found} = 1")

    loops.loop_over_bindings(lowering, expr.binders, env, body, look)
    lowering.fault_if(body, f"{found} == 0", "none-value", expr.span)
    return lowering.text.lift(expr.quantifier, body, mask, "bits")


def _fresh_slot(expr: Expr, env: Env) -> int:
    """A slot unused in an expression and its environment."""
    return 1 + max({*slots(expr), *bound_slots(expr), *env}, default=-1)


# Loops over sets of sets: the subsets of a set, constant sets such as the lines of a board, and all others, which are
# put into an array first (see above).
#
# Each becomes a single loop of the dialect, so that ``break`` leaves it.


WithBinding = Callable[[Binding], None]

_LISTED = (model.MakeSet, model.SetOperation, model.If, model.Comprehension, model.Reach)
"""Sets of sets put into an array."""

_MOST_ROWS: Final = 1 << 14
"""The most sets in a table."""


def loop_over_family(lowering: Lowering, expr: Expr, env: Env, body: Body, inner: WithBinding) -> None:
    """A loop over a set of sets, in its order."""
    if is_set(set_element(lowering.element(expr))):
        raise Unsupported("sets of sets of sets")
    match expr:
        case model.Const(value=value):
            _loop_over_rows(lowering, "0", [value], lowering.element(expr), body, inner)
        case model.Local(slot=slot):
            binding = env[slot]
            if isinstance(binding, Thunk):
                loop_over_family(lowering, binding.expr, binding.env, body, inner)
            else:
                assert isinstance(binding, Listing), "a name of a set of sets"
                _loop_along_listing(lowering, binding, body, inner)
        case model.Subsets():
            _loop_over_subsets(lowering, expr, env, body, inner)
        case model.Comprehension(binders=(binder,)) if expr.is_part:
            loops.loop_over_bindings(lowering, expr.binders, env, body, lambda now: inner(now[binder.slot]))
        case model.Call() | model.Let():
            loop_over_family(lowering, *open_names(lowering, expr, env, body), body, inner)
        case _:
            found = lowering.sets(expr, env)
            if found is not None and sum(len(value) for value in found[1] if value is not IMPOSSIBLE) <= _MOST_ROWS:
                _loop_over_rows(lowering, *found, lowering.element(expr), body, inner)
                return
            if not isinstance(expr, _LISTED):
                raise Unsupported(f"a loop over {describe_expression(expr)}")
            _loop_along_listing(lowering, list_sets(lowering, expr, env, body), body, inner)


def _loop_along_listing(lowering: Lowering, sets: Listing, body: Body, inner: WithBinding) -> None:
    """A loop along an array."""
    with (
        lowering.each_entry(body, sets.array, sets.count, "bits") as name,
        lowering.asking.inside(ROOM, body),
    ):
        inner(Mask(name, sets.element, sets.is_ascending))


def _loop_over_subsets(lowering: Lowering, expr: model.Subsets, env: Env, body: Body, inner: WithBinding) -> None:
    """A loop over the subsets of a set in lexicographic order."""
    text, element = lowering.text, lowering.element(expr.collection)
    functions = instantiate(text, "sets")
    whole = text.let(body, "whole", lowering.mask(expr.collection, env), "bits")
    count = text.let(body, "count", lowering.whole(expr.count, env))
    left = text.let(body, "left", f"0 <= {count} and {count} <= popcount({whole})")
    later = text.let(body, "later", f"{functions['first_subset']}({whole}, {count} if {left} else 0)", "bits")
    with body.block(f"while {left} != 0"), lowering.asking.inside(most_rounds(expr), body):
        chosen = text.let(body, "chosen", later, "bits")
        body.line(f"{later} = {functions['next_subset']}({whole}, {chosen})")
        body.line(f"{left} = {later} != 0")
        inner(Mask(chosen, element))


def _loop_over_rows(
    lowering: Lowering, index: str, sets: Sequence[Value], of_sets: Type, body: Body, inner: WithBinding
) -> None:
    """A loop over constant sets, those at ``index`` of a table."""
    text, element = lowering.text, set_element(of_sets)
    universe(element)  # they must have masks
    found = [row for value in sets if value is not IMPOSSIBLE for row in value]
    lists = [[encode(item, element) for item in row] for row in found]
    starts, members = [0], []
    for codes in lists:
        members.extend(codes)
        starts.append(len(members))
    row_masks = [encode(row, of_sets) for row in found]
    ascending = all(codes == sorted(codes) for codes in lists)
    if not row_masks:
        return
    ends = str(len(row_masks))
    if len(sets) > 1:
        counts = [0 if value is IMPOSSIBLE else len(value) for value in sets]
        firsts, which = text.table([0, *accumulate(counts)]), text.let(body, "which", index)
        ends = f"{firsts}[{which}], {firsts}[{which} + 1]"
    at = text.local(body, "row")
    with body.block(f"for {at} in range({ends})"), lowering.asking.inside(len(row_masks), body):
        masks = text.table(row_masks, "bits")
        mask = text.let(body, "line", f"{masks}[{at}]", "bits")
        inner(Row(mask, masks, element, text.table(starts), text.table(members or [0]), at, ascending))


def _lower_local(lowering: Lowering, expr: model.Local, env: Env) -> str:
    match env.get(expr.slot):
        case Mask(element=element) as binding:
            return lowering.aligned(
                conditions.set_of_name(lowering, binding, expr.span), element, lowering.element(expr)
            )
        case Row(mask=text, element=element):
            return lowering.aligned(text, element, lowering.element(expr))
        case Thunk(expr=inner, env=inner_env):
            return lowering.mask(inner, inner_env, lowering.element(expr))
        case _:
            raise Unsupported(f"the set '{expr.name}' here")


def _lower_make_set(lowering: Lowering, expr: model.MakeSet, env: Env) -> str:
    element = lowering.element(expr)
    low, _ = universe(element)
    bits = []
    for item in expr.items:
        value = encode_number(lowering, lowering.scalar(item, env, element), element, item.span)
        if value.has_none:
            bits.append(f"{lowering.helper('bit_if_any')}({value.text}, {low}, {none_code(element)})")
        else:
            bits.append(f"{lowering.helper('bit')}({value.text}, {low})")
    return f"({join_operands('|', bits)})" if bits else "0"


def _lower_operation(lowering: Lowering, expr: model.SetOperation, env: Env) -> str:
    element = lowering.element(expr)
    left, right = lowering.mask(expr.left, env, element), lowering.mask(expr.right, env, element)
    match expr.operator:
        case "+":
            return f"({left} | {right})"
        case "*":
            return f"({left} & {right})"
        case "-":
            return f"({left} & ({right} ^ {lowering.full}))"


def _lower_read(lowering: Lowering, expr: model.Read, env: Env) -> str:
    place = lowering.layout.places[expr.variable]
    at, may_miss = position_of_entry(lowering, place, expr.indices, env)
    if may_miss or place.storage.marks:
        text = conditions.set_at_entry(lowering, place, at, expr.span)
    else:
        text = stored_text(lowering, place, at)
    return lowering.aligned(text, set_element(expr.variable.type), lowering.element(expr))


def _lower_if(lowering: Lowering, expr: model.If, env: Env) -> str:
    element = lowering.element(expr)
    condition = lowering.condition(expr.condition, env)
    yes, no = lowering.mask(expr.yes, env, element), lowering.mask(expr.no, env, element)
    return f"({yes} if {condition} else {no})"


def _lower_named(lowering: Lowering, expr: model.Call | model.Let, env: Env) -> str:
    body = Body()
    inner, now = open_names(lowering, expr, env, body)
    result = lowering.mask(inner, now, lowering.element(expr))
    return lowering.text.lift(stem_of(expr), body, result, "bits")


def _lower_comprehension(lowering: Lowering, expr: model.Comprehension, env: Env) -> str:
    if expr.is_part:
        found = conditions.select_mask(lowering, expr.binders[0], env)
        if found is not None:
            return lowering.aligned(found, lowering.element(expr.binders[0].domain), lowering.element(expr))
    for whole in (loops.lower_entry_values, loops.lower_union, _unite_masks):
        united = whole(lowering, expr, env)
        if united is not None:
            return united
    element = lowering.element(expr)

    def fill(body: Body, add: Callable[[str], None]) -> None:
        def put(inner: Env) -> None:
            value = encode_number(lowering, lowering.scalar(expr.element, inner, element), element, expr.span)
            name = lowering.bind(body, value, "e").text
            if value.has_none:
                with body.block(f"if {name} != {none_code(element)}"):
                    add(name)
            else:
                add(name)

        loops.loop_over_bindings(lowering, expr.binders, env, body, put)

    return _collect_codes(lowering, element, fill)


def _unite_masks(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
    """The union of the last binder's sets over the bindings of the others; None if that takes a loop."""
    *others, last = expr.binders
    if not others or not isinstance(expr.element, model.Local) or expr.element.slot != last.slot:
        return None
    body = Body()
    mask = lowering.text.let(body, "m", 0, "bits")
    has_masks = True

    def unite(inner: Env) -> None:
        nonlocal has_masks
        found = conditions.select_mask(lowering, last, inner)
        has_masks = found is not None
        if found is not None:
            found = lowering.aligned(found, lowering.element(last.domain), lowering.element(expr))
            body.line(f"{mask} = {mask} | {found}")

    loops.loop_over_bindings(lowering, tuple(others), env, body, unite)
    return lowering.text.lift("set", body, mask, "bits") if has_masks else None


def _collect_by_loop(lowering: Lowering, expr: Expr, env: Env) -> str:
    """The set by a loop over its members."""
    element = lowering.element(expr)
    return _collect_codes(
        lowering, element, lambda body, add: loops.loop_over_codes(lowering, expr, env, element, body, add)
    )


def _collect_codes(lowering: Lowering, element: Type, fill: Callable[[Body, Callable[[str], None]], None]) -> str:
    """The set of the codes that ``fill`` adds in a body."""
    body = Body()
    low, _ = universe(element)
    found = growing_set(lowering.text, body, "m", low)
    fill(body, partial(found.add, body))
    return lowering.text.lift("set", body, found.mask, "bits")


def _lower_apply(lowering: Lowering, expr: model.Apply, env: Env) -> str:
    return (
        _collect_by_loop(lowering, expr, env)
        if expr.function == "neighbours_in"
        else _lower_by_table(lowering, expr, env)
    )


def _lower_by_table(lowering: Lowering, expr: model.Apply | model.Lookup, env: Env) -> str:
    """A function or a table in braces whose values are sets, as a table of masks."""
    body = Body()
    named = name_key_of_sets(lowering, expr, env, body)
    table = None if named is None else lowering.tabulated_mask(*named)
    if table is None:
        raise Unsupported(f"{describe_expression(expr)} with such arguments")
    return lowering.text.lift("at", body, table, "bits") if body.lines else table


def _lower_reach(lowering: Lowering, expr: model.Reach, env: Env) -> str:
    element = lowering.element(expr)
    low, _ = universe(element)
    may_leave = loops.may_leave(lowering, expr)
    by_rounds = loops.lower_closure(lowering, expr, env)
    if by_rounds is not None:
        return by_rounds
    body = Body()
    found = lowering.text.let(body, "found", lowering.mask(expr.start, env, element), "bits")
    todo = lowering.text.let(body, "todo", found, "bits")
    with lowering.each_member(body, todo, low) as name:
        inner: Env = {**env, expr.slot: code_of(element, name)}
        step = (
            stored_set(lowering, expr.step, inner, SetType(element))
            if may_leave
            else lowering.mask(expr.step, inner, element)
        )
        new = lowering.text.let(body, "new", f"{step} & ({found} ^ {lowering.full})", "bits")
        body.line(f"{found} = {found} | {new}")
        body.line(f"{todo} = {todo} | {new}")
    return lowering.text.lift("reach", body, found, "bits")


MASKS.update(
    {
        model.Local: _lower_local,
        model.MakeSet: _lower_make_set,
        model.SetOperation: _lower_operation,
        model.Read: _lower_read,
        model.Const: conditions.lower_missing_set,
        model.Chosen: conditions.chosen_set,
        model.If: _lower_if,
        model.Let: _lower_named,
        model.Call: _lower_named,
        model.Comprehension: _lower_comprehension,
        model.RangeSet: _collect_by_loop,
        model.Apply: _lower_apply,
        model.Lookup: _lower_by_table,
        model.Reach: _lower_reach,
        model.Quantified: choose_from_family,
    }
)


# Quantifiers: on masks if possible, else as loops.


def _lower_quantified(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    if len(expr.binders) > 1 and expr.quantifier in ("some", "all", "no"):
        first, *rest = expr.binders
        quantifier: Literal["all", "some"] = "all" if expr.quantifier == "all" else "some"
        body = evolve(expr, quantifier=quantifier, binders=tuple(rest))
        return _lower_quantified(lowering, evolve(expr, binders=(first,), body=body), env)
    if len(expr.binders) == 1:
        for at_once in (_query_one_mask, families.query_family):
            found = at_once(lowering, expr, env)
            if found is not None:
                return found
        if expr.quantifier == "count" and isinstance(expr.body, model.Or):
            split = _count_alternatives(lowering, expr, expr.body, env)
            if split is not None:
                return split
        expr = _with_leading_parts_as_tests(lowering, expr, env)
    return _LOOPS[expr.quantifier](lowering, expr, env)


def _with_leading_parts_as_tests(lowering: Lowering, expr: model.Quantified, env: Env) -> model.Quantified:
    """The quantifier with those conjuncts of the body that can be tested on masks moved to its tests."""
    (binder,) = expr.binders
    body = expr.body
    if expr.quantifier not in ("some", "no", "count", "first", "last") or not isinstance(body, model.And):
        return expr
    for count in range(len(body.parts) - 1, 0, -1):
        leading = evolve(binder, tests=(*binder.tests, *body.parts[:count]))
        if binder.stop is None and conditions.select_mask(lowering, leading, env) is not None:
            rest = body.parts[count:]
            left = rest[0] if len(rest) == 1 else evolve(body, parts=rest)
            return evolve(expr, binders=(leading,), body=left)
    return expr


def _count_alternatives(lowering: Lowering, expr: model.Quantified, body: model.Or, env: Env) -> Scalar | None:
    """The count for a disjunction: members that meet the leading alternatives, counted on masks, plus others that meet
    the rest."""
    (binder,) = expr.binders
    for count in range(len(body.parts) - 1, 0, -1):
        first, rest = (
            parts[0] if len(parts) == 1 else evolve(body, parts=parts)
            for parts in (body.parts[:count], body.parts[count:])
        )
        neither = model.Not(first, type=first.type, span=first.span)
        others = evolve(binder, tests=(*binder.tests, neither))
        if conditions.select_mask(lowering, others, env) is None:
            continue
        one = conditions.select_mask(lowering, binder, env, first)
        two = _lower_quantified(lowering, evolve(expr, binders=(others,), body=rest), env)
        return Scalar(f"(popcount({one}) + {two.text})")
    return None


def _query_one_mask(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar | None:
    """The quantifier as a query of one mask."""
    (binder,) = expr.binders
    quantifier = expr.quantifier
    if quantifier in ("sum", "min", "max"):
        return None
    if quantifier in ("first", "last") and not is_ascending(binder.domain, env):
        return conditions.end_along_line(lowering, expr, env)
    body = expr.body
    condition = model.Not(body, type=body.type, span=body.span) if quantifier == "all" else body
    mask = conditions.select_mask(lowering, binder, env, condition)
    if mask is None:
        return None
    match quantifier:
        case "some":
            return Scalar(f"({mask} != 0)")
        case "all" | "no":
            return Scalar(f"({mask} == 0)")
        case "count":
            return Scalar(f"popcount({mask})")
        case _:
            low, _ = universe(lowering.element(binder.domain))
            helper = lowering.helper("least" if quantifier == "first" else "greatest")
            text = f"{helper}({mask}, {low}, {none_code(expr.type)})"
            return Scalar(text, True, scale_of(lowering.element(binder.domain)))


def _search_binding(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    """``some``, ``no`` or ``all``: a loop that stops at the first binding for which the body holds, or fails."""
    body = Body()
    sign, found = "not " if expr.quantifier == "all" else "", int(expr.quantifier == "some")

    def look(now: Env) -> None:
        body.return_if(f"{sign}{lowering.condition(expr.body, now)}", found)

    loops.loop_over_bindings(lowering, expr.binders, env, body, look)
    return Scalar(lowering.text.lift(expr.quantifier, body, 1 - found))


def _lower_count(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    total = lowering.text.let(body, "count", 0)

    def count(now: Env) -> None:
        with body.block(f"if {lowering.condition(expr.body, now)}"):
            body.line(f"{total} += 1")

    loops.loop_over_bindings(lowering, expr.binders, env, body, count)
    return Scalar(lowering.text.lift("count", body, total))


def _lower_sum(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    total = lowering.text.let(body, "sum", 0)
    scale = 1

    def add(now: Env) -> None:
        nonlocal scale
        value = lowering.value(expr.body, now)
        scale = value.scale
        body.line(f"{total} = {checked_sum(lowering, f'{total} + {value.text}', expr.type, scale, expr.span)}")

    loops.loop_over_bindings(lowering, expr.binders, env, body, add)
    return Scalar(lowering.text.lift("sum", body, total), False, scale)


def _lower_min_or_max(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    body = Body()
    none = none_code(expr.type)
    best = lowering.text.let(body, "best", none)
    sign = ">" if expr.quantifier == "max" else "<"
    scale = 1

    def compare(now: Env) -> None:
        nonlocal scale
        value = lowering.value(expr.body, now)
        scale = value.scale
        name = lowering.bind(body, value, "v").text
        with body.block(f"if {best} == {none} or {name} {sign} {best}"):
            body.line(f"{best} = {name}")

    loops.loop_over_bindings(lowering, expr.binders, env, body, compare)
    return Scalar(lowering.text.lift(expr.quantifier, body, best), True, scale)


def _lower_first_or_last(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar:
    (binder,) = expr.binders
    body = Body()
    none = none_code(expr.type)
    last = lowering.text.let(body, "found", none) if expr.quantifier == "last" else None

    def look(now: Env) -> None:
        condition, found = lowering.condition(expr.body, now), now[binder.slot]
        assert isinstance(found, Scalar), "a set is chosen by its mask"
        code = encode_number(lowering, found, expr.type, expr.span).text
        if last is None:
            body.return_if(condition, code)
        else:
            with body.block(f"if {condition}"):
                body.line(f"{last} = {code}")

    loops.loop_over_bindings(lowering, expr.binders, env, body, look)
    return Scalar(lowering.text.lift(expr.quantifier, body, none if last is None else last), True, scale_of(expr.type))


_LOOPS = {
    "some": _search_binding,
    "no": _search_binding,
    "all": _search_binding,
    "count": _lower_count,
    "sum": _lower_sum,
    "min": _lower_min_or_max,
    "max": _lower_min_or_max,
    "first": _lower_first_or_last,
    "last": _lower_first_or_last,
}

SCALARS[model.Quantified] = _lower_quantified
