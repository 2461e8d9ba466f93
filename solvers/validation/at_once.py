"""Whether the first player has won before the others have had a real say: within two moves of their own.

To *win* is to get the most that any end of the game pays them, where ends pay them differently. A minimax search from
the root, cut off after two of their moves, and after some moves of others, finds whether they can force that against
everybody else and chance. The search is sound: what is cut off counts as not won. Cost: the plays of that length.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.machine import END
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph

_MOVES: Final = 2
_LONGEST: Final = 5
"""The most moves and outcomes of a play in which the player moves at most twice."""


def wins_at_once(graph: PositionGraph) -> list[int] | None:
    """The edges of a play in which the first player wins by forced moves, within two of their own; None if they cannot
    force that, or if chance acts first. The players know the position, and nobody earns on the way."""
    player = graph.actor(ROOT)
    paid = {graph.payoff(end)[player] for end in _ends(graph)} if player >= 0 else set()
    return _forced(graph, ROOT, player, max(paid), _MOVES, _LONGEST) if len(paid) > 1 else None


def _ends(graph: PositionGraph) -> list[int]:
    return [position for position in range(len(graph)) if graph.actor(position) == END]


def _forced(
    graph: PositionGraph, position: int, player: int, best: object, moves: int, length: int
) -> list[int] | None:
    """The edges of a play from a position to an end that pays the player ``best``, which they can force within so many
    moves of theirs, and so many in all; None if they cannot."""
    actor = graph.actor(position)
    if actor == END:
        return [] if graph.payoff(position)[player] == best else None
    if length == 0 or (actor == player and moves == 0):
        return None
    longest: list[int] | None = None
    for edge in graph.edges(position):
        play = _forced(graph, graph.targets[edge], player, best, moves - (actor == player), length - 1)
        if actor == player and play is not None:
            return [edge, *play]
        if actor != player and play is None:
            return None
        if play is not None and (longest is None or len(play) >= len(longest)):
            longest = [edge, *play]
    return longest
