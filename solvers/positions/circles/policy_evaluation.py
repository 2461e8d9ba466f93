"""What a policy is worth: the linear system of a Markov chain, solved by the elimination of positions.

When a row has been chosen in every position of a component (:mod:`zermelo.solvers.positions.circles.arena`), what is
left is a Markov chain, and the worths x satisfy a system of linear equations, x(p) = brings(p) + sum of share(p, q)
x(q).

**Elimination.** One position after the other is *eliminated*: its row is put in wherever another one leads to it. What
then leads back to a position itself, with share a, is a loop that is left with share 1 - a: everything else is divided
by that, when the position's turn comes. So what is left leads only to positions that have not been eliminated yet, and
in the end the worths follow in the reverse order. This is Gaussian elimination; and it is the same chain, watched only
in the positions that are left.

**Without subtraction.** Since shares sum to 1, that of leaving included, 1 - a is found as the sum of the other shares
(Grassmann, Taksar and Heyman 1985). So numbers that are alike are never subtracted, and the shares keep their full
*relative* precision, however unlikely it is that a play leaves (O'Cinneide 1993). Balls grow by a rounding or two for
each step, and not with the length of plays.

**Never leaving.** If nothing but the loop is left of a row, the position is the last one of a class that is never left.
It is worth what an endless play is worth and so are, by their rows, all others in the class, since nothing is earned
there (:mod:`zermelo.solvers.positions.circles.end_components`).

**Order.** The next position to be eliminated is the one that makes the fewest products: the number of rows that lead to
it, times the length of its own (Markowitz, "The elimination form of the inverse and its application to linear
programming", 1957). Decisions, which have one row, go first and cost next to nothing, and the positions at which many
circles close go last. Nothing but the cost depends on the order.

Cost: the products. About as many as there are edges for circles that close at few positions: 46,000 for the 9,700
positions of hypergammon with one man; n^3 / 3 at worst for n positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heapreplace

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.circles.arena import AWAY, Arena, Number, Policy, Row


def evaluate(
    arena: Arena, policy: Policy, endless: Number | None, watch: Callable[[Number, int], None] | None
) -> list[Number]:
    """What each position is worth under a policy, and 0 for ``AWAY``. ``endless`` is what a play is worth that never
    ends; None if there is no such play. ``watch`` sees the numbers as they are made, each with the number of products
    so far, and may raise."""
    chain = _Chain([rows[k] for rows, k in zip(arena.rows, policy, strict=True)])
    order, products = list[int](), 0
    while chain.waiting:
        look()
        cost, p = chain.next()
        products += cost
        chain.leave_loop(p, endless)
        if watch is not None:
            watch(chain.brings[p], products)
        chain.eliminate(p)
        order.append(p)
    return _completed(order, chain.brings, chain.shares)


class _Chain:
    """The chain in the positions that are left: what the row of each ``brings``, its ``shares``, and the positions
    ``before`` it, whose rows lead to it. Of those eliminated it keeps the rows. ``waiting`` are the others, each with
    what its elimination cost when that was last looked at: mostly it has not become less since."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.brings: list[Number] = [brings for brings, _ in rows]
        self.shares: list[dict[int, Number]] = [dict(shares) for _, shares in rows]
        self.before: list[set[int]] = [set() for _ in rows]
        for p, shares in enumerate(self.shares):
            for there in shares:
                if there not in (AWAY, p):
                    self.before[there].add(p)
        self.waiting = [(len(self.before[p]) * len(self.shares[p]), p) for p in range(len(rows))]
        heapify(self.waiting)

    def next(self) -> tuple[int, int]:
        """The products that it takes to eliminate the next position, and the position, which waits no longer."""
        while True:
            known, p = self.waiting[0]
            cost = len(self.before[p]) * len(self.shares[p])
            if cost <= known:
                heappop(self.waiting)
                return cost, p
            heapreplace(self.waiting, (cost, p))

    def leave_loop(self, p: int, endless: Number | None) -> None:
        """Let the row of a position not lead back to it."""
        shares = self.shares[p]
        back = shares.pop(p, None)
        if back is None:
            return
        if shares:
            leaving = sum(shares.values())
            self.brings[p] = self.brings[p] / leaving
            self.shares[p] = {there: share / leaving for there, share in shares.items()}
        else:
            assert endless is not None, "every play leaves"
            self.brings[p], self.shares[p] = endless, {AWAY: back}

    def eliminate(self, p: int) -> None:
        """Put the row of a position in wherever another one leads to it."""
        brings, shares, before = self.brings[p], self.shares[p], self.before[p]
        for q in before:
            row = self.shares[q]
            share = row.pop(p)
            self.brings[q] = self.brings[q] + share * brings
            for there, further in shares.items():
                row[there] = row[there] + share * further if there in row else share * further
        for there in shares:
            if there != AWAY:
                leading = self.before[there]
                leading.remove(p)
                leading |= before
                leading.discard(there)


def _completed(order: Sequence[int], brought: Sequence[Number], led: Sequence[dict[int, Number]]) -> list[Number]:
    values: list[Number] = [0] * (len(order) + 1)
    for p in reversed(order):
        total = brought[p]
        for there, share in led[p].items():
            if there != AWAY:
                total = total + share * values[there]
        values[p] = total
    return values
