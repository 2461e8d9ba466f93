"""Loops over sets of sets: the subsets of a set, constant sets such as the lines of a board, and all others, which are
put into an array first (see :mod:`zermelo.interpreter.native.sets.listed_families`).

Each becomes a single loop of the dialect, which ``break`` leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.effort import rounds
from zermelo.interpreter.native.coding.encoding import encode, is_set, set_element, universe
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported, described
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Listing, Mask, Row, Thunk
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.tabulation import IMPOSSIBLE
from zermelo.interpreter.native.sets import listed_families as listings
from zermelo.interpreter.native.sets import loops
from zermelo.interpreter.native.sets.names import define_names, let_names
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value

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
            _rows(lowering, "0", [value], lowering.element(expr), body, inner)
        case model.Local(slot=slot):
            binding = env[slot]
            if isinstance(binding, Thunk):
                loop_over_family(lowering, binding.expr, binding.env, body, inner)
            else:
                assert isinstance(binding, Listing), "a name of a set of sets"
                _along(lowering, binding, body, inner)
        case model.Subsets():
            _subsets(lowering, expr, env, body, inner)
        case model.Comprehension(binders=(binder,)) if expr.is_part:
            loops.bindings(lowering, expr.binders, env, body, lambda now: inner(now[binder.slot]))
        case model.Call():
            loop_over_family(lowering, expr.define.body, define_names(lowering, expr, env, body), body, inner)
        case model.Let():
            loop_over_family(lowering, expr.body, let_names(lowering, body, expr, env), body, inner)
        case _:
            found = lowering.sets(expr, env)
            if found is not None and sum(len(value) for value in found[1] if value is not IMPOSSIBLE) <= _MOST_ROWS:
                _rows(lowering, *found, lowering.element(expr), body, inner)
                return
            if not isinstance(expr, _LISTED):
                raise Unsupported(f"a loop over {described(expr)}")
            _along(lowering, listings.listing(lowering, expr, env, body), body, inner)


def _along(lowering: Lowering, sets: Listing, body: Body, inner: WithBinding) -> None:
    """A loop along an array."""
    with (
        lowering.each_entry(body, sets.array, sets.count, "bits") as name,
        lowering.asking.inside(listings.ROOM, body),
    ):
        inner(Mask(name, sets.element, sets.is_ascending))


def _subsets(lowering: Lowering, expr: model.Subsets, env: Env, body: Body, inner: WithBinding) -> None:
    """A loop over the subsets of a set in lexicographic order."""
    text, element = lowering.text, lowering.element(expr.collection)
    functions = instantiate(text, "subsets")
    whole = text.let(body, "whole", lowering.mask(expr.collection, env), "bits")
    count = text.let(body, "count", lowering.whole(expr.count, env))
    left = text.let(body, "left", f"0 <= {count} and {count} <= popcount({whole})")
    later = text.let(body, "later", f"{functions['first_subset']}({whole}, {count} if {left} else 0)", "bits")
    with body.block(f"while {left} != 0"), lowering.asking.inside(rounds(expr), body):
        chosen = text.let(body, "chosen", later, "bits")
        body.line(f"{later} = {functions['next_subset']}({whole}, {chosen})")
        body.line(f"{left} = {later} != 0")
        inner(Mask(chosen, element))


def _rows(lowering: Lowering, index: str, sets: Sequence[Value], of_sets: Type, body: Body, inner: WithBinding) -> None:
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
