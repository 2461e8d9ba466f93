"""Rounds in which several players choose at once, and the matrix games that they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.positions.graph.graph import Contest, PositionGraph
from zermelo.solvers.positions.rounds.matrix_game import Mixture, matrix_value

# Rounds: players who choose at the same moment, as a table of where their choices lead.
#
# In the graph they choose one after another, which makes a small tree below the position in which the round begins.
# Nobody in it knows what the others have chosen; so whoever is to choose has the same moves in all of its positions, in
# the same order, and a choice is the number of a move.


Path = tuple[int, ...]
"""The edges that lead through a round, one for each who chooses."""


@frozen
class Round:
    """The round that begins in ``position``: who chooses, in the order of the graph, and how many moves each of them
    has. ``paths`` has one path for each combination of choices; the choice of the last player changes fastest."""

    position: int
    choosers: tuple[int, ...]
    counts: tuple[int, ...]
    paths: tuple[Path, ...]

    def choices(self) -> list[tuple[int, ...]]:
        """The combinations of choices, in the order of ``paths``."""
        return list(product(*map(range, self.counts)))


def begins_round(graph: PositionGraph, position: int) -> bool:
    """Whether a round begins in a position in which nobody has chosen yet."""
    return graph.kinds[position] >= 0 and graph.is_within_round(graph.targets[graph.firsts[position]])


def round_at(graph: PositionGraph, position: int) -> Round:
    """The round that begins in a position; in one where a single player decides, that player's choice.

    Raises ``ZermeloError`` (``moves-differ``) if the moves of somebody depend on what others have chosen secretly.
    """
    targets = graph.targets
    choosers, counts = [], []
    paths: list[Path] = [()]
    here = [position]
    while True:
        player, count = graph.actor(here[0]), len(graph.edges(here[0]))
        if any(graph.actor(other) != player or len(graph.edges(other)) != count for other in here):
            raise _moves_differ(graph, player)
        choosers.append(player)
        counts.append(count)
        paths = [(*path, edge) for path, there in zip(paths, here, strict=True) for edge in graph.edges(there)]
        here = [targets[path[-1]] for path in paths]
        goes_on = [graph.is_within_round(there) for there in here]
        if not any(goes_on):
            return Round(position, tuple(choosers), tuple(counts), tuple(paths))
        if not all(goes_on):
            raise _moves_differ(graph, graph.actor(here[goes_on.index(True)]))


def _moves_differ(graph: PositionGraph, player: int) -> ZermeloError:
    return ZermeloError(
        "moves-differ",
        f"what {graph.players[player]} may choose depends on what others choose at the same moment",
        "offer the same moves whatever the others choose",
    )


def earned_before(graph: PositionGraph, path: Path) -> Payoff:
    """What the players earn by the choices of a round but the last one."""
    return tuple(
        sum((graph.reward(edge)[player] for edge in path[:-1]), Fraction(0)) for player in range(len(graph.players))
    )


# What a round is worth in a contest, and how to choose in it.
#
# With the positions behind it solved, a round is a game of its own, the *stage*. If all who choose want the same, they
# agree on the best combination of choices. If two want opposite things, the stage is a matrix game
# (:mod:`zermelo.solvers.positions.rounds.matrix_game`), and its value is that of the position: whoever plays an optimal
# mixture there, and goes on so behind it, gets no less than that on average, whatever the other one does and knows; and
# all that a player must know for it is the position in which the round began (Zermelo 1913, Kuhn 1953, Shapley 1953).


@frozen
class SolvedRound:
    """A solved round: what it is worth to the first player, and a mixture for each who chooses."""

    round: Round
    number: Fraction
    mixtures: tuple[Mixture, ...]


def solved_stage(contest: Contest, position: int) -> SolvedRound:
    """The round that begins in a position, solved. All positions behind it have numbers.

    Raises ``ZermeloError`` (``moves-differ``)."""
    round = round_at(contest.graph, position)
    return stage_of(contest, round, table_of(contest, round))


def table_of(contest: Contest, round: Round) -> list[Fraction]:
    """What the first player gets after each combination of choices."""
    graph = contest.graph
    worths = [contest.worth(round.position, path[-1]) for path in round.paths]
    if graph.rewards is None:
        return worths
    return [earned_before(graph, path)[0] + worth for path, worth in zip(round.paths, worths, strict=True)]


def stage_of(contest: Contest, round: Round, table: list[Fraction]) -> SolvedRound:
    """A round in which these combinations of choices are worth so much."""
    wants = {contest.wants[player] for player in round.choosers}
    if len(wants) == 1:
        number = (max if wants == {1} else min)(table)
        return SolvedRound(round, number, agreed(round, table.index(number)))
    assert len(round.choosers) == 2, "two players have a constant sum"
    columns = round.counts[1]
    matrix = [table[begin : begin + columns] for begin in range(0, len(table), columns)]
    if contest.wants[round.choosers[0]] == 1:
        found = matrix_value(matrix)
        return SolvedRound(round, found.value, (found.rows, found.columns))
    found = matrix_value([list(column) for column in zip(*matrix, strict=True)])
    return SolvedRound(round, found.value, (found.columns, found.rows))


def agreed(round: Round, cell: int) -> tuple[Mixture, ...]:
    """The mixtures that bring about one combination of choices."""
    choices = round.choices()[cell]
    return tuple(
        tuple(Fraction(k == choice) for k in range(count)) for count, choice in zip(round.counts, choices, strict=True)
    )
