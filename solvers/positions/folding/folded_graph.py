"""The folded graph: the positions between turns, and where each turn may lead.

In many games a turn is several decisions of one player: after a throw, one man is moved after the other. The positions
within turns may be many times as many as those between them. Let the latter be *kept*: the root, those in which chance
draws, the ends, and those in which a player decides right after another one. What a kept position is worth follows from
kept positions alone::

    sum over the outcomes of chance of  probability * most or least over the kept positions to which the turn can lead

as long as nothing is earned and nothing discounted on the way, and no turn comes back to a position of its own: for
then its player brings about the best of these by going there, and nothing better.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from zermelo.interpreter.machine import Payoff
from zermelo.solvers.positions.graph.graph import PAYS


@frozen(eq=False)
class FoldedGraph:
    """The kept positions, as :mod:`zermelo.solvers.kernels.folded_graph` describes them, of a game of these
    ``players``: one or two. ``amounts`` are what ends pay, and position 0 is the root. Of the ``count`` kept
    positions those of ``ends`` are ends; ``lists`` and ``entries`` are how many there are of them."""

    players: tuple[str, ...]
    kinds: Sequence[int]
    firsts: Sequence[int]
    draws: Sequence[int]
    weights: Sequence[int]
    targets: Sequence[int]
    amounts: Sequence[Payoff]
    count: int
    lists: int
    entries: int
    ends: Sequence[int]

    def __len__(self) -> int:
        """The number of kept positions."""
        return self.count

    @property
    def wants(self) -> tuple[int, ...] | None:
        """For each player 1 if they want more of what the first one gets, and -1 if less; None if more than one number
        counts."""
        paid = [self.payoff(end) for end in self.ends]
        if all(len(set(payoff)) == 1 for payoff in paid):
            return (1,) * len(self.players)
        return (1, -1) if len({sum(payoff) for payoff in paid}) == 1 else None

    def payoff(self, end: int) -> Payoff:
        """What an end pays."""
        return self.amounts[PAYS - self.kinds[end]]

    def turns(self, position: int) -> list[list[int]]:
        """The lists of a kept position: of each outcome of chance, or the one of the player who decides there."""
        found: list[list[int]] = []
        for entry in range(self.firsts[position], self.firsts[position + 1]):
            target = self.targets[entry]
            if target < 0:
                found.append([(-1 - target) >> 1])
            else:
                found[-1].append(target)
        return found
