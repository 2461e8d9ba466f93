"""What one player gets against others who make all their moves with equal probability.

Such others choose by the position, whatever they have perceived. To the player who answers them they are a part of
chance, and the game is a partially observable Markov decision process (Astrom 1965): a best response is best play over
*beliefs*, whose values :mod:`zermelo.solvers.beliefs.belief_search` finds. That is the game against nature whose
solutions are the best responses (Greenwald and others, "Solving for best responses in extensive-form games using
reinforcement learning methods", 2013), but over positions in place of histories.

Why this is exact: the probability of a play is the product of those of chance, of the others' moves, which the position
gives, and of the player's own moves, which all plays that fit what they have perceived share (*perfect recall*: a
player perceives their own moves). So Bayes' rule gives the weights of a belief, and what follows it depends on the
positions alone.

Cost: what follows each position of others up to the player's next decision is found once, in the reverse of the order
of the graph; a belief then takes time for each of its positions, moves, and arrivals.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import lcm
from typing import Final, Generic

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import moves_differ_error
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Observation, Payoff, State
from zermelo.solvers.beliefs.belief_search import (
    BeliefValues,
    Meter,
    PerceivedSteps,
    Prospect,
    Weights,
    normalize_belief,
    write_plan,
)
from zermelo.solvers.forms.policy import ConditionalPlan

# All positions of a game in which players decide, and what every player perceives on the way from each to the next.
#
# Where players choose by the position alone, as they do if all their moves have equal probability, histories that lead
# to the same position need not be told apart by what those players know; only the one who answers them has to remember.
# So positions take the place of histories, of which there may be a thousand times as many.
#
# A *way* goes from a decision, by a move and by what chance draws after it, to the next decision or the end. What
# players perceive on a way depends on the position at its beginning, the move and the draws alone: an observation tells
# of values and messages of one step. Ways between draws would not do, since an observation after the draws tells of the
# move before them, too; so no way ends before chance has drawn.
#
# Invariants: every position is looked at once; each different thing perceived, each different payment and each
# different list of moves is kept once. Cost: each move in each position once.


OVER: Final = -1
"""In place of the number of a position: the play has ended."""


@frozen(eq=False)
class Way:
    """``weight`` is its share in the ``scale`` of all ways of a move; ``there`` the number of the position to which it
    leads; ``news`` has the number of what each player perceives, and ``gains`` what each is paid."""

    weight: int
    there: int
    news: tuple[int, ...]
    gains: Payoff


@frozen(eq=False)
class Ways:
    """All ways of a move, or from the root; their weights sum to ``scale``."""

    scale: int
    ways: tuple[Way, ...]


@define(eq=False)
class News:
    """Things perceived, by number: 0 is nothing. Equal sequences of observations have one number, wherever they come
    from; ``met`` has sequences as machines give them, ``joined`` those that are put together here."""

    known: list[tuple[Observation, ...]] = field(factory=lambda: [()])
    numbers: dict[tuple[Observation, ...], int] = field(factory=lambda: {(): 0})
    met: dict[InformationState, int] = field(factory=dict)
    joined: dict[tuple[int, int], int] = field(factory=dict)

    def number(self, perceived: InformationState) -> int:
        """The number of what is perceived."""
        found = self.met.get(perceived)
        if found is None:
            found = self.met[perceived] = self._number(tuple(perceived))
        return found

    def join(self, first: int, then: int) -> int:
        """The number of one thing perceived after another."""
        if not first or not then:
            return first or then
        found = self.joined.get((first, then))
        if found is None:
            found = self.joined[first, then] = self._number((*self.known[first], *self.known[then]))
        return found

    def _number(self, observations: tuple[Observation, ...]) -> int:
        number = self.numbers.setdefault(observations, len(self.known))
        if number == len(self.known):
            self.known.append(observations)
        return number


@frozen(eq=False)
class PerceivedGraph(Generic[State]):
    """``begins`` are the ways from the root. By the number of a position: ``actors`` has who decides there, ``moves``
    what they choose from, ``ways``, parallel to these, what follows, and ``origins`` a position before it with the move
    and the draws that lead from there to here. ``order`` has every position before those to which it leads."""

    machine: Machine[State]
    root: State
    meter: Meter
    begins: Ways
    actors: list[int]
    moves: list[tuple[Move, ...]]
    ways: list[tuple[Ways, ...]]
    origins: list[tuple[int, tuple[Move, ...]]]
    news: News
    order: list[int]

    def state(self, position: int) -> State:
        """A state with this position."""
        steps, at = list[tuple[Move, ...]](), position
        while at != OVER:
            at, made = self.origins[at]
            steps.append(made)
        state = self.root
        for made in reversed(steps):
            for move in made:
                state = self.machine.after(state, move)
        return state


def perceived_graph(machine: Machine[State], root: State, meter: Meter) -> PerceivedGraph[State]:
    """All positions behind a root. The game must not have a discount, by which payments depend on the history.

    Raises ``ZermeloError``: ``needs-end`` if a play need not end, ``too-many-outcomes``, ``out-of-time``,
    ``out-of-memory``."""
    return _Exploring(machine, root, meter).graph()


@define(eq=False)
class _Exploring(Generic[State]):
    machine: Machine[State]
    root: State
    meter: Meter
    actors: list[int] = field(factory=list)
    moves: list[tuple[Move, ...]] = field(factory=list)
    ways: list[tuple[Ways, ...]] = field(factory=list)
    origins: list[tuple[int, tuple[Move, ...]]] = field(factory=list)
    numbers: dict[Hashable, int] = field(factory=dict)
    waiting: list[tuple[int, State]] = field(factory=list)
    news: News = field(factory=News)
    offers: dict[tuple[Move, ...], tuple[Move, ...]] = field(factory=dict)
    perceived: dict[tuple[int, ...], tuple[int, ...]] = field(factory=dict)
    payments: dict[Payoff, Payoff] = field(factory=dict)  # apart from what is perceived: fractions equal whole numbers

    def graph(self) -> PerceivedGraph[State]:
        machine = self.machine
        self.meter.keep(self.actors, self.moves, self.ways, self.origins, self.numbers, self.waiting)
        self.meter.keep(self.news.known, self.news.numbers, self.news.met, self.news.joined)
        begins = self._ways_after(OVER, self.root, ())
        while self.waiting:
            number, state = self.waiting.pop()
            self.meter.look()
            moves = machine.moves(state)
            self.moves[number] = self.offers.setdefault(moves, moves)
            self.ways[number] = tuple(self._ways_after(number, state, (move,)) for move in moves)
        self.meter.drop(self.numbers, self.waiting)
        order = self._order()
        return PerceivedGraph(
            machine, self.root, self.meter, begins, self.actors, self.moves, self.ways, self.origins, self.news, order
        )

    def _ways_after(self, number: int, state: State, made: tuple[Move, ...]) -> Ways:
        """The ways from a state, of the position with this number, by the move ``made``."""
        machine, players = self.machine, range(len(self.machine.player_names))
        heard = [len(machine.information_state(state, player)) for player in players]
        had = machine.earned(state)
        found = []
        for there, path, chance in self._draw_chance(machine.after(state, made[0]) if made else state, made):
            news, arrival = (0,) * len(players), OVER
            if machine.actor(there) == END:
                paid = machine.payoff(there)
            else:
                paid = machine.earned(there)
                arrival = self._number(there, number, path)
                news = tuple(
                    self.news.number(machine.information_state(there, player)[heard[player] :]) for player in players
                )
            gains = tuple(now - before for now, before in zip(paid, had, strict=True))
            kept = self.perceived.setdefault(news, news), self.payments.setdefault(gains, gains)
            found.append((chance, arrival, *kept))
        scale = lcm(*(chance.denominator for chance, _, _, _ in found))
        return Ways(
            scale, tuple(Way(int(chance * scale), arrival, news, gains) for chance, arrival, news, gains in found)
        )

    def _draw_chance(self, first: State, made: tuple[Move, ...]) -> Iterator[tuple[State, tuple[Move, ...], Fraction]]:
        """The next decisions and ends after a move, with the draws and their probability."""
        machine, begun = self.machine, len(made)
        waiting = [(first, made, Fraction(1), frozenset[Hashable]())]
        while waiting:
            state, path, chance, before = waiting.pop()
            if machine.actor(state) != CHANCE:
                yield state, path, chance
                continue
            position = machine.position(state)
            if position in before:
                raise _needs_end_error()
            if len(path) > begun:
                self.meter.look()
            for outcome, likely in machine.outcomes(state):
                after = machine.after(state, outcome)
                waiting.append((after, (*path, outcome), chance * likely, before | {position}))

    def _number(self, state: State, origin: int, path: tuple[Move, ...]) -> int:
        """The number of the position of a state, which waits to be looked at if it is new."""
        new = len(self.actors)
        number = self.numbers.setdefault(self.machine.position(state), new)
        if number == new:
            self.actors.append(self.machine.actor(state))
            self.moves.append(())
            self.ways.append(())
            self.origins.append((origin, path))
            self.waiting.append((number, state))
        return number

    def _order(self) -> list[int]:
        """All positions, each before those to which it leads (Kahn 1962). There is no such order if a play can come
        back to a position."""
        before = [0] * len(self.actors)
        for each in self.ways:
            for ways in each:
                for way in ways.ways:
                    if way.there != OVER:
                        before[way.there] += 1
        order = [number for number, count in enumerate(before) if not count]
        for number in order:
            for ways in self.ways[number]:
                for way in ways.ways:
                    if way.there != OVER:
                        before[way.there] -= 1
                        if not before[way.there]:
                            order.append(way.there)
        if len(order) < len(before):
            raise _needs_end_error()
        return order


def _needs_end_error() -> ZermeloError:
    return ZermeloError(
        "needs-end",
        "a play of this game may come back to a position, and need not end",
        "let a rule end every play, such as a limit on the number of moves",
    )


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
    probability; and the plan for it. Raises ``ZermeloError``: ``moves-differ``, ``out-of-time``, ``out-of-memory``."""
    others = _Others(graph, player)
    search = BeliefValues(others)
    prospect = others.beginning()
    value = search.worth(prospect)
    steps = PerceivedSteps(graph.machine, player, False, graph.meter)
    plan = write_plan(steps, [graph.root], prospect.heard, search.chosen)
    graph.meter.drop(search.values, search.made, others.onwards)
    return value, plan


