"""Policy iteration: the best reply to fixed policies of all others, or the best policy of somebody who is alone.

Howard (1960): find what the policy is worth, and wherever another row is worth more by these numbers, take that
instead; until there is none. A policy that is changed so is worth no less anywhere and more somewhere, so that none
comes again, and it ends. It takes few steps, whatever the numbers are.

**Plays that need not end.** Without a discount, "no row is worth more" does not mean that the policy is best. Where one
may leave for 0 or stay, the policy of leaving is worth 0, and to stay for a moment is worth 0 as well, though staying
for ever pays ``endless``, perhaps more. So when no row is worth more, one looks for positions that are worth less than
``endless`` in which one can stay for ever by rows that are worth *as much*
(:mod:`zermelo.solvers.positions.staying`), and stays there.

Why this is sound. Let those who improve want more (else change all signs), let v be the worths of their policy before,
and w after a change. The others have fixed rows.

*It gets no worse.* By the new policy, v(p) is nowhere more than what its row is worth by v: less where a better row is
taken, and the same elsewhere. So the expectation of what has been earned, plus v of the position, never falls. The play
leaves, or is caught in a *class* of positions, all of which it comes through again and again. There nothing is earned
(:mod:`zermelo.solvers.positions.end_components`), v is the same everywhere, since an expectation that cannot fall among
finitely many numbers that all come again cannot rise, and no row is one of the better ones. If all its rows were taken
before, it paid ``endless`` then as now, and that is v. Else it has one of the positions where one now stays, and so is
among them; there v is less than ``endless``, which it pays. So w is at least v.

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

from attrs import define, field

from zermelo.solvers.positions.arena import Arena, Number, Policy, worth
from zermelo.solvers.positions.balls import Undecided
from zermelo.solvers.positions.policy_evaluation import evaluate
from zermelo.solvers.positions.staying import Staying, staying


@define(eq=False)
class Play:
    """How an arena is played: ``endless`` is what a play is worth that never ends; None if there is no such play, as
    with a discount, or if one side always leaves. ``watch`` sees all numbers."""

    arena: Arena
    endless: Number | None
    watch: Callable[[Number], None] | None = None
    _stayed: set[tuple[int, ...]] = field(factory=set)
    _policy: Policy | None = None
    _values: list[Number] = field(factory=list)
    """The policy that was evaluated last, and its worths."""

    def values(self, policy: Policy) -> list[Number]:
        """What the positions are worth under a policy."""
        if policy != self._policy:
            self._policy, self._values = list(policy), evaluate(self.arena, policy, self.endless, self.watch)
        return self._values

    def improve(self, policy: Policy, values: Sequence[Number], side: int) -> bool:
        """Take the best row wherever the players of a side (1: they want more, -1: less) can do better than ``values``;
        whether they can anywhere."""
        is_better = False
        for p, sign in enumerate(self.arena.signs):
            if sign != side:
                continue
            best = values[p]
            for k, row in enumerate(self.arena.rows[p]):
                found = worth(row, values)
                if found > best if side > 0 else found < best:
                    best, policy[p], is_better = found, k, True
        return is_better

    def tempting(self, policy: Policy, values: Sequence[Number], side: int, does_other_answer: bool) -> Staying:
        """Where a side can stay, and would get more by that than ``values``, by rows that are worth as much; if the
        other side keeps to its policy, or answers by any rows that are worth as much to it."""
        endless = self.endless
        if endless is None:
            return Staying(frozenset(), {})
        rows = {}
        for p, sign in enumerate(self.arena.signs):
            if values[p] < endless if side > 0 else values[p] > endless:
                is_free = sign == side or does_other_answer
                rows[p] = self._equal(p, policy[p], values) if is_free else [policy[p]]
        return staying(self.arena, (side,), rows)

    def stay(self, policy: Policy, tempting: Staying, side: int) -> None:
        """Stay where it is tempting. Raises :class:`Undecided` if the policy was changed to the same before, as it may
        be if rows are not worth just as much as they seem to be, in balls."""
        take(self.arena, policy, tempting, side)
        if tuple(policy) in self._stayed:
            raise Undecided
        self._stayed.add(tuple(policy))

    def _equal(self, p: int, taken: int, values: Sequence[Number]) -> list[int]:
        """The rows that are worth as much as the one that is taken."""
        known = values[p]
        found = []
        for k, row in enumerate(self.arena.rows[p]):
            value = known if k == taken else worth(row, values)
            if not (value < known or value > known):
                found.append(k)
        return found


def reply(play: Play, policy: Policy, side: int) -> list[Number]:
    """Change the policy where a side decides to its best reply to the rest; what the positions are worth then."""
    while True:
        values = play.values(policy)
        if play.improve(policy, values, side):
            continue
        tempting = play.tempting(policy, values, side, does_other_answer=False)
        if not tempting.positions:
            return values
        play.stay(policy, tempting, side)


def take(arena: Arena, policy: Policy, staying: Staying, side: int) -> None:
    """Take the rows of a side that are found for staying, or against it."""
    for p, row in staying.ways.items():
        if arena.signs[p] == side:
            policy[p] = row
