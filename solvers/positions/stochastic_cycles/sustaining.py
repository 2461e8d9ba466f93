"""Who can keep a play going for ever whatever chance draws, where numbers are exact and nothing is earned.

An edge *gives nothing away* if it is worth as much as its position. A side *can keep on* from a position if, by such
edges, it can see to it that the play never ends as long as the others take such edges, too. Let e be what an endless
play pays. Where the side gets no less by that, the positions are the largest set of those worth e in which

- in a position of the side, some edge leads into the set (it gives nothing away: the numbers are the same);
- in one of the others, all edges do that give nothing away;
- where chance draws, all outcomes do.

*In the set the side can keep on, and gets its number.* Let it take edges that stay. Only an edge of the others leaves
the set, one that gives something away, and behind it the side plays best. So it gets e, or on average more.

*Elsewhere it cannot.* From a position worth less than e it cannot keep on: the others have a policy of edges that give
nothing away and hold it to less (Shapley 1953;
:mod:`~zermelo.solvers.positions.stochastic_cycles.policy_iteration`). In one worth more than e it would lose by it. And
from one worth e, edges that give nothing away lead to positions worth e, until chance draws; if not all outcomes are
worth e, one is worth less, since e is their mean. So the play comes, with a probability that is not 0, from whatever is
outside of the set to an end or to a position worth less.

*Certainty and probability 1 are the same here.* A play that ends has taken finitely many steps, each with a probability
that is not 0 (as for all conditions of *safety*: Chatterjee and Henzinger 2012, "A survey of stochastic omega-regular
games"). A side that cannot keep on for certain may still do so with some probability: the second part of this file.

The set is found by removal, among the positions to which the root leads by such edges.

Cost: a step for each of their edges, for each side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from functools import partial
from typing import Final

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, Contest, attractor

# Where the root leads if nothing is given away: the positions that the proofs about endless plays are about.


Ways = dict[int, list[int]]
"""Positions, each with where it may lead."""

_EDGE_BYTES: Final = 250
"""The bytes of an edge that is kept with its position, about."""

_CHECK_EVERY: Final = 1024
"""Positions between two checks of the limits."""


def ways_from_root(onward: Callable[[int], Collection[int]], limits: Limits) -> Ways:
    """The root, and the positions to which it leads if each leads ``onward`` to some. Raises ``ZermeloError``
    (``out-of-memory``, ``out-of-time``)."""
    ways: Ways = {}
    waiting, edges = [ROOT], 0
    while waiting:
        position = waiting.pop()
        if position in ways:
            continue
        if len(ways) % _CHECK_EVERY == 0:
            limits.check({"nodes": len(ways)})
            limits.require(_EDGE_BYTES * (1 + len(ways) + edges), f"where {len(ways):,} positions lead")
        ways[position] = [*onward(position)]
        edges += len(ways[position])
        waiting += ways[position]
    return ways


def who_keeps_on(contest: Contest, limits: Limits) -> tuple[int, ...]:
    """The players who can keep on from the root, alone or with others who want the same.

    For a contest whose rules say ``endless``, in which nobody earns or chooses at once, without a discount, and whose
    ``numbers`` are exact. Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    if contest.numbers[ROOT] != contest.endless:
        return ()
    ways = ways_from_root(partial(_targets_worth_endless, contest), limits)
    able = {side: ROOT in _sustaining_positions(contest, ways, side) for side in set(contest.wants)}
    return tuple(player for player, side in enumerate(contest.wants) if able[side])


def _targets_worth_endless(contest: Contest, position: int) -> Collection[int]:
    """Of a position worth ``endless``, the targets that are worth as much: none if it is an end, or if chance may draw
    one that is worth something else."""
    graph, numbers = contest.graph, contest.numbers
    if graph.kinds[position] <= PAYS:
        return ()
    targets = {graph.targets[edge] for edge in graph.edges(position)}
    same = [target for target in targets if numbers[target] == contest.endless]
    return same if graph.kinds[position] >= 0 or len(same) == len(targets) else ()


def _sustaining_positions(contest: Contest, ways: Ways, side: int) -> Set[int]:
    """The positions from which a side can keep on."""
    ended = [position for position, targets in ways.items() if not targets]
    return ways.keys() - _positive_attractor(contest, ways, ended, ways.keys(), -side)


def _positive_attractor(contest: Contest, ways: Ways, goals: Iterable[int], among: Set[int], side: int) -> Set[int]:
    """The positions from which a side can come to ``goals``, within ``among``, with a probability above 0."""
    kinds, wants = contest.graph.kinds, contest.wants
    inside = ((position, [target for target in ways[position] if target in among]) for position in among)
    found = attractor(goals, inside, lambda position: kinds[position] >= 0 and wants[kinds[position]] != side)
    return found.keys()


