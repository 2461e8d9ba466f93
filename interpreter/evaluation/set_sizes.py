"""Bounds on the size of a parameter's domain while the parameters that it uses are unbound.

A name is known by its domain: one bound by ``h in subsets(Card, 4)`` is a set of exactly 4 cards, and a part of
``Card``. This gives the size of ``Card - h``, and so on. Without such structure the type bounds the size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb, prod

from zermelo.interpreter.evaluation.context import Compiles, Context, Frame
from zermelo.interpreter.evaluation.domains import domain
from zermelo.interpreter.model import Comprehension, Expr, Local, SetOperation, Subsets
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.rewriting import free_slots

SizeBounds = tuple[int, int | None]
"""The least and the greatest size; None: unknown."""

Sizing = Callable[[Context, Frame], SizeBounds]

OpenSlots = Mapping[int, Expr]
"""The domains of the slots that are still unbound."""


def size_bounds(compiler: Compiles, expr: Expr, bound: OpenSlots) -> Sizing:
    """Bounds on the size of the set ``expr``."""
    if not free_slots(expr) & bound.keys():
        count = domain(compiler, expr).count

        def known(context: Context, frame: Frame) -> SizeBounds:
            size = count(context, frame)
            return size, size

        return known
    match expr:
        case Local() if isinstance(source := bound[expr.slot], Subsets):
            return _same_size(compiler, source, bound)
        case Subsets():
            return _subsets(compiler, expr, bound)
        case SetOperation():
            return _operation(compiler, expr, bound)
        case Comprehension():
            inner = {**bound, **{binder.slot: binder.domain for binder in expr.binders}}
            return _at_most_product([size_bounds(compiler, binder.domain, inner) for binder in expr.binders])
        case _:
            return _before_play(expr)


def _before_play(expr: Expr) -> Sizing:
    most = most_members(expr)
    return lambda context, frame: (0, most)


def _same_size(compiler: Compiles, source: Subsets, bound: OpenSlots) -> Sizing:
    """The size of one of the subsets."""
    if free_slots(source.count) & bound.keys():
        return _before_play(source.collection)
    size = compiler.value(source.count, "a number")

    def known(context: Context, frame: Frame) -> SizeBounds:
        return size(context, frame), size(context, frame)

    return known


def _subsets(compiler: Compiles, expr: Subsets, bound: OpenSlots) -> Sizing:
    """The number of subsets, which grows with the set."""
    if free_slots(expr.count) & bound.keys():
        return _before_play(expr)
    collection, size = size_bounds(compiler, expr.collection, bound), compiler.value(expr.count, "a number")

    def count(context: Context, frame: Frame) -> SizeBounds:
        low, high = collection(context, frame)
        chosen = max(0, size(context, frame))
        return comb(low, chosen), None if high is None else comb(high, chosen)

    return count


def _at_most_product(factors: list[Sizing]) -> Sizing:
    def product(context: Context, frame: Frame) -> SizeBounds:
        highs = [high for _, high in (factor(context, frame) for factor in factors) if high is not None]
        return 0, prod(highs) if len(highs) == len(factors) else None

    return product


def _operation(compiler: Compiles, expr: SetOperation, bound: OpenSlots) -> Sizing:
    left, right = size_bounds(compiler, expr.left, bound), size_bounds(compiler, expr.right, bound)
    is_within = _is_within(expr.right, expr.left, bound)
    are_disjoint = _are_disjoint(expr.left, expr.right, bound)

    def union(context: Context, frame: Frame) -> SizeBounds:
        (low, high), (more_low, more_high) = left(context, frame), right(context, frame)
        low = low + more_low if are_disjoint else max(low, more_low)
        return low, None if high is None or more_high is None else high + more_high

    def difference(context: Context, frame: Frame) -> SizeBounds:
        (low, high), (less_low, less_high) = left(context, frame), right(context, frame)
        low = 0 if less_high is None else max(0, low - less_high)
        return low, high if high is None or not is_within else high - less_low

    def intersection(context: Context, frame: Frame) -> SizeBounds:
        highs = [high for _, high in (left(context, frame), right(context, frame)) if high is not None]
        return 0, min(highs, default=None)

    return {"+": union, "-": difference, "*": intersection}[expr.operator]


def _is_within(part: Expr, whole: Expr, bound: OpenSlots) -> bool:
    """Whether the structure shows that one set is a subset of another."""
    if part == whole:
        return True
    match part:
        case Local() if isinstance(source := bound.get(part.slot), Subsets):
            if _is_within(source.collection, whole, bound):
                return True
        case SetOperation(operator="-" | "*"):
            if _is_within(part.left, whole, bound):
                return True
        case SetOperation(operator="+"):
            if _is_within(part.left, whole, bound) and _is_within(part.right, whole, bound):
                return True
    match whole:
        case SetOperation(operator="-"):
            return _is_within(part, whole.left, bound) and _are_disjoint(part, whole.right, bound)
        case SetOperation(operator="+"):
            return _is_within(part, whole.left, bound) or _is_within(part, whole.right, bound)
        case _:
            return False


def _are_disjoint(a: Expr, b: Expr, bound: OpenSlots) -> bool:
    """Whether the structure shows that two sets are disjoint."""
    return _avoids(a, b, bound) or _avoids(b, a, bound)


def _avoids(part: Expr, other: Expr, bound: OpenSlots) -> bool:
    """Whether ``part`` is drawn from a difference that removes all of ``other``."""
    match part:
        case Local() if isinstance(source := bound.get(part.slot), Subsets):
            return _avoids(source.collection, other, bound)
        case SetOperation(operator="-"):
            return _is_within(other, part.right, bound) or _avoids(part.left, other, bound)
        case _:
            return False
