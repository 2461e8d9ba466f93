"""The places of a tree's nodes, side by side: tidy, symmetric, and never one upon another.

The conditions are those of Wetherell and Shannon (1979) and Reingold and Tilford (1981). Nodes of a level stand at the
same height; a parent stands over the middle of its children; what the nodes of a level take up keeps apart; and a tree
read from right to left is the mirror image of itself.

The method is Kennedy's ("Drawing Trees", Journal of Functional Programming 6, 1996), for nodes of any widths. Each
subtree is laid out by itself and is rigid from then on; its *contour* says what it takes up on each level. The subtrees
of a parent are pushed together twice, each as far as it goes to the left, and each as far as it goes to the right, and
placed in the middle between the two. That they keep apart is a set of lower bounds on the differences of their places;
both placements satisfy it, and so does their mean. Cost: for each node the height of its subtree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

Extent: TypeAlias = tuple[float, float]
"""How far something reaches to the left and to the right of its middle; both are positive to the outside."""

Contour: TypeAlias = list[tuple[float, float]]
"""What a subtree takes up, level by level: from where to where, measured from its root."""


def places(children: Sequence[Sequence[int]], extents: Sequence[Extent], gap: float) -> list[float]:
    """The x of every node, the root's being 0. Node 0 is the root, and a child has a greater number than its parent;
    ``gap`` is what stays free between neighbours of a level."""
    offsets = [0.0] * len(children)
    contours: list[Contour] = [[] for _ in children]
    for node in reversed(range(len(children))):
        below = children[node]
        left, right = extents[node]
        contours[node] = [(-left, right)]
        if below:
            fitted = _fitted([contours[child] for child in below], gap)
            middle = (fitted[0] + fitted[-1]) / 2
            together: Contour = []
            for child, place in zip(below, fitted, strict=True):
                offsets[child] = place - middle
                together = _joined(together, _moved(contours[child], offsets[child]))
                contours[child] = []  # it is part of the parent's from here on
            contours[node] += together
    found = [0.0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            found[child] = found[node] + offsets[child]
    return found


def _fitted(contours: Sequence[Contour], gap: float) -> list[float]:
    """Places for the roots of subtrees: the means of those pushed to the left and those pushed to the right."""
    to_the_left = _pushed(contours, gap)
    mirrored = [[(-right, -left) for left, right in contour] for contour in reversed(contours)]
    to_the_right = [-place for place in reversed(_pushed(mirrored, gap))]
    shift = to_the_right[-1] - to_the_left[-1]  # that the last subtrees of both lie upon each other
    return [(a + b - shift) / 2 for a, b in zip(to_the_left, to_the_right, strict=True)]


def _pushed(contours: Sequence[Contour], gap: float) -> list[float]:
    """Places for the roots of subtrees, each as near to those before it as ``gap`` allows."""
    found: list[float] = []
    together: Contour = []
    for contour in contours:
        apart = (right - left + gap for (_, right), (left, _) in zip(together, contour, strict=False))
        found.append(max(apart, default=0.0))
        together = _joined(together, _moved(contour, found[-1]))
    return found


def _moved(contour: Contour, x: float) -> Contour:
    return [(left + x, right + x) for left, right in contour]


def _joined(first: Contour, second: Contour) -> Contour:
    """The contour of two subtrees, the second one to the right of the first on every level that both have."""
    return [
        second_row if first_row is None else first_row if second_row is None else (first_row[0], second_row[1])
        for first_row, second_row in zip_longest(first, second)
    ]
