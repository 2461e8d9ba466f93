"""Rounds in which several players choose at once, the matrix games that they are, and backward induction over them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.linear_programming.pivoting import pivot
from zermelo.solvers.positions.graph.graph import PAYS, Contest, NeedsMixing, PositionGraph, begins_round

# The value of a matrix game, exactly, with an optimal mixture for each side.
#
# One side chooses a row and wants much, the other side a column and wants little, at the same moment; the entry is the
# payment. By von Neumann's theorem (1928) the most that a mixture of rows guarantees is the least that a mixture of
# columns concedes: the *value*.
#
# 1. A *saddle point*, an entry that is least in its row and greatest in its column, is the value, without mixing.
# 2. Two rows and two columns without a saddle point: both mixtures make the other side indifferent, in closed form.
# 3. Else a linear program (Dantzig 1951): if all entries are above 0, as they are after a shift, the mixture of columns
#    is proportional to the y that maximizes the sum of y subject to A y <= 1, y >= 0, and the value is 1 over that sum;
#    the slacks' reduced costs are the mixture of rows. The slacks are a feasible basis, so the simplex method has one
#    phase. It runs in whole numbers (:mod:`zermelo.solvers.linear_programming.pivoting`).
#
# The greatest reduced cost enters (Dantzig), until a step brings no progress; from then on, until one does, the first
# that is above 0 (Bland 1977), so that no basis comes again and the method ends.
#
# Cost: a step is a pass over the matrix; there are hardly ever more than a few times as many as rows and columns. A
# game of two by two takes 16 microseconds, of six by six 200, of twenty by twenty 5 milliseconds, of a hundred by a
# hundred six seconds.


Mixture = tuple[Fraction, ...]
"""The probabilities of moves, in their order."""


@frozen
class MatrixValue:
    """The ``value`` of a matrix game; ``rows`` is a mixture that guarantees it, ``columns`` one that concedes it."""

    value: Fraction
    rows: Mixture
    columns: Mixture


def matrix_value(matrix: Sequence[Sequence[Fraction]]) -> MatrixValue:
    """The value of a matrix game, for the side that chooses a row and wants much. There is a row and a column."""
    whole, scale = _whole_matrix(matrix)
    number, weight, rows, columns = _whole_value(whole)
    return MatrixValue(Fraction(number, weight * scale), _mixture(rows), _mixture(columns))


def _whole_matrix(matrix: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int]:
    """The numerators of a matrix over one denominator, and this."""
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    return [[entry.numerator * (scale // entry.denominator) for entry in row] for row in matrix], scale


def _mixture(weights: Collection[int]) -> Mixture:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


Solved = tuple[int, int, list[int], list[int]]
"""A value as numerator and denominator, and the weights of the rows and of the columns."""


def _whole_value(matrix: list[list[int]]) -> Solved:
    """The value of a matrix game in whole numbers."""
    guaranteed = list(map(min, matrix))
    conceded = list(map(max, zip(*matrix, strict=True)))
    most, least = max(guaranteed), min(conceded)
    if most == least:
        row, column = guaranteed.index(most), conceded.index(least)
        return most, 1, _unit_vector(len(matrix), row), _unit_vector(len(conceded), column)
    if len(matrix) == len(conceded) == 2:
        (a, b), (c, d) = matrix  # without a saddle point both entries of a diagonal exceed both of the other one
        return a * d - b * c, a + d - b - c, [d - c, a - b], [d - b, a - c]
    return _simplex_value(matrix, min(map(min, matrix)) - 1)


def _simplex_value(matrix: list[list[int]], shift: int) -> Solved:
    """The value by the simplex method; ``shift`` is less than all entries."""
    count, width = len(matrix), len(matrix[0])
    tableau = [[*(entry - shift for entry in row), *_unit_vector(count, i), 1] for i, row in enumerate(matrix)]
    tableau.append([1] * width + [0] * (count + 1))
    basis = list(range(width, width + count))
    denominator, is_idle = 1, False
    while True:
        check_deadline()
        costs = tableau[-1]
        entering = _entering_column(costs, is_idle)
        if entering is None:
            break
        row = _leaving_row(tableau, basis, entering)
        is_idle = tableau[row][-1] == 0
        denominator = pivot(tableau, denominator, row, entering)
        basis[row] = entering
    columns = [0] * width
    for row, column in enumerate(basis):
        if column < width:
            columns[column] = tableau[row][-1]
    # The last row ends with minus the sum of y; over the same denominator, 1 over that sum is the shifted value.
    rows = [-cost for cost in tableau[-1][width:-1]]
    total = -tableau[-1][-1]
    return denominator + shift * total, total, rows, columns


def _entering_column(costs: list[int], is_idle: bool) -> int | None:
    """The column to make basic: that of the greatest reduced cost, or the first above 0 if the last step was idle."""
    if is_idle:
        return next((j for j, cost in enumerate(costs[:-1]) if cost > 0), None)
    most = max(costs[:-1])
    return costs.index(most) if most > 0 else None


def _leaving_row(tableau: list[list[int]], basis: list[int], entering: int) -> int:
    """The row whose basic column reaches 0 first; the first of these columns in the order of all."""
    found = -1
    for row, entries in enumerate(tableau[:-1]):
        if entries[entering] <= 0:
            continue
        if found < 0:
            found = row
            continue
        here, there = entries[-1] * tableau[found][entering], tableau[found][-1] * entries[entering]
        if here < there or (here == there and basis[row] < basis[found]):
            found = row
    return found


# One equilibrium of a game of two players who choose at once, exactly: the algorithm of Lemke and Howson.
#
# Let A and B be the payoffs of the two players, made positive. The mixtures x of the first player, up to scale, form
# the polytope x >= 0, B'x <= 1, those of the second one y >= 0, A y <= 1. A point has the *labels* of its tight
# inequalities: a strategy that is not played, or a best reply of the other player. A pair of vertices other than (0, 0)
# that has all labels together is an equilibrium: each strategy is not played, or a best reply. From (0, 0), which has
# all labels, the algorithm gives up one label, and moves along edges, now in one polytope and now in the other: a step
# picks up a label, and if it is there twice, the next one gives it up in the other polytope. It ends when the missing
# label is found.
#
# So that no pair comes again, ties are broken as if the right sides were disturbed a little (lexicographically): then
# every vertex has as many labels as it has dimensions, the path is unique and has another end. The steps are in whole
# numbers (:mod:`zermelo.solvers.linear_programming.pivoting`).
#
# Source: Lemke and Howson, "Equilibrium points of bimatrix games" (1964); von Stengel, "Computing equilibria for
# two-person games" (2002). Cost: a pass over a matrix for each step; mostly a few steps, exponentially many at worst.


_GIVEN_UP: Final = 0
"""The label that is given up first: the first player's first strategy."""


