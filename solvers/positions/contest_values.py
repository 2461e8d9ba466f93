"""The exact values of a contest that has been solved component by component."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

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
        """The best edges. In a circle without a discount an edge that keeps the number may go round for ever; so of
        those that stay in the component only the choice of the policy counts, which brings about the number.

        Sound: under any such edges the play leaves a component by an edge that is worth the number, or stays in it by
        the choices of the policy, whose worth is the number whatever the others do."""
        graph, number = self.low.graph, self.number(position)
        if graph.kinds[position] < 0 or number is None or begins_round(graph, position):
            return []
        contest = self.low if self.low.wants[graph.kinds[position]] == 1 else self.high
        here = self.components.numbers[position]
        return [
            edge
            for edge in graph.edges(position)
            if edge == contest.choices[position]
            or (
                (graph.discount < 1 or self.components.numbers[graph.targets[edge]] != here)
                and contest.numbers[graph.targets[edge]] is not None
                and contest.worth(position, edge) == number
            )
        ]
