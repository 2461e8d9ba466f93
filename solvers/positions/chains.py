"""The Markov chain of a solution: where plays come if everybody does what it says.

That is the first of the best moves of a position, and in a round everybody's mixture. A round is one step from the
position in which it begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import prod

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.components import find_components
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.positions.solved import SolvedPositions


@frozen
class Onward:
    """How a play goes on from a position: ``shares[q]`` is the probability with which it comes to position q of the
    chain, ``ended`` that with which it ends. ``deciders`` is the number of players who decide."""

    deciders: int
    shares: Mapping[int, Fraction]
    ended: Fraction


@frozen(eq=False)
class Chain:
    """Positions of a ``graph``, all but ends, by their ``numbers`` in the chain, from 0; and how a play goes on from
    each of them, None where the solution does not say what to do."""

    graph: PositionGraph
    numbers: Mapping[int, int]
    onward: Sequence[Onward | None]

    def components(self, limits: Limits) -> Iterable[Sequence[int]]:
        """The strongly connected components, in reverse topological order."""
        firsts, targets = [0], list[int]()
        for onward in self.onward:
            targets += () if onward is None else onward.shares
            firsts.append(len(targets))
        graph = PositionGraph((), [0] * len(self.onward), firsts, targets, None, None, ())
        return find_components(graph, limits)


def chain_of(solved: SolvedPositions, starts: Iterable[int], most: int) -> Chain | None:
    """The chain of the positions that can be reached from some of the graph, those within rounds left out; None if
    they are more than ``most``."""
    graph = solved.graph
    inner = (p for p in starts if graph.kinds[p] > PAYS and not graph.is_within_round(p))
    positions = list(dict.fromkeys(islice(inner, most + 1)))
    numbers = {position: number for number, position in enumerate(positions)}
    chain: list[Onward | None] = []
    for position in positions:  # to which others are added on the way
        if len(positions) > most:
            return None
        deciders, ways = _step(solved, position)
        shares: dict[int, Fraction] = {}
        for target, share in ways:
            if graph.kinds[target] > PAYS:
                if target not in numbers:
                    numbers[target] = len(positions)
                    positions.append(target)
                shares[numbers[target]] = shares.get(numbers[target], Fraction(0)) + share
        ended = sum((share for target, share in ways if graph.kinds[target] <= PAYS), Fraction(0))
        chain.append(Onward(deciders, shares, ended) if ways else None)
    return Chain(graph, numbers, chain)


def _step(solved: SolvedPositions, position: int) -> tuple[int, list[tuple[int, Fraction]]]:
    """How many players decide in the step from a position, and where it leads, with which probability: nowhere if the
    solution does not say what to do."""
    graph = solved.graph
    targets = graph.targets
    if graph.kinds[position] < 0:
        ends = (targets[edge] for edge in graph.edges(position))
        return 0, list(zip(ends, graph.probabilities(position), strict=True))
    mixed = solved.mixtures(position)
    if mixed is None:
        return 1, [(targets[edge], Fraction(1)) for edge in solved.followed(position)[:1]]
    round, mixtures = mixed
    shares = [
        prod((mixture[k] for mixture, k in zip(mixtures, chosen, strict=True)), start=Fraction(1))
        for chosen in round.choices()
    ]
    ways = [(targets[path[-1]], share) for path, share in zip(round.paths, shares, strict=True) if share]
    return len(round.choosers), ways
