"""Loops over sets of sets: the subsets of a set, and constant sets such as the lines of a board."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import model
from interpreter.native.bindings import Binding, Env, Mask, Row
from interpreter.native.encoding import encode, is_set
from interpreter.native.lowering import Lowering
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.types import SetType, strip_none


def subsets(lowering: Lowering, expr: model.Subsets, env: Env, body: Body, inner: Callable[[Binding], None]) -> None:
    """A loop from each subset to the next one in lexicographic order."""
    text, element = lowering.text, lowering.element(expr.collection)
    if is_set(element):
        raise Unsupported("sets of sets of sets")
    whole, chosen = text.local(body, "whole", "bits"), text.local(body, "chosen", "bits")
    count, left, later = text.local(body, "count"), text.local(body, "left"), text.local(body, "later", "bits")
    body.line(f"{whole}: bits = {lowering.mask(expr.collection, env)}")
    body.line(f"{count}: int = {lowering.whole(expr.count, env)}")
    body.line(f"{left}: int = 0 <= {count} and {count} <= popcount({whole})")
    body.line(f"{later}: bits = {_first_subset(lowering)}({whole}, {count} if {left} else 0)")
    with body.block(f"while {left} != 0"):
        body.line(f"{chosen}: bits = {later}")
        body.line(f"{later} = {_next_subset(lowering)}({whole}, {chosen})")
        body.line(f"{left} = {later} != 0")
        inner(Mask(chosen, element))


def _first_subset(lowering: Lowering) -> str:
    """A function that gives the k lowest ones of a mask."""
    lines = [
        "rest: bits = m",
        "for i in range(k):",
        "    rest = rest & (rest - 1)",
        "return m ^ rest",
    ]
    return lowering.helper("first_subset", "m: bits, k: int", lines, "bits")


def _next_subset(lowering: Lowering) -> str:
    """A function that gives the part of ``m`` that comes after ``chosen``, 0 after the last one: members at the very
    end of ``m`` cannot go on, so the last one before them does, and they follow right behind it."""
    lines = [
        "free: bits = m ^ chosen",
        "if free == 0:",
        "    return 0",
        "end: int = highest(free)",
        "one: bits = 1",
        "kept: bits = chosen & ((one << end) - 1)",
        "if kept == 0:",
        "    return 0",
        "last: int = highest(kept)",
        "behind: bits = m ^ (one << last) ^ (m & ((one << last) - 1))",
        f"return (kept ^ (one << last)) | {_first_subset(lowering)}(behind, popcount(chosen >> end) + 1)",
    ]
    return lowering.helper("next_subset", "m: bits, chosen: bits", lines, "bits")


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
        masks = text.table(row_masks, "bits")
        body.line(f"{mask}: bits = {masks}[{at}]")
        inner(Row(mask, masks, element, text.table(starts), text.table(members or [0]), at, ascending))
