"""Where policy iteration begins in a component.

**Tolls.** If something is earned wherever a play may stay for ever, its total need not have a limit, and the game is
refused. But where staying only costs, and those who decide there all bear it, as on the way through a maze in which
every step costs something, a play that never ends is infinitely bad for them, whatever the rules say of it: a play that
stays takes, from some time on, the rows of an end component again and again (de Alfaro 1997), and since no end
component is free, and none earns anything back, its total falls below all bounds. So they leave, as where ``endless``
is infinitely bad: with probability 1 if they can, and policy iteration from a policy that leaves finds the best such
policy (Bertsekas and Tsitsiklis 1991, "An analysis of stochastic shortest path problems"). An improvement never stays:
around a circle in which it did, the numbers would have to rise by no less than they fall.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from zermelo.solvers.common.numbers import Infinite
from zermelo.solvers.positions.circles.arena import Arena, Policy, is_infinite
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.circles.leaving import leaving
from zermelo.solvers.positions.circles.staying import staying
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.refusals import EarnsForEver


@frozen
class Beginning:
    """The positions with finite numbers, and the rows that keep them finite; a policy to begin with, and the ``side``
    that improves it. ``may_stay`` says whether plays may stay there for ever, and ``may_last`` whether they may by any
    rows of the component. ``toll`` is an edge that costs something where they may, None if nothing is earned there."""

    arena: Arena
    policy: Policy
    side: int
    may_stay: bool
    may_last: bool
    toll: int | None = None


def begin(contest: Contest, arena: Arena, endless: Fraction | Infinite) -> Beginning:
    """Where to begin if ``endless`` is what a play is worth that never ends: with the edges that have been chosen, if
    any. If plays may stay for ever, and that is infinitely bad for one side, it begins by a policy that leaves.

    Raises :class:`EarnsForEver`."""
    may_stay = bool(staying(arena, (1, -1), arena.every_row()).positions)
    toll = _toll(contest, arena) if may_stay else None
    if toll is not None:
        return _leave(arena, *toll)
    if isinstance(endless, Fraction):
        return Beginning(arena, _chosen(contest, arena), 1, may_stay, may_stay)
    side = 1 if endless < 0 else -1
    if not may_stay and not any(is_infinite(row) for rows in arena.rows for row in rows):
        return Beginning(arena, _chosen(contest, arena), side, False, False)
    found = leaving(arena, side)
    ways = [rows.index(found.ways[p]) if p in found.ways else 0 for p, rows in found.rows.items()]
    return Beginning(arena.part(found.rows), ways, side, False, may_stay)


def _chosen(contest: Contest, arena: Arena) -> Policy:
    """The rows that have been chosen before, the first ones where nothing has."""
    policy = []
    for position, sign, edges in zip(arena.positions, arena.signs, arena.edges, strict=True):
        choice = contest.choices[position]
        policy.append(edges.index(choice) if sign and choice in edges else 0)
    return policy


def _leave(arena: Arena, side: int, toll: int) -> Beginning:
    """Where to begin if staying costs a side. Raises :class:`EarnsForEver` if it cannot leave from everywhere."""
    found = leaving(arena, side)
    if len(found.rows) < len(arena.positions) or any(is_infinite(row) for rows in arena.rows for row in rows):
        raise EarnsForEver(toll)
    ways = [rows.index(found.ways[p]) if p in found.ways else 0 for p, rows in found.rows.items()]
    return Beginning(arena, ways, side, False, True, toll)


def _toll(contest: Contest, arena: Arena) -> tuple[int, int] | None:
    """The side that pays wherever a play may stay for ever, and an edge where it does; None if nothing is earned there.

    Raises :class:`EarnsForEver` if something else is earned, another side decides there, too, or some way of staying is
    free."""
    graph = contest.graph
    if graph.rewards is None:
        return None
    components = end_components(arena, arena.every_row())
    rows = [(p, k, arena.edges_of(p, k)) for component in components for p, ks in component.items() for k in ks]
    earning = [edge for _, _, edges in rows for edge in edges if any(graph.reward(edge))]
    if not earning:
        return None
    side = -1 if graph.reward(earning[0])[0] > 0 else 1
    free: dict[int, list[int]] = {}
    for p, k, edges in rows:
        if not any(any(graph.reward(edge)) for edge in edges):
            free.setdefault(p, []).append(k)
    is_borne = all(side * graph.reward(edge)[0] < 0 for edge in earning)
    if not is_borne or any(arena.signs[p] == -side for p, _, _ in rows) or end_components(arena, free):
        raise EarnsForEver(earning[0])
    return side, earning[0]
