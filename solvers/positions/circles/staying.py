"""Where some players can keep a play going round for ever, and how the others let it out.

Given are some positions of a component and, for each, the rows that may be taken there. The *keepers* can stay in the
largest set of positions such that

- in a position of a keeper, some row stays in the set;
- in every other one, all rows do. (A row of chance stays if all its outcomes do.)

It is found by removal: a position that fails is taken out, which may make others fail, as in every retrograde analysis
(Zermelo 1913). In a position of the others the row by which it failed is their *way out*. If they always take it, then
from any position that was taken out the play comes, with a positive probability and within as many steps as there are
positions, out of all given ones: each of their rows, every row of the keepers, and one outcome of each draw leads to a
position that was taken out before, or is not given. So a play stays among those that were taken out for ever with
probability 0.

Cost: a step for each edge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from zermelo.solvers.positions.circles.arena import Arena, inside, leaves

Rows = Mapping[int, Sequence[int]]
"""The numbers of the rows that may be taken in each of some positions."""


@frozen
class Staying:
    """``ways[p]`` is the row to take in a position ``p``: where the keepers can stay, one that stays, for each of
    theirs; and elsewhere one that leads out, for each of the others'."""

    positions: frozenset[int]
    ways: Mapping[int, int]


def staying(arena: Arena, keepers: Collection[int], rows: Rows) -> Staying:
    """Where those players can stay whose signs are ``keepers``, in the positions of ``rows``, by and against these
    rows."""
    entering: dict[int, list[tuple[int, int]]] = defaultdict(list)
    stays: dict[int, set[int]] = {}
    ways: dict[int, int] = {}
    removed: list[int] = []
    for p, allowed in rows.items():
        own = arena.rows[p]
        kept = {k for k in allowed if not leaves(own[k]) and all(there in rows for there in inside(own[k]))}
        if len(kept) < len(allowed) and arena.signs[p] not in keepers:
            ways[p] = next(k for k in allowed if k not in kept)
            kept.clear()
        stays[p] = kept
        if not kept:
            removed.append(p)
        for k in kept:
            for there in inside(own[k]):
                entering[there].append((p, k))
    while removed:
        for p, k in entering[removed.pop()]:
            kept = stays[p]
            if k not in kept:
                continue
            kept.discard(k)
            if arena.signs[p] not in keepers:
                ways[p] = k
                kept.clear()
            if not kept:
                removed.append(p)
    positions = frozenset(p for p, kept in stays.items() if kept)
    for p in positions:
        if arena.signs[p] in keepers:
            ways[p] = min(stays[p])
    return Staying(positions, ways)
