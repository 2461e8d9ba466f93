"""What a round is worth in a contest, and how to choose in it.

With the positions behind it solved, a round is a game of its own, the *stage*. If all who choose want the same, they
agree on the best combination of choices. If two want opposite things, the stage is a matrix game
(:mod:`zermelo.solvers.positions.rounds.matrix_game`), and its value is that of the position: whoever plays an optimal
mixture there, and goes on so behind it, gets no less than that on average, whatever the other one does and knows; and
all that a player must know for it is the position in which the round began (Zermelo 1913, Kuhn 1953, Shapley 1953).
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.rounds.matrix_game import Mixture, matrix_value
from zermelo.solvers.positions.rounds.rounds import Round, earned_before, round_at


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
