"""What to do in every position: a policy, for people.

A solver knows positions by their numbers. Here a machine goes through the graph once, from position to position, so
that each of them is met as a state, with its moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Generic

from attrs import evolve, frozen

from zermelo.interpreter.machine import CHANCE, END, Move, Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Advice, Duration, Worth
from zermelo.solvers.positions.durations import Durations, durations
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph
from zermelo.solvers.positions.solved_positions import Guide, SolvedPositions, earned_and_factor_before
from zermelo.solvers.positions.solving import ContestValues
from zermelo.solvers.positions.stochastic_games.matrix_rounds import (
    Mixture,
    Round,
    earned_before,
    expected_payoffs,
    mean,
)


@frozen(eq=False)
class Policy(Generic[State]):
    """What to do in every position of a solved game. Implements :class:`~zermelo.solvers.forms.policy.Advisor`."""

    guide: Guide[State]
    solved: SolvedPositions
    limits: Limits

    @property
    def graph(self) -> PositionGraph:
        return self.guide.graph

    def __iter__(self) -> Iterator[Advice[State]]:
        """Advice for every decision of a player, in the order of the positions: the root's first. Those who choose at
        once are advised one after another, in the state in which their round begins."""
        reached = self._reached_positions()
        lasting = self._durations()
        for position, state in self.states():
            if self.graph.kinds[position] >= 0 and not self.graph.is_within_round(position):
                duration = None if lasting is None else lasting.at(position)
                yield from self._advice(position, state, bool(reached[position]), duration)

    def _durations(self) -> Durations | None:
        """How long plays take on average: from every position, or if these are too many, from those that best play
        comes to; None if distances tell everything, or if the durations are left out."""
        if self.solved.tells_distances:
            return None
        everywhere = range(len(self.graph))
        return durations(self.solved, everywhere, self.limits) or durations(self.solved, [ROOT], self.limits)

    def states(self) -> Iterator[tuple[int, State]]:
        """Every position, with a state of it. A state is kept until those behind it have been made."""
        machine, graph = self.guide.machine, self.graph
        states: dict[int, State] = {ROOT: self.guide.root}
        met = bytearray(len(graph))
        met[ROOT] = True
        for position in range(len(graph)):
            state = states.pop(position)
            new = [edge for edge in graph.edges(position) if not met[graph.targets[edge]]]
            if new:
                moves = self.guide.moves(state)
                for edge in new:
                    if not met[graph.targets[edge]]:
                        met[graph.targets[edge]] = True
                        states[graph.targets[edge]] = machine.after(state, moves[edge - graph.firsts[position]])
            yield position, state

    def _reached_positions(self) -> bytearray:
        """Marks the positions to which plays can come if everybody makes best moves."""
        graph, reached = self.graph, bytearray(len(self.graph))
        waiting = [ROOT]
        while waiting:
            position = waiting.pop()
            if reached[position]:
                continue
            reached[position] = True
            waiting += (graph.targets[edge] for edge in self._best_edges(position))
        return reached

    def _best_edges(self, position: int) -> list[int] | range:
        """The edges that best play may take; where a round begins, the last edges of its paths."""
        if self.graph.kinds[position] < 0:
            return self.graph.edges(position)
        mixed = self.solved.mixtures(position)
        if mixed is None:
            return self.solved.followed(position)
        round, mixtures = mixed
        return [path[-1] for path, chance in zip(round.paths, round.chances(mixtures), strict=True) if chance]

    def first(self) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring, with what has been earned before."""
        moves = self.guide.moves(self.guide.root)
        mixed = self.solved.mixtures(ROOT)
        if mixed is not None:
            return self._first_of_round(moves, *mixed)
        worths = self._worths(moves)
        behind = [self.graph.targets[edge] for edge in self.graph.edges(ROOT)]
        found = None if self.solved.tells_distances else durations(self.solved, [ROOT, *behind], self.limits)
        if found is None:
            return worths
        steps = found.counted(self.graph.kinds[ROOT] >= 0)
        later = [duration and duration.later(steps) for duration in map(found.at, behind)]
        return tuple(evolve(worth, duration=duration) for worth, duration in zip(worths, later, strict=True))

    def as_good(self) -> tuple[Move, ...]:
        """The moves at the root that may be best, too, as far as bounds tell; none if numbers are exact, and where a
        round begins."""
        if self.solved.bounds(ROOT) is None or not self.solved.best(ROOT):
            return ()
        player, best = self.graph.actor(ROOT), set(self.solved.best(ROOT))
        bounds = {
            edge: (worth.move, worth.payoff[player] - worth.error, worth.payoff[player] + worth.error)
            for edge, worth in zip(self.graph.edges(ROOT), self._worths(self.guide.moves(self.guide.root)), strict=True)
            if worth.payoff is not None
        }
        least = max((low for _, low, _ in bounds.values()), default=Fraction(0))
        return tuple(move for edge, (move, _, high) in bounds.items() if edge not in best and high >= least)

    def keeping(self) -> tuple[Move, ...]:
        """The moves at the root that are worth as much as the best ones, but might lead round for ever by chance."""
        if not isinstance(self.solved, ContestValues):
            return ()
        moves, first, best = self.guide.moves(self.guide.root), self.graph.firsts[ROOT], self.solved.best(ROOT)
        return tuple(moves[edge - first] for edge in self.solved.keeping(ROOT) if edge not in best)

    def _worths(self, moves: tuple[Move, ...]) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring, if no round begins there."""
        earned, factor = earned_and_factor_before(self.guide.machine, self.guide.root)
        edges = self.graph.edges(ROOT)
        return tuple(self._worth(move, edge, earned, factor) for move, edge in zip(moves, edges, strict=True))

    def _advice(
        self, position: int, state: State, is_reached: bool, duration: Duration | None
    ) -> Iterator[Advice[State]]:
        solved, machine = self.solved, self.guide.machine
        known = solved.payoff(position), solved.bounds(position), solved.distance(position)
        mixed = solved.mixtures(position)
        if mixed is None:
            moves, best = machine.moves(state), set(solved.followed(position))
            chances = tuple(Fraction(edge in best, max(1, len(best))) for edge in self.graph.edges(position))
            yield Advice(state, self.graph.actor(position), moves, chances, False, *known, is_reached, duration)
            return
        round, mixtures = mixed
        here = state
        for player, mixture in zip(round.choosers, mixtures, strict=True):
            moves = machine.moves(here)
            yield Advice(state, player, moves, mixture, True, *known, is_reached, duration)
            here = machine.after(here, moves[0])

    def _worth(self, move: Move, edge: int, earned: Payoff, factor: Fraction) -> Worth:
        """What an edge of the root brings."""
        behind = self.graph.targets[edge]
        payoff, bounds = self.solved.payoff(behind), self.solved.bounds(behind)
        distance = self.solved.distance(behind)
        if payoff is None:
            return Worth(move, None, Fraction(0))
        shrinks = self.graph.factor(ROOT, edge)
        amounts = tuple(
            before + factor * (reward + shrinks * later)
            for before, reward, later in zip(earned, self.graph.reward(edge), payoff, strict=True)
        )
        error = Fraction(0) if bounds is None else abs(factor * shrinks) * (bounds[1] - bounds[0]) / 2
        return Worth(move, amounts, error, None if distance is None else distance + 1)

    def _first_of_round(
        self, moves: tuple[Move, ...], round: Round, mixtures: tuple[Mixture, ...]
    ) -> tuple[Worth, ...]:
        """What each choice of the first who chooses at the root brings, while the others mix."""
        before, factor = earned_and_factor_before(self.guide.machine, self.guide.root)
        amounts = [list(before) for _ in moves]
        error = Fraction(0)
        alone = ((Fraction(1),) * len(moves), *mixtures[1:])
        for path, (own, *_), chance in zip(round.paths, round.choices(), round.chances(alone), strict=True):
            if not chance:
                continue
            last = self._worth(moves[own], path[-1], earned_before(self.graph, path), Fraction(1))
            assert last.payoff is not None, "a round has been solved after what is behind it"
            error = max(error, last.error)
            for player, amount in enumerate(last.payoff):
                amounts[own][player] += factor * chance * amount
        return tuple(
            Worth(move, tuple(payoff), error, None, chance)
            for move, payoff, chance in zip(moves, amounts, mixtures[0], strict=True)
        )


# Whether solved positions satisfy their equations: an independent look at a solution, for those who verify it.
#
# An end is worth what it pays; where chance draws, a position is worth the mean of what its edges are worth; where a
# player decides, as much as the edge that brings them the most; where players choose at once, what their mixtures
# bring, and nobody gets more by another choice.
#
# This is necessary. It is sufficient where plays end with certainty whatever the players do, by induction or since the
# equations then have one solution. Elsewhere several numbers may satisfy the equations of a circle, and which of them
# are found depends on the algorithm.


def flaw(solved: SolvedPositions) -> int | None:
    """A position that does not satisfy its equation; None if all do. Positions without a number are passed over, and
    those that lead to one without."""
    return next((p for p in range(len(solved.graph)) if not _is_satisfied(solved, p)), None)


def is_same_graph(one: PositionGraph, other: PositionGraph) -> bool:
    """Whether two graphs are the same, position by position and edge by edge, probabilities and payments included."""
    if len(one) != len(other) or list(one.targets) != list(other.targets) or list(one.firsts) != list(other.firsts):
        return False
    return all(
        one.actor(p) == other.actor(p)
        and one.is_within_round(p) == other.is_within_round(p)
        and (one.actor(p) != END or one.payoff(p) == other.payoff(p))
        and (one.actor(p) != CHANCE or one.probabilities(p) == other.probabilities(p))
        and all(one.reward(edge) == other.reward(edge) for edge in one.edges(p))
        for p in range(len(one))
    )


def _is_satisfied(solved: SolvedPositions, position: int) -> bool:
    graph, payoff = solved.graph, solved.payoff(position)
    if payoff is None:
        return True
    actor = graph.actor(position)
    if actor == END:
        return payoff == graph.payoff(position)
    mixed = solved.mixtures(position)
    if mixed is not None:
        return _is_equilibrium(solved, position, payoff, *mixed)
    worths = [_edge_payoff(solved, position, edge) for edge in graph.edges(position)]
    known = [worth for worth in worths if worth is not None]
    if len(known) < len(worths):
        return True
    if actor == CHANCE:
        return payoff == mean(graph.probabilities(position), known)
    return payoff in known and payoff[actor] == max(worth[actor] for worth in known)


def _is_equilibrium(
    solved: SolvedPositions, position: int, payoff: Payoff, round: Round, mixtures: tuple[Mixture, ...]
) -> bool:
    """Whether mixtures bring a payoff, and nobody gets more by a choice of their own."""
    table = [_path_payoff(solved, position, path) for path in round.paths]
    known = [worth for worth in table if worth is not None]
    if len(known) < len(table):
        return True
    if expected_payoffs(round, known, mixtures) != payoff:
        return False
    for place, player in enumerate(round.choosers):
        for choice in range(round.counts[place]):
            alone = tuple(Fraction(k == choice) for k in range(round.counts[place]))
            deviating = (*mixtures[:place], alone, *mixtures[place + 1 :])
            if expected_payoffs(round, known, deviating)[player] > payoff[player]:
                return False
    return True


def _edge_payoff(solved: SolvedPositions, position: int, edge: int) -> Payoff | None:
    """What an edge is worth to all players."""
    graph = solved.graph
    behind, factor = solved.payoff(graph.targets[edge]), graph.factor(position, edge)
    if behind is None:
        return None
    return tuple(earned + factor * later for earned, later in zip(graph.reward(edge), behind, strict=True))


def _path_payoff(solved: SolvedPositions, position: int, path: tuple[int, ...]) -> Payoff | None:
    """What a path through a round is worth to all players."""
    worth = _edge_payoff(solved, position, path[-1])
    if worth is None:
        return None
    return tuple(a + b for a, b in zip(earned_before(solved.graph, path), worth, strict=True))
