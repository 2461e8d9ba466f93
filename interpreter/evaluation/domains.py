"""The domains of binders and moves, lazy where that saves work.

A domain can be walked in order, tested for a value, counted, and indexed; the subsets of a set are never listed for
this.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import ceil, comb
from typing import Protocol

from zermelo.interpreter.evaluation.context import Closure, Compiles, Context, Frame
from zermelo.interpreter.model import Const, Expr, RangeSet, Subsets
from zermelo.interpreter.values import OrderedSet, Value, canonical


class Domain(Protocol):
    """A lazy set. It never contains none."""

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        """Its values in order."""

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        """Whether a value other than none belongs to it."""

    def count(self, context: Context, frame: Frame) -> int:
        """The number of values."""

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        """Value number k, from 0."""


def domain(compiler: Compiles, expr: Expr) -> Domain:
    """The set ``expr`` as a domain."""
    match expr:
        case Const(value=value) if value is not None:
            return ConstantDomain(value)
        case RangeSet():
            return RangeDomain(compiler.value(expr.low, "a number"), compiler.value(expr.high, "a number"))
        case Subsets():
            return SubsetsDomain(compiler.value(expr.collection, "a set"), compiler.value(expr.count, "a number"))
        case _:
            return SetDomain(compiler.value(expr, "a set"))


class ConstantDomain:
    """A constant set."""

    def __init__(self, items: OrderedSet) -> None:
        self.items = items

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        return self.items.items

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        return value in self.items.members

    def count(self, context: Context, frame: Frame) -> int:
        return len(self.items.items)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.items.items[k]


class SetDomain:
    """A set computed at run time."""

    def __init__(self, items: Closure) -> None:
        self.items = items

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        walked: Iterable[Value] = self.items(context, frame).items
        return walked

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        return value in self.items(context, frame).members

    def count(self, context: Context, frame: Frame) -> int:
        return len(self.items(context, frame).items)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.items(context, frame).items[k]


class RangeDomain:
    """low, low + 1, ..., high."""

    def __init__(self, low: Closure, high: Closure) -> None:
        self.low = low
        self.high = high

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        low, high = self.low(context, frame), self.high(context, frame)
        if isinstance(low, int):
            return range(low, ceil(high) if high != int(high) else int(high) + 1)
        return (low + k for k in range(self.count(context, frame)))

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        low, high = self.low(context, frame), self.high(context, frame)
        if not isinstance(value, int | Fraction):
            return False
        return bool(low <= value <= high and (value - low) % 1 == 0)

    def count(self, context: Context, frame: Frame) -> int:
        return max(0, int((self.high(context, frame) - self.low(context, frame)) // 1) + 1)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.low(context, frame) + k


class SubsetsDomain:
    """The subsets of a given size, in lexicographic order."""

    def __init__(self, collection: Closure, size: Closure) -> None:
        self.collection = collection
        self.size = size

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        items = canonical(self.collection(context, frame)).items
        return map(OrderedSet, combinations(items, self._size(context, frame)))

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        if not isinstance(value, OrderedSet) or len(value) != self.size(context, frame):
            return False
        return bool(value.members <= self.collection(context, frame).members)

    def count(self, context: Context, frame: Frame) -> int:
        return comb(len(self.collection(context, frame)), self._size(context, frame))

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return OrderedSet(_combination(canonical(self.collection(context, frame)).items, self._size(context, frame), k))

    def _size(self, context: Context, frame: Frame) -> int:
        """The size of the subsets; for a negative one or a fraction, which no subset has, one that is too large."""
        size: int | Fraction = self.size(context, frame)
        return size if isinstance(size, int) and size >= 0 else len(self.collection(context, frame)) + 1


def _combination(items: tuple[Value, ...], size: int, k: int) -> list[Value]:
    """Combination number k of ``size`` items, in lexicographic order. Unranking: at each item, the combinations with it
    come before those without."""
    chosen = []
    for place, item in enumerate(items):
        if size == 0:
            break
        taking = comb(len(items) - place - 1, size - 1)
        if k < taking:
            chosen.append(item)
            size -= 1
        else:
            k -= taking
    return chosen