# Who can keep a play from ending with a probability that is not 0, where numbers are exact and nothing is earned.
#
# As in the other proof, an edge *gives nothing away* if it is worth as much as its position, and e is what an
# endless play pays. Who gives nothing away takes such edges, and does not stay for ever where that is worth less to
# them than the number. A side *can keep the play from ending* if it can give nothing away so that the play goes on for
# ever with a probability that is not 0, as long as the others give nothing away.
#
# **The game.** It is one on the positions to which edges lead that give nothing away. Along a play the numbers are a
# martingale of finitely many values, so a play that does not end keeps to one number from some time on. A position is
# *dear* to a side if to stay there for ever is worth less to it than the number. The side *goes on* if the play does
# not end, and is again and again where it is not dear. It can keep the play from ending if and only if it can go on
# with a probability that is not 0, whatever the others do:
#
# - *If not,* the others have a policy by which the play almost surely ends, or stays where it is dear (such games are
#   determined: Chatterjee, Jurdzinski and Henzinger, "Quantitative stochastic parity games", 2004). By the martingale
#   this brings them no less than the number, so they give nothing away; and if the play goes on for ever with a
#   probability that is not 0, the side has given something away.
# - *If so,* let it do that where the position is not dear. Where it is, the side can come, with a probability that is
#   not 0 and within as many steps as there are positions, to one that is not dear, from which it can go on; let it try
#   so many steps, and if that fails play best from then on. So it stays nowhere where the position is dear, and gives
#   nothing away; and the play goes on for ever with a probability that is not 0. It is up to the others not to stay
#   where they would get less.
#
# **The algorithm** is the usual one for such games (de Alfaro and Henzinger, "Concurrent omega-regular games", 2000).
# The positions from which the side can go on *almost surely* are those that are left when two kinds are taken away
# again and again: those where the others can see to it that the play never comes to a position that is not dear, and
# those from which the others can come there with a probability that is not 0. Where the side can come to what is left
# with a probability that is not 0, it can go on with such a probability, too. The remaining positions are a game again,
# in which the others keep away from all this, and in which the side may go on almost surely somewhere; and so on.
#
# Cost: (positions taken away) times the edges, at worst; mostly a few passes.


def who_keeps_from_ending(contest: Contest, limits: Limits) -> tuple[int, ...]:
    """The players who can keep the play from ending with a probability that is not 0, alone or with others who want the
    same.

    For a contest whose rules say ``endless``, in which nobody earns or chooses at once, without a discount, and whose
    ``numbers`` are exact. Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    ways = _ways_giving_nothing_away(contest, limits)
    able = {side: ROOT in _Game(contest, ways, side, limits).goes_on() for side in set(contest.wants)}
    return tuple(player for player, side in enumerate(contest.wants) if able[side])


def _ways_giving_nothing_away(contest: Contest, limits: Limits) -> Ways:
    """The positions to which the root leads if nothing is given away, each with where it may lead then."""
    graph, numbers = contest.graph, contest.numbers

    def onward(position: int) -> Set[int]:
        targets = {graph.targets[edge] for edge in graph.edges(position)}
        if graph.kinds[position] < 0:
            return targets
        return {target for target in targets if numbers[target] == numbers[position]}

    return ways_from_root(onward, limits)


@frozen(eq=False)
class _Game:
    """Where positions lead if nothing is given away, from the view of a side: 1 wants more, -1 less."""

    contest: Contest
    ways: Ways
    side: int
    limits: Limits

    def goes_on(self) -> Set[int]:
        """The positions from which the side can go on with a probability that is not 0."""
        left, found = set(self.ways), set[int]()
        while sure := self._almost_sure_positions(left):
            taken = self._positive_attractor(sure, left, self.side)
            found |= taken
            left -= taken
        return found

    def _almost_sure_positions(self, among: Set[int]) -> Set[int]:
        """The positions from which the side can go on almost surely, if the play keeps to these positions."""
        left = set(among)
        while True:
            cheap = {position for position in left if not self._is_dear(position)}
            lost = left - self._positive_attractor(cheap, left, self.side)
            if not lost:
                return left
            left -= self._positive_attractor(lost, left, -self.side)

    def _is_dear(self, position: int) -> bool:
        """Whether the side would get less than the number of a position by staying for ever, or the play has ended."""
        number, endless = self.contest.numbers[position], self.contest.endless
        assert number is not None and endless is not None
        return self.contest.graph.kinds[position] <= PAYS or self.side * (number - endless) > 0

    def _positive_attractor(self, goals: Set[int], among: Set[int], side: int) -> Set[int]:
        self.limits.check({"nodes": len(self.ways)})
        return _positive_attractor(self.contest, self.ways, goals, among, side)
