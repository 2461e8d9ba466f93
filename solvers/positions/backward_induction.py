"""Backward induction in a contest: positions to which no play comes back, each once, from the ends on.

An end is worth what it pays; where chance draws, a position is worth the mean of what its edges are worth, by their
probabilities; where one player decides, as much as the edge that they like best; where a round begins, what the stage
is worth (:mod:`zermelo.solvers.positions.rounds.stages`). Positions come after all to which they lead, so everything
behind them is known.

Source: Zermelo (1913); von Neumann and Morgenstern (1944); with rounds, Shapley (1953).

Numbers are exact: whole numbers of one unit, a common fraction of all payoffs, over a denominator of their own, which
is 1 until chance or a discount makes it greater. So games without both are solved by comparing whole numbers.

Cost: a few operations on whole numbers for each edge, and a matrix game for each round: four to eight seconds for a
million positions with four million edges.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from attrs import define, field

from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.positions.rounds.rounds import begins_round
from zermelo.solvers.positions.rounds.stages import solved_stage


@define(eq=False)
class Induction:
    """The numbers so far: that of position p is ``numerators[p] / (denominators[p] * parts)``, in lowest terms apart
    from the ``parts`` of a unit; the denominator is 0 where it has not been looked up. ``earned`` are the amounts in
    parts of a unit, and ``made`` the numbers with the denominator 1."""

    contest: Contest
    parts: int = field(init=False)
    earned: list[int] = field(init=False)
    numerators: list[int] = field(init=False)
    denominators: list[int] = field(init=False)
    made: dict[int, Fraction] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        graph = self.contest.graph
        self.parts = lcm(*(amount[0].denominator for amount in graph.amounts))
        self.earned = [int(amount[0] * self.parts) for amount in graph.amounts]
        self.numerators, self.denominators = [0] * len(graph), [0] * len(graph)

    def step(self, position: int) -> None:
        """Find the number of a position, and a best edge where a player decides knowing the position; all those behind
        it have numbers. A position within a round gets none. Raises ``ZermeloError`` (``moves-differ``)."""
        graph = self.contest.graph
        kind = graph.kinds[position]
        if kind <= PAYS:
            self.note(position, graph.amounts[PAYS - kind][0])
        elif kind < 0:
            self.draw(position)
        elif kind >= len(graph.players):
            return
        elif begins_round(graph, position):
            self.note(position, solved_stage(self.contest, position).number)
        else:
            self.choose(position, self.contest.wants[kind] > 0)

    def note(self, position: int, number: Fraction) -> None:
        """A position has this number."""
        scaled = number * self.parts
        self.numerators[position], self.denominators[position] = scaled.numerator, scaled.denominator
        self.contest.numbers[position] = number

    def put(self, position: int, numerator: int, denominator: int) -> None:
        """A position has this number, in lowest terms apart from the parts."""
        self.numerators[position], self.denominators[position] = numerator, denominator
        if denominator > 1:
            self.contest.numbers[position] = Fraction(numerator, denominator * self.parts)
            return
        number = self.made.get(numerator)
        if number is None:
            number = self.made[numerator] = Fraction(numerator, self.parts)
        self.contest.numbers[position] = number

    def worths(self, position: int) -> tuple[list[int], list[int]]:
        """What the edges of a position are worth: numerators and denominators."""
        graph, edges = self.contest.graph, self.contest.graph.edges(position)
        targets = graph.targets[edges.start : edges.stop]
        denominators = [self.denominators[target] for target in targets]
        if 0 in denominators:
            for target in targets:
                if not self.denominators[target]:
                    number = self.contest.numbers[target]
                    assert number is not None, "positions are solved after all that lie behind them"
                    self.note(target, number)
            denominators = [self.denominators[target] for target in targets]
        numerators = [self.numerators[target] for target in targets]
        if graph.discount != 1:
            factors = [graph.factor(position, edge) for edge in edges]
            numerators = [factor.numerator * n for factor, n in zip(factors, numerators, strict=True)]
            denominators = [factor.denominator * d for factor, d in zip(factors, denominators, strict=True)]
        if graph.rewards is not None:
            earned = [self.earned[number] for number in graph.rewards[edges.start : edges.stop]]
            numerators = [e * d + n for e, n, d in zip(earned, numerators, denominators, strict=True)]
        return numerators, denominators

    def draw(self, position: int) -> None:
        """Chance draws: the mean."""
        graph, edges = self.contest.graph, self.contest.graph.edges(position)
        assert graph.weights is not None, "chance draws"
        weights = graph.weights[edges.start : edges.stop]
        numerators, denominators = self.worths(position)
        scale = lcm(*denominators)
        total = sum(w * n * (scale // d) for w, n, d in zip(weights, numerators, denominators, strict=True))
        scale *= sum(weights)
        common = gcd(total, scale)
        self.put(position, total // common, scale // common)

    def choose(self, position: int, wants_more: bool) -> None:
        """A player decides: the best edge, the first of them."""
        numerators, denominators = self.worths(position)
        scale = denominators[0]
        if any(denominator != scale for denominator in denominators):
            scale = lcm(*denominators)
            numerators = [n * (scale // d) for n, d in zip(numerators, denominators, strict=True)]
        best = (max if wants_more else min)(numerators)
        common = gcd(best, scale)
        self.put(position, best // common, scale // common)
        self.contest.choices[position] = self.contest.graph.firsts[position] + numerators.index(best)
