"""What a policy is worth: the linear system of a Markov chain, solved by the elimination of positions.

When a row has been chosen in every position of a component (:mod:`zermelo.solvers.positions.circles.arena`), what is
left is a Markov chain, and the worths x satisfy a system of linear equations, x(p) = brings(p) + sum of share(p, q)
x(q).

**Elimination.** One position after the other is *eliminated*: its row is changed so as to lead only to positions that
have not been eliminated yet. Where it leads to earlier ones their rows are put in, in the order in which they were
eliminated, so that each is put in once. What then leads back to the position itself, with share a, is a loop that is
left with share 1 - a: everything else is divided by that. In the end the worths follow in the reverse order. This is
Gaussian elimination; and it is the same chain, watched only in the positions that are left.

**Without subtraction.** Since shares sum to 1, that of leaving included, 1 - a is found as the sum of the other shares
(Grassmann, Taksar and Heyman 1985). So numbers that are alike are never subtracted, and the shares keep their full
*relative* precision, however unlikely it is that a play leaves (O'Cinneide 1993). Balls grow by a rounding or two for
each step, and not with the length of plays.

**Never leaving.** If nothing but the loop is left of a row, the position is the last one of a class that is never left.
It is worth what an endless play is worth and so are, by their rows, all others in the class, since nothing is earned
there (:mod:`zermelo.solvers.positions.circles.end_components`).

**Order.** Positions are eliminated after all to which they lead, as far as that is possible: in postorder of a search
in depth. A row then leads to positions on the path of that search only, those at which circles close. A component of
pig, with hundreds of positions, has one or two of them.

Cost: the rows that are put in, times their length; n^3 at worst for n positions, and about as much as there are edges
for circles that close at few positions.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.circles.arena import AWAY, Arena, Number, Policy, Row


def evaluate(
    arena: Arena, policy: Policy, endless: Number | None, watch: Callable[[Number, int], None] | None
) -> list[Number]:
    """What each position is worth under a policy, and 0 for ``AWAY``. ``endless`` is what a play is worth that never
    ends; None if there is no such play. ``watch`` sees the numbers as they are made, each with the number of products
    so far, and may raise."""
    chosen = [rows[k] for rows, k in zip(arena.rows, policy, strict=True)]
    order = _postorder(chosen)
    last = len(chosen)
    turn = [last] * (last + 1)
    brought: list[Number] = [None] * last
    led: list[dict[int, Number]] = [{}] * last
    products = 0
    for when, p in enumerate(order):
        look()
        brings, shares = chosen[p]
        row = dict(shares)
        waiting = sorted([turn[q] for q in row if turn[q] < last])
        for moment in waiting:  # to which later ones may be added on the way
            q = order[moment]
            share = row.pop(q)
            brings = brings + share * brought[q]
            products += len(led[q])
            for there, further in led[q].items():
                if there in row:
                    row[there] = row[there] + share * further
                else:
                    row[there] = share * further
                    if turn[there] < last:
                        insort(waiting, turn[there])
        back = row.pop(p, None)
        if back is not None and row:
            leaving = sum(row.values())
            brings = brings / leaving
            row = {there: share / leaving for there, share in row.items()}
        elif back is not None:
            assert endless is not None, "every play leaves"
            brings, row = endless, {AWAY: back}
        if watch is not None:
            watch(brings, products)
        brought[p], led[p], turn[p] = brings, row, when
    return _completed(order, brought, led)


def _completed(order: Sequence[int], brought: Sequence[Number], led: Sequence[dict[int, Number]]) -> list[Number]:
    values: list[Number] = [0] * (len(order) + 1)
    for p in reversed(order):
        total = brought[p]
        for there, share in led[p].items():
            if there != AWAY:
                total = total + share * values[there]
        values[p] = total
    return values


def _postorder(chosen: Sequence[Row]) -> list[int]:
    """All positions; each after those to which it leads, except where that closes a circle."""
    found: list[int] = []
    is_seen = [False] * len(chosen)
    for start in range(len(chosen)):
        if is_seen[start]:
            continue
        is_seen[start] = True
        path = [(start, iter(chosen[start][1]))]
        while path:
            p, ways = path[-1]
            for there, _ in ways:
                if there != AWAY and not is_seen[there]:
                    is_seen[there] = True
                    path.append((there, iter(chosen[there][1])))
                    break
            else:
                found.append(p)
                path.pop()
    return found