@frozen(eq=False)
class _Onward:
    """What may follow up to the player's next decision: each of the ``arrivals`` is the number of the news, the
    position and a weight; ``gain`` is the mean of what is paid. Weights and gain are over ``scale``."""

    scale: int
    gain: int
    arrivals: tuple[tuple[int, int, int], ...]


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
                self.onwards[position] = self._join_ways(weighted)

    @property
    def meter(self) -> Meter:
        return self.graph.meter

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        graph = self.graph
        offered = graph.moves[positions[0]]
        for position in positions[1:]:
            moves = graph.moves[position]
            if moves is not offered and set(moves) != set(offered):
                raise moves_differ_error(graph.machine, self.player, graph.state(positions[0]), graph.state(position))
        return offered

    def beginning(self) -> Prospect:
        """What may follow the root."""
        return self._prospect([(1, self.graph.begins)])

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        return self._prospect([(weight, self._ways_of_move(position, move)) for position, weight in belief])

    def _ways_of_move(self, position: int, move: Move) -> Ways:
        graph = self.graph
        return graph.ways[position][graph.moves[position].index(move)]

    def _join_ways(self, weighted: list[tuple[Way, Fraction]]) -> _Onward:
        """What follows ways with these probabilities."""
        gain = Fraction(0)
        heard: dict[tuple[int, int], Fraction] = {}
        for way, chance in weighted:
            gain += chance * way.gains[self.player]
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
        return _Onward(scale, int(gain * scale), arrivals)

    def _prospect(self, followed: list[tuple[int, Ways]]) -> Prospect:
        """The prospect of a move, by the ways that follow it in the possible positions, each with its weight."""
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
            (self.graph.news.known[news], normalize_belief(weights), Fraction(sum(weights.values()), total * after))
            for news, weights in heard.items()
        )
        return Prospect((gain + Fraction(later, after)) / total, branches)
