"""Loops over sets, in their order; images of sets under constant relations, and closures under them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Final

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.cardinality import most_rounds
from zermelo.interpreter.model.rewriting import free_slots, reads_state
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported, describe_expression, require_shallow
from zermelo.interpreter.native.expressions.bindings import (
    Binding,
    Env,
    Mask,
    Row,
    Scalar,
    Thunk,
    code_of,
    growing_list,
    growing_set,
)
from zermelo.interpreter.native.expressions.lowering import Lowering, encode_number
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.sets.conditions import is_ascending, name_key_of_sets, open_names, set_of_name
from zermelo.interpreter.native.state_encoding.encoding import (
    encode,
    is_set,
    most_values,
    none_code,
    plus,
    same_codes,
    universe,
)
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import BoardType, SetType, Type, strip_none

# Loops over sets, in their order.
#
# A loop over a set in the order of its type runs along its mask, bit by bit. Constant sets and functions with few
# arguments (rays, neighbours) have tables of lists. Other sets are looped over as written; if the loop may be left
# early (``while``, ``until``) or has several sources, the members are first put into an array.


Inner = Callable[[Env], None]


def loop_over_bindings(
    lowering: Lowering,
    binders: tuple[Binder, ...],
    env: Env,
    body: Body,
    inner: Inner,
    is_in_order: bool = True,
) -> None:
    """Loops over all bindings, with ``inner`` in the innermost: in the order of the rules, or else in the fastest."""
    if not binders:
        inner(env)
        return
    first, *rest = binders

    def bound(now: Env) -> None:
        loop_over_bindings(lowering, tuple(rest), now, body, inner, is_in_order)

    lowering.depth += 1
    try:
        require_shallow(lowering.depth)
        _write_binder_loop(lowering, first, env, body, bound, is_in_order)
    finally:
        lowering.depth -= 1


def _write_binder_loop(
    lowering: Lowering, binder: Binder, env: Env, body: Body, inner: Inner, is_in_order: bool
) -> None:
    """The loop of one binder."""
    if not is_in_order or (binder.stop is None and is_ascending(binder.domain, env)):
        found = conditions.mask_tests(lowering, binder, env)
        if found is not None and not conditions.is_listed(binder, found[1]):
            _loop_with_tests(lowering, *found, binder, env, body, inner)
            return

    def bound(binding: Binding) -> None:
        now = {**env, binder.slot: binding}
        if binder.stop == "while" and binder.stop_condition is not None:
            body.break_if(f"not {lowering.condition(binder.stop_condition, now)}")
        with lowering.provided(binder.tests, now, body):
            inner(now)
        if binder.stop == "until" and binder.stop_condition is not None:
            body.break_if(lowering.condition(binder.stop_condition, now))

    loop_over_set(lowering, binder.domain, env, body, bound, single=binder.stop is not None)


def _loop_with_tests(
    lowering: Lowering, mask: str, tests: tuple[Expr, ...], binder: Binder, env: Env, body: Body, inner: Inner
) -> None:
    """A loop along a mask, with the remaining tests."""

    def add_tests(x: str) -> None:
        now = {**env, binder.slot: code_of(lowering.element(binder.domain), x)}
        with lowering.provided(tests, now, body):
            inner(now)

    loop_along_mask(lowering, mask, lowering.element(binder.domain), body, add_tests)


def loop_along_mask(lowering: Lowering, mask: str, element: Type, body: Body, inner: Callable[[str], None]) -> None:
    """A loop along the one bits of a mask."""
    low, size = universe(element)
    rest = lowering.text.let(body, "rest", mask, "bits")
    with lowering.each_member(body, rest, low) as name, lowering.asking.inside(size, body):
        inner(name)


def loop_over_codes(
    lowering: Lowering, expr: Expr, env: Env, type: Type, body: Body, inner: Callable[[str], None]
) -> None:
    """A loop over a set of values that are one number each; ``inner`` receives the code in ``type``."""

    def bound(binding: Binding) -> None:
        assert isinstance(binding, Scalar)
        inner(encode_number(lowering, binding, type, expr.span).text)

    loop_over_set(lowering, expr, env, body, bound)


def loop_over_set(
    lowering: Lowering, expr: Expr, env: Env, body: Body, inner: Callable[[Binding], None], single: bool = False
) -> None:
    """A loop over any set, in its order. With ``single`` it is a single loop, so that ``break`` leaves it entirely."""
    text, element = lowering.text, lowering.element(expr)
    if is_set(element):
        lowering.over_sets(lowering, expr, env, body, inner)
        return
    match expr:
        case model.Const(value=value):
            codes = [encode(item, element) for item in value]
            if not codes:
                return
            if codes == list(range(codes[0], codes[0] + len(codes))):
                name = text.local(body, "x")
                with (
                    body.block(f"for {name} in range({codes[0]}, {codes[-1] + 1})"),
                    lowering.asking.inside(len(codes), body),
                ):
                    inner(code_of(element, name))
                return
            table, count = text.table(codes), len(codes)
            with lowering.each_entry(body, table, str(count)) as name, lowering.asking.inside(count, body):
                inner(code_of(element, name))
            return
        case model.RangeSet():
            low, high = lowering.whole(expr.low, env), lowering.whole(expr.high, env)
            name = text.local(body, "x")
            with body.block(f"for {name} in range({low}, {high} + 1)"), lowering.asking.inside(most_rounds(expr), body):
                inner(Scalar(name))
            return
        case model.Local(slot=slot):
            _loop_over_local(lowering, expr, env.get(slot), body, inner, single)
            return
        case _:
            pass
    lists = lowering.tabulated_lists(expr, env)
    if lists is not None:
        starts, members, index = lists
        row = text.let(body, "row", index)
        places = f"{starts}[{row}], {starts}[{row} + 1]"
        with lowering.each_entry(body, members, places) as name, lowering.asking.inside(most_rounds(expr), body):
            inner(code_of(element, name))
        return
    if is_ascending(expr, env):
        loop_along_mask(lowering, lowering.mask(expr, env), element, body, lambda x: inner(code_of(element, x)))
        return
    if single or isinstance(expr, model.If):
        _loop_along_array(lowering, *list_in_order(lowering, expr, env, body), element, body, inner)
        return
    _loop_as_written(lowering, expr, env, body, inner)


def _loop_over_local(
    lowering: Lowering,
    expr: model.Local,
    binding: Binding | None,
    body: Body,
    inner: Callable[[Binding], None],
    single: bool,
) -> None:
    match binding:
        case Thunk(expr=thunk, env=env):
            loop_over_set(lowering, thunk, env, body, inner, single)
        case Mask(element=element, is_ascending=True):
            loop_along_mask(
                lowering, set_of_name(lowering, binding, expr.span), element, body, lambda x: inner(code_of(element, x))
            )
        case Mask(element=element, order=(array, count)):
            _loop_along_array(lowering, array, count, element, body, inner)
        case Row(mask=mask, element=element, is_ascending=True):
            loop_along_mask(lowering, mask, element, body, lambda x: inner(code_of(element, x)))
        case Row(starts=starts, members=members, at=row, element=element):
            places, most = f"{starts}[{row}], {starts}[{row} + 1]", universe(element)[1]
            with lowering.each_entry(body, members, places) as name, lowering.asking.inside(most, body):
                inner(code_of(element, name))
        case _:
            raise Unsupported(f"a loop over '{expr.name}'")


def _loop_as_written(lowering: Lowering, expr: Expr, env: Env, body: Body, inner: Callable[[Binding], None]) -> None:
    """A loop as written in the expression, perhaps several nested ones."""
    match expr:
        case model.Comprehension(binders=(binder,)) if expr.is_part:
            loop_over_bindings(lowering, expr.binders, env, body, lambda now: inner(now[binder.slot]))
        case model.Comprehension():
            element = lowering.element(expr)
            low, _ = universe(element)
            seen = growing_set(lowering.text, body, "seen", low)

            def run_if_new(now: Env) -> None:
                value = lowering.scalar(expr.element, now, element)
                value = lowering.bind(body, encode_number(lowering, value, element, expr.span), "e")
                tests = [f"({seen.mask} >> {plus(value.text, -low)}) & 1 == 0"]
                if value.has_none:
                    tests.insert(0, f"{value.text} != {none_code(element)}")
                with body.block(f"if {' and '.join(tests)}"):
                    seen.add(body, value.text)
                    inner(code_of(element, value.text))

            loop_over_bindings(lowering, expr.binders, env, body, run_if_new)
        case model.Call() | model.Let():
            loop_over_set(lowering, *open_names(lowering, expr, env, body), body, inner)
        case model.Apply(function="neighbours_in", arguments=(cell, directions)):
            _loop_over_steps(lowering, expr, cell, directions, env, body, inner)
        case model.Apply() | model.Lookup():
            assigned = body.beside()
            found_names = name_key_of_sets(lowering, expr, env, assigned)
            if found_names is None:
                raise Unsupported(f"a loop over {describe_expression(expr)}")
            looked_up, names = found_names
            if lowering.tabulated_lists(looked_up, names) is None:
                raise Unsupported(f"a loop over {describe_expression(expr)}")
            body.insert(assigned)
            loop_over_set(lowering, looked_up, names, body, inner)
        case _:
            raise Unsupported(f"a loop over {describe_expression(expr)}")


def _loop_over_steps(
    lowering: Lowering,
    expr: model.Apply,
    cell: Expr,
    directions: Expr,
    env: Env,
    body: Body,
    inner: Callable[[Binding], None],
) -> None:
    """A loop over the cells reached by one of several steps."""
    start = lowering.bind(body, lowering.scalar(cell, env), "from")

    def step(direction: Binding) -> None:
        names: Env = {0: start, 1: direction}
        single = model.Apply(
            "step",
            (
                model.Local(0, "from", type=cell.type, span=expr.span),
                model.Local(1, "by", type=lowering.element(directions), span=expr.span),
            ),
            expr.context,
            type=cell.type,
            span=expr.span,
        )
        there = lowering.bind(body, lowering.scalar(single, names), "x")
        with body.block(f"if {there.text} >= 0"):
            inner(Scalar(there.text))

    loop_over_set(lowering, directions, env, body, step)


def list_in_order(lowering: Lowering, expr: Expr, env: Env, body: Body) -> tuple[str, str]:
    """The members of a set in its order: an array, and their number."""
    element = lowering.element(expr)
    _, size = universe(element)
    array = lowering.text.array(body, "list", size)
    found = growing_list(lowering.text, body, array)

    def fill(part: Expr, now: Env) -> None:
        if isinstance(part, model.If):
            with body.block(f"if {lowering.condition(part.condition, now)}"):
                fill(part.yes, now)
            with body.block("else"):
                fill(part.no, now)
        else:
            loop_over_codes(lowering, part, now, element, body, partial(found.append, body))

    fill(expr, env)
    return array, found.count


def _loop_along_array(
    lowering: Lowering, array: str, count: str, element: Type, body: Body, inner: Callable[[Binding], None]
) -> None:
    """A loop along the first members of an array."""
    _, size = universe(element)
    with lowering.each_entry(body, array, count) as name, lowering.asking.inside(size, body):
        inner(code_of(element, name))


# Loops that collect all bindings before the body runs, since it may change variables that they depend on.


_ROOM: Final = 1 << 17
"""The most bytes of an array of bindings; plays with more bindings fall back to the reference machine."""

_MOST_STACK: Final = 1 << 21
"""The most bytes of the arrays of nested loops: the stack of a thread usually has 8 MiB."""


def is_unchanged(lowering: Lowering, binders: tuple[Binder, ...], env: Env) -> bool:
    """Whether the body of a plain loop cannot change its bindings."""
    if len(binders) == 1 and not binders[0].stop and not binders[0].tests:
        domain = binders[0].domain
        if isinstance(domain, model.RangeSet | model.Const):
            return True
        if is_ascending(domain, env):
            return True
    if len(binders) == 1 and not binders[0].stop and is_ascending(binders[0].domain, env):
        return conditions.select_mask(lowering, binders[0], env) is not None and not isinstance(
            binders[0].domain, model.RangeSet
        )
    return not any(
        reads_state(expr)
        for binder in binders
        for expr in (binder.domain, *binder.tests, *([] if binder.stop_condition is None else [binder.stop_condition]))
    )


def collect_loops(lowering: Lowering, binders: tuple[Binder, ...], env: Env, body: Body, inner: Inner) -> None:
    """Loops over all bindings, collected in arrays before; constant sets by their indices."""
    text = lowering.text
    bound = prod(most_values(binder.domain) for binder in binders)
    has_sets = any(is_set(lowering.element(binder.domain)) for binder in binders)
    each = lowering.layout.width // 8 if has_sets else 8
    size = min(bound, _ROOM // each)
    lowering.stack += len(binders) * size * each
    if lowering.stack > _MOST_STACK:
        raise Unsupported("nested loops over so many values that may change")
    lists = [text.local(body, "list", "ints") for _ in binders]
    sets: dict[int, Mask | Row] = {}
    rows = growing_list(text, body, *lists)
    found = body.beside()

    def put(now: Env) -> None:
        if bound > size:
            with found.block(f"if {rows.count} == {size}"):
                lowering.fault(found, "overflow", binders[0].domain.span)
                found.line(f"{rows.count} = 0")
        codes = []
        for binder in binders:
            binding = now[binder.slot]
            if isinstance(binding, Scalar):
                codes.append(encode_number(lowering, binding, lowering.element(binder.domain), binder.domain.span).text)
            else:
                assert isinstance(binding, Mask | Row), "a loop over sets"
                sets[binder.slot] = binding
                codes.append(binding.at if isinstance(binding, Row) else binding.text)
        rows.append(found, *codes)

    loop_over_bindings(lowering, binders, env, found, put)
    for binder, name in zip(binders, lists, strict=True):
        body.line(f"{name} = {'masks' if isinstance(sets.get(binder.slot), Mask) else 'array'}({size})")
    body.insert(found)
    index = text.local(body, "i")
    with body.block(f"for {index} in range({rows.count})"), lowering.asking.inside(size, body):
        now: dict[int, Binding] = dict(env)
        for binder, name in zip(binders, lists, strict=True):
            now[binder.slot] = _bind_element(lowering, binder, sets.get(binder.slot), f"{name}[{index}]", body)
        inner(now)
    lowering.stack -= len(binders) * size * each


def _bind_element(lowering: Lowering, binder: Binder, held: Mask | Row | None, text: str, body: Body) -> Binding:
    """A name for an element of an array: a value, a set bound like ``held``, or the index of a constant set."""
    if isinstance(held, Mask):
        return evolve(held, text=lowering.text.let(body, "x", text, "bits"))
    code = lowering.bind(body, Scalar(text), "x").text
    if held is None:
        return code_of(lowering.element(binder.domain), code)
    return evolve(held, mask=f"{held.masks}[{code}]", at=code)


# Images of sets under constant relations, closures under them, and the values of a variable on a set.
#
# A relation such as "touches" leads from a cell to a set of cells, and the *image* of a set is the union over its
# members. Codes of cells are ordered, so a relation on a regular board is given by a few differences of codes: on a
# grid by rows, one step east adds 1 and one step north adds the width. The image of a set is then one shift of its mask
# for each difference, after masking the members that have this step (a cell on the eastern edge has none to the east).
# This is independent of the kind of board: every relation with few differences (grids, hexagons, rings, leaps, orders)
# is lowered so; one with many (a graph without order) becomes a table.
#
# The closure (``reach``) under such a relation dilates the whole frontier at once, so the number of rounds is the
# greatest distance, not the number of members. This is the flood fill of chess programs ("Kogge-Stone" without the
# doubling, which does not pay on boards of this size, since the condition on squares in between differs by direction).


_MOST_DIFFERENCES: Final = 8
_MOST_VALUES: Final = 8


@frozen(eq=False, repr=False)
class ImageStep(ByValue):
    """A step: the image under ``helper``, intersected with ``allowed``."""

    helper: str
    allowed: str

    def of(self, mask: str) -> str:
        """The image of a set."""
        return f"({self.helper}({mask}) & {self.allowed})"


def step_image(lowering: Lowering, binder: Binder, slot: int, source: Type, target: Type, env: Env) -> ImageStep | None:
    """The step from the values of ``slot``, of type ``source``, to those of a binder; None if tables are better."""
    if binder.stop is not None or is_set(source) or is_set(lowering.element(binder.domain)):
        return None
    if any(slot in free_slots(test) for test in binder.tests):
        return None
    helper = image_helper(lowering, binder.domain, slot, source, target)
    if helper is None:
        return None
    parts = conditions.condition_masks(lowering, binder.tests, binder.slot, target, env)
    if parts is None:
        return None
    return ImageStep(helper, f"({' & '.join(parts)})" if parts else str((1 << universe(target)[1]) - 1))


def image_helper(lowering: Lowering, domain: Expr, slot: int, source: Type, target: Type) -> str | None:
    """The helper for images of sets under the relation ``slot -> domain``."""
    element = lowering.element(domain)
    if free_slots(domain) != {slot} or universe(element) != universe(target) or not same_codes(element, target):
        return None
    rows = lowering.relation(domain, slot)
    if rows is None:
        return None
    size = universe(target)[1]
    sources: dict[int, int] = {}
    for start, row in enumerate(rows):
        while row:
            there = (row & -row).bit_length() - 1
            sources[there - start] = sources.get(there - start, 0) | 1 << start
            row &= row - 1
    if len(sources) > _MOST_DIFFERENCES:
        return None
    shifted = []
    for by, members in sources.items():
        strays = [k for k in range(len(rows)) if not members >> k & 1 and 0 <= k + by < size]
        cut = f"(m & {members})" if strays else "m"
        shifted.append(f"({cut} << {by})" if by > 0 else f"({cut} >> {-by})" if by < 0 else cut)
    overflows = any(len(rows) - 1 + by >= size for by in sources)
    union = f"({' | '.join(shifted) or '0'})"
    return lowering.text.extract(
        "image", "(m: bits) -> bits", Body(), f"{union} & {(1 << size) - 1}" if overflows else union
    )


# --------------------------------------------------------------- closures


def may_leave(lowering: Lowering, expr: model.Reach) -> bool:
    """Whether a closure may find something beyond the type of its start, which is an error."""
    return admission_test(lowering.element(expr), lowering.element(expr.step)) is not None


def closure_step(lowering: Lowering, expr: model.Reach, env: Env) -> ImageStep | None:
    """The step of a closure that cannot leave its type."""
    if may_leave(lowering, expr):
        return None
    element = lowering.element(expr)
    inner = expr.step
    if isinstance(inner, model.Comprehension):
        if len(inner.binders) != 1 or not _is_local(inner.element, inner.binders[0].slot):
            return None
        return step_image(lowering, inner.binders[0], expr.slot, element, element, env)
    return step_image(lowering, Binder(-1, "", inner), expr.slot, element, element, env)


def lower_closure(lowering: Lowering, expr: model.Reach, env: Env) -> str | None:
    """The closure by rounds, the whole frontier at a time."""
    way = closure_step(lowering, expr, env)
    if way is None:
        return None
    start = lowering.mask(expr.start, env, lowering.element(expr))
    closed = instantiate(lowering.text, "sets", FULL=lowering.full, step=way.helper)["closure"]
    return f"{closed}({start}, {way.allowed})"


def has_members(lowering: Lowering, expr: Expr, env: Env) -> str | None:
    """Whether the image of a closure has a member, as a condition that stops at the first round with one; None for
    other sets.

    ``{n for x in group(c) for n in neighbours(x) if P(n)} != {}`` is of this kind: a group next to an empty cell is
    seldom traversed completely.
    """
    body = Body()
    while isinstance(expr, model.Call):
        expr, env = open_names(lowering, expr, env, body)
    if not isinstance(expr, model.Comprehension) or len(expr.binders) != 2:
        return None
    first, last = expr.binders
    if not _is_local(expr.element, last.slot) or first.stop is not None or first.tests:
        return None
    source, inner = first.domain, env
    while isinstance(source, model.Call):
        source, inner = open_names(lowering, source, inner, body)
    if not isinstance(source, model.Reach):
        return None
    element = lowering.element(source)
    seen = step_image(lowering, last, first.slot, element, lowering.element(last.domain), env)
    way = closure_step(lowering, source, inner)
    if seen is None or way is None:
        return None
    start = lowering.mask(source.start, inner, element)
    meets = instantiate(lowering.text, "sets", FULL=lowering.full, step=way.helper, look=seen.helper)["meets"]
    return lowering.text.lift("meets", body, f"{meets}({start}, {way.allowed}, {seen.allowed})")


# ----------------------------------------------------------------- unions


def lower_union(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
    """``{n for x in X for n in N(x) if P(n)}`` as the image of X."""
    if len(expr.binders) != 2:
        return None
    first, last = expr.binders
    if not _is_local(expr.element, last.slot) or first.slot in free_slots(expr.element):
        return None
    source, target = lowering.element(first.domain), lowering.element(last.domain)
    way = step_image(lowering, last, first.slot, source, target, env)
    if way is None:
        return None
    if first.stop is None and not first.tests:
        members: str | None = lowering.mask(first.domain, env)
    else:
        members = conditions.select_mask(lowering, first, env)
    return None if members is None else lowering.aligned(way.of(members), target, lowering.element(expr))


def lower_entry_values(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
    """``{board[n] for ... n in ...}``: the values of the entries in a set, with one test for each possible value."""
    last = expr.binders[-1]
    element = expr.element
    if not isinstance(element, model.Read) or last.stop is not None:
        return None
    type = lowering.element(last.domain)
    if is_set(type) or is_set(element.type):
        return None
    base = strip_none(element.type).base
    low, size = universe(base)
    if size > _MOST_VALUES or any(binder.slot in free_slots(element) for binder in expr.binders[:-1]):
        return None
    where = [
        conditions.equality_mask(lowering, element, model.Const(value, type=base, span=expr.span), last.slot, type, env)
        for value in base.members
    ]
    if any(part is None for part in where):
        return None
    local = model.Local(last.slot, last.name, type=type, span=expr.span)
    try:
        chosen = lowering.mask(evolve(expr, element=local, type=SetType(type)), env, type)
    except Unsupported:
        return None
    body = Body()
    entries, found = lowering.text.let(body, "entries", chosen, "bits"), lowering.text.let(body, "m", 0, "bits")
    for value, part in zip(base.members, where, strict=True):
        with body.block(f"if {entries} & {part} != 0"):
            body.line(f"{found} = {found} | {1 << encode(value, base) - low}")
    return lowering.aligned(lowering.text.lift("values", body, found, "bits"), base, lowering.element(expr))


def _is_local(expr: Expr, slot: int) -> bool:
    return isinstance(expr, model.Local) and expr.slot == slot


# Connectivity on masks: ``connected(S)`` and ``connected(S, A, B)``.
#
# The frontier spreads to all neighbours within the set at once, up to a fixed point; between two sides it stops when it
# meets the other side.


_CELL: Final = 0


def lower_connected(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``connected(S)``: all cells are reachable from one of them. ``connected(S, A, B)``: a cell of B is reachable from
    one of A within S."""
    board = expr.context
    assert isinstance(board, BoardType)
    spread = _neighbours_helper(lowering, expr, board)
    connected = instantiate(lowering.text, "sets", FULL=lowering.full, spread=spread)[expr.function]
    return Scalar(f"{connected}({', '.join(lowering.mask(argument, env, board) for argument in expr.arguments)})")


def _neighbours_helper(lowering: Lowering, expr: model.Apply, board: BoardType) -> str:
    """The helper for all neighbours of a set of cells."""
    cell = model.Local(_CELL, "cell", type=board, span=expr.span)
    neighbours = model.Apply("neighbours", (cell,), board, type=SetType(board), span=expr.span)
    regular = image_helper(lowering, neighbours, _CELL, board, board)
    if regular is not None:
        return regular
    rows = lowering.relation(neighbours, _CELL)
    assert rows is not None, "the neighbours of every cell are known"
    return instantiate(lowering.text, "sets", ROWS=rows)["spread"]
