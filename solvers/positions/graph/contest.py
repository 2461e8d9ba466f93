"""Games in which one number counts: one player, two players with a constant sum, players with a common payoff.

The number is what the first player gets. A player either wants more of it or less, whoever else is in the game; so what
a position is worth is one number, and has the same meaning in a circle as outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import define, field

from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph


@define(eq=False)
class Contest:
    """A graph of positions in which player ``p`` wants more of the first player's payoff if ``wants[p]`` is 1, and less
    if it is -1.

    What is known so far: ``numbers[p]`` is the worth of position ``p``, and ``choices[p]`` an edge that is best there
    for the player who decides, such that all these choices together bring about that worth. None and -1 where nothing
    is known yet, or there is nothing to choose. (If it is asked how much depends on plays that never end, these may be
    infinitely good or bad. Then None stands for an infinite number, too, once the position has been looked at.)
    """

    graph: PositionGraph
    wants: tuple[int, ...]
    _numbers: list[Fraction | None] = field(factory=list, init=False)
    _choices: list[int] = field(factory=list, init=False)
    _total: Fraction | None = field(default=None, init=False)

    @property
    def numbers(self) -> list[Fraction | None]:
        """What the positions are worth, as far as it is known; made when it is first asked for, since not all
        algorithms keep numbers here."""
        if not self._numbers:
            self._numbers = [None] * len(self.graph)
        return self._numbers

    @property
    def choices(self) -> list[int]:
        """The best edges, as far as they are known."""
        if not self._choices:
            self._choices = [-1] * len(self.graph)
        return self._choices

    @property
    def total(self) -> Fraction:
        """What two players get together who are against each other."""
        if self._total is None:
            ends = (self.graph.payoff(p) for p, kind in enumerate(self.graph.kinds) if kind <= PAYS)
            self._total = sum(next(ends, self.graph.endless or ()), Fraction(0))
        return self._total

    @property
    def endless(self) -> Fraction | None:
        """What a play is worth that never ends, beside what it earns; None if the rules do not say."""
        return None if self.graph.endless is None else self.graph.endless[0]

    def worth(self, position: int, edge: int) -> Fraction:
        """What an edge of a position is worth, if the number behind it is known."""
        number = self.numbers[self.graph.targets[edge]]
        assert number is not None, "positions are solved after all that lie behind them"
        return self.graph.reward(edge)[0] + self.graph.factor(position, edge) * number


Component = Sequence[int]
"""The positions of a strongly connected component."""


def contest_of(graph: PositionGraph) -> Contest | None:
    """The contest that a game is; None if more than one number counts."""
    players = len(graph.players)
    endless = [] if graph.endless is None or graph.discount < 1 else [graph.endless]
    ends = [graph.amounts[PAYS - kind] for kind in set(graph.kinds) if kind <= PAYS] + endless
    rewards = [] if graph.rewards is None else [graph.amounts[number] for number in set(graph.rewards)]
    if all(len(set(payoff)) == 1 for payoff in ends + rewards):
        return Contest(graph, (1,) * players)
    sums = {sum(payoff) for payoff in ends}
    # Where later payoffs count less, only what sums to 0 has a constant sum.
    is_constant = len(sums) <= 1 and not any(map(sum, rewards)) and (graph.discount == 1 or not any(sums))
    return Contest(graph, (1, -1)) if players == 2 and is_constant else None
