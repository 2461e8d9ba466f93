"""What one player gets against others who make all their moves with equal probability.

Such others choose by the position, whatever they have perceived. To the player who answers them they are a part of
chance, and the game is a partially observable Markov decision process (Astrom 1965): a best response is best play over
*beliefs*, of which :mod:`.belief_values` finds the values. That is the game against nature in which a best response is
always a solution (Greenwald and others, "Solving for best responses in extensive-form games using reinforcement
learning methods", 2013), but over positions in place of histories.

Why this is exact: the probability of a play is the product of those of chance, of the others' moves, which the position
gives, and of the player's own moves, which all plays that fit what they have perceived share (*perfect recall*: a
player perceives their own moves). So Bayes' rule gives the weights of a belief, and what follows it depends on the
positions alone.

Cost: what follows each position of others up to the player's next decision is found once, in the reverse of the order
of the graph; a belief then takes time for each of its positions, moves, and arrivals.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Generic

from attrs import define, field, frozen

from zermelo.interpreter.checks.information_sets import moves_differ
from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.beliefs.belief_values import BeliefValues, Prospect, Weights, normalized
from zermelo.solvers.beliefs.meter import Meter
from zermelo.solvers.beliefs.perceived_graph import OVER, PerceivedGraph, Way, Ways
from zermelo.solvers.beliefs.writing_plans import written_plan
from zermelo.solvers.forms.conditional_plan import ConditionalPlan


def expectation(graph: PerceivedGraph[State]) -> Payoff:
    """What each player gets from the root on if all make all moves with equal probability."""
    players = range(len(graph.machine.player_names))
    values: list[Payoff] = [()] * len(graph.order)

    def mean(ways: Ways) -> list[Fraction]:
        total = [Fraction(0)] * len(players)
        for way in ways.ways:
            for player in players:
                after = way.gains[player] if way.there == OVER else way.gains[player] + values[way.there][player]
                total[player] += way.weight * after
        return [each / ways.scale for each in total]

    graph.meter.keep(values)
    for position in reversed(graph.order):
        graph.meter.look()
        means = [mean(ways) for ways in graph.ways[position]]
        values[position] = tuple(sum(each, Fraction(0)) / len(means) for each in zip(*means, strict=True))
    graph.meter.drop(values)
    return tuple(mean(graph.begins))


def response_to_uniform(graph: PerceivedGraph[State], player: int) -> tuple[Fraction, ConditionalPlan]:
    """The most that a player gets from the root on, beside what they had there, if all others make all moves with equal
    probability; and how. Raises ``ZermeloError``: ``moves-differ``, ``out-of-time``, ``out-of-memory``."""
    others = _Others(graph, player)
    search = BeliefValues(others)
    prospect = others.beginning()
    value = search.worth(prospect)
    name, known = graph.machine.player_names[player], graph.machine.information_state(graph.root, player)
    plan = written_plan(name, known, prospect.heard, others.ended(graph.begins), search.chosen)
    graph.meter.drop(search.values, search.made, others.onwards)
    return value, plan


@frozen(eq=False)
class _Onward:
    """What may follow up to the player's next decision: ``arrivals`` are the number of the news, the position and a
    weight, and ``gain`` the mean of what is paid; both over ``scale``. ``ends`` are the amounts that ends bring."""

    scale: int
    gain: int
    arrivals: tuple[tuple[int, int, int], ...]
    ends: frozenset[Fraction]


@define(eq=False)
class _Others(Generic[State]):
    """The surroundings of ``player``. ``onwards`` has what follows each position, None where the player decides."""

    graph: PerceivedGraph[State]
    player: int
    onwards: list[_Onward | None] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        graph = self.graph
        self.onwards += [None] * len(graph.order)
        self.meter.keep(self.onwards)
        for position in reversed(graph.order):
            if graph.actors[position] != self.player:
                self.meter.look()
                moves = graph.ways[position]
                weighted = [(way, Fraction(way.weight, len(moves) * ways.scale)) for ways in moves for way in ways.ways]
                self.onwards[position] = self._joined(weighted)

    @property
    def meter(self) -> Meter:
        return self.graph.meter

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        graph = self.graph
        offered = graph.moves[positions[0]]
        for position in positions[1:]:
            moves = graph.moves[position]
            if moves is not offered and set(moves) != set(offered):
                raise moves_differ(graph.machine, self.player, graph.state(positions[0]), graph.state(position))
        return offered

    def beginning(self) -> Prospect:
        """What may follow the root."""
        return self._prospect([(1, self.graph.begins)])

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        return self._prospect([(weight, self._made(position, move)) for position, weight in belief])

    def ends(self, belief: Weights, move: Move) -> tuple[Fraction, ...]:
        return self.ended(*(self._made(position, move) for position, _ in belief))

    def ended(self, *followed: Ways) -> tuple[Fraction, ...]:
        """The amounts that ends bring before the player's next decision."""
        return tuple(sorted({amount for ways in followed for way in ways.ways for amount in self._way_ends(way)}))

    def _made(self, position: int, move: Move) -> Ways:
        graph = self.graph
        return graph.ways[position][graph.moves[position].index(move)]

    def _way_ends(self, way: Way) -> Iterable[Fraction]:
        """The amounts that ends bring on a way and after it, before the player's next decision."""
        gain = way.gains[self.player]
        if way.there == OVER:
            return (gain,)
        onward = self.onwards[way.there]
        return () if onward is None else {gain + amount for amount in onward.ends}

    def _joined(self, weighted: list[tuple[Way, Fraction]]) -> _Onward:
        """What follows ways with these probabilities."""
        gain, ends = Fraction(0), set[Fraction]()
        heard: dict[tuple[int, int], Fraction] = {}
        for way, chance in weighted:
            gain += chance * way.gains[self.player]
            ends.update(self._way_ends(way))
            if way.there == OVER:
                continue
            news, onward = way.news[self.player], self.onwards[way.there]
            if onward is None:
                heard[news, way.there] = heard.get((news, way.there), Fraction(0)) + chance
                continue
            chance /= onward.scale
            gain += chance * onward.gain
            for then, position, weight in onward.arrivals:
                arrival = self.graph.news.join(news, then), position
                heard[arrival] = heard.get(arrival, Fraction(0)) + chance * weight
        scale = lcm(gain.denominator, *(chance.denominator for chance in heard.values()))
        arrivals = tuple((news, position, int(chance * scale)) for (news, position), chance in heard.items())
        return _Onward(scale, int(gain * scale), arrivals, frozenset(ends))

    def _prospect(self, followed: list[tuple[int, Ways]]) -> Prospect:
        """The prospect of a move, by the ways that follow it in possible positions, of which each has a weight."""
        player, onwards, join = self.player, self.onwards, self.graph.news.join
        own = lcm(*(ways.scale for _, ways in followed))
        gain, met = Fraction(0), dict[tuple[int, int], int]()
        for weight, ways in followed:
            share = weight * (own // ways.scale)
            for way in ways.ways:
                if way.gains[player]:
                    gain += share * way.weight * way.gains[player]
                if way.there != OVER:
                    arrival = way.news[player], way.there
                    met[arrival] = met.get(arrival, 0) + share * way.weight
        after = lcm(*(onward.scale for _, there in met if (onward := onwards[there]) is not None))
        heard: dict[int, dict[int, int]] = {}
        later = 0
        for (news, there), weight in met.items():
            onward = onwards[there]
            if onward is None:
                weights = heard.setdefault(news, {})
                weights[there] = weights.get(there, 0) + weight * after
                continue
            share = weight * (after // onward.scale)
            later += share * onward.gain
            for then, position, likely in onward.arrivals:
                weights = heard.setdefault(join(news, then), {})
                weights[position] = weights.get(position, 0) + share * likely
        total = sum(weight for weight, _ in followed) * own
        branches = tuple(
            (self.graph.news.known[news], normalized(weights), Fraction(sum(weights.values()), total * after))
            for news, weights in heard.items()
        )
        return Prospect((gain + Fraction(later, after)) / total, branches)
