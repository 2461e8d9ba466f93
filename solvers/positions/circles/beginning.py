"""Where policy iteration begins in a component."""

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
    rows of the component."""

    arena: Arena
    policy: Policy
    side: int
    may_stay: bool
    may_last: bool


def begin(contest: Contest, arena: Arena, endless: Fraction | Infinite) -> Beginning:
    """Where to begin if ``endless`` is what a play is worth that never ends: with the edges that have been chosen, if
    any. If plays may stay for ever, and that is infinitely bad for one side, it begins by a policy that leaves.

    Raises :class:`EarnsForEver`."""
    may_stay = bool(staying(arena, (1, -1), arena.every_row()).positions)
    if may_stay:
        _refuse_earning(contest, arena)
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


def _refuse_earning(contest: Contest, arena: Arena) -> None:
    graph = contest.graph
    if graph.rewards is None:
        return
    for component in end_components(arena, arena.every_row()):
        for p, rows in component.items():
            for edge in (edge for k in rows for edge in arena.edges_of(p, k)):
                if any(graph.reward(edge)):
                    raise EarnsForEver(edge)
