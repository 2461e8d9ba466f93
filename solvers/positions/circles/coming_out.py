"""Which edges that keep the number are best in a circle: those that bring it about however often they are taken.

Without a discount an edge may be worth as much as its position and yet not be best: whoever takes such edges only may
go round for ever, and get what an endless play pays, e. Let a *side* decide, seen as if it wants more, and let v be the
numbers. Its best edges are, among those that keep the number,

- where v is no more than e, all of them;
- elsewhere, those that do not belong to an end component (:mod:`.end_components`) of the positions of the component
  that are worth more than e, with the edges of all players there that keep the number;
- and of those that do, the ones by which it *comes out* soonest: each position has a rank, the least number of steps
  within which the side can leave these positions with a probability that is not 0, whatever the others do (by edges
  that keep the number) and if chance is kind; best are edges to a lower rank.

*Sound.* Let the side only take such edges, any of them, wherever it decides. The expectation of what has been earned,
plus v, never falls, and rises wherever another player gives something away; so with probability 1 that happens finitely
often. What is taken again and again for ever is then with probability 1 an end component of edges that keep the number
(de Alfaro 1997). There nothing is earned, so that v is the same in all of it. If that is no more than e, the side gets
no less than v. Else all of it lies in the positions worth more than e, and the side takes edges to lower ranks there;
every position has one, as has every edge of the others and every draw, by the meaning of ranks. But the least rank in
it cannot lead to a lower one. So there is no such end component, the play ends, and the side gets v.

*Every position worth more than e has a rank, so that some edge is best.* Where none is left that can come out, the
others can hold the play for ever unless the side gives something away. It would get no more than e by staying, and less
than v by every edge that gives something away: then v would not be what the position is worth.

If plays that never end are infinitely bad for the side, every number is more than e.

Cost: as for end components.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from zermelo.solvers.positions.circles.arena import AWAY, Arena, inside, leaves
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.graph.contest import Component, Contest


def coming_out(contest: Contest, component: Component, side: int) -> dict[int, list[int]]:
    """The best edges of a side (1: it wants more, -1: less) in each position of a component where it decides and
    endless plays are worth less to it than the number; the numbers are exact, and there is no discount."""
    graph, endless = contest.graph, contest.endless
    numbers = {position: contest.numbers[position] for position in component}
    dear = [p for p, v in numbers.items() if v is not None and (endless is None or side * (v - endless) > 0)]
    place = {position: p for p, position in enumerate(dear)}
    arena = Arena(dear)
    for position in dear:
        kind = graph.kinds[position]
        edges = graph.edges(position) if kind < 0 else keeping(contest, position)
        leads = [(place.get(graph.targets[edge], AWAY), None) for edge in edges]
        arena.signs.append(contest.wants[kind] if kind >= 0 else 0)
        arena.edges.append(edges)
        rows = [[lead] for lead in leads] if kind >= 0 else [sorted(set(leads), reverse=True)]
        arena.rows.append([(None, tuple(row)) for row in rows])
    ranks = _ranks(arena, side)
    held = {p: kept for part in end_components(arena, arena.every_row()) for p, kept in part.items()}
    return {
        position: [
            arena.edges[p][k]
            for k, row in enumerate(arena.rows[p])
            if k not in held.get(p, ()) or ranks[next(inside(row))] < ranks[p]
        ]
        for p, position in enumerate(dear)
        if arena.signs[p] == side
    }


def keeping(contest: Contest, position: int) -> list[int]:
    """The edges of a position that are worth as much as it is."""
    graph, number = contest.graph, contest.numbers[position]
    return [
        edge
        for edge in graph.edges(position)
        if contest.numbers[graph.targets[edge]] is not None and contest.worth(position, edge) == number
    ]


def _ranks(arena: Arena, side: int) -> Mapping[int, int]:
    """Within how many steps a side can leave each position with a probability that is not 0."""
    before = defaultdict[int, list[int]](list)
    left: dict[int, int] = {}
    ranks: dict[int, int] = {}
    layer: list[int] = []
    for p, rows in enumerate(arena.rows):
        left[p] = len(rows) if arena.signs[p] == -side else 1
        out = sum(map(leaves, rows))
        left[p] -= min(out, left[p])
        if not left[p]:
            layer.append(p)
        for row in rows:
            if not leaves(row):
                for there in inside(row):
                    before[there].append(p)
    rank = 1
    while layer:
        ranks.update((p, rank) for p in layer)
        further = []
        for p in layer:
            for q in before[p]:
                if left[q]:
                    left[q] -= 1
                    if not left[q]:
                        further.append(q)
        layer, rank = further, rank + 1
    return ranks
