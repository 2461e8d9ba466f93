"""Solved positions: what they are worth to all players, and what to do there, whatever algorithm has found it."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Protocol

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, Machine, Move, Payoff, State
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, Contest, PositionGraph, begins_round, decisions_before

if TYPE_CHECKING:
    from zermelo.solvers.positions.stochastic_cycles.intervals import Intervals
    from zermelo.solvers.positions.stochastic_games.enclosures import Enclosures
    from zermelo.solvers.positions.stochastic_games.matrix_rounds import Mixture, Round, Shares

# What solving finds about positions, whatever the algorithm.
#
# Graphs may have many millions of positions, so an algorithm keeps what it has found as it likes, mostly in flat
# arrays, and tells it position by position.


class SolvedPositions(Protocol):
    """What all positions of a graph are worth, and what to do there."""

    __slots__ = ()

    @property
    def graph(self) -> PositionGraph: ...

    def payoff(self, position: int) -> Payoff | None:
        """What the players get from a position on, without what they have earned before: the middle, where there are
        bounds. None within a round, and if it is not defined; the root's always is, so that such a position does not
        matter if everybody plays well."""

    def bounds(self, position: int) -> tuple[Fraction, Fraction] | None:
        """Proved bounds of what the first player gets; None where the payoff is exact."""
        return None

    def best(self, position: int) -> list[int]:
        """The edges that are best for the player who decides, in their order; all of them where the number is known,
        else one. If a player takes any of them wherever they decide, they get at least what the position is worth to
        them, or what they can be sure of if it has no number. Empty where nobody decides alone."""

    def followed(self, position: int) -> list[int]:
        """The best edges that bring all players the payoff, so that the player who decides may take any of them."""
        return self.best(position)

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        """The round that begins in a position, and the mixture of each player who chooses there; None elsewhere."""
        return None

    @property
    def tells_distances(self) -> bool:
        """Whether ``distance`` says how long plays take: where nothing is left to chance, and positions are solved from
        the ends back; else :mod:`~zermelo.solvers.positions.durations` does."""
        return False

    def distance(self, position: int) -> int | None:
        """How many edges it is to the end if those who win hurry and the others delay, 0 at an end; None where a play
        need not end, or ends at random."""
        return None

    def alternatives(self, position: int) -> tuple[Payoff, ...] | None:
        """Other payoffs that players who all choose best can bring about from a position on; None if they are not
        known."""
        return ()


class SolvedContest(SolvedPositions):
    """A contest: the number of a position, what it is worth to the first player, says what all get."""

    __slots__ = ()

    @property
    @abstractmethod
    def contest(self) -> Contest:
        """The contest."""

    @abstractmethod
    def number(self, position: int) -> Fraction | None:
        """What a position is worth to the first player from there on; None where ``payoff`` is."""

    @property
    def graph(self) -> PositionGraph:
        return self.contest.graph

    def payoff(self, position: int) -> Payoff | None:
        number = self.number(position)
        if number is None:
            return None
        if len(set(self.contest.wants)) == 1:
            return (number,) * len(self.contest.wants)
        return number, self.contest.total - number


@frozen(eq=False)
class BoundedSolution(SolvedContest):
    """A contest with bounds."""

    contest: Contest
    found: Intervals

    def number(self, position: int) -> Fraction | None:
        bounds = self.bounds(position)
        return None if bounds is None else (bounds[0] + bounds[1]) / 2

    def bounds(self, position: int) -> tuple[Fraction, Fraction] | None:
        return self.found.interval(position)

    def best(self, position: int) -> list[int]:
        choice = self.found.choices[position]  # at draws of chance it has no meaning
        return [choice] if self.graph.kinds[position] >= 0 and choice >= 0 else []


@frozen(eq=False)
class EnclosedSolution(SolvedContest):
    """A contest with bounds, in which players choose at once."""

    contest: Contest
    found: Enclosures

    def number(self, position: int) -> Fraction | None:
        interval = self.found.interval(position)
        return None if interval is None else (interval[0] + interval[1]) / 2

    def bounds(self, position: int) -> tuple[Fraction, Fraction] | None:
        interval = self.found.interval(position)
        return None if interval is None or interval[0] == interval[1] else interval

    def best(self, position: int) -> list[int]:
        return self.found.best(position)

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        return self.found.mixtures(position)


@frozen(eq=False)
class EquilibriumSolution(SolvedPositions):
    """An equilibrium of a game in which more than one number counts."""

    shares: Shares

    @property
    def graph(self) -> PositionGraph:
        return self.shares.graph

    def payoff(self, position: int) -> Payoff | None:
        return self.shares.reported[position]

    def best(self, position: int) -> list[int]:
        return self.shares.best(position)

    def followed(self, position: int) -> list[int]:
        reported = self.shares.reported[position]
        return [edge for edge in self.best(position) if self.shares.worth(position, edge) == reported]

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        if not begins_round(self.graph, position):
            return None
        from zermelo.solvers.positions.stochastic_games.matrix_rounds import round_at, stage_equilibrium, stage_table

        round = round_at(self.graph, position)
        return round, stage_equilibrium(round, stage_table(self.shares, round))

    def alternatives(self, position: int) -> tuple[Payoff, ...] | None:
        reachable = self.shares.reachable[position]
        return None if reachable is None else tuple(sorted(reachable - {self.shares.reported[position]}))


def count_ends(graph: PositionGraph) -> int:
    """The number of ends that pay different amounts."""
    return sum(kind <= PAYS for kind in graph.kinds)


# Plays through a graph of positions: a machine says what the numbers of edges mean.


@frozen
class Guide(Generic[State]):
    """A machine, and the state that is the root of a graph."""

    machine: Machine[State]
    root: State
    graph: PositionGraph

    def moves(self, state: State) -> tuple[Move, ...]:
        """The moves or outcomes that the edges of a state's position stand for, in their order."""
        if self.machine.actor(state) == CHANCE:
            return tuple(outcome for outcome, _ in self.machine.outcomes(state))
        return self.machine.moves(state)

    def play(self, edges: Iterable[int]) -> tuple[Move, ...]:
        """The moves on a path of edges from the root."""
        state, position, made = self.root, ROOT, list[Move]()
        for edge in edges:
            made.append(self.moves(state)[edge - self.graph.firsts[position]])
            state, position = self.machine.after(state, made[-1]), self.graph.targets[edge]
        return tuple(made)


