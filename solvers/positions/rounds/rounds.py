"""Rounds: players who choose at the same moment, as a table of where their choices lead.

In the graph they choose one after another, which makes a small tree below the position in which the round begins.
Nobody in it knows what the others have chosen; so whoever is to choose has the same moves in all of its positions, in
the same order, and a choice is the number of a move.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.positions.graph.graph import PositionGraph

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
