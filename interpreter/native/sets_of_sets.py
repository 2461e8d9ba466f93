"""Loops over sets of sets: the subsets of a set, and constant sets such as the lines of a board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from interpreter import model
from interpreter.native.bindings import Binding, Env, Mask, Row
from interpreter.native.encoding import encode, is_set
from interpreter.native.lowering import Lowering
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.types import SetType, strip_none

_MOST_NESTED: Final = 8
"""Of how many members subsets can be."""


def subsets(
    lowering: Lowering, expr: model.Subsets, count: int, env: Env, body: Body, inner: Callable[[Binding], None]
) -> None:
    """As many loops as the subsets have members, each along what follows the member of the one around it."""
    text, element = lowering.text, lowering.element(expr.collection)
    if is_set(element):
        raise Unsupported("sets of sets of sets")

    def choose(left: int, rest: str, chosen: str) -> None:
        if left == 0:
            inner(Mask(chosen, element))
            return
        later, more = text.local(body, "rest", "bits"), text.local(body, "chosen", "bits")
        body.line(f"{later}: bits = {rest}")
        with body.block(f"while {later} != 0"):
            body.line(f"{more}: bits = {chosen} | ({later} ^ ({later} & ({later} - 1)))")
            body.line(f"{later} = {later} & ({later} - 1)")
            choose(left - 1, later, more)

    if not 0 <= count <= _MOST_NESTED:
        raise Unsupported(f"subsets of {count} members")
    none = text.local(body, "chosen", "bits")
    body.line(f"{none}: bits = 0")
    choose(count, lowering.mask(expr.collection, env), none)


def rows(lowering: Lowering, expr: model.Const, body: Body, inner: Callable[[Binding], None]) -> None:
    """A loop over constant sets."""
    text = lowering.text
    of_sets = strip_none(lowering.element(expr)).base
    assert isinstance(of_sets, SetType)
    element = of_sets.element
    if is_set(element):
        raise Unsupported("sets of sets of sets")
    lists = [[encode(item, element) for item in row] for row in expr.value]
    starts, members = [0], []
    for codes in lists:
        members.extend(codes)
        starts.append(len(members))
    row_masks = [encode(row, of_sets) for row in expr.value]
    at, mask = text.local(body, "row"), text.local(body, "line", "bits")
    ascending = all(codes == sorted(codes) for codes in lists)
    if not row_masks:
        return
    with body.block(f"for {at} in range({len(row_masks)})"):
        body.line(f"{mask}: bits = {text.table(row_masks, 'bits')}[{at}]")
        inner(Row(mask, element, text.table(starts), text.table(members or [0]), at, ascending))