def best_play(guide: Guide[Any], solved: SolvedPositions) -> tuple[Move, ...]:
    """Best play from the root: to the end, to the first draw of chance or round, or to where a position comes again."""
    position, edges, met = ROOT, list[int](), set[int]()
    while position not in met and (best := solved.best(position)):
        met.add(position)
        edges.append(best[0])
        position = solved.graph.targets[best[0]]
    return guide.play(edges)


def shortest_path(graph: PositionGraph, position: int) -> list[int]:
    """The edges of a shortest path from the root to a position. The graph was found breadth first
    (:mod:`~zermelo.solvers.kernels.position_graph`): the edges of one position come after those of the one before, so
    the first edge to a position is on such a path, and positions on it have smaller numbers."""
    if position == ROOT:
        return []
    firsts = array("q", [-1]) * (position + 1)
    for edge, target in enumerate(graph.targets):
        if target <= position and firsts[target] < 0:
            firsts[target] = edge
            if target == position:
                break
    path: list[int] = []
    while position != ROOT:
        path.append(firsts[position])
        position = source_of(graph, path[-1])
    return path[::-1]


def source_of(graph: PositionGraph, edge: int) -> int:
    """The position that an edge leaves."""
    return bisect_right(graph.firsts, edge, hi=len(graph)) - 1


def earned_and_factor_before(machine: Machine[State], root: State) -> tuple[Payoff, Fraction]:
    """What has been earned before a state, and the discount factor of what the next move pays."""
    return machine.earned(root), machine.discount ** decisions_before(machine, root)
