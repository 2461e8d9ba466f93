"""Whether solved positions satisfy their equations: an independent look at a solution, for those who verify it.

An end is worth what it pays; where chance draws, a position is worth the mean of what its edges are worth; where a
player decides, as much as the edge that brings them the most; where players choose at once, what their mixtures bring,
and nobody gets more by another choice.

That is necessary. It is sufficient where plays end with certainty whatever the players do, by induction or since the
equations then have one solution. Elsewhere several numbers may satisfy the equations of a circle, and it depends on the
algorithm which of them are found.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from zermelo.interpreter.machine import CHANCE, END, Payoff
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.positions.rounds.matrix_game import Mixture
from zermelo.solvers.positions.rounds.rounds import Round
from zermelo.solvers.positions.solved import SolvedPositions


def flaw(solved: SolvedPositions) -> int | None:
    """A position that does not satisfy its equation; None if all do. Those without a number are passed over, and those
    that lead to one without."""
    return next((p for p in range(len(solved.graph)) if not _is_satisfied(solved, p)), None)


def same(one: PositionGraph, other: PositionGraph) -> bool:
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
    worths = [_worth(solved, position, edge) for edge in graph.edges(position)]
    known = [worth for worth in worths if worth is not None]
    if len(known) < len(worths):
        return True
    if actor == CHANCE:
        return payoff == _mean(graph.probabilities(position), known)
    return payoff in known and payoff[actor] == max(worth[actor] for worth in known)


def _is_equilibrium(
    solved: SolvedPositions, position: int, payoff: Payoff, round: Round, mixtures: tuple[Mixture, ...]
) -> bool:
    """Whether mixtures bring a payoff, and nobody gets more by a choice of their own."""
    table = [_along(solved, position, path) for path in round.paths]
    known = [worth for worth in table if worth is not None]
    if len(known) < len(table):
        return True

    def brought(mixtures: tuple[Mixture, ...]) -> Payoff:
        chances = []
        for chosen in round.choices():
            chances.append(Fraction(1) * prod(m[k] for m, k in zip(mixtures, chosen, strict=True)))
        return _mean(chances, known)

    if brought(mixtures) != payoff:
        return False
    for place, player in enumerate(round.choosers):
        for choice in range(round.counts[place]):
            alone = tuple(Fraction(k == choice) for k in range(round.counts[place]))
            if brought((*mixtures[:place], alone, *mixtures[place + 1 :]))[player] > payoff[player]:
                return False
    return True


def _worth(solved: SolvedPositions, position: int, edge: int) -> Payoff | None:
    """What an edge is worth to all players."""
    graph = solved.graph
    behind, factor = solved.payoff(graph.targets[edge]), graph.factor(position, edge)
    if behind is None:
        return None
    return tuple(earned + factor * later for earned, later in zip(graph.reward(edge), behind, strict=True))


def _along(solved: SolvedPositions, position: int, path: tuple[int, ...]) -> Payoff | None:
    """What a path through a round is worth to all players."""
    *before, last = path
    source = position if not before else solved.graph.targets[before[-1]]
    worth = _worth(solved, source, last)
    if worth is None:
        return None
    for edge in before:
        worth = tuple(a + b for a, b in zip(solved.graph.reward(edge), worth, strict=True))
    return worth


def _mean(chances: list[Fraction], worths: list[Payoff]) -> Payoff:
    columns = zip(*worths, strict=True)
    return tuple(sum((c * w for c, w in zip(chances, column, strict=True)), Fraction(0)) for column in columns)