def equilibrium(first: Sequence[Sequence[Fraction]], second: Sequence[Sequence[Fraction]]) -> tuple[Mixture, Mixture]:
    """Mixtures of rows and of columns that are best replies to each other; the matrices hold what the first and the
    second player get."""
    rows, columns = len(first), len(first[0])
    ours = _positive_matrix(first)
    theirs = _positive_matrix([list(column) for column in zip(*second, strict=True)])
    mixtures = (
        _Polytope([[*row, *_unit_vector(columns, j), 1] for j, row in enumerate(theirs)], rows),
        _Polytope([[*_unit_vector(rows, i), *row, 1] for i, row in enumerate(ours)], 0),
    )
    label, turn = _GIVEN_UP, 0
    while True:
        check_deadline()
        label = mixtures[turn].take_in(label)
        if label == _GIVEN_UP:
            return mixtures[0].mixture(range(rows)), mixtures[1].mixture(range(rows, rows + columns))
        turn = 1 - turn


def _positive_matrix(matrix: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """A matrix of whole numbers above 0 with the same best replies."""
    whole, _ = _whole_matrix(matrix)
    shift = 1 - min(map(min, whole))
    return [[entry + shift for entry in row] for row in whole]


def _unit_vector(size: int, place: int) -> list[int]:
    return [int(k == place) for k in range(size)]


class _Polytope:
    """A vertex of one player's polytope. Column k of the tableau is the variable of label k: a strategy of this player,
    or the slack of a reply of the other one; the slacks begin at ``slacks`` and are basic at first."""

    def __init__(self, tableau: list[list[int]], slacks: int) -> None:
        self.tableau = tableau
        self.denominator = 1
        self.slacks = range(slacks, slacks + len(tableau))
        self.basis = list(self.slacks)

    def take_in(self, label: int) -> int:
        """Give up a label by making its variable basic; return the label picked up, of the variable that leaves."""
        leaving = -1
        for row, entries in enumerate(self.tableau):
            if entries[label] > 0 and (leaving < 0 or self._is_sooner(row, leaving, label)):
                leaving = row
        self.denominator = pivot(self.tableau, self.denominator, leaving, label)
        picked_up, self.basis[leaving] = self.basis[leaving], label
        return picked_up

    def _is_sooner(self, row: int, other: int, label: int) -> bool:
        """Whether the basic variable of a row reaches 0 before that of another one, with ties broken."""
        one, two = self.tableau[row], self.tableau[other]
        columns = (-1, *self.slacks)
        return [one[k] * two[label] for k in columns] < [two[k] * one[label] for k in columns]

    def mixture(self, strategies: range) -> Mixture:
        """The vertex as probabilities of these strategies."""
        weights = dict.fromkeys(strategies, 0)
        weights.update(
            (label, row[-1]) for label, row in zip(self.basis, self.tableau, strict=True) if label in weights
        )
        return _mixture(weights.values())


# Rounds: players who choose at the same moment, as a table of where their choices lead.
#
# In the graph they choose one after another, which makes a small tree below the position in which the round begins.
# Nobody in it knows what the others have chosen; so the player to choose has the same moves in all of its positions, in
# the same order, and a choice is the number of a move.


Path = tuple[int, ...]
"""The edges that lead through a round, one for each who chooses."""


@frozen
class Round:
    """The round that begins in ``position``: the ``choosers``, in the order of the graph, and how many moves each has.
    ``paths`` has one path for each combination of choices; the choice of the last player changes fastest."""

    position: int
    choosers: tuple[int, ...]
    counts: tuple[int, ...]
    paths: tuple[Path, ...]

    def choices(self) -> list[tuple[int, ...]]:
        """The combinations of choices, in the order of ``paths``."""
        return list(product(*map(range, self.counts)))

    def chances(self, mixtures: Sequence[Mixture]) -> list[Fraction]:
        """The probabilities of these combinations, if those who choose mix so."""
        return [prod(chosen, start=Fraction(1)) for chosen in product(*mixtures)]


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
# agree on the best combination of choices. If two want opposite things, the stage is a matrix game, and its value is
# that of the position: a player who plays an optimal mixture there, and goes on so behind it, gets no less than that on
# average, whatever the other one does and knows; and all that a player must know for it is the position in which the
# round began (Zermelo 1913, Kuhn 1953, Shapley 1953).


@frozen
class SolvedRound:
    """A solved round: what it is worth to the first player, and a mixture for each who chooses."""

    round: Round
    number: Fraction
    mixtures: tuple[Mixture, ...]


def solve_stage_at(contest: Contest, position: int) -> SolvedRound:
    """The round that begins in a position, solved. All positions behind it have numbers.

    Raises ``ZermeloError`` (``moves-differ``)."""
    round = round_at(contest.graph, position)
    return solve_stage(contest, round, table_of(contest, round))


def table_of(contest: Contest, round: Round) -> list[Fraction]:
    """What the first player gets after each combination of choices."""
    graph = contest.graph
    worths = [contest.worth(round.position, path[-1]) for path in round.paths]
    if graph.rewards is None:
        return worths
    return [earned_before(graph, path)[0] + worth for path, worth in zip(round.paths, worths, strict=True)]


def solve_stage(contest: Contest, round: Round, table: list[Fraction]) -> SolvedRound:
    """The solution of a round, by a ``table`` of what the combinations of choices are worth."""
    wants = {contest.wants[player] for player in round.choosers}
    if len(wants) == 1:
        number = (max if wants == {1} else min)(table)
        return SolvedRound(round, number, agreeing_mixtures(round, table.index(number)))
    assert len(round.choosers) == 2, "two players have a constant sum"
    columns = round.counts[1]
    matrix = [table[begin : begin + columns] for begin in range(0, len(table), columns)]
    if contest.wants[round.choosers[0]] == 1:
        found = matrix_value(matrix)
        return SolvedRound(round, found.value, (found.rows, found.columns))
    found = matrix_value([list(column) for column in zip(*matrix, strict=True)])
    return SolvedRound(round, found.value, (found.columns, found.rows))


def agreeing_mixtures(round: Round, cell: int) -> tuple[Mixture, ...]:
    """The mixtures that bring about one combination of choices."""
    choices = round.choices()[cell]
    return tuple(
        tuple(Fraction(k == choice) for k in range(count)) for count, choice in zip(round.counts, choices, strict=True)
    )


# Backward induction for any number of players, any payoffs: what a subgame-perfect equilibrium pays (Selten 1965).
#
# A position is worth a tuple, a share for each player: at an end what it pays; where chance draws, the mean of what the
# edges are worth; where a player decides, what the edge is worth that brings them the most; where a round begins, what
# an equilibrium of the stage pays.
#
# **Ties.** A move that is as good as another for the player who makes it can make all the difference to the others. The
# *reported* tuple is that of the first best edge. The *reachable* tuples are all that arise if ties are broken in every
# possible way, as in max^n (:mod:`zermelo.solvers.kernels.maxn` says why): for the sets V1, V2, ... of the edges and
# player i, ::
#
#     V = { v in V1 + V2 + ... : v[i] >= m },    m = the greatest over k of (the least u[i] for u in Vk),
#
# and for chance the means of all choices of one tuple from each. A set of more than :data:`MOST` tuples is given up.
#
# **Circles** in which one player at most has a choice are left to the caller: they are worth to that player what a
# decision process is worth, and its policy says what they are worth to the others.
#
# **Stages.** In a round, the tuples that are reported behind it make a table. If it has equilibria in which nobody
# mixes, the first one in the order of the choices is taken; else, for two players, that of Lemke and Howson. What it
# pays is what *an* equilibrium pays: others may pay something else, and nobody looks for them, so the reachable sets
# are given up from there on. For three or more players who all have to mix, probabilities may be irrational (Nash
# 1951), and the game is refused.
#
# Cost: a comparison of fractions for each edge; more where sets of several tuples meet.


MOST: Final = 1000
"""The size up to which a set of reachable tuples is kept."""

_CHECK_EVERY: Final = 4096
"""Positions between two checks of the limits."""


@define(eq=False)
class Shares:
    """What the positions of a graph are worth. ``reported[p]`` is None within a round; ``reachable[p]`` is None where
    the set has been given up. ``has_stages``: a round has been solved, so that the tuples before it are what one
    equilibrium pays, perhaps not every one. ``choices``: the edges that are chosen in circles, where one that is as
    good may go round for ever."""

    graph: PositionGraph
    reported: list[Payoff | None] = field(init=False)
    reachable: list[frozenset[Payoff] | None] = field(init=False)
    has_stages: bool = False
    choices: dict[int, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.reported = [None] * len(self.graph)
        self.reachable = [None] * len(self.graph)

    def behind(self, position: int, edge: int, tuple_behind: Payoff) -> Payoff:
        """What an edge is worth, if the position behind it is worth this tuple."""
        factor, reward = self.graph.factor(position, edge), self.graph.reward(edge)
        if factor == 1 and not any(reward):
            return tuple_behind
        return tuple(earned + factor * share for earned, share in zip(reward, tuple_behind, strict=True))

    def worth(self, position: int, edge: int) -> Payoff:
        """What an edge of a position is worth, by the reported tuple behind it."""
        found = self.reported[self.graph.targets[edge]]
        assert found is not None, "positions are solved after all that lie behind them"
        return self.behind(position, edge, found)

    def best(self, position: int) -> list[int]:
        """The edges that bring the player who decides as much as is reported; empty where nobody decides alone."""
        graph, reported = self.graph, self.reported[position]
        if graph.kinds[position] < 0 or reported is None or begins_round(graph, position):
            return []
        if position in self.choices:
            return [self.choices[position]]
        player = graph.actor(position)
        return [edge for edge in graph.edges(position) if self.worth(position, edge)[player] == reported[player]]


def subgame_perfect_shares(
    graph: PositionGraph,
    order: Iterable[int],
    limits: Limits,
    progress: Progress = ignore_progress,
    circles: Mapping[int, Callable[[Shares], None]] | None = None,
) -> Shares:
    """What the positions of a graph are worth. In ``order`` a position comes after all to which it leads, but for those
    of its component. ``circles`` has, by the first position of a component, a function that finds its shares.
    ``progress`` is told how many positions are done.

    Raises ``ZermeloError`` (``out-of-time``, ``moves-differ``), and
    :class:`NeedsMixing`."""
    shares = Shares(graph)
    for done, position in enumerate(order):
        if done % _CHECK_EVERY == 0:
            progress(done)
            limits.check({"nodes": done})
        if circles and position in circles:
            circles[position](shares)
        if shares.reported[position] is not None:
            continue
        kind = graph.kinds[position]
        if kind <= PAYS:
            payoff = graph.amounts[PAYS - kind]
            shares.reported[position], shares.reachable[position] = payoff, frozenset((payoff,))
        elif kind < 0:
            _draw(shares, position)
        elif graph.is_within_round(position):
            continue
        elif begins_round(graph, position):
            round = round_at(graph, position)
            table = stage_table(shares, round)
            shares.reported[position] = expected_payoffs(round, table, stage_equilibrium(round, table))
            shares.has_stages = True
        else:
            _choose(shares, position, kind)
    return shares


def _choose(shares: Shares, position: int, player: int) -> None:
    edges = shares.graph.edges(position)
    worths = [shares.worth(position, edge) for edge in edges]
    best = worths[0]
    for worth in worths:
        if worth is not best and worth[player] > best[player]:
            best = worth
    shares.reported[position] = best
    sets = _reachable_behind(shares, position, edges)
    if sets is None:
        return
    secured = max(min(tuple_behind[player] for tuple_behind in one) for one in sets)
    merged = frozenset(share for one in sets for share in one if share[player] >= secured)
    shares.reachable[position] = merged if len(merged) <= MOST else None


def _draw(shares: Shares, position: int) -> None:
    graph, edges = shares.graph, shares.graph.edges(position)
    probabilities = graph.probabilities(position)
    shares.reported[position] = mean(probabilities, [shares.worth(position, edge) for edge in edges])
    sets = _reachable_behind(shares, position, edges)
    if sets is None:
        return
    sums: frozenset[Payoff] | None = frozenset(((Fraction(0),) * len(graph.players),))
    for probability, one in zip(probabilities, sets, strict=True):
        sums = None if sums is None else _sums(sums, probability, one)
    shares.reachable[position] = sums


def _sums(sums: frozenset[Payoff], probability: Fraction, one: frozenset[Payoff]) -> frozenset[Payoff] | None:
    """Each of the ``sums`` plus each tuple of a set times its probability; None if these are too many."""
    found: set[Payoff] = set()
    for total, share in product(sums, one):
        found.add(tuple(a + probability * b for a, b in zip(total, share, strict=True)))
        if len(found) > MOST:
            return None
    return frozenset(found)


def _reachable_behind(shares: Shares, position: int, edges: range) -> list[frozenset[Payoff]] | None:
    """The reachable tuples of each edge; None if one of the sets has been given up."""
    found = []
    for edge in edges:
        one = shares.reachable[shares.graph.targets[edge]]
        if one is None:
            return None
        found.append(frozenset(shares.behind(position, edge, share) for share in one))
    return found


def mean(probabilities: Sequence[Fraction], worths: Sequence[Payoff]) -> Payoff:
    """The mean of what is worth these payoffs."""
    return tuple(
        sum((chance * share for chance, share in zip(probabilities, column, strict=True)), Fraction(0))
        for column in zip(*worths, strict=True)
    )


# ------------------------------------------------------------------- stages


def stage_table(shares: Shares, round: Round) -> list[Payoff]:
    """What each combination of choices in a round is worth to the players."""
    found = []
    for path in round.paths:
        earned, worth = earned_before(shares.graph, path), shares.worth(round.position, path[-1])
        found.append(tuple(a + b for a, b in zip(earned, worth, strict=True)))
    return found


def stage_equilibrium(round: Round, table: Sequence[Payoff]) -> tuple[Mixture, ...]:
    """A mixture for each who chooses in a round, from which nobody gains by deviating alone.

    Raises :class:`NeedsMixing` if three or more would have to mix."""
    pure = next(_pure_equilibria(round, table), None)
    if pure is not None:
        return agreeing_mixtures(round, pure)
    if len(round.choosers) > 2:
        raise NeedsMixing(round.position)
    first, second = round.choosers
    columns = round.counts[1]
    rows = [table[begin : begin + columns] for begin in range(0, len(table), columns)]
    return equilibrium(
        [[share[first] for share in row] for row in rows], [[share[second] for share in row] for row in rows]
    )


def _pure_equilibria(round: Round, table: Sequence[Payoff]) -> Iterator[int]:
    """The combinations of choices from which nobody gains by another choice, by their places, in order."""
    choices = round.choices()
    most: list[dict[tuple[int, ...], Fraction]] = [{} for _ in round.choosers]
    for chosen, share in zip(choices, table, strict=True):
        for k, player in enumerate(round.choosers):
            others = (*chosen[:k], *chosen[k + 1 :])
            most[k][others] = max(most[k].get(others, share[player]), share[player])
    for cell, (chosen, share) in enumerate(zip(choices, table, strict=True)):
        if all(share[player] == most[k][*chosen[:k], *chosen[k + 1 :]] for k, player in enumerate(round.choosers)):
            yield cell


def expected_payoffs(round: Round, table: Sequence[Payoff], mixtures: Sequence[Mixture]) -> Payoff:
    """What the players get on average by these mixtures."""
    return mean(round.chances(mixtures), table)
