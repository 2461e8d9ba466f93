"""Strategy iteration: the best policies of two sides, of whom one wants more and the other less.

Hoffman and Karp (1966): one side has a policy, the other its best reply to that
(:mod:`zermelo.solvers.positions.circles.policy_iteration`); where the first side has a row that is worth more by the
numbers found, it takes that; until there is none. Shapley's (1953) theorem, that there are policies which are best
against everything, follows from how this ends, for all contests without moves at once, with or without a discount.

**Plays that need not end.** Condon (1992) assumes that all plays end. Here they need not, and as for one player there
may be policies on which no row improves that are not best. So if no row is worth more to the side that improves, say 1,
one looks for the positions worth less than ``endless`` in which it can stay for ever by rows that are worth as much,
*as long as the other side, too, only takes rows that are worth as much to it*. There it stays. Let v be the worths of
the policy with the best reply, before, and w after that, with the new best reply.

*It gets no worse, and better where something changes*: by the words of ``policy_iteration``, now for the new policy and
the new reply. For the rows of the other side are nowhere worth less than v to side 1, by any reply: that is what best
reply means. Two things are new. A class with rows of another reply than before, where the policy is unchanged: the
reply might have kept to it before, so v is no more than ``endless``. And where side 1 means to stay, the other side may
get away by rows that are worth more to side 1, which gains by that what those are worth more.

*At the end both are best.* Side 1 is guaranteed v, by the meaning of best reply. Conversely let the other side keep to
rows worth v, and, where v is less than ``endless``, to those by which positions were taken out of the set in which side
1 might stay, until none was left: its *ways out*. Then, whatever side 1 does, the expectation of what has been earned,
plus v, never rises. In a class in which the play is caught v is the same everywhere, and all rows are worth just v.
Were it less than ``endless``, the ways out would lead, with some probability, to where it is not. So it is not less,
and the class pays side 1 no more than v. So the other side holds side 1 to v, and v is what the positions are worth.

**Endless plays that are infinitely bad for a side.** Let that side begin with a policy by which all plays leave
(:mod:`zermelo.solvers.positions.circles.leaving`), and improve. The numbers are finite then, and get no worse for it,
so all its further policies leave, too, and nothing but better rows is to be looked for.

**A guess to begin with.** Mostly the best policies are found sooner if both sides improve at once (:func:`approach`).
But this may go round (Condon 1993), and proves nothing; so it is tried a few times, to find where to begin.

Cost: a reply for each step. No polynomial bound is known, and there are graphs with exponentially many steps (Friedmann
2009), which have been constructed for that; in games there are mostly fewer than ten.
"""

from __future__ import annotations

from typing import Final

from zermelo.solvers.positions.circles.arena import Policy
from zermelo.solvers.positions.circles.policy_iteration import Play, View, reply, take

_ROUNDS: Final = 20
"""How many times both sides improve at once, at most."""


def approach(play: Play, policy: Policy) -> None:
    """Improve the policy of both sides at once, a few times."""
    for _ in range(_ROUNDS):
        view = play.view(policy)
        is_better = [play.improve(policy, view, side) for side in (1, -1)]
        if not any(is_better):
            return


def best_policies(play: Play, policy: Policy, side: int) -> View:
    """Change the policy to one that is best for both sides, by improving it for ``side``; what it looks like then."""
    while True:
        view = reply(play, policy, -side)
        if play.improve(policy, view, side):
            continue
        tempting = play.tempting(policy, view, side, does_other_answer=True)
        if not tempting.positions:
            take(play.arena, policy, tempting, -side)
            return view
        play.stay(policy, tempting, side)
