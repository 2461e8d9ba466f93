"""Retrograde analysis, for contests without chance, rounds and discount in which nothing is earned in a circle. An
analysis (:mod:`zermelo.solvers.kernels.retrograde`) wants to know the middle: what a play is worth that never ends,
which also parts those who hurry from those who delay.

- Where the rules say ``endless``, it is that.
- Else, if there is no circle, only the second meaning is left. Of players against each other, who have a constant sum
  together, those hurry who get more than half of it. Players with a common payoff always hurry.
- Else each position gets two numbers: with plays that never end below all that ends pay, and above. What a position is
  worth never falls as that amount grows, so it depends on it only if the two differ. Where they agree, each side can
  force an end that gives it this much: those who want more hurry in the first analysis, and the others in the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions.graph.components import Components
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.graph.refusals import NeedsEndless
from zermelo.solvers.positions.retrograde.analysis import Analyser, Analysis, MeetsCircle


@frozen(eq=False)
class RetrogradeValues:
    """The values of a contest: an analysis in which plays that never end are worth the least that they may be, and one
    in which they are worth the most. The two are one if that is known, or there are none.

    ``parts`` are the first player's amounts in parts of a unit, of which ``denominator`` are 1. The last one is added
    to those of the graph: it is ``fair``, and who gets more hurries."""

    contest: Contest
    components: Components
    low: Analysis
    high: Analysis
    parts: Sequence[int]
    denominator: int

    @property
    def fair(self) -> int:
        """What a play is worth that never ends, if that is known; else half of what two players get together."""
        return self.parts[-1]

    @property
    def tells_distances(self) -> bool:
        return True

    def number(self, position: int) -> Fraction | None:
        """What a position is worth; None if that depends on what a play is worth that never ends."""
        return Fraction(self.low.numbers[position], self.denominator) if self.is_known(position) else None

    def is_known(self, position: int) -> bool:
        """Whether a position has a number."""
        return self.low.numbers[position] == self.high.numbers[position]

    def distance(self, position: int) -> int | None:
        """The number of edges to the end if those who win hurry and the others delay, and if all hurry where nobody
        wins. None where play does not come to an end unless somebody gives something away."""
        if not self.is_known(position):
            return None
        analysis = self.low if self.low.numbers[position] >= self.fair else self.high
        distance = analysis.distances[position]
        return distance if distance < FOREVER else None

    def best(self, position: int) -> list[int]:
        """The best edges: those that keep the number, and where somebody hurries, the distance. Where nobody has
        anything to gain, all that keep the number are best; they need not lead to an end. A position without a number
        has those by which its player is sure of the most."""
        graph = self.contest.graph
        kind = graph.kinds[position]
        if kind < 0:
            return []
        analysis = self.low if self.contest.wants[kind] == 1 else self.high
        number = analysis.numbers[position]
        edges = [edge for edge in graph.edges(position) if self.worth(analysis, edge) == number]
        if number == analysis.middle:
            return edges
        behind = analysis.distances[position] - 1
        return [edge for edge in edges if analysis.distances[graph.targets[edge]] == behind]

    def keepers(self, position: int) -> tuple[int, ...]:
        """Those who can see to it that a play never ends, alone or with others who want the same, where the rules do
        not say what it pays: who do so if it pays them more than all ends."""
        beyond = self.high.middle // 2
        gains = {1: self.high.numbers[position] > beyond, -1: self.low.numbers[position] < -beyond}
        return tuple(player for player, want in enumerate(self.contest.wants) if gains[want])

    def worth(self, analysis: Analysis, edge: int) -> int:
        """What an edge is worth in an analysis, in parts of a unit."""
        graph = self.contest.graph
        earned = 0 if graph.rewards is None else self.parts[graph.rewards[edge]]
        return analysis.numbers[graph.targets[edge]] + earned


def solve(
    contest: Contest,
    components: Components,
    limits: Limits,
    progress: Progress = ignore_progress,
    compiled: bool = True,
) -> RetrogradeValues:
    """The values of all positions of a contest without chance, rounds and discount. ``compiled`` says whether machine
    code may be used; ``progress`` is told how many positions have been solved.

    Raises :class:`NeedsEndless`; :class:`EarnsInCircle` if an edge between positions of a component earns something;
    and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    graph, is_opposed = contest.graph, len(set(contest.wants)) > 1
    totals = {sum(payoff) for payoff in graph.amounts} - {0}  # of ends, since rewards sum to 0
    half = Fraction(max(totals, default=0), 2)
    fair = half if contest.endless is None else contest.endless
    parts, denominator = over_one_denominator([*(payoff[0] for payoff in graph.amounts), fair])
    analyser = Analyser(contest, components, parts, limits, progress, compiled)
    beyond = analyser.beyond
    if contest.endless is not None:
        low = high = analyser.analyse(parts[-1])
    else:
        try:
            low = high = analyser.analyse(parts[-1] if is_opposed else -beyond, with_circles=False)
        except MeetsCircle:
            low, high = analyser.analyse(-beyond), analyser.analyse(beyond)
    values = RetrogradeValues(contest, components, low, high, parts, denominator)
    if not values.is_known(ROOT):
        raise _needs_endless(values)
    return values


def _needs_endless(values: RetrogradeValues) -> NeedsEndless:
    """A play on which the number of no position is known, up to where it comes again. Each side plays as if it was best
    to go on for ever: then an edge that keeps the number does not lead to a known one, for that is what the position
    would be worth."""
    graph, wants = values.contest.graph, values.contest.wants
    position, play = ROOT, list[int]()
    met: dict[int, int] = {}
    while position not in met:
        met[position] = len(play)
        analysis = values.high if wants[graph.kinds[position]] == 1 else values.low
        wanted = analysis.numbers[position]
        edge = next(edge for edge in graph.edges(position) if values.worth(analysis, edge) == wanted)
        play.append(edge)
        position = graph.targets[edge]
    return NeedsEndless(position, tuple(play[: met[position]]), values.keepers(position))
