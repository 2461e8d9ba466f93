"""Where one side can bring a play out of a component, to where the numbers are known and finite.

If a play that never ends is infinitely bad for a side (because the rules do not say what it pays, and it is asked
whether that matters), the side must leave *almost surely*, with probability 1, and without any chance of coming to a
position that is infinitely bad. Where it can do so whatever the others do is found from the largest set down. Taken out
of it are, again and again,

- positions from which the play can come to a position that has been taken out, or to an infinite number, against the
  side's will: it has no row that does not, or another player or chance has one that does;
- positions where the others can keep the play in the set (:mod:`zermelo.solvers.positions.circles.staying`).

From each of the former the others bring the play, with some probability, to a position that was taken out before, and
so in the end to the latter, or to an infinite number. So these are lost. When nothing is taken out any more, the ways
out of the last set lead almost surely to the outside (de Alfaro, Henzinger and Kupferman 2007, "Concurrent reachability
games"; here for players who take turns).

Cost: a pass over all edges for each time that something is taken out; mostly one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from zermelo.solvers.positions.circles.arena import Arena, inside, is_infinite
from zermelo.solvers.positions.circles.staying import staying


@frozen
class Leaving:
    """``rows[p]`` are the rows to which a side may keep in ``p``, for each position where it can leave almost surely
    (and all rows of the others). It leaves by always taking the row ``ways[p]``."""

    rows: Mapping[int, Sequence[int]]
    ways: Mapping[int, int]


def leaving(arena: Arena, side: int) -> Leaving:
    """Where the players of a side (1: they want more, -1: less) can leave almost surely."""
    rows = arena.every_row()
    while True:
        kept = _harmless(arena, side, rows)
        held = staying(arena, (-side,), kept)
        if not held.positions:
            return Leaving(kept, {p: k for p, k in held.ways.items() if arena.signs[p] == side})
        rows = {p: ks for p, ks in kept.items() if p not in held.positions}


def _harmless(arena: Arena, side: int, rows: Mapping[int, Sequence[int]]) -> dict[int, Sequence[int]]:
    """The positions where a side can keep the play among these positions as long as it does not leave, with the rows
    that do."""
    kept = dict(rows)
    while True:
        smaller: dict[int, Sequence[int]] = {}
        for p, ks in kept.items():
            own = arena.rows[p]
            fine = [k for k in ks if not is_infinite(own[k]) and all(q in kept for q in inside(own[k]))]
            if fine and (arena.signs[p] == side or len(fine) == len(ks)):
                smaller[p] = fine
        if len(smaller) == len(kept):
            return smaller
        kept = smaller
