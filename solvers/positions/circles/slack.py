"""Proved bounds where the precision does not tell which row is best.

Let the others keep to a policy, and let a *free* side do as it likes. How much can it get? If every other row is
certainly worse for it than the worths of the policy, then no more than these. But there may be rows that are worth as
much, or nearly so; how near, balls cannot tell. Then numbers u are made that the free side, say 1, cannot exceed:

1. for every row that may be taken, u(p) is *certainly more* than what the row is worth by u;
2. or the row is within a *group* of positions, where u is the same everywhere, nothing is earned, and u is at least
   ``endless``.

*Proof.* The expectation of what has been earned, plus u of the position, never rises. A play leaves, or is caught in a
class in which u is then the same everywhere, and all rows are worth just u. So by 1 they are within a group, and by 2
the play pays ``endless``, which is not more than u. (With a discount, what is yet to come vanishes.) Nothing is assumed
about where u comes from. Balls prove 1 and 2 for all numbers that the balls outside may stand for.

**Tolls.** Where plays may only stay at a cost to the free side, or cannot if the others keep to their policy, there
must be no groups, and 1 alone proves the same. *Proof.* Rows that are taken again and again for ever are those of an
end component, of which none is free and none brings anything back. So a play that stays pays without end; apart from
tolls, the rows that earn are taken a finite number of times on average. If the free side stays with some probability,
or pays an infinite toll on average, it gets less than any number. Else all that is earned, tolls included, is bounded
by something of finite mean, so that the expectation of the total is the limit of that of what has been earned plus u,
which never rises: no more than u where the play began.

**How u is found.** As v + d w, where v are the worths of the policy, w is at least the number of steps that a play can
take, and d is a little more than the errors of v, so that each step has room for them. For w only rows count that may
be as good as those of the policy, since others have more room. Groups are the end components of these rows: there plays
can go round as long as the free side likes, and it can go to any of the positions, so that all are worth the same to it
(Haddad and Monmege 2018, "Interval iteration for MDPs and IMDPs"). Apart from groups plays leave, and the most steps
are found by policy iteration.

So u is above the true number by not much more than the precision times the length of a play. If a check fails, a higher
precision is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zermelo.solvers.positions.circles.arena import AWAY, Arena, Number, Policy, Row, inside, leaves, worth
from zermelo.solvers.positions.circles.balls import Undecided, flint
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.circles.policy_iteration import Play, View, reply
from zermelo.solvers.positions.circles.staying import Rows

_ROOM: Final = 4
"""How many times the largest error of a row each step has room for."""


def most(arena: Arena, policy: Policy, view: View, side: int, endless: Number | None) -> list[Number]:
    """What the free ``side`` can get at most in each position if the others keep to the policy, as numbers with radius
    0; for side -1, the least that it can bring about. The ``view`` is that of the policy. ``endless`` is what a play is
    worth that never ends; it may be infinitely bad for the free side, and None where whoever stays pays tolls.

    Raises :class:`Undecided`."""
    rows = {p: view.ties.get(p, [policy[p]]) if sign == side else [policy[p]] for p, sign in enumerate(arena.signs)}
    groups = end_components(arena, rows)
    if endless is None:
        if groups:
            raise Undecided  # the rows of a circle that costs something cannot all be worth as much
        endless = 0  # which nobody gets
    group_of = {p: g for g, members in enumerate(groups) for p in members}
    base = [value.mid() for value in view.values[:AWAY]] + [0]
    for members in groups:
        best = max(side * base[p] for p in members)
        for p in members:
            base[p] = side * best
    used = list(_between(arena, rows, group_of))
    errors = [worth(row, base) - base[p] for p, row in used]
    errors += [endless - base[p] for p in group_of if not side * endless < side * base[p]]
    rounding = flint().arb(2) ** -flint().ctx.prec * (1 + max(map(abs, base)))
    terms = max((len(shares) for _, (_, shares) in used), default=0)
    room = _ROOM * (max((error.abs_upper() for error in errors), default=0) + rounding * (terms + 4))
    steps = _most_steps(arena, rows, group_of, len(groups))
    bounds = [(number + side * room * steps[p]).mid() for p, number in enumerate(base[:AWAY])] + [0]
    free = {p: range(len(arena.rows[p])) if sign == side else [policy[p]] for p, sign in enumerate(arena.signs)}
    if not all(side * worth(row, bounds) < side * bounds[p] for p, row in _between(arena, free, group_of)):
        raise Undecided
    if not all(side * endless <= side * bounds[p] for p in group_of):
        raise Undecided
    return bounds


def _between(arena: Arena, rows: Rows, group_of: Mapping[int, int]) -> Iterator[tuple[int, Row]]:
    """The positions with those of their rows that are not within a group."""
    for p, allowed in rows.items():
        for k in allowed:
            row = arena.rows[p][k]
            if not _is_within(row, p, group_of):
                yield p, row


def _is_within(row: Row, p: int, group_of: Mapping[int, int]) -> bool:
    return p in group_of and not leaves(row) and all(group_of.get(q) == group_of[p] for q in inside(row))


def _most_steps(arena: Arena, rows: Rows, group_of: Mapping[int, int], groups: int) -> list[Number]:
    """How many steps plays take at most on average, by these rows, from each position; those within groups do not
    count."""
    one = flint().arb(1)
    node_of, nodes = dict(group_of), groups
    for p in range(len(arena)):
        if p not in node_of:
            node_of[p], nodes = nodes, nodes + 1
    node_of[AWAY] = AWAY
    whole = Arena(range(nodes), [1] * nodes, [[] for _ in range(nodes)], [()] * nodes)
    for p, (_, shares) in _between(arena, rows, group_of):
        merged: dict[int, Number] = {}
        for q, share in shares:
            node = node_of[q]
            merged[node] = merged[node] + share if node in merged else share
        whole.rows[node_of[p]].append((one, tuple(merged.items())))
    for choice in whole.rows:
        if not choice:
            choice.append((one, ((AWAY, one),)))
    steps = reply(Play(whole, None), [0] * nodes, 1).values
    return [steps[node_of[p]].mid() for p in range(len(arena))]
