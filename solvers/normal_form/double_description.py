"""The vertices of the polyhedron of a player's mixtures and the other player's best replies, in whole numbers.

A mixture x of a player's strategies and a bound v on what the other player's replies bring against it form a
polyhedron: x is not negative, and no reply brings more than v. Where x may have any sum, it is a cone, and each vertex
is one of its *extreme rays*; one more, x = 0 and v = 1, is no mixture. The *labels* of a ray are the inequalities in
which it has equality: own strategies that are not played, replies that are best.

The double description method (Motzkin, Raiffa, Thompson and Thrall 1953; Fukuda and Prodon, "Double description method
revisited", 1996) takes the replies one by one. The first leaves one ray for each strategy, and that of x = 0. Each
other reply cuts off the rays against which it brings more than v. Those on its other side remain, and wherever it cuts
the edge between two rays, one of each side, there is a new ray: the positive combination of both that has equality.

After each reply these are all extreme rays of the replies so far, each once, in lowest terms, with all of its labels.
Replies that bring most come first, which keeps the rays few where the table is that of a tree; equal ones are one.

Two rays are the ends of an edge if and only if no third ray has all labels that both have. A ray is determined by its
labels, so it has at least as many as the player has strategies. If it has no more, it is *simple*: whichever label is
left out, the others are those of an edge. So edges between simple rays are found in a dictionary, by what their ends
share; of an edge with one simple end it is enough to count that; and where both ends have more labels, the rays that
have all those of both are an intersection of sets, one for each label, kept as the bits of a number.

Cost, for each reply and n strategies: with r rays n r numbers and look-ups, a comparison of each two of which one is
not simple, and a new ray for each edge that is cut. Vertices may be as many as McMullen's upper bound theorem (1970)
says, and mostly are far fewer; so nothing but the work itself tells when they are too many. Rays become more with most
replies, and a reply seldom costs less than those before it. So each may take an equal share of the work that is left:
a table that is far too large is given up at its first replies, and not when all work has been spent on a few of them.

Reverse search (Avis and Fukuda 1992; Avis, "lrs", 2000) goes from vertex to vertex by pivots and needs no memory for
them. But it computes a tableau of all inequalities for each *basis*, of which a vertex with many labels has many. Here
a ray takes one sum of two, with numbers of any length: so much less than a pivot that no machine code is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import compress
from math import gcd, lcm
from operator import mul, not_
from typing import Final

from attrs import define

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import MemoryBudget, MemoryQuota

Ray = tuple[tuple[int, ...], int]
"""Weights of the strategies, with the bound v behind them; and the labels, as bits: bit i if strategy i is not played,
and bit own + j if reply j is best."""


MOST_NUMBERS: Final = 12_000_000
"""So many numbers of rays are looked at, one reply after the other, before there are too many: some five seconds."""

_COMPARISONS: Final = 16
"""So many comparisons of two rays take as long as one of those numbers."""


class TooManyVertices(Exception):
    """There are too many vertices to find them all, or to hold them in memory."""


def vertices(replies: Sequence[Sequence[Fraction]], budget: MemoryBudget) -> list[Ray]:
    """All vertices of the polyhedron. ``replies[j][i]`` is the other player's payoff by reply j to strategy i.

    Raises :class:`TooManyVertices`."""
    own = len(replies[0])
    alike: dict[tuple[int, ...], int] = {}
    for j in sorted(range(len(replies)), key=lambda j: tuple(replies[j]), reverse=True):
        inequality = _inequality(replies[j])
        alike[inequality] = alike.get(inequality, 0) | 1 << own + j
    first, *others = alike
    cone = _Cone(own, _first_rays(first), MemoryQuota(budget), MemoryQuota(budget))
    for k, inequality in enumerate(others, 1):
        cone.cut(inequality, 1 << own + k, len(others) - k)
    shown = [*(1 << i for i in range(own)), *alike.values()]
    return [
        (numbers, sum(shown[bit] for bit in range(labels.bit_length()) if labels >> bit & 1))
        for numbers, labels in cone.rays
        if any(numbers[:own])
    ]


def _inequality(reply: Sequence[Fraction]) -> tuple[int, ...]:
    """The coefficients of the difference between the bound and what a reply brings, times a positive number."""
    scale = lcm(*(amount.denominator for amount in reply))
    return (*(-amount.numerator * (scale // amount.denominator) for amount in reply), scale)


def _first_rays(inequality: Sequence[int]) -> list[Ray]:
    """The extreme rays if there is only one reply."""
    *amounts, scale = inequality
    own = len(amounts)
    unplayed = (1 << own) - 1
    rays = [((0,) * own + (1,), unplayed)]
    for i, amount in enumerate(amounts):
        common = gcd(amount, scale)
        numbers = (*(scale // common if k == i else 0 for k in range(own)), -amount // common)
        rays.append((numbers, unplayed ^ 1 << i | 1 << own))
    return rays


@define(eq=False)
class _Cone:
    """A cone of the mixtures of ``own`` strategies, by its extreme ``rays``. ``spent`` is the work so far, in numbers
    looked at; for the reply at hand it may become the ``most``."""

    own: int
    rays: list[Ray]
    room: MemoryQuota
    room_for_ends: MemoryQuota
    spent: int = 0
    most: int = MOST_NUMBERS

    def cut(self, inequality: Sequence[int], label: int, left: int) -> None:
        """Leave the part of the cone where an inequality holds, which gives the rays on its border this label, with
        so many others ``left``."""
        self.most = self.spent + (MOST_NUMBERS - self.spent) // (left + 1)
        rays, size = self.rays, self.own + 1
        self._spend(len(rays) * size)
        slacks = [sum(map(mul, inequality, numbers)) for numbers, _ in rays]
        labels = [shown for _, shown in rays]
        self.rays = kept = [
            ray if slack else (ray[0], ray[1] | label) for ray, slack in zip(rays, slacks, strict=True) if slack >= 0
        ]
        inside = [k for k, slack in enumerate(slacks) if slack > 0]
        outside = [k for k, slack in enumerate(slacks) if slack < 0]
        for k, other in self._edges(labels, inside, outside):
            self._spend(size)
            numbers = _combination(rays[k][0], -slacks[other], rays[other][0], slacks[k])
            kept.append((numbers, labels[k] & labels[other] | label))
            if not self.room.grows(kept):
                raise TooManyVertices

    def _spend(self, numbers: int) -> None:
        check_deadline()
        self.spent += numbers
        if self.spent > self.most:
            raise TooManyVertices

    def _edges(self, labels: Sequence[int], inside: Sequence[int], outside: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The edges between rays inside and outside, given by the labels of all rays."""
        simple, others = self._split(labels, inside)
        simple_outside, others_outside = self._split(labels, outside)
        ends: dict[int, int] = {}
        for k in simple:
            for shared in _all_but_one(labels[k]):
                ends[shared] = k
            if not self.room_for_ends.grows(ends):
                raise TooManyVertices
        for k in simple_outside:
            for shared in _all_but_one(labels[k]):
                if shared in ends:
                    yield ends[shared], k
        del ends
        self.room_for_ends.shrink(0)
        yield from self._sharing(labels, simple, others_outside)
        yield from self._sharing(labels, others, simple_outside)
        if others and others_outside:
            having = rays_by_label(labels, max(labels).bit_length())
            for k, other in self._sharing(labels, others, others_outside):
                self._spend(self.own)
                if intersection(having, labels[k] & labels[other]).bit_count() == 2:
                    yield k, other

    def _split(self, labels: Sequence[int], rays: Sequence[int]) -> tuple[list[int], list[int]]:
        """Those of these rays that are simple, and the others."""
        simple = [labels[k].bit_count() == self.own for k in rays]
        return list(compress(rays, simple)), list(compress(rays, map(not_, simple)))

    def _sharing(self, labels: Sequence[int], some: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The pairs of rays that share labels enough for an edge."""
        least = self.own - 1
        for k in some:
            self._spend(len(others) // _COMPARISONS)
            shown = labels[k]
            for other in others:
                if (shown & labels[other]).bit_count() >= least:
                    yield k, other


def _combination(one: Sequence[int], weight: int, other: Sequence[int], its_weight: int) -> tuple[int, ...]:
    """The sum of two rays by positive weights, in lowest terms."""
    common = gcd(weight, its_weight)
    weight, its_weight = weight // common, its_weight // common
    numbers = [weight * a + its_weight * b for a, b in zip(one, other, strict=True)]
    common = gcd(*numbers)
    return tuple(numbers) if common == 1 else tuple([number // common for number in numbers])


def _all_but_one(labels: int) -> Iterator[int]:
    """Labels without each of them in turn."""
    left = labels
    while left:
        lowest = left & -left
        yield labels ^ lowest
        left ^= lowest


def rays_by_label(labels: Sequence[int], count: int) -> list[int]:
    """For each of so many labels the rays that have it, as bits; given the labels of every ray."""
    written = [f"{shown:0{count}b}" for shown in reversed(labels)]
    return [int("".join(column), 2) for column in zip(*written, strict=True)][::-1]


def intersection(having: Sequence[int], labels: int) -> int:
    """The rays that have all of these labels, at least one, as bits."""
    found = -1
    while labels and found:
        found &= having[labels.bit_length() - 1]
        labels ^= 1 << labels.bit_length() - 1
    return found
