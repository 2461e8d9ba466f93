"""Moves that have the same effect wherever both are offered.

Two moves are *alike* in a position if they lead to the same position and earn the same; ends that pay the same are one
position. They are alike in a game if that is so in every position in which a player is offered both, and there is one
after which the play goes on: payoffs are often equal by chance at the end. So the moves of a pair are one choice
twice. This presumes that players always know the position: elsewhere a move also tells others something.

Two passes over the edges: the first collects the pairs that are alike somewhere, by equal targets within a position;
the second drops those that differ somewhere, and ends when there are none left. Cost: one look at each edge in the
first pass, which for most games is all; in the second, for each position, one look at each pair that it offers.

Choices that are made at once are left out: what others have chosen by then is a part of the position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph

_PART: Final = 1 << 12
"""Positions that are looked at together."""

Pair = tuple[int, int]


def find_alike(graph: PositionGraph) -> list[Pair]:
    """Pairs of edges that leave one position and whose moves are alike, in the order in which they are met: one for
    each pair of moves. The graph has the moves."""
    found = _alike_somewhere(graph)
    partners: dict[int, set[int]] = defaultdict(set)
    for move, other in found:
        partners[move].add(other)
    for _, moves, results in _decisions(graph):
        if not found:
            break
        if partners.keys().isdisjoint(moves):
            continue
        result_of = dict(zip(moves, results, strict=True))
        for move in partners.keys() & result_of.keys():
            different = {other for other in partners[move] & result_of.keys() if result_of[other] != result_of[move]}
            partners[move] -= different
            for other in different:
                del found[move, other]
    return list(found.values())


def _alike_somewhere(graph: PositionGraph) -> dict[Pair, Pair]:
    """The pairs of moves that lead to the same position somewhere, from which the play goes on, each with the first
    such pair of edges."""
    found: dict[Pair, Pair] = {}
    for first, moves, results in _decisions(graph):
        if len(set(results)) == len(results):
            continue
        places: dict[int, list[int]] = defaultdict(list)
        for k, result in enumerate(results):
            if graph.kinds[result % len(graph)] > PAYS:
                places[result].append(k)
        for alike in places.values():
            for k, other in combinations(alike, 2):
                pair = (moves[k], moves[other]) if moves[k] < moves[other] else (moves[other], moves[k])
                found.setdefault(pair, (first + k, first + other))
    return found


def _decisions(graph: PositionGraph) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
    """The positions in which a player decides alone and has a choice: the first edge, the moves, and the result of
    each, which is its target plus the number of positions times its reward."""
    assert graph.moves is not None, "the graph has the moves"
    edges = graph.firsts[len(graph)]
    for begin in range(0, len(graph), _PART):
        look()
        end = min(begin + _PART, len(graph))
        firsts = list(graph.firsts[begin : end + 1])
        if firsts[0] == edges:  # no moves have been made from here on
            break
        kinds = list(graph.kinds[begin:end])
        low, high = firsts[0], firsts[-1]
        moves = list(graph.moves[low:high])
        results = list(graph.targets[low:high])
        if graph.rewards is not None:
            earned = list(graph.rewards[low:high])
            results = [target + len(graph) * reward for target, reward in zip(results, earned, strict=True)]
        for k, kind in enumerate(kinds):
            a, b = firsts[k] - low, firsts[k + 1] - low
            if b - a > 1 and 0 <= kind < len(graph.players):
                yield firsts[k], moves[a:b], results[a:b]
