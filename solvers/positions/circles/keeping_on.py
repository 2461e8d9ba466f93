"""Who can keep a play going for ever whatever chance draws, where numbers are exact and nothing is earned.

An edge *gives nothing away* if it is worth as much as its position. A side *can keep on* from a position if, by such
edges, it can see to it that the play never ends as long as the others take such edges, too. Let e be what an endless
play pays. Where the side gets no less by that, the positions are the largest set of those worth e in which

- in a position of the side, some edge leads into the set (it gives nothing away: the numbers are the same);
- in one of the others, all edges do that give nothing away;
- where chance draws, all outcomes do.

*In the set the side can keep on, and gets its number.* Let it take edges that stay. Only an edge of the others leaves
the set, one that gives something away, and behind it the side plays best. So it gets e, or on average more.

*Elsewhere it cannot.* A position worth less than e is none where it can keep on: the others have a policy of edges that
give nothing away and hold it to less (Shapley 1953; :mod:`~zermelo.solvers.positions.circles.strategy_iteration`). In
one worth more than e it would lose by it. And from one worth e, edges that give nothing away lead to positions worth e,
until chance draws; if not all outcomes are worth e, one is worth less, since e is their mean. So the play comes, with a
probability that is not 0, from whatever is outside of the set to an end or to a position worth less.

*Certainty and probability 1 are the same here.* A play that ends has taken finitely many steps, each with a probability
that is not 0 (as for all conditions of *safety*: Chatterjee and Henzinger 2012, "A survey of stochastic omega-regular
games"). But who cannot keep on for certain may still do so with some probability, which is not looked for.

The set is found by removal, among the positions to which the root leads by such edges.

Cost: a step for each of their edges, for each side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import partial

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.circles.giving_nothing_away import Ways, ways_from_root
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.graph import PAYS, ROOT


def who_keeps_on(contest: Contest, limits: Limits) -> tuple[int, ...]:
    """The players who can keep on from the root, alone or with others who want the same.

    For a contest whose rules say ``endless``, in which nobody earns or chooses at once, without a discount, and whose
    ``numbers`` are exact. Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    if contest.numbers[ROOT] != contest.endless:
        return ()
    ways = ways_from_root(partial(_onward, contest), limits)
    able = {side: ROOT in _kept(contest, ways, side) for side in set(contest.wants)}
    return tuple(player for player, side in enumerate(contest.wants) if able[side])


def _onward(contest: Contest, position: int) -> Collection[int]:
    """Where a position worth ``endless`` leads to such positions if nothing is given away: nowhere if it is an end, or
    if chance may draw another worth."""
    graph, numbers = contest.graph, contest.numbers
    if graph.kinds[position] <= PAYS:
        return ()
    targets = {graph.targets[edge] for edge in graph.edges(position)}
    same = [target for target in targets if numbers[target] == contest.endless]
    return same if graph.kinds[position] >= 0 or len(same) == len(targets) else ()


def _kept(contest: Contest, ways: Ways, side: int) -> set[int]:
    """From where a side can keep on."""
    graph, before = contest.graph, defaultdict[int, list[int]](list)
    left = {}
    for position, targets in ways.items():
        kind = graph.kinds[position]
        left[position] = len(targets) if kind >= 0 and contest.wants[kind] == side else min(1, len(targets))
        for target in targets:
            before[target].append(position)
    removed = [position for position, count in left.items() if count == 0]
    out = set(removed)
    while removed:
        for position in before[removed.pop()]:
            left[position] -= 1
            if left[position] == 0:
                out.add(position)
                removed.append(position)
    return ways.keys() - out
