"""Policy iteration: the best reply to fixed policies of all others, or the best policy of somebody who is alone.

Howard (1960): find what the policy is worth, and wherever another row is worth more by these numbers, take that
instead; until there is none. A policy that is changed so is worth no less anywhere and more somewhere, so that none
comes again, and it ends. It takes few steps, whatever the numbers are.

**Plays that need not end.** Without a discount, "no row is worth more" does not mean that the policy is best. Where one
may leave for 0 or stay, the policy of leaving is worth 0, and to stay for a moment is worth 0 as well, though staying
for ever pays ``endless``, perhaps more. So when no row is worth more, one looks for positions that are worth less than
``endless`` in which one can stay for ever by rows that are worth *as much*
(:mod:`zermelo.solvers.positions.circles.staying`), and stays there.

Why this is sound. Let those who improve want more (else change all signs), let v be the worths of their policy before,
and w after a change. The others have fixed rows.

*It gets no worse.* By the new policy, v(p) is nowhere more than what its row is worth by v: less where a better row is
taken, and the same elsewhere. So the expectation of what has been earned, plus v of the position, never falls. The play
leaves, or is caught in a *class* of positions, all of which it comes through again and again. There nothing is earned
(:mod:`zermelo.solvers.positions.circles.end_components`), v is the same everywhere, since an expectation that cannot
fall among finitely many numbers that all come again cannot rise, and no row is one of the better ones. If all its rows
were taken before, it paid ``endless`` then as now, and that is v. Else it has one of the positions where one now stays,
and so is among them; there v is less than ``endless``, which it pays. So w is at least v.

*It gets better.* Where a better row is taken, w is at least what the row is worth by v, which is more than v. Where one
now stays, v was less than ``endless`` by an amount that does not vanish, and the play comes to a class there.

*At the end it is best.* By any other policy the expectation of what has been earned, plus v, never rises. So in a class
in which the play is caught v is the same everywhere, and its rows are worth just v. Were v less than ``endless``, one
could stay there by rows that are worth as much, and would. So what the class pays is no more than v.

With a discount every play leaves, as the share of what is yet to come goes to 0, and one never stays.

Cost: an evaluation for each step; mostly fewer than ten.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen

from zermelo.solvers.positions.circles.arena import Arena, Number, Policy, worth
from zermelo.solvers.positions.circles.balls import Undecided
from zermelo.solvers.positions.circles.policy_evaluation import evaluate
from zermelo.solvers.positions.circles.staying import Staying, staying


@frozen(eq=False)
class View:
    """What a policy looks like: the ``values`` of the positions; ``better[p]``, the best row for the player who decides
    in ``p``, where one is better than that of the policy; and the rows that are worth as much, that of the policy
    first, where there are others (``ties``)."""

    values: list[Number]
    better: dict[int, int]
    ties: dict[int, list[int]]


@define(eq=False)
class Play:
    """How an arena is played: ``endless`` is what a play is worth that never ends; None if there is no such play, as
    with a discount, or if one side always leaves. ``watch`` sees all numbers, with the products so far."""

    arena: Arena
    endless: Number | None
    watch: Callable[[Number, int], None] | None = None
    _stayed: set[tuple[int, ...]] = field(factory=set)
    _policy: Policy | None = None
    _view: View | None = None
    """The policy that was looked at last, and what it looks like."""

    def view(self, policy: Policy) -> View:
        """A policy, evaluated."""
        if policy != self._policy or self._view is None:
            values = evaluate(self.arena, policy, self.endless, self.watch)
            self._policy, self._view = list(policy), self._compared(policy, values)
        return self._view

    def _compared(self, policy: Policy, values: list[Number]) -> View:
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
                value = worth(row, values)
                if value > best if wants_more else value < best:
                    best, better[p] = value, k
                elif not (value < known or value > known):
                    ties.setdefault(p, [policy[p]]).append(k)
        return View(values, better, ties)

    def improve(self, policy: Policy, view: View, side: int) -> bool:
        """Take the better rows where a side (1: it wants more, -1: less) decides; whether there are any."""
        own = [(p, row) for p, row in view.better.items() if self.arena.signs[p] == side]
        for p, row in own:
            policy[p] = row
        return bool(own)

    def tempting(self, policy: Policy, view: View, side: int, does_other_answer: bool) -> Staying:
        """Where a side can stay, and would get more by that, by rows that are worth as much; if the other side keeps to
        its policy, or answers by any rows that are worth as much to it."""
        endless = self.endless
        if endless is None or not view.ties:  # where the policy itself stays, its worth is endless
            return Staying(frozenset(), {})
        rows = {}
        for p, (sign, value) in enumerate(zip(self.arena.signs, view.values, strict=False)):
            if value < endless if side > 0 else value > endless:
                is_free = sign == side or does_other_answer
                rows[p] = view.ties.get(p, [policy[p]]) if is_free else [policy[p]]
        return staying(self.arena, (side,), rows)

    def stay(self, policy: Policy, tempting: Staying, side: int) -> None:
        """Stay where it is tempting. Raises :class:`Undecided` if the policy was changed to the same before, as it may
        be if rows are not worth just as much as they seem to be, in balls."""
        take(self.arena, policy, tempting, side)
        if tuple(policy) in self._stayed:
            raise Undecided
        self._stayed.add(tuple(policy))


def reply(play: Play, policy: Policy, side: int) -> View:
    """Change the policy where a side decides to its best reply to the rest; what it looks like then."""
    while True:
        view = play.view(policy)
        if play.improve(policy, view, side):
            continue
        tempting = play.tempting(policy, view, side, does_other_answer=False)
        if not tempting.positions:
            return view
        play.stay(policy, tempting, side)


def take(arena: Arena, policy: Policy, staying: Staying, side: int) -> None:
    """Take the rows of a side that are found for staying, or against it."""
    for p, row in staying.ways.items():
        if arena.signs[p] == side:
            policy[p] = row
