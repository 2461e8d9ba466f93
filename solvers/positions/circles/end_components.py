"""End components: where plays may stay for ever, with a probability that is not 0.

An *end component* is a set of positions with some of their rows (all outcomes, where chance draws), at least one each,
that stay in the set and lead from each position to every other (de Alfaro 1997). Whatever the players do, the rows that
are taken again and again for ever are with probability 1 those of an end component (his theorem 3.2); and a play may go
through all of one for ever if those who decide there want it. The *maximal* ones do not overlap, and hold all others.

They are found by taking away what does not last: the rows of players that leave the strongly connected component in
which their position is, the positions that have no row left, and those where chance leads out; until nothing changes.

Cost: (positions taken away) times the edges, at worst; mostly two or three passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.solvers.positions.circles.arena import Arena, inside, leaves
from zermelo.solvers.positions.circles.staying import Rows, staying


def end_components(arena: Arena, rows: Rows) -> list[dict[int, list[int]]]:
    """The maximal end components of these rows: their positions with the rows that stay."""
    waiting = [_those_that_stay(arena, rows)]
    found = []
    while waiting:
        kept = waiting.pop()
        parts = _strong_components(arena, kept)
        if len(parts) == 1:
            found.append(kept)
            continue
        for part in parts:
            inside = _those_that_stay(arena, {p: kept[p] for p in part})
            if inside:
                waiting.append(inside)
    return found


def _those_that_stay(arena: Arena, rows: Rows) -> dict[int, list[int]]:
    """The positions where all players together can stay, with the rows that do."""
    kept = staying(arena, (1, -1), rows).positions
    return {
        p: [
            k
            for k in rows[p]
            if not leaves(arena.rows[p][k]) and all(there in kept for there in inside(arena.rows[p][k]))
        ]
        for p in rows
        if p in kept
    }


def _strong_components(arena: Arena, rows: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """The strongly connected components of positions (Tarjan 1972)."""
    ways = {p: [there for k in allowed for there in inside(arena.rows[p][k])] for p, allowed in rows.items()}
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_positions: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for start in ways:
        if start in number:
            continue
        path = [(start, iter(ways[start]))]
        number[start] = lowest[start] = len(number)
        open_positions.append(start)
        is_open.add(start)
        while path:
            p, rest = path[-1]
            for there in rest:
                if there not in number:
                    number[there] = lowest[there] = len(number)
                    open_positions.append(there)
                    is_open.add(there)
                    path.append((there, iter(ways[there])))
                    break
                if there in is_open:
                    lowest[p] = min(lowest[p], number[there])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[p])
                if lowest[p] == number[p]:
                    part: list[int] = []
                    while not part or part[-1] != p:
                        part.append(open_positions.pop())
                        is_open.discard(part[-1])
                    found.append(part)
    return found
