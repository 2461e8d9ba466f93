"""Images of sets under constant relations, closures under them, and the values of a variable on a set.

A relation such as "touches" leads from a cell to a set of cells, and the *image* of a set is the union over its
members. Codes of cells are ordered, so a relation on a regular board is given by a few differences of codes: on a grid
by rows, one step east adds 1 and one step north adds the width. The image of a set is then one shift of its mask for
each difference, after masking the members that have this step (a cell on the eastern edge has none to the east). This
is independent of the kind of board: every relation with few differences (grids, hexagons, rings, leaps, orders) is
lowered so; one with many (a graph without order) becomes a table.

The closure (``reach``) under such a relation dilates the whole frontier at once, so the number of rounds is the
greatest distance, not the number of members. This is the flood fill of chess programs ("Kogge-Stone" without the
doubling, which does not pay on boards of this size, since the condition on squares in between differs by direction).
"""

from __future__ import annotations

from typing import Final

from attrs import evolve, frozen

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.native.coding.encoding import encode, is_set, same_codes, universe
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.sets import conditions as selecting
from zermelo.interpreter.native.sets.conditions import define_names
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import BoardType, SetType, Type, strip_none

_MOST_DIFFERENCES: Final = 8
_MOST_VALUES: Final = 8


@frozen
class ImageStep:
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
    helper = image(lowering, binder.domain, slot, source, target)
    if helper is None:
        return None
    parts = []
    for test in binder.tests:
        part = conditions.which(lowering, test, binder.slot, target, env)
        if part is None:
            return None
        parts.append(part)
    return ImageStep(helper, f"({' & '.join(parts)})" if parts else str((1 << universe(target)[1]) - 1))


def image(lowering: Lowering, domain: Expr, slot: int, source: Type, target: Type) -> str | None:
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
    return lowering.text.apart(
        "image", "(m: bits) -> bits", Body(), f"{union} & {(1 << size) - 1}" if overflows else union
    )


# --------------------------------------------------------------- closures


def may_leave(lowering: Lowering, expr: model.Reach) -> bool:
    """Whether a closure may find something beyond the type of its start, which is an error."""
    return admission_test(lowering.element(expr), lowering.element(expr.step)) is not None


def own_step(lowering: Lowering, expr: model.Reach, env: Env) -> ImageStep | None:
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


def closure(lowering: Lowering, expr: model.Reach, env: Env) -> str | None:
    """The closure by rounds, the whole frontier at a time."""
    way = own_step(lowering, expr, env)
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
        env, expr = define_names(lowering, expr, env, body), expr.define.body
    if not isinstance(expr, model.Comprehension) or len(expr.binders) != 2:
        return None
    first, last = expr.binders
    if not _is_local(expr.element, last.slot) or first.stop is not None or first.tests:
        return None
    source, inner = first.domain, env
    while isinstance(source, model.Call):
        inner, source = define_names(lowering, source, inner, body), source.define.body
    if not isinstance(source, model.Reach):
        return None
    element = lowering.element(source)
    seen = step_image(lowering, last, first.slot, element, lowering.element(last.domain), env)
    way = own_step(lowering, source, inner)
    if seen is None or way is None:
        return None
    start = lowering.mask(source.start, inner, element)
    meets = instantiate(lowering.text, "sets", FULL=lowering.full, step=way.helper, look=seen.helper)["meets"]
    return lowering.text.lift("meets", body, f"{meets}({start}, {way.allowed}, {seen.allowed})")


# ----------------------------------------------------------------- unions


def union(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
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
        members = selecting.selected(lowering, first, env)
    return None if members is None else lowering.aligned(way.of(members), target, lowering.element(expr))


def values(lowering: Lowering, expr: model.Comprehension, env: Env) -> str | None:
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
        conditions.equal(lowering, element, model.Const(value, type=base, span=expr.span), last.slot, type, env)
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
# The frontier spreads to all neighbours within the set at once, up
# to a fixed point; between two sides it stops when it meets the other side.


_CELL: Final = 0


def lower_connected(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``connected(S)``: all cells are reachable from one of them. ``connected(S, A, B)``: a cell of B is reachable from
    one of A within S."""
    board = expr.context
    assert isinstance(board, BoardType)
    spread = _spread(lowering, expr, board)
    connected = instantiate(lowering.text, "sets", FULL=lowering.full, spread=spread)[expr.function]
    return Scalar(f"{connected}({', '.join(lowering.mask(argument, env, board) for argument in expr.arguments)})")


def _spread(lowering: Lowering, expr: model.Apply, board: BoardType) -> str:
    """The helper for all neighbours of a set of cells."""
    cell = model.Local(_CELL, "cell", type=board, span=expr.span)
    neighbours = model.Apply("neighbours", (cell,), board, type=SetType(board), span=expr.span)
    regular = image(lowering, neighbours, _CELL, board, board)
    if regular is not None:
        return regular
    rows = lowering.relation(neighbours, _CELL)
    assert rows is not None, "the neighbours of every cell are known"
    return instantiate(lowering.text, "sets", ROWS=rows)["spread"]
