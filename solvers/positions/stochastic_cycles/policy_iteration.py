"""Policy iteration: the best reply to fixed policies of all others, or the best policy of somebody who is alone.

Howard (1960): find what the policy is worth, and wherever another row is worth more by these numbers, take that
instead; until there is none. A policy that is changed so is worth no less anywhere and more somewhere, so that no
policy comes again, and the iteration ends. It takes few steps, whatever the numbers are.

**Plays that need not end.** Without a discount, "no row is worth more" does not mean that the policy is best. Where one
may leave for 0 or stay, the policy of leaving is worth 0, and to stay for a moment is worth 0 as well, though staying
for ever pays ``endless``, perhaps more. So when no row is worth more, one looks for positions that are worth less than
``endless`` in which one can stay for ever by rows that are worth *as much*
(:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`), and stays there.

Why this is sound. Let those who improve want more (else change all signs), let v be the worths of their policy before,
and w after a change. The others have fixed rows.

*It gets no worse.* By the new policy, v(p) is nowhere more than what its row is worth by v: less where a better row is
taken, and the same elsewhere. So the expectation of what has been earned, plus v of the position, never falls. The play
leaves, or is caught in a *class* of positions, all of which it comes through again and again. There nothing is earned
(:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`), v is the same everywhere, since an expectation
that cannot fall among finitely many numbers that all come again cannot rise, and no row is one of the better ones. If
all its rows were taken before, it paid ``endless`` then as now, and that is v. Else it has one of the positions where
one now stays, and so is among them; there v is less than ``endless``, which it pays. So w is at least v.

*It gets better.* Where a better row is taken, w is at least what the row is worth by v, which is more than v. Where one
now stays, v was less than ``endless`` by an amount that does not vanish, and the play comes to a class there.

*At the end it is best.* By any other policy the expectation of what has been earned, plus v, never rises. So in a class
in which the play is caught v is the same everywhere, and its rows are worth just v. Were v less than ``endless``, one
could stay there by rows that are worth as much, and would. So what the class pays is no more than v.

With a discount every play leaves, as the share of what is yet to come goes to 0, and one never stays.

Cost: an evaluation for each step; mostly fewer than ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.native.running.kernels import PlainKernels
from zermelo.solvers.positions.graph.graph import TooManyDigits
from zermelo.solvers.positions.stochastic_cycles.intervals import Undecided, flint
from zermelo.solvers.positions.stochastic_cycles.lifting import SOLVER, NotLifted, solve, system_of_rows
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import (
    AWAY,
    Arena,
    Number,
    Policy,
    Row,
    Staying,
    row_value,
    where_to_stay,
)

# What a policy is worth: the linear system of a Markov chain, solved by the elimination of positions.
#
# When a row has been chosen in every position of a component
# (:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`), what is left is a Markov chain, and the worths x
# satisfy a system of linear equations, x(p) = brings(p) + sum of share(p, q) x(q).
#
# **Elimination.** One position after the other is *eliminated*: its row is put in wherever another one leads to it.
# What then leads back to a position itself, with share a, is a loop that is left with share 1 - a: everything else is
# divided by that, when the position's turn comes. So what is left leads only to positions that have not been eliminated
# yet, and in the end the worths follow in the reverse order. This is Gaussian elimination; and it is the same chain,
# watched only in the positions that are left.
#
# **Without subtraction.** Since shares sum to 1, that of leaving included, 1 - a is found as the sum of the other
# shares (Grassmann, Taksar and Heyman 1985). So numbers that are alike are never subtracted, and the shares keep their
# full *relative* precision, however unlikely it is that a play leaves (O'Cinneide 1993). Balls grow by a rounding or
# two for each step, and not with the length of plays.
#
# **Never leaving.** If nothing but the loop is left of a row, the position is the last one of a class that is never
# left. It is worth what an endless play is worth and so are, by their rows, all others in the class, since nothing is
# earned there (:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`).
#
# **Order.** The next position to be eliminated is the one that makes the fewest products: the number of rows that lead
# to it, times the length of its own (Markowitz, "The elimination form of the inverse and its application to linear
# programming", 1957). Decisions, which have one row, go first and cost next to nothing, and the positions at which many
# circles close go last. Nothing but the cost depends on the order.
#
# **All at once.** Where many circles hang together, each elimination leads more positions to each other, and the
# fractions on the way have far more digits than the worths. So as soon as the next one takes more products than there
# are positions left, and these are not few, rationals are found by lifting
# (:mod:`zermelo.solvers.positions.stochastic_cycles.lifting`): in machine code, if that is loaded or worth it, and
# exact. It is also asked where fractions on the way have too many digits, since the worths may have fewer; so whether a
# number is found does not depend on what is loaded. If some positions are never left, the equations are singular, which
# lifting sees, and elimination goes on, which finds them.
#
# Cost: the products. About as many as there are edges for circles that close at few positions: 46,000 for the 9,700
# positions of hypergammon with one man; n^3 / 3 at worst for n positions. Two hundred positions from each of which
# chance leads to three at random take 170 milliseconds by elimination alone, and 5 by lifting; a thousand take it 200,
# five sixths of that for fractions of 2,200 digits.


FEWEST: Final = 24
"""Where no more positions are left than this, elimination in fractions takes no longer."""


def evaluate(
    arena: Arena,
    policy: Policy,
    endless: Number | None,
    watch: Callable[[Number, int], None] | None,
    bits: int | None = None,
) -> list[Number]:
    """What each position is worth under a policy, and 0 for ``AWAY``. ``endless`` is what an endless play is worth;
    None if there is no such play. ``watch`` sees the numbers as they are made, each with the number of products so far,
    and may raise; fractions of more ``bits``, if that is a number, are refused (:class:`TooManyDigits`)."""
    rows = [rows[k] for rows, k in zip(arena.rows, policy, strict=True)]
    chain, order, products = _Chain(rows), list[int](), 0
    may_lift = all(isinstance(brings, flint().fmpq) for brings, _ in rows)
    while chain.waiting:
        check_deadline()
        cost, p = chain.next()
        left = len(chain.waiting)
        if may_lift and FEWEST <= left < cost and (kernels := SOLVER.compiled(left * cost)):
            if found := _lifted(kernels, rows, bits):
                return found
            may_lift = False
        products += cost
        chain.leave_loop(p, endless)
        if watch is not None:
            try:
                watch(chain.brings[p], products)
            except TooManyDigits:
                kernels = SOLVER.compiled(SOLVER.worth) if may_lift else None
                if kernels is None or not (found := _lifted(kernels, rows, bits)):
                    raise
                return found
        chain.eliminate(p)
        order.append(p)
    return _back_substitute(order, chain.brings, chain.shares)


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
        """Change the row of a position so that it does not lead back to the position."""
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


def _lifted(kernels: PlainKernels, rows: Sequence[Row], bits: int | None) -> list[Number]:
    """The worths by p-adic digits; none if some positions are never left, or shares have long denominators."""
    system = system_of_rows(rows)
    if system is None:
        return []
    try:
        found = solve(kernels, system, None if bits is None else (1 << bits) - 1)
    except NotLifted:
        return []
    values: list[Number] = [flint().fmpq(*found.fraction(p)) for p in range(len(rows))]
    if bits is not None and any(value.height_bits() > bits for value in values):
        raise TooManyDigits
    return [*values, 0]


def _back_substitute(order: Sequence[int], brought: Sequence[Number], led: Sequence[dict[int, Number]]) -> list[Number]:
    values: list[Number] = [0] * (len(led) + 1)
    for p in reversed(order):
        total = brought[p]
        for there, share in led[p].items():
            if there != AWAY:
                total = total + share * values[there]
        values[p] = total
    return values


@frozen(eq=False)
class View:
    """A policy, evaluated: the ``values`` of the positions; ``better[p]``, the best row for the player who decides
    in ``p``, where one is better than that of the policy; and the rows that are worth as much, that of the policy
    first, where there are others (``ties``)."""

    values: list[Number]
    better: dict[int, int]
    ties: dict[int, list[int]]


@define(eq=False)
class Play:
    """How an arena is played: ``endless`` is what an endless play is worth; None if there is no such play, as with a
    discount, or if one side always leaves. ``watch`` sees the numbers of an elimination, with the
    products so far, and fractions have no more ``bits``, if that is a number."""

    arena: Arena
    endless: Number | None
    watch: Callable[[Number, int], None] | None = None
    bits: int | None = None
    _stayed: set[tuple[int, ...]] = field(factory=set)
    _policy: Policy | None = None
    _view: View | None = None
    """The policy that was evaluated last, and its view."""

    def view(self, policy: Policy) -> View:
        """The view of a policy, which is evaluated unless it was looked at last."""
        if policy != self._policy or self._view is None:
            values = evaluate(self.arena, policy, self.endless, self.watch, self.bits)
            self._policy, self._view = list(policy), self._compare_rows(policy, values)
        return self._view

    def _compare_rows(self, policy: Policy, values: list[Number]) -> View:
        better: dict[int, int] = {}
        ties: dict[int, list[int]] = {}
        for p, rows in enumerate(self.arena.rows):
            if len(rows) == 1:
                continue
            known = best = values[p]
            wants_more = self.arena.signs[p] > 0
            for k, row in enumerate(rows):
                if k == policy[p]:
                    continue
                value = row_value(row, values)
                if value > best if wants_more else value < best:
                    best, better[p] = value, k
                elif not (value < known or value > known):
                    ties.setdefault(p, [policy[p]]).append(k)
        return View(values, better, ties)

    def improve(self, policy: Policy, view: View, side: int) -> bool:
        """Take the better rows where a side (1: it wants more, -1: less) decides; return whether there are any."""
        own = [(p, row) for p, row in view.better.items() if self.arena.signs[p] == side]
        for p, row in own:
            policy[p] = row
        return bool(own)

    def tempting(self, policy: Policy, view: View, side: int, does_other_answer: bool) -> Staying:
        """Where a side can stay by rows that are worth as much, and would get more by staying: if the other side keeps
        to its policy or, with ``does_other_answer``, takes any rows that are worth as much to it."""
        endless = self.endless
        if endless is None or not view.ties:  # where the policy itself stays, its worth is endless
            return Staying(frozenset(), {})
        rows = {}
        for p, (sign, value) in enumerate(zip(self.arena.signs, view.values, strict=False)):
            if value < endless if side > 0 else value > endless:
                is_free = sign == side or does_other_answer
                rows[p] = view.ties.get(p, [policy[p]]) if is_free else [policy[p]]
        return where_to_stay(self.arena, (side,), rows)

    def stay(self, policy: Policy, tempting: Staying, side: int) -> None:
        """Stay where it is tempting. Raises :class:`Undecided` if the policy was changed to the same before, as it may
        be if rows are not worth just as much as they seem to be, in balls."""
        take_rows(self.arena, policy, tempting, side)
        if tuple(policy) in self._stayed:
            raise Undecided
        self._stayed.add(tuple(policy))


def find_best_reply(play: Play, policy: Policy, side: int) -> View:
    """Change the policy where a side decides to its best reply to the rest, and return the view of it."""
    while True:
        view = play.view(policy)
        if play.improve(policy, view, side):
            continue
        tempting = play.tempting(policy, view, side, does_other_answer=False)
        if not tempting.positions:
            return view
        play.stay(policy, tempting, side)


def take_rows(arena: Arena, policy: Policy, staying: Staying, side: int) -> None:
    """Let the policy take the rows of a side that have been found for staying, or for preventing that."""
    for p, row in staying.ways.items():
        if arena.signs[p] == side:
            policy[p] = row


# Strategy iteration: the best policies of two sides, one of which wants more and the other less.
#
# Hoffman and Karp (1966): one side has a policy, the other its best reply to that
# (policy iteration, above); where the first side has a row that is worth more by the
# numbers found, it takes that; until there is none. Shapley's (1953) theorem, that there are policies which are best
# against everything, follows from how this ends, for all contests without moves at once, with or without a discount.
#
# **Plays that need not end.** Condon (1992) assumes that all plays end. Here they need not, and as for one player there
# may be policies on which no row improves that are not best. So if no row is worth more to the side that improves, say
# 1, one looks for the positions worth less than ``endless`` in which it can stay for ever by rows that are worth as
# much, *as long as the other side, too, only takes rows that are worth as much to it*. There it stays. Let v be the
# worths of the policy with the best reply, before, and w after that, with the new best reply.
#
# *It gets no worse, and better where something changes*: by the proof at the top of this file, now for the new policy
# and the new reply. For the rows of the other side are nowhere worth less than v to side 1, by any reply: that is what
# best reply means. Two things are new. A class with rows of another reply than before, where the policy is unchanged:
# the reply might have kept to it before, so v is no more than ``endless``. And where side 1 means to stay, the other
# side may get away by rows that are worth more to side 1, which gains the difference.
#
# *At the end both are best.* Side 1 is guaranteed v, by the meaning of best reply. Conversely let the other side keep
# to rows worth v, and, where v is less than ``endless``, to those by which positions were taken out of the set in which
# side 1 might stay, until none was left: its *ways out*. Then, whatever side 1 does, the expectation of what has been
# earned, plus v, never rises. In a class in which the play is caught v is the same everywhere, and all rows are worth
# just v. Were it less than ``endless``, the ways out would lead, with some probability, to where it is not. So it is
# not less, and the class pays side 1 no more than v. So the other side holds side 1 to v, and v is what the positions
# are worth.
#
# **Endless plays that are infinitely bad for a side.** Let that side begin with a policy by which all plays leave
# (:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`), and improve. The numbers are finite then, and
# get no worse for it, so all its further policies leave, too, and nothing but better rows is to be looked for.
#
# **A guess to begin with.** Mostly the best policies are found sooner if both sides improve at once. But this may go
# round (Condon 1993), and proves nothing; so it is tried a few times, to find where to begin.
#
# Cost: a reply for each step. No polynomial bound is known, and there are graphs with exponentially many steps
# (Friedmann 2009), which have been constructed for that; in games there are mostly fewer than ten.


_ROUNDS: Final = 20
"""How many times both sides improve at once, at most."""


def improve_both_sides(play: Play, policy: Policy) -> None:
    """Improve the policy of both sides at once, a few times."""
    for _ in range(_ROUNDS):
        view = play.view(policy)
        is_better = [play.improve(policy, view, side) for side in (1, -1)]
        if not any(is_better):
            return


def best_policies(play: Play, policy: Policy, side: int) -> View:
    """Change the policy to one that is best for both sides, by improving it for ``side``, and return the view of it."""
    while True:
        view = find_best_reply(play, policy, -side)
        if play.improve(policy, view, side):
            continue
        tempting = play.tempting(policy, view, side, does_other_answer=True)
        if not tempting.positions:
            take_rows(play.arena, policy, tempting, -side)
            return view
        play.stay(policy, tempting, side)
