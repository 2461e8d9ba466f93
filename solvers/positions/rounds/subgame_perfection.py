"""Backward induction for any number of players, any payoffs: what a subgame-perfect equilibrium pays (Selten 1965).

A position is worth a tuple, a share for each player: at an end what it pays; where chance draws, the mean of what the
edges are worth; where a player decides, what the edge is worth that brings them the most; where a round begins, what an
equilibrium of the stage pays.

**Ties.** A move that is as good as another for the player who makes it can make all the difference to the others. The
*reported* tuple is that of the first best edge. The *reachable* tuples are all that arise if ties are broken in every
possible way, as in max^n (:mod:`zermelo.solvers.kernels.maxn` says why): for the sets V1, V2, ... of the edges and
player i, ::

    V = { v in V1 + V2 + ... : v[i] >= m },    m = the greatest over k of (the least u[i] for u in Vk),

and for chance the means of all choices of one tuple from each. A set of more than :data:`MOST` tuples is given up.

**Circles** in which one player at most has a choice are left to the caller: they are worth to that player what a
decision process is worth, and its policy says what they are worth to the others.

**Stages.** In a round, the tuples that are reported behind it make a table. If it has equilibria in which nobody mixes,
the first one in the order of the choices is taken; else, for two players, that of Lemke and Howson
(:mod:`zermelo.solvers.positions.rounds.matrix_game`). What it pays is what *an* equilibrium pays: others may pay
something else, and nobody looks for them, so the reachable sets are given up from there on. For three or more players
who all have to mix, probabilities may be irrational (Nash 1951), and the game is refused.

Cost: a comparison of fractions for each edge; more where sets of several tuples meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.graph.graph import PAYS, NeedsMixing, PositionGraph
from zermelo.solvers.positions.rounds.matrix_game import Mixture, equilibrium
from zermelo.solvers.positions.rounds.rounds import Round, begins_round, earned_before, round_at

MOST: Final = 1000
"""The size up to which a set of reachable tuples is kept."""

_CHECK_EVERY: Final = 4096
"""Positions between two checks of the limits."""


@define(eq=False)
class Shares:
    """What the positions of a graph are worth. ``reported[p]`` is None within a round; ``reachable[p]`` is None where
    the set has been given up. ``has_stages``: a round has been solved, so that the tuples before it are what an
    equilibrium pays, and perhaps not all equilibria. ``choices``: the edges that are chosen in circles, where
    one that is as good may go round for ever."""

    graph: PositionGraph
    reported: list[Payoff | None] = field(init=False)
    reachable: list[frozenset[Payoff] | None] = field(init=False)
    has_stages: bool = False
    choices: dict[int, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.reported = [None] * len(self.graph)
        self.reachable = [None] * len(self.graph)

    def behind(self, position: int, edge: int, tuple_behind: Payoff) -> Payoff:
        """What an edge is worth, if what is behind it is worth this tuple."""
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


def subgame_perfect(
    graph: PositionGraph,
    order: Iterable[int],
    limits: Limits,
    progress: Progress = ignore_progress,
    circles: Mapping[int, Callable[[Shares], None]] | None = None,
) -> Shares:
    """What the positions of a graph are worth. In ``order`` a position comes after all to which it leads, but for those
    of its component; of ``circles`` what finds the shares of a component is under its first position. ``progress`` is
    told how many positions are done.

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
            shares.reported[position] = expected(round, table, stage_equilibrium(round, table))
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
    shares.reported[position] = _mean(probabilities, [shares.worth(position, edge) for edge in edges])
    sets = _reachable_behind(shares, position, edges)
    if sets is None:
        return
    sums: frozenset[Payoff] | None = frozenset(((Fraction(0),) * len(graph.players),))
    for probability, one in zip(probabilities, sets, strict=True):
        sums = None if sums is None else _sums(sums, probability, one)
    shares.reachable[position] = sums


def _sums(sums: frozenset[Payoff], probability: Fraction, one: frozenset[Payoff]) -> frozenset[Payoff] | None:
    """Each of the ``sums`` with each tuple of a set, times its probability; None if these are too many."""
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


def _mean(probabilities: Sequence[Fraction], worths: Sequence[Payoff]) -> Payoff:
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
        return tuple(
            tuple(Fraction(k == choice) for k in range(count)) for count, choice in zip(round.counts, pure, strict=True)
        )
    if len(round.choosers) > 2:
        raise NeedsMixing(round.position)
    first, second = round.choosers
    columns = round.counts[1]
    rows = [table[begin : begin + columns] for begin in range(0, len(table), columns)]
    return equilibrium(
        [[share[first] for share in row] for row in rows], [[share[second] for share in row] for row in rows]
    )


def _pure_equilibria(round: Round, table: Sequence[Payoff]) -> Iterator[tuple[int, ...]]:
    """The combinations of choices from which nobody gains by another choice, in order."""
    choices = round.choices()
    most: list[dict[tuple[int, ...], Fraction]] = [{} for _ in round.choosers]
    for chosen, share in zip(choices, table, strict=True):
        for k, player in enumerate(round.choosers):
            others = (*chosen[:k], *chosen[k + 1 :])
            most[k][others] = max(most[k].get(others, share[player]), share[player])
    for chosen, share in zip(choices, table, strict=True):
        if all(share[player] == most[k][*chosen[:k], *chosen[k + 1 :]] for k, player in enumerate(round.choosers)):
            yield chosen


def expected(round: Round, table: Sequence[Payoff], mixtures: Sequence[Mixture]) -> Payoff:
    """What the players get on average by these mixtures."""
    chances = []
    for chosen in round.choices():
        chance = Fraction(1)
        for mixture, choice in zip(mixtures, chosen, strict=True):
            chance *= mixture[choice]
        chances.append(chance)
    return _mean(chances, table)
