"""Sets of sets as arrays of distinct masks, in the order of the set of sets.

A comprehension keeps the order in which it finds its members. Braces and operations sort them in the order of the
language: smaller sets first, those of one size lexicographically by their ascending members.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.compatibility import common_type
from zermelo.interpreter.native.coding.encoding import set_element
from zermelo.interpreter.native.coding.subset_ranks import most_values
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Listing, Mask, member
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import loops, optional_sets
from zermelo.interpreter.native.sets.images import may_leave
from zermelo.interpreter.native.sets.set_order import is_ascending
from zermelo.interpreter.types import OptionalType, Type

ROOM: Final = 1 << 13
"""The most bytes of an array; plays with more sets fall back to the reference machine."""


def listing(lowering: Lowering, expr: Expr, env: Env, body: Body, element: Type | None = None) -> Listing:
    """The sets in a set of sets, listed as masks over ``element``, by default their own element type."""
    element = set_element(lowering.element(expr)) if element is None else element
    size = _size(lowering, expr)
    array, count = lowering.text.array(body, "sets", size, "masks"), lowering.text.let(body, "n", 0)
    put = instantiate(lowering.text, "listing", SIZE=size)["listed"]
    site = lowering.text.site("overflow", expr.span) if most_values(expr) > size else 0
    filling = _Filling(lowering, body, element, array, count, put, site)
    if filling.put_all(expr, env):
        sort = instantiate(lowering.text, "sorting", SIZE=size)["sort"]
        body.line(f"{sort}({array}, {count})")
    return Listing(array, count, element, filling.are_ascending)


def _size(lowering: Lowering, expr: Expr) -> int:
    """The length of the array for a set of sets."""
    return max(1, min(most_values(expr), ROOM * 8 // lowering.layout.width))


@define(eq=False)
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
        """Append all sets of a set of sets; whether they are still to be sorted."""
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
                one, two = listing(lowering, left, env, body, both), listing(lowering, right, env, body, both)
                name = lowering.text.local(body, "i")
                with body.block(f"for {name} in range({one.count})"):
                    found = f"{one.array}[{name}]"
                    is_listed = instantiate(lowering.text, "listing", SIZE=_size(lowering, right))["is_listed"]
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
                loops.bindings(lowering, binders, env, body, lambda now: self.put_set(element, now))
                return False
            case _:
                self.put_sets(expr, env)
                return False
        return True

    def put_sets(self, expr: Expr, env: Env) -> None:
        """Append the sets of a set of sets in a loop over it."""

        def put_one(found: Binding) -> None:
            mask, own, is_ascending = member(found)
            self.put_mask(self.lowering.aligned(mask, own, self.element), is_ascending)

        loops.loop_over_set(self.lowering, expr, env, self.body, put_one)

    def put_set(self, expr: Expr, env: Env) -> None:
        """Append one set, unless it is none."""
        mask, ascends = self.lowering.mask(expr, env, self.element), is_ascending(expr, env)
        if isinstance(expr.type, OptionalType):
            with self.body.block(f"if not {optional_sets.is_none(self.lowering, expr, env)}"):
                self.put_mask(mask, ascends)
        else:
            self.put_mask(mask, ascends)

    def put_mask(self, mask: str, is_ascending: bool) -> None:
        self.are_ascending = self.are_ascending and is_ascending
        self.body.line(f"{self.count} = {self.put}(C, {self.array}, {self.count}, {mask}, {self.site})")
