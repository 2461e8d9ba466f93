"""The exact values of a contest that has been solved component by component."""

from __future__ import annotations

from fractions import Fraction

from attrs import field, frozen

from zermelo.solvers.positions.circles.coming_out import coming_out, keeping
from zermelo.solvers.positions.graph.components import Components
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.rounds.rounds import begins_round


@frozen(eq=False)
class ContestValues:
    """Implements :class:`~zermelo.solvers.positions.values.PositionValues`: the numbers with plays that never end worth
    the least that they may be, and with them worth the most. The two are one if that is known."""

    low: Contest
    high: Contest
    components: Components
    _coming_out: dict[tuple[int, int], dict[int, list[int]]] = field(factory=dict, init=False)

    def number(self, position: int) -> Fraction | None:
        """What a position is worth; None within a round, or if it depends on what a play is worth that never ends."""
        number = self.low.numbers[position]
        return number if isinstance(number, Fraction) and number == self.high.numbers[position] else None

    @property
    def tells_distances(self) -> bool:
        return False

    def distance(self, position: int) -> int | None:
        """None: plays end at random."""
        return None

    def best(self, position: int) -> list[int]:
        """The best edges: those that keep the number. Those that stay in a component without a discount must not lead
        round for ever where that is worth less (:mod:`~zermelo.solvers.positions.circles.coming_out`)."""
        edges, here = self.keeping(position), self.components.numbers[position]
        graph = self.low.graph
        if graph.discount < 1 or all(self.components.numbers[graph.targets[edge]] != here for edge in edges):
            return edges
        side = self.low.wants[graph.kinds[position]]
        if (here, side) not in self._coming_out:
            self._coming_out[here, side] = coming_out(self._seen_by(side), self.components[here], side)
        return self._coming_out[here, side].get(position, edges)

    def keeping(self, position: int) -> list[int]:
        """The edges that are worth as much as a position, where a player decides and it has a number."""
        graph = self.low.graph
        if graph.kinds[position] < 0 or self.number(position) is None or begins_round(graph, position):
            return []
        return keeping(self._seen_by(self.low.wants[graph.kinds[position]]), position)

    def _seen_by(self, side: int) -> Contest:
        """The numbers with plays that never end worth the least that they may be to a side."""
        return self.low if side == 1 else self.high
